// SPDX-License-Identifier: GPL-3.0-or-later
// headscope-engine attention: against the recorded truth, and what it leaves behind.
#include "model/analysis/attention/attention_measures.h"
#include "model/analysis/attention/attention_paths.h"
#include "tests/app/engine/engine_run.h"
#include "tests/support/golden_file.h"
#include "tests/support/test_program.h"

#include <QJsonArray>
#include <QTemporaryDir>

#include <array>
#include <cmath>
#include <span>

using namespace headscope;
using namespace headscope::test;
namespace fs = std::filesystem;

namespace
{

QString listed(std::span<const std::int64_t> numbers)
{
    QStringList words;
    for (const std::int64_t number : numbers)
        words << QString::number(number);
    return words.join(u',');
}

std::vector<float> ofLayer(const std::vector<float>& values, std::size_t layer, std::size_t layers)
{
    const auto size = static_cast<std::ptrdiff_t>(values.size() / layers);
    const auto begin = values.begin() + static_cast<std::ptrdiff_t>(layer) * size;
    return {begin, begin + size};
}

double largestDifference(std::span<const float> a, std::span<const float> b)
{
    double largest = a.size() == b.size() ? 0 : INFINITY;
    for (std::size_t i = 0; i < std::min(a.size(), b.size()); ++i)
        largest = std::max(largest, std::abs(static_cast<double>(a[i]) - static_cast<double>(b[i])));
    return largest;
}

} // namespace

class TestEngineAttention : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void recordedWeights_data();
    void recordedWeights();
    void vectorsGiveTheWeights_data();
    void vectorsGiveTheWeights();
    void statisticsAreThoseOfTheWeights();
    void recordedNeedles_data();
    void recordedNeedles();
    void textsAndIds();
    void statisticsAlone();
    void statisticsOfACorpus();
    void pathsOfTheWeights();
    void wrongUse_data();
    void wrongUse();
    void filesAreWholeOrNot();
    void longTextsTakeLittleMemory();

private:
    ProcessOutcome attention(const std::string& model, const QStringList& options) const
    {
        return runEngine(QStringList{"attention", text(golden("models/" + model))} + options);
    }
    [[nodiscard]] fs::path file(const char* name) const { return fs::path(m_folder.path().toStdString()) / name; }
    [[nodiscard]] QStringList files() const { return QDir(m_folder.path()).entryList(QDir::Files, QDir::Name); }

    QTemporaryDir m_folder;
};

void TestEngineAttention::recordedWeights_data()
{
    QTest::addColumn<std::string>("model");
    for (const auto& entry : fs::directory_iterator(golden("models")))
        QTest::newRow(entry.path().filename().c_str()) << entry.path().filename().string();
}

void TestEngineAttention::recordedWeights()
{
    QFETCH(std::string, model);
    const GoldenFile truth(golden("models/" + model + "/expected.h5"));
    const auto ids = truth.integers("attention/ids");
    const auto expected = truth.floats("attention/probs"); // [L, H, T, T]
    const auto shape = truth.shape("attention/probs");
    const auto outcome = attention(model, {"--ids", listed(ids), "-o", text(file("w.h5")), "--overwrite", "--json"});
    QVERIFY2(outcome.exitCode == 0, outcome.err.constData());
    const auto json = jsonOf(outcome);
    QCOMPARE(json["tokens"].toInt(), static_cast<int>(ids.size()));
    QCOMPARE(json["layers"].toInt(), static_cast<int>(shape[0]));
    QCOMPARE(json["heads"].toInt(), static_cast<int>(shape[1]));
    QCOMPARE(json["output"].toString(), text(file("w.h5")));
    const GoldenFile found(file("w.h5"));
    QCOMPARE(found.shape("attention/weights"), shape);
    QVERIFY(largestDifference(found.floats("attention/weights"), expected) <= 1e-5);
    QCOMPARE(found.integers("attention/ids"), ids);
    QCOMPARE(found.strings("attention/tokens").size(), ids.size());
    QCOMPARE(found.integers("attention/layers").size(), static_cast<std::size_t>(shape[0]));
    // One layer has the same numbers, and nothing after it is computed.
    const auto layers = static_cast<std::size_t>(shape[0]);
    const auto one =
        attention(model, {"--ids", listed(ids), "--layers", "1", "-o", text(file("one.h5")), "--overwrite"});
    QVERIFY2(one.exitCode == 0, one.err.constData());
    const GoldenFile single(file("one.h5"));
    QCOMPARE(single.integers("attention/layers"), (std::vector<std::int64_t>{1}));
    QCOMPARE(single.floats("attention/weights"), ofLayer(found.floats("attention/weights"), 1, layers));
    QVERIFY(!single.has("qkv") && !single.has("statistics"));
}

void TestEngineAttention::vectorsGiveTheWeights_data()
{
    recordedWeights_data();
}

/// softmax(q k / sqrt(Dh)), divided and capped as the file says, with its bias by distance, are the weights, and the
/// weights times v what the head puts out.
void TestEngineAttention::vectorsGiveTheWeights()
{
    QFETCH(std::string, model);
    const GoldenFile truth(golden("models/" + model + "/expected.h5"));
    const auto ids = truth.integers("attention/ids");
    const auto outcome = attention(
        model, {"--ids", listed(ids), "--layers", "0,1", "--qkv", "1", "-o", text(file("v.h5")), "--overwrite"});
    QVERIFY2(outcome.exitCode == 0, outcome.err.constData());
    const GoldenFile found(file("v.h5"));
    const auto weights = ofLayer(found.floats("attention/weights"), 1, 2); // [H, T, T]
    const auto q = found.floats("qkv/q");
    const auto k = found.floats("qkv/k");
    const auto v = found.floats("qkv/v");
    const auto z = found.floats("qkv/z");
    const auto shape = found.shape("qkv/q");
    const auto heads = static_cast<std::size_t>(shape[0]), tokens = static_cast<std::size_t>(shape[1]),
               dims = static_cast<std::size_t>(shape[2]);
    const std::size_t groups = heads / static_cast<std::size_t>(found.shape("qkv/k")[0]);
    const double root = std::sqrt(found.number("/attention", "score_scalar"));
    const double cap = found.number("/attention", "softcap");
    const bool gemma = model.starts_with("gemma");
    QCOMPARE(root == std::sqrt(static_cast<double>(dims)), !gemma);
    QCOMPARE(cap, model == "gemma2_f16" ? 3.0 : 0.0);
    QCOMPARE(found.shape("qkv/z"), shape);
    QCOMPARE(found.has("qkv/bias"), model == "mpnet_f32");
    const auto bias = found.has("qkv/bias") ? found.floats("qkv/bias") : std::vector<float>();
    const auto distances = static_cast<std::int64_t>(bias.size() / heads); // 2 D + 1
    const auto biasOf = [&](std::size_t head, std::size_t query, std::size_t key) {
        if (bias.empty())
            return 0.0;
        const std::int64_t farthest = distances / 2;
        const auto away =
            std::clamp(static_cast<std::int64_t>(key) - static_cast<std::int64_t>(query), -farthest, farthest);
        return static_cast<double>(
            bias[head * static_cast<std::size_t>(distances) + static_cast<std::size_t>(away + farthest)]);
    };
    for (std::size_t h = 0; h < heads; ++h)
        for (std::size_t t = 0; t < tokens; ++t)
        {
            const float* row = weights.data() + (h * tokens + t) * tokens;
            double sum = 0;
            std::vector<double> own(tokens, 0.0);
            std::vector<double> output(dims, 0.0);
            for (std::size_t s = 0; s < tokens; ++s)
            {
                double product = 0;
                for (std::size_t i = 0; i < dims; ++i)
                    product += static_cast<double>(q[(h * tokens + t) * dims + i]) *
                               static_cast<double>(k[(h / groups * tokens + s) * dims + i]);
                const double score =
                    (cap > 0 ? cap * std::tanh(product / root / cap) : product / root) + biasOf(h, t, s);
                own[s] = row[s] == 0 ? 0 : std::exp(score);
                sum += own[s];
                for (std::size_t i = 0; i < dims; ++i)
                    output[i] +=
                        static_cast<double>(row[s]) * static_cast<double>(v[(h / groups * tokens + s) * dims + i]);
            }
            for (std::size_t s = 0; s < tokens; ++s)
                QVERIFY(std::abs(own[s] / sum - static_cast<double>(row[s])) <= 1e-5);
            for (std::size_t i = 0; i < dims; ++i)
                QVERIFY(std::abs(output[i] - static_cast<double>(z[(h * tokens + t) * dims + i])) <= 1e-4);
        }
}

void TestEngineAttention::statisticsAreThoseOfTheWeights()
{
    const auto outcome =
        attention("mistral_window", {"the cat and the dog and the cat and a mat", "--statistics", "--query", "8:10",
                                     "--span", "2:4", "-o", text(file("s.h5")), "--json", "--threads", "3"});
    QVERIFY2(outcome.exitCode == 0, outcome.err.constData());
    const GoldenFile found(file("s.h5"));
    const auto weights = found.floats("attention/weights");
    const auto shape = found.shape("attention/weights");
    const auto ids = found.integers("attention/ids");
    const AttentionText measured{.tokens = shape[2],
                                 .causal = true,
                                 .window = 8,
                                 .ids = {ids.begin(), ids.end()},
                                 .query = TokenRange{8, 10},
                                 .span = TokenRange{2, 4}};
    const auto statistics = jsonOf(outcome)["statistics"].toObject();
    QCOMPARE(statistics["layers"].toArray(), (QJsonArray{0, 1, 2}));
    // In words the span has its baseline beside it, too.
    const auto words = attention("mistral_window", {"the cat and the dog and the cat and a mat", "--statistics",
                                                    "--query", "8:10", "--span", "2:4"});
    const QByteArray even = QByteArray::number(statistics["span_even"].toArray()[0].toDouble(), 'f', 4);
    const QByteArray said = "uniform weights would put " + even + " on it.";
    QVERIFY2(words.out.contains(said), words.out.constData());
    QCOMPARE(found.names("statistics").size(), attentionMeasures(measured).size());
    for (std::int64_t layer = 0; layer < shape[0]; ++layer)
    {
        AttentionStatistics own(measured, shape[1]);
        for (HeadIndex head; head.value() < shape[1]; ++head)
            own.add(head, TokenIndex(0),
                    {weights.data() + (layer * shape[1] + head.value()) * shape[2] * shape[2], shape[2], shape[2]});
        for (const AttentionMeasure& measure : attentionMeasures(measured))
        {
            const std::string name(measure.name);
            const auto values = found.doubles("statistics/" + name); // [Ls, H]
            for (HeadIndex head; head.value() < shape[1]; ++head)
            {
                const double expected = own.of(head).*measure.value;
                QCOMPARE(values[static_cast<std::size_t>(layer * shape[1] + head.value())], expected);
                QCOMPARE(statistics[QString::fromStdString(name)].toArray()[layer].toArray()[head.value()].toDouble(),
                         expected);
            }
        }
    }
    QCOMPARE(statistics["span_even"].toArray()[0].toDouble(), measured.evenSpanMass());
}

void TestEngineAttention::recordedNeedles_data()
{
    QTest::addColumn<std::string>("model");
    for (const char* model : {"mistral_f32", "qwen3_f32", "bert_f32"})
        QTest::newRow(model) << std::string(model);
}

/// The mass of the query on a needle that stands somewhere in a text of ids.
void TestEngineAttention::recordedNeedles()
{
    QFETCH(std::string, model);
    const GoldenFile truth(golden("circuits/needle.h5"));
    const auto part = [&](const char* name) { return truth.integers(model + "/" + name); };
    const auto sentences = part("filler/offsets");
    const auto filler = part("filler/ids");
    const auto needle = part("needle"), query = part("query");
    const auto place = part("place");                    // [a, b, 4]
    const auto score = truth.doubles(model + "/score");  // [a, b, L, H]
    const auto even = truth.doubles(model + "/uniform"); // [a, b]
    const auto shape = truth.shape(model + "/score");
    const auto size = static_cast<std::size_t>(shape[2] * shape[3]);
    for (std::size_t at = 0; at < even.size(); ++at)
    {
        std::vector<std::int64_t> ids = part("prefix");
        const auto add = [&](const std::vector<std::int64_t>& more) {
            ids.insert(ids.end(), more.begin(), more.end());
        };
        const auto addFiller = [&](std::int64_t begin, std::int64_t end) {
            ids.insert(ids.end(), filler.begin() + sentences[static_cast<std::size_t>(begin)],
                       filler.begin() + sentences[static_cast<std::size_t>(end)]);
        };
        addFiller(0, place[4 * at + 1]);
        const auto first = std::ssize(ids);
        QCOMPARE(first, place[4 * at + 2]);
        add(needle);
        addFiller(place[4 * at + 1], place[4 * at]);
        const auto asked = std::ssize(ids);
        add(query);
        add(part("suffix"));
        QCOMPARE(std::ssize(ids), place[4 * at + 3]);
        const auto range = [](std::int64_t begin, std::size_t count) {
            return QStringLiteral("%1:%2").arg(begin).arg(begin + static_cast<std::int64_t>(count));
        };
        const auto outcome = attention(model, {"--ids", listed(ids), "--query", range(asked, query.size()), "--span",
                                               range(first, needle.size()), "--json"});
        QVERIFY2(outcome.exitCode == 0, outcome.err.constData());
        const auto statistics = jsonOf(outcome)["statistics"].toObject();
        for (std::size_t i = 0; i < size; ++i)
        {
            const auto layer = static_cast<qsizetype>(i) / shape[3], head = static_cast<qsizetype>(i) % shape[3];
            const double found = statistics["span_mass"].toArray()[layer].toArray()[head].toDouble();
            QVERIFY(std::abs(found - score[at * size + i]) <= 1e-5);
        }
        QVERIFY(std::abs(statistics["span_even"].toArray()[0].toDouble() - even[at]) <= 1e-12);
    }
}

void TestEngineAttention::textsAndIds()
{
    const QString words = "The cat sat on the mat.";
    QVERIFY(attention("mistral_f32", {words, "-o", text(file("text.h5"))}).exitCode == 0);
    const auto piped = runEngine({"attention", text(golden("models/mistral_f32")), "-", "-o", text(file("pipe.h5"))},
                                 words.toUtf8() + "\r\n");
    QVERIFY2(piped.exitCode == 0, piped.err.constData());
    const GoldenFile one(file("text.h5"));
    const GoldenFile two(file("pipe.h5"));
    const auto ids = one.integers("attention/ids");
    QCOMPARE(two.integers("attention/ids"), ids);
    QVERIFY(attention("mistral_f32", {"--ids", listed(ids), "-o", text(file("ids.h5"))}).exitCode == 0);
    const GoldenFile three(file("ids.h5"));
    QCOMPARE(three.floats("attention/weights"), one.floats("attention/weights"));
    QCOMPARE(three.strings("attention/tokens"), one.strings("attention/tokens"));
    QCOMPARE(one.strings("attention/tokens").front(), "<s>");
    // The same ids that extract takes.
    const auto tokens =
        runEngine({"tokenize", text(golden("models/mistral_f32"))}, R"({"text":"The cat sat on the mat."})");
    std::vector<std::int64_t> own;
    for (const auto& id : jsonOf(tokens)["ids"].toArray())
        own.push_back(id.toInteger());
    QCOMPARE(ids, own);
    const auto cut = attention("mistral_f32", {words, "--max-tokens", "4", "--statistics", "--json"});
    QCOMPARE(jsonOf(cut)["tokens"].toInt(), 4);
    QVERIFY(jsonOf(cut)["truncated"].toBool());
    QVERIFY2(cut.err.contains("the text was truncated to 4 tokens"), cut.err.constData());
}

void TestEngineAttention::statisticsAlone()
{
    const auto printed = attention("bert_f32", {"a cat", "--statistics", "--layers", "last"});
    QVERIFY2(printed.exitCode == 0, printed.err.constData());
    QCOMPARE(printed.out.count('\n'), 1 + 6 + 5); // below the table a line between, and four that say what it shows
    QVERIFY2(
        printed.out.contains("induction: weight on the tokens that follow earlier occurrences of the same token") &&
            printed.out.contains("These values show where a head attends in this text, not what it takes from there"),
        printed.out.constData());
    QVERIFY2(printed.out.contains("first_token") && printed.out.contains("\n    2     6  "), printed.out.constData());
    const auto kept =
        attention("bert_f32", {"a cat", "--statistics", "--no-weights", "--qkv", "0", "-o", text(file("n.h5"))});
    QVERIFY2(kept.exitCode == 0, kept.err.constData());
    const GoldenFile found(file("n.h5"));
    QVERIFY(!found.has("attention/weights"));
    QCOMPARE(found.shape("statistics/entropy"), (std::vector<std::int64_t>{3, 6}));
    QVERIFY(found.has("qkv/z"));
}

/// Means over documents are the means of what each document has alone.
void TestEngineAttention::statisticsOfACorpus()
{
    const QStringList texts = {"the cat sat", "a dog and a dog and a cat", "on the mat"};
    std::string lines;
    std::vector<double> sums;
    std::vector<double> squares;
    for (const QString& each : texts)
    {
        lines += "{\"text\": \"" + each.toStdString() + "\"}\n";
        const auto one = attention("qwen2_f32", {each, "--statistics", "--layers", "1", "--json"});
        const auto row = jsonOf(one)["statistics"].toObject()["previous_token"].toArray()[0].toArray();
        sums.resize(static_cast<std::size_t>(row.size()));
        squares.resize(sums.size());
        for (qsizetype head = 0; head < row.size(); ++head)
        {
            sums[static_cast<std::size_t>(head)] += row[head].toDouble();
            squares[static_cast<std::size_t>(head)] += row[head].toDouble() * row[head].toDouble();
        }
    }
    writeFile(file("corpus.jsonl"), lines + "{\"text\": \"\"}\n");
    QByteArray before;
    for (const char* threads : {"1", "3"})
    {
        const auto outcome =
            attention("qwen2_f32", {"--corpus", text(file("corpus.jsonl")), "--layers", "1", "--json", "--threads",
                                    threads, "-o", text(file("corpus.h5")), "--overwrite"});
        QVERIFY2(outcome.exitCode == 0, outcome.err.constData());
        QVERIFY(before.isEmpty() || before == outcome.out);
        before = outcome.out;
        const auto json = jsonOf(outcome);
        QCOMPARE(json["documents"].toInt(), 3);
        QCOMPARE(json["empty"].toInt(), 1);
        const auto row = json["statistics"].toObject()["previous_token"].toArray()[0].toArray();
        QCOMPARE(row.size(), static_cast<qsizetype>(sums.size()));
        for (qsizetype head = 0; head < row.size(); ++head)
            QVERIFY(std::abs(row[head].toDouble() - sums[static_cast<std::size_t>(head)] / 3) < 1e-12);
        const auto intervals = json["ci95"].toObject()["previous_token"].toArray()[0].toArray();
        for (qsizetype head = 0; head < row.size(); ++head)
        {
            constexpr double kStudent = 4.302652729911275; // of 2 degrees of freedom
            const auto at = static_cast<std::size_t>(head);
            const double half = kStudent * std::sqrt((squares[at] - sums[at] * sums[at] / 3) / 2 / 3);
            QVERIFY(std::abs(intervals[head].toArray()[0].toDouble() - (sums[at] / 3 - half)) < 1e-9);
            QVERIFY(std::abs(intervals[head].toArray()[1].toDouble() - (sums[at] / 3 + half)) < 1e-9);
        }
        const GoldenFile found(file("corpus.h5"));
        QCOMPARE(found.number("attention", "documents"), 3.0);
        QCOMPARE(found.shape("statistics/entropy"), (std::vector<std::int64_t>{1, 4}));
        QVERIFY(!found.has("attention/weights") && !found.has("attention/ids"));
    }
}

void TestEngineAttention::pathsOfTheWeights()
{
    const auto outcome =
        attention("mistral_f32", {"the cat and the dog", "--paths", "-o", text(file("p.h5")), "--json"});
    QVERIFY2(outcome.exitCode == 0, outcome.err.constData());
    const GoldenFile found(file("p.h5"));
    const auto weights = found.floats("attention/weights"); // [L, H, T, T]
    const auto shape = found.shape("attention/weights");
    PathMeasures own(shape[1], shape[2], 1);
    for (std::int64_t layer = 0; layer < shape[0]; ++layer)
        for (HeadIndex head; head.value() < shape[1]; ++head)
            own.add(head, TokenIndex(0),
                    {weights.data() + (layer * shape[1] + head.value()) * shape[2] * shape[2], shape[2], shape[2]});
    const auto paths = own.take(shape[2] - 1);
    QCOMPARE(found.doubles("paths/rollout"), paths.rollout.values());
    QCOMPARE(found.doubles("paths/rollout_without_first"), paths.rolloutWithoutFirst.values());
    QCOMPARE(found.doubles("paths/flow"), paths.flow);
    QCOMPARE(found.shape("paths/distances"), (std::vector<std::int64_t>{shape[0], shape[1], shape[1]}));
    QVERIFY(!found.has("statistics"));
    const auto json = jsonOf(outcome)["paths"].toObject();
    QCOMPARE(json["token"].toInteger(), shape[2] - 1);
    QCOMPARE(json["flow"].toArray()[0].toDouble(), paths.flow[0]);
    QCOMPARE(json["rollout"].toArray()[1].toDouble(), paths.rollout(shape[2] - 1, 1));
    QCOMPARE(json["distances"].toArray()[1].toArray()[0].toArray()[2].toDouble(), paths.distances[1](0, 2));
    const auto printed = attention("mistral_f32", {"the cat\nand the dog", "--paths"});
    QVERIFY2(printed.exitCode == 0, printed.err.constData());
    QVERIFY2(printed.out.contains("without_first") && printed.out.contains("  <s>\n"), printed.out.constData());
    QVERIFY2(printed.out.contains("counts as much as any other") && printed.out.contains("0.999 a + 0.001 / T"),
             printed.out.constData());
}

void TestEngineAttention::wrongUse_data()
{
    QTest::addColumn<QStringList>("options");
    QTest::addColumn<int>("code");
    QTest::addColumn<QByteArray>("part");
    const QString out = text(file("wrong.h5"));
    const auto row = [](const char* name, const QStringList& options, int code, const char* part) {
        QTest::newRow(name) << options << code << QByteArray(part);
    };
    row("no text", {"-o", out}, 2, "expected a text or --ids, found neither");
    row("both", {"a", "--ids", "1", "-o", out}, 2, "expected either a text or --ids, found both");
    row("no output", {"a"}, 2, "expected -o with a file or --statistics, found neither");
    row("vectors without output", {"a", "--qkv", "0", "--statistics"}, 2, "--qkv: this option needs -o");
    row("nothing left", {"a", "--no-weights", "-o", out}, 2, "otherwise nothing is written");
    row("query alone", {"a", "--query", "0:1", "-o", out}, 2, "--query and --span must be used together");
    row("query that ends first", {"a", "--query", "2:1", "--span", "0:1", "-o", out}, 2,
        "expected a range of tokens counted from 0");
    row("span behind the text", {"a", "--query", "0:1", "--span", "0:99", "-o", out}, 3,
        "--span: expected a range within");
    row("layer", {"a", "--layers", "3", "-o", out}, 3, "expected layers 0 to 2");
    row("layer of vectors", {"a", "--qkv", "3", "-o", out}, 3, "--qkv: expected layers 0 to 2");
    row("no number", {"--ids", "1,x", "-o", out}, 2, "expected token ids (0 or more), such as 1,5,9");
    row("id", {"--ids", "1,352", "-o", out}, 3, "token id: expected 0 to 351, found 352");
    row("paths of some layers", {"a", "--paths", "--layers", "1,2", "-o", out}, 3,
        "--paths needs all layers from 0 to 2");
    row("corpus and text", {"a", "--corpus", "x.jsonl"}, 2, "expected either a text or --corpus, found both");
    row("corpus and vectors", {"--corpus", "x.jsonl", "--qkv", "1", "-o", out}, 2, "--qkv: this option needs a text");
    row("no corpus", {"--corpus", "/no/such.jsonl"}, 3, "no/such.jsonl");
    row("folder", {"a", "-o", "/no/such/folder/a.h5"}, 4, "no such folder");
}

void TestEngineAttention::wrongUse()
{
    QFETCH(QStringList, options);
    QFETCH(int, code);
    QFETCH(QByteArray, part);
    const auto outcome = attention("mistral_f32", options);
    HEADSCOPE_VERIFY_FAILED(outcome, code, part);
    QVERIFY(!files().contains("wrong.h5"));
}

void TestEngineAttention::filesAreWholeOrNot()
{
    const auto place = file("kept.h5");
    writeFile(place, "mine");
    const auto refused = attention("mistral_f32", {"a cat", "-o", text(place)});
    HEADSCOPE_VERIFY_FAILED(refused, 2, "exists already");
    QCOMPARE(contents(place), "mine");
    const auto model = text(golden("models/mistral_f32/config.json"));
    HEADSCOPE_VERIFY_FAILED(attention("mistral_f32", {"a cat", "-o", model, "--overwrite"}), 2, "one of the inputs");
    // A disk that is full after 100 blocks: the file that was there stays, and no part of the new one.
    const auto before = files();
    QStringList ids;
    for (int i = 0; i < 200; ++i)
        ids << QString::number(i % 300);
    const QString command =
        QStringLiteral("ulimit -f 100; exec '%1' attention '%2' --ids %3 -o '%4' --overwrite")
            .arg(text(program("headscope-engine")), text(golden("models/mistral_f32")), ids.join(u','), text(place));
    const auto full = run("/bin/bash", {"-c", command});
    QCOMPARE(full.exitCode, 4);
    QVERIFY2(full.err.contains("kept.h5"), full.err.constData());
    QCOMPARE(contents(place), "mine");
    QCOMPARE(files(), before);
    QVERIFY(attention("mistral_f32", {"a cat", "-o", text(place), "--overwrite"}).exitCode == 0);
    QVERIFY(contents(place) != "mine");
}

/// 8 heads of 3,000 x 3,000 weights are 288 MB; a head alone is 36.
void TestEngineAttention::longTextsTakeLittleMemory()
{
#if defined(__SANITIZE_ADDRESS__)
    QSKIP("a sanitizer takes memory of its own");
#endif
    QStringList ids;
    for (int i = 0; i < 3000; ++i)
        ids << QString::number(i * 37 % 350);
    const QString command =
        QStringLiteral("ulimit -v 300000; exec '%1' attention '%2' --ids %3 --layers 1 -o '%4' --statistics --json "
                       "--threads 1")
            .arg(text(program("headscope-engine")), text(golden("models/mistral_f32")), ids.join(u','),
                 text(file("long.h5")));
    const auto outcome = run("/bin/bash", {"-c", command});
    QVERIFY2(outcome.exitCode == 0, outcome.err.constData());
    const GoldenFile found(file("long.h5"));
    QCOMPARE(found.shape("attention/weights"), (std::vector<std::int64_t>{1, 8, 3000, 3000}));
    const auto weights = found.floats("attention/weights");
    for (std::size_t row = 0; row < 24'000; row += 777)
    {
        double sum = 0;
        for (std::size_t i = 0; i < 3000; ++i)
            sum += static_cast<double>(weights[row * 3000 + i]);
        QVERIFY(std::abs(sum - 1) < 1e-5);
    }
}

HEADSCOPE_TEST_GUILESS(TestEngineAttention)
#include "tst_engine_attention.moc"
