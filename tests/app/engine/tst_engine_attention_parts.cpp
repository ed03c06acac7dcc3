// SPDX-License-Identifier: GPL-3.0-or-later
// headscope-engine attention: some heads alone, small pictures, and models that were changed; by verb and by serve.
#include "tests/app/engine/served_engine.h"
#include "tests/support/golden_file.h"
#include "tests/support/test_program.h"

#include <QJsonArray>
#include <QTemporaryDir>
#include <QTest>

#include <algorithm>
#include <cmath>
#include <span>

using namespace headscope;
using namespace headscope::test;
namespace fs = std::filesystem;

namespace
{

const QString kText = QStringLiteral("the cat and the dog and the cat and a mat");

QString model(const std::string& name)
{
    return text(golden("models/" + name));
}

QString listed(std::span<const std::int64_t> numbers)
{
    QStringList words;
    for (const std::int64_t number : numbers)
        words << QString::number(number);
    return words.join(u',');
}

/// The numbers of a block of an answer to `attention`; none where it has no such block.
std::vector<float> blockOf(const QJsonObject& result, const char* name)
{
    const std::string bytes = contents(result.value(u"file").toString().toStdString());
    for (const auto& each : result.value(u"blocks").toArray())
    {
        const auto block = each.toObject();
        if (block.value(u"name").toString() != QLatin1StringView(name))
            continue;
        std::size_t count = 1;
        for (const auto& extent : block.value(u"shape").toArray())
            count *= static_cast<std::size_t>(extent.toInteger());
        std::vector<float> values(count);
        const auto offset = static_cast<std::size_t>(block.value(u"offset").toInteger());
        if (offset + count * sizeof(float) > bytes.size())
            return {};
        std::memcpy(values.data(), bytes.data() + offset, count * sizeof(float));
        return values;
    }
    return {};
}

/// The mean of the entries of one head's weights that a pixel covers and the query may see.
float pixel(std::span<const float> weights, std::int64_t tokens, std::int64_t side, std::int64_t i, std::int64_t j,
            bool causal, std::int64_t window)
{
    double sum = 0;
    int count = 0;
    for (std::int64_t t = 0; t < tokens; ++t)
        for (std::int64_t s = 0; s < tokens; ++s)
        {
            const bool covered = t >= i * tokens / side && t < (i + 1) * tokens / side && s >= j * tokens / side &&
                                 s < (j + 1) * tokens / side;
            const bool seen = (!causal || s <= t) && (window == 0 || s > t - window);
            if (!covered || !seen)
                continue;
            sum += static_cast<double>(weights[static_cast<std::size_t>(t * tokens + s)]);
            ++count;
        }
    return count == 0 ? 0.0F : static_cast<float>(sum / count);
}

} // namespace

class TestEngineAttentionParts : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void headsAlone();
    void thumbnailsAreMeansOfTheWeights_data();
    void thumbnailsAreMeansOfTheWeights();
    void headsThatAreOff();
    void headsSetToTheirMeans();
    void regroupedAsRecorded();
    void servedIsThatOfTheVerb_data();
    void servedIsThatOfTheVerb();
    void partsOfACharacterAreReadable();
    void modelAndTextAreTold();
    void wrongUse_data();
    void wrongUse();
    void longTextsOneHeadAtATime();

private:
    ProcessOutcome attention(const std::string& name, const QStringList& options) const
    {
        return runEngine(QStringList{"attention", model(name)} + options + QStringList{"--overwrite"});
    }
    [[nodiscard]] fs::path file(const char* name) const { return fs::path(m_folder.path().toStdString()) / name; }

    QTemporaryDir m_folder;
};

void TestEngineAttentionParts::headsAlone()
{
    const auto all = attention("mistral_f32", {kText, "--statistics", "-o", text(file("all.h5"))});
    QVERIFY2(all.exitCode == 0, all.err.constData());
    const auto some = attention(
        "mistral_f32", {kText, "--statistics", "--layers", "0,2", "--heads", "2-3,8", "-o", text(file("some.h5"))});
    QVERIFY2(some.exitCode == 0, some.err.constData());
    const GoldenFile whole(file("all.h5"));
    const GoldenFile part(file("some.h5"));
    const auto shape = whole.shape("attention/weights"); // [3, 8, T, T]
    QVERIFY(!whole.has("attention/heads"));
    QCOMPARE(part.integers("attention/heads"), (std::vector<std::int64_t>{1, 2, 7}));
    QCOMPARE(part.shape("attention/weights"), (std::vector<std::int64_t>{2, 3, shape[2], shape[3]}));
    const auto expected = whole.floats("attention/weights");
    std::vector<float> chosen;
    const auto size = static_cast<std::ptrdiff_t>(shape[2] * shape[3]);
    for (const int layer : {0, 2})
        for (const int head : {1, 2, 7})
        {
            const auto begin = expected.begin() + (layer * 8 + head) * size;
            chosen.insert(chosen.end(), begin, begin + size);
        }
    QCOMPARE(part.floats("attention/weights"), chosen);
    QCOMPARE(part.shape("statistics/entropy"), (std::vector<std::int64_t>{2, 8})); // of all heads
    QCOMPARE(part.doubles("statistics/entropy")[8], whole.doubles("statistics/entropy")[16]);
    const auto every = attention("mistral_f32", {kText, "--heads", "all", "-o", text(file("every.h5"))});
    QVERIFY2(every.exitCode == 0, every.err.constData());
    QCOMPARE(GoldenFile(file("every.h5")).floats("attention/weights"), expected);
}

void TestEngineAttentionParts::thumbnailsAreMeansOfTheWeights_data()
{
    QTest::addColumn<std::string>("name");
    QTest::addColumn<bool>("causal");
    QTest::addColumn<int>("window"); // of every layer
    QTest::addColumn<int>("side");
    QTest::newRow("causal") << std::string("mistral_f32") << true << 0 << 5;
    QTest::newRow("window") << std::string("mistral_window") << true << 8 << 7;
    QTest::newRow("encoder") << std::string("bert_f32") << false << 0 << 4;
    QTest::newRow("one pixel") << std::string("llama_mha") << true << 0 << 1;
    QTest::newRow("short text") << std::string("qwen3_f32") << true << 0 << 64;
}

void TestEngineAttentionParts::thumbnailsAreMeansOfTheWeights()
{
    QFETCH(std::string, name);
    QFETCH(bool, causal);
    QFETCH(int, window);
    QFETCH(int, side);
    for (const char* threads : {"1", "3"})
    {
        const auto outcome = attention(
            name, {kText, "--thumbnails", QString::number(side), "--threads", threads, "-o", text(file("t.h5"))});
        QVERIFY2(outcome.exitCode == 0, outcome.err.constData());
        const GoldenFile found(file("t.h5"));
        const auto weights = found.floats("attention/weights");
        const auto shape = found.shape("attention/weights");
        const std::int64_t tokens = shape[2], n = std::min<std::int64_t>(side, tokens);
        QCOMPARE(found.shape("attention/thumbnails"), (std::vector<std::int64_t>{shape[0], shape[1], n, n}));
        const auto pictures = found.floats("attention/thumbnails");
        if (n == tokens)
        {
            QCOMPARE(pictures, weights);
            continue;
        }
        for (std::int64_t head = 0; head < shape[0] * shape[1]; ++head)
            for (std::int64_t i = 0; i < n; ++i)
                for (std::int64_t j = 0; j < n; ++j)
                {
                    const auto own = std::span(weights).subspan(static_cast<std::size_t>(head * tokens * tokens),
                                                                static_cast<std::size_t>(tokens * tokens));
                    QCOMPARE(pictures[static_cast<std::size_t>((head * n + i) * n + j)],
                             pixel(own, tokens, n, i, j, causal, window));
                }
    }
    const auto alone =
        attention(name, {kText, "--thumbnails", QString::number(side), "--no-weights", "-o", text(file("alone.h5"))});
    QVERIFY2(alone.exitCode == 0, alone.err.constData());
    const GoldenFile pictures(file("alone.h5"));
    QVERIFY(!pictures.has("attention/weights"));
    QCOMPARE(pictures.floats("attention/thumbnails"), GoldenFile(file("t.h5")).floats("attention/thumbnails"));
}

/// Every head of layer 0 off: its output is nothing, its own weights stay, those of the layers after it change.
void TestEngineAttentionParts::headsThatAreOff()
{
    const auto plain = attention("mistral_f32", {kText, "--qkv", "0", "-o", text(file("plain.h5")), "--json"});
    QVERIFY2(plain.exitCode == 0, plain.err.constData());
    QVERIFY(jsonOf(plain)["ablated"].toArray().isEmpty() && jsonOf(plain)["ablation"].isNull());
    QVERIFY(jsonOf(plain).contains("reference") && jsonOf(plain)["reference"].isNull());
    const auto off =
        attention("mistral_f32", {kText, "--qkv", "0", "--ablate", "0:all", "-o", text(file("off.h5")), "--json"});
    QVERIFY2(off.exitCode == 0, off.err.constData());
    const auto told = jsonOf(off);
    QCOMPARE(told["ablated"].toArray()[0].toObject()["layer"].toInt(), 0);
    QCOMPARE(told["ablated"].toArray()[0].toObject()["heads"].toArray().size(), 8);
    QCOMPARE(told["ablation"].toString(), "zero");
    const GoldenFile before(file("plain.h5"));
    const GoldenFile after(file("off.h5"));
    QCOMPARE(after.text("model", "ablated"), "0:1-8");
    QCOMPARE(after.text("model", "ablation"), "zero");
    const auto ofPlain = before.floats("attention/weights");
    const auto ofOff = after.floats("attention/weights");
    const auto layer = static_cast<std::ptrdiff_t>(ofPlain.size() / 3);
    QVERIFY(std::equal(ofPlain.begin(), ofPlain.begin() + layer, ofOff.begin()));
    QVERIFY(!std::equal(ofPlain.begin() + layer, ofPlain.begin() + 2 * layer, ofOff.begin() + layer));
    QVERIFY(std::ranges::all_of(after.floats("qkv/z"), [](float z) { return z == 0; }));
    QCOMPARE(after.floats("qkv/q"), before.floats("qkv/q"));
}

void TestEngineAttentionParts::headsSetToTheirMeans()
{
    writeFile(file("reference.jsonl"), "{\"text\": \"a cat\"}\n{\"text\": \"the dog and the mat\"}\n");
    const auto outcome =
        attention("qwen3_f32", {kText, "--qkv", "1", "--ablate", "1:2", "--ablation", "mean", "--reference",
                                text(file("reference.jsonl")), "-o", text(file("mean.h5")), "--json"});
    QVERIFY2(outcome.exitCode == 0, outcome.err.constData());
    QVERIFY(jsonOf(outcome)["reference"].toString().startsWith("2 documents"));
    const GoldenFile found(file("mean.h5"));
    QVERIFY(found.text("model", "reference").starts_with("2 documents"));
    const auto z = found.floats("qkv/z"); // [H, T, Dh]
    const auto shape = found.shape("qkv/z");
    const auto row = [&](std::int64_t head, std::int64_t token) {
        return std::span(z).subspan(static_cast<std::size_t>((head * shape[1] + token) * shape[2]),
                                    static_cast<std::size_t>(shape[2]));
    };
    for (std::int64_t token = 1; token < shape[1]; ++token) // the same at every token
        QVERIFY(std::ranges::equal(row(1, token), row(1, 0)));
    QVERIFY(!std::ranges::equal(row(0, 1), row(0, 0)));
    QVERIFY(std::ranges::any_of(row(1, 0), [](float value) { return value != 0; }));
}

/// Keys and values of neighbouring groups averaged, at all layers: the outputs of the heads at the pooled token.
void TestEngineAttentionParts::regroupedAsRecorded()
{
    const std::string name = "llama_mha";
    const GoldenFile truth(golden("circuits/ablation.h5"));
    const auto offsets = truth.integers(name + "/offsets");
    auto ids = truth.integers(name + "/ids");
    ids.resize(static_cast<std::size_t>(offsets[1]));
    const auto groups = truth.integers(name + "/regroup/groups");
    const auto first = truth.floats(name + "/regroup/stage1_first"); // [n, L, H, Dh]
    const auto shape = truth.shape(name + "/regroup/stage1_first");
    QVERIFY(truth.text(name, "pooling") == "last");
    const std::int64_t kLayer = 1, heads = shape[2], dims = shape[3];
    for (std::size_t g = 0; g < groups.size(); ++g)
    {
        const auto outcome = attention(name, {"--ids", listed(ids), "--layers", "1", "--qkv", "1", "--regroup",
                                              QString::number(groups[g]), "-o", text(file("g.h5")), "--json"});
        QVERIFY2(outcome.exitCode == 0, outcome.err.constData());
        const GoldenFile found(file("g.h5"));
        const std::int64_t tokens = std::ssize(ids);
        QCOMPARE(found.shape("qkv/k"), (std::vector<std::int64_t>{groups[g], tokens, dims}));
        QCOMPARE(static_cast<std::int64_t>(found.number("attention", "kv_heads")), groups[g]);
        const auto z = found.floats("qkv/z");
        for (std::int64_t head = 0; head < heads; ++head)
        {
            const auto at = ((static_cast<std::int64_t>(g) * shape[1] + kLayer) * heads + head) * dims;
            double difference = 0, size = 0;
            for (std::int64_t i = 0; i < dims; ++i)
            {
                const double wanted = static_cast<double>(first[static_cast<std::size_t>(at + i)]);
                const auto own =
                    static_cast<double>(z[static_cast<std::size_t>((head * tokens + tokens - 1) * dims + i)]);
                difference = std::max(difference, std::abs(own - wanted));
                size += wanted * wanted;
            }
            QVERIFY(difference <= 1e-4 * std::sqrt(size));
        }
    }
}

void TestEngineAttentionParts::servedIsThatOfTheVerb_data()
{
    QTest::addColumn<std::string>("name");
    for (const char* name : {"mistral_window", "qwen3_f32", "bert_f32"})
        QTest::newRow(name) << std::string(name);
}

/// One question after another about one text, each about another change: the bits are those of the verb.
void TestEngineAttentionParts::servedIsThatOfTheVerb()
{
    QFETCH(std::string, name);
    writeFile(file("reference.jsonl"), "{\"text\": \"a cat\"}\n{\"text\": \"the dog and the mat\"}\n");
    const QJsonObject mean{{"ablate", "1:1"}, {"ablation", "mean"}, {"reference", text(file("reference.jsonl"))}};
    const std::vector<QJsonObject> changes = {
        {}, {{"ablate", "1:2"}}, {{"regroup", 1}}, {{"regroup", 1}, {"ablate", "0:3"}}, mean, mean, {}};
    ServedEngine engine;
    int id = 0;
    for (const QJsonObject& change : changes)
    {
        QStringList options{kText, "--heads", "2,4", "--thumbnails", "5", "--qkv", "1", "-o", text(file("verb.h5"))};
        QJsonObject params{{"model", model(name)}, {"text", kText}, {"heads", "2,4"}, {"thumbnails", 5}, {"qkv", 1}};
        for (auto it = change.begin(); it != change.end(); ++it)
        {
            options << "--" + it.key() << it.value().toVariant().toString();
            params[it.key()] = it.value();
        }
        const auto verb = attention(name, options);
        QVERIFY2(verb.exitCode == 0, verb.err.constData());
        const GoldenFile truth(file("verb.h5"));
        const auto answer = engine.ask(++id, "attention", params);
        const auto result = answer.value(u"result").toObject();
        QVERIFY2(!result.isEmpty(), QJsonDocument(answer).toJson().constData());
        QCOMPARE(blockOf(result, "weights"), truth.floats("attention/weights"));
        QCOMPARE(blockOf(result, "thumbnails"), truth.floats("attention/thumbnails"));
        QCOMPARE(blockOf(result, "z"), truth.floats("qkv/z"));
        QCOMPARE(blockOf(result, "k"), truth.floats("qkv/k"));
        QCOMPARE(result.value(u"weight_heads").toArray(), (QJsonArray{2, 4}));
        QCOMPARE(result.value(u"kv_heads").toInteger(), truth.shape("qkv/k")[0]);
        QCOMPARE(result.value(u"ablated").toArray().isEmpty(), !change.contains(u"ablate"));
        QCOMPARE(result.value(u"regroup").isNull(), !change.contains(u"regroup"));
    }
}

/// Where an emoji is split over tokens, each byte of a part is told; all is valid UTF-8, and nothing is lost.
void TestEngineAttentionParts::partsOfACharacterAreReadable()
{
    const QString words = QString::fromUtf8("a 🦀 and שלום");
    for (const char* name : {"mistral_f32", "qwen3_f32", "llama_mha"})
    {
        const auto outcome = attention(name, {words, "-o", text(file("e.h5"))});
        QVERIFY2(outcome.exitCode == 0, outcome.err.constData());
        const GoldenFile found(file("e.h5"));
        QCOMPARE(found.strings("attention/text"), (std::vector<std::string>{words.toStdString()}));
        QByteArray joined;
        for (const std::string& token : found.strings("attention/tokens"))
        {
            const auto bytes = QByteArray::fromStdString(token);
            QCOMPARE(QString::fromUtf8(bytes).toUtf8(), bytes);
            QVERIFY(!QString::fromUtf8(bytes).contains(QChar::ReplacementCharacter));
            joined += bytes;
        }
        // The bytes told one by one put together again.
        static const QRegularExpression byte(QStringLiteral("<0x([0-9A-F]{2})>"));
        QByteArray whole;
        qsizetype at = 0;
        for (auto it = byte.globalMatch(QString::fromLatin1(joined)); it.hasNext();)
        {
            const auto match = it.next();
            whole += joined.mid(at, match.capturedStart() - at) + QByteArray::fromHex(match.captured(1).toLatin1());
            at = match.capturedEnd();
        }
        whole += joined.mid(at);
        QVERIFY2(whole.contains(words.toUtf8()), joined.constData());
    }
}

/// What a reader needs to know without the model.
void TestEngineAttentionParts::modelAndTextAreTold()
{
    const auto outcome = attention("mistral_f32", {kText, "--regroup", "1", "-o", text(file("m.h5"))});
    QVERIFY2(outcome.exitCode == 0, outcome.err.constData());
    const GoldenFile found(file("m.h5"));
    QCOMPARE(found.text("model", "family"), "mistral");
    const std::pair<const char*, double> sizes[] = {
        {"layers", 3}, {"heads", 8}, {"kv_heads", 1}, {"regrouped_from", 2}};
    for (const auto& [attribute, value] : sizes)
        QCOMPARE(found.number("model", attribute), value);
    QVERIFY(found.number("model", "vocabulary") == 352 && found.number("model", "head_dim") > 0);
    QCOMPARE(found.strings("attention/text"), (std::vector<std::string>{kText.toStdString()}));
    QVERIFY(attention("mistral_f32", {"--ids", "1,2", "-o", text(file("ids.h5"))}).exitCode == 0);
    QVERIFY(!GoldenFile(file("ids.h5")).has("attention/text"));
}

void TestEngineAttentionParts::wrongUse_data()
{
    QTest::addColumn<QStringList>("options");
    QTest::addColumn<int>("code");
    QTest::addColumn<QByteArray>("part");
    const QString out = text(file("wrong.h5"));
    const auto row = [](const char* name, const QStringList& options, int code, const char* part) {
        QTest::newRow(name) << options << code << QByteArray(part);
    };
    row("head", {"a", "--heads", "9", "-o", out}, 3, "9");
    row("no heads", {"a", "--heads", "x", "-o", out}, 2, "--heads: expected");
    row("heads without weights", {"a", "--heads", "1", "--no-weights", "--statistics", "-o", out}, 2,
        "--heads: this option selects the weights to save");
    row("heads without output", {"a", "--heads", "1", "--statistics"}, 2, "--heads: this option needs -o");
    row("pictures without output", {"a", "--thumbnails", "8", "--statistics"}, 2, "--thumbnails: this option needs -o");
    row("no pixel", {"a", "--thumbnails", "0", "-o", out}, 2, "--thumbnails: expected an integer from 1");
    row("pictures of a corpus", {"--corpus", "x.jsonl", "--thumbnails", "8"}, 2,
        "--thumbnails: this option needs a text");
    row("heads of a corpus", {"--corpus", "x.jsonl", "--heads", "1"}, 2, "--heads: this option needs a text");
    row("means of no reference", {"a", "--ablate", "0:1", "--ablation", "mean", "-o", out}, 2,
        "--ablation mean needs this option with the documents for the mean");
    row("head that is off", {"a", "--ablate", "0:9", "-o", out}, 3, "expected heads 1 to 8");
    row("groups", {"a", "--regroup", "3", "-o", out}, 3, "--regroup: expected a divisor of");
}

void TestEngineAttentionParts::wrongUse()
{
    QFETCH(QStringList, options);
    QFETCH(int, code);
    QFETCH(QByteArray, part);
    const auto outcome = attention("mistral_f32", options);
    HEADSCOPE_VERIFY_FAILED(outcome, code, part);
    QVERIFY(!fs::exists(file("wrong.h5")));
}

/// The weights of 8 heads in 3 layers at 4,096 tokens are 1.5 GB; those of a head in one layer 64 MB, which the file
/// has room for and memory need not have.
void TestEngineAttentionParts::longTextsOneHeadAtATime()
{
#if defined(__SANITIZE_ADDRESS__)
    QSKIP("a sanitizer takes memory of its own");
#endif
    QStringList ids;
    for (int i = 0; i < 4096; ++i)
        ids << QString::number(i * 37 % 350);
    const QString command =
        QStringLiteral("ulimit -v 300000; ulimit -f 70000; exec '%1' attention '%2' --ids %3 --layers 1 --heads 3 "
                       "--thumbnails 32 -o '%4' --threads 1")
            .arg(text(program("headscope-engine")), model("mistral_f32"), ids.join(u','), text(file("long.h5")));
    const auto outcome = run("/bin/bash", {"-c", command});
    QVERIFY2(outcome.exitCode == 0, outcome.err.constData());
    const GoldenFile found(file("long.h5"));
    QCOMPARE(found.shape("attention/weights"), (std::vector<std::int64_t>{1, 1, 4096, 4096}));
    QCOMPARE(found.shape("attention/thumbnails"), (std::vector<std::int64_t>{1, 8, 32, 32}));
    const auto weights = found.floats("attention/weights");
    const auto pictures = found.floats("attention/thumbnails");
    for (const auto& [i, j] : {std::pair(0, 0), std::pair(20, 3), std::pair(31, 31), std::pair(3, 20)})
        QCOMPARE(pictures[static_cast<std::size_t>((2 * 32 + i) * 32 + j)], pixel(weights, 4096, 32, i, j, true, 0));
}

HEADSCOPE_TEST_GUILESS(TestEngineAttentionParts)
#include "tst_engine_attention_parts.moc"
