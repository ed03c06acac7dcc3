// SPDX-License-Identifier: GPL-3.0-or-later
// contributions: sums that are the vectors which extract writes.
#include "model/io/circuits/circuit_file.h"
#include "tests/app/engine/into_fixture.h"
#include "tests/support/golden_file.h"
#include "tests/support/test_program.h"
#include "tests/support/verify.h"

#include <QJsonArray>

#include <cmath>
#include <numeric>

using namespace headscope;
using namespace headscope::test;

class TestEngineContributions : public QObject, private IntoFixture
{
    Q_OBJECT

private Q_SLOTS:
    void initTestCase() { writeTexts("few.jsonl", 0, 12); }
    void sharesSumToOne();
    void anEncoderFreezesAllNorms();
    void filesHoldTheSame();
    void termsOfAPair();
    void theTextSaysWhatItsNumbersAre();
    void threadsChangeNothing();
    void wrongUse_data();
    void wrongUse();

private:
    [[nodiscard]] ProcessOutcome contributions(const QStringList& options,
                                               const std::string& model = "mistral_f32") const
    {
        return engine(QStringList{"contributions", text(golden("models/" + model)), "../few.jsonl"} + options, "c");
    }
    static double sumOf(const QJsonArray& rows, const char* key)
    {
        double sum = 0;
        for (const auto& row : rows)
            sum += row.toObject()[QLatin1StringView(key)].toDouble();
        return sum;
    }
};

void TestEngineContributions::sharesSumToOne()
{
    const auto outcome = contributions({"--json"});
    QVERIFY2(outcome.exitCode == 0, outcome.err.constData());
    const auto json = jsonOf(outcome);
    QCOMPARE(json["documents"].toInt(), 12);
    QCOMPARE(json["norms"].toString(), "final norm frozen");
    QVERIFY(json["additive_error"].toDouble() < 1e-5);
    const auto parts = json["parts"].toArray();
    QCOMPARE(parts.size(), 1 + 3 * 8 + 3); // no biases
    QVERIFY(std::abs(sumOf(parts, "share") - 1) < 1e-5);
    QVERIFY(std::abs(sumOf(parts, "centered_share") - 1) < 1e-5);
    QVERIFY(parts[0].toObject()["layer"].isNull());
    QCOMPARE(parts[0].toObject()["head"].toString(), "token");
    QCOMPARE(parts[10].toObject()["layer"].toInt(), 1);
    QCOMPARE(parts[10].toObject()["head"].toInt(), 2);
    QCOMPARE(parts[27].toObject()["head"].toString(), "mlp");
    const auto interval = parts[10].toObject()["share_ci95"].toArray();
    QVERIFY(interval[0].toDouble() <= parts[10].toObject()["share"].toDouble());
    QVERIFY(interval[1].toDouble() >= parts[10].toObject()["share"].toDouble());
}

void TestEngineContributions::anEncoderFreezesAllNorms()
{
    const auto outcome = contributions({"--json", "-o", "b.h5", "--overwrite"}, "bert_f32");
    QVERIFY2(outcome.exitCode == 0, outcome.err.constData());
    const auto json = jsonOf(outcome);
    QCOMPARE(json["norms"].toString(), "all norms frozen");
    QVERIFY(json["additive_error"].toDouble() < 1e-5);
    QVERIFY(std::abs(sumOf(json["parts"].toArray(), "share") - 1) < 1e-5);
    QCOMPARE(json["parts"].toArray().size(), 1 + 3 * 6 + 3 + 3 + 2 * 3);
    const GoldenFile file(base / "c/b.h5");
    QCOMPARE(file.shape("/contributions/direct/norm_bias"), (std::vector<std::int64_t>{12, 3, 2}));
    QCOMPARE(file.text("/", "norms"), "all norms frozen");
}

/// The datasets, their shapes, and the vectors that extract writes.
void TestEngineContributions::filesHoldTheSame()
{
    for (const char* name : {"x.h5", "x.json", "x.csv"})
    {
        QStringList options = {"--json", "--overwrite", "-o", name};
        if (QByteArray(name) == "x.h5")
            options << "--parts";
        const auto outcome = contributions(options);
        QVERIFY2(outcome.exitCode == 0, outcome.err.constData());
    }
    const GoldenFile file(base / "c/x.h5");
    QCOMPARE(file.names("/contributions"), (std::vector<std::string>{"centred", "centred_norm", "direct", "embedding",
                                                                     "norm", "parts", "raw", "shares"}));
    QCOMPARE(file.shape("/contributions/raw/heads"), (std::vector<std::int64_t>{12, 3, 8, 128}));
    QCOMPARE(file.names("/contributions/direct"), (std::vector<std::string>{"heads", "mlp", "o_bias", "token"}));
    QCOMPARE(file.shape("/contributions/direct/heads"), (std::vector<std::int64_t>{12, 3, 8}));
    QCOMPARE(file.shape("/contributions/parts/heads"), (std::vector<std::int64_t>{12, 3, 8, 128}));
    QCOMPARE(file.strings("/documents").size(), 12U);
    QCOMPARE(file.strings("/texts").size(), 12U);
    const auto made = engine(words({"../few.jsonl"}, {"--stages", "3", "-o", "c.h5", "--overwrite"}), "c");
    QVERIFY2(made.exitCode == 0, made.err.constData());
    const auto cache = open("c/c.h5");
    QVERIFY(cache != nullptr);
    JobContext job;
    const auto vectors = cache->load(LayerIndex(2), Stage::OutputSegment, {}, job);
    HEADSCOPE_VERIFY_OK(vectors);
    const auto expected = (*vectors)->values();
    QVERIFY(relmax(file.doubles("/contributions/embedding"), {expected.begin(), expected.end()}) < 1e-5);
    // A direct effect is the part along the vector.
    const auto embeddings = file.doubles("/contributions/embedding");
    const auto parts = file.doubles("/contributions/parts/heads");
    const auto direct = file.doubles("/contributions/direct/heads");
    const auto norms = file.doubles("/contributions/norm");
    for (std::size_t row = 0; row < direct.size(); ++row)
    {
        const std::size_t document = row / 24;
        const double along = std::inner_product(parts.begin() + static_cast<std::ptrdiff_t>(row * 128),
                                                parts.begin() + static_cast<std::ptrdiff_t>((row + 1) * 128),
                                                embeddings.begin() + static_cast<std::ptrdiff_t>(document * 128), 0.0);
        QVERIFY(std::abs(along / norms[document] - direct[row]) < 1e-5 * norms[document]);
    }
    const auto json = QJsonDocument::fromJson(QByteArray::fromStdString(contents(base / "c/x.json"))).object();
    const QStringList rows = QString::fromStdString(contents(base / "c/x.csv")).trimmed().split('\n');
    QCOMPARE(rows.size(), 1 + json["parts"].toArray().size());
    QVERIFY2(rows[0].startsWith("layer,head,share,share_low,share_high,centered_share"), qPrintable(rows[0]));
    QCOMPARE(rows[3].split(',')[2].toDouble(), json["parts"].toArray()[2].toObject()["share"].toDouble());
}

void TestEngineContributions::termsOfAPair()
{
    const auto all = jsonOf(contributions({"--json", "-o", "p.h5", "--overwrite", "--pair", "d3,d7"}));
    const auto two = jsonOf(contributions({"--json", "--pair", "d3,d7"}));
    QCOMPARE(all["documents"].toInt(), 12);
    QCOMPARE(two["documents"].toInt(), 2); // without a file the others are not run
    for (const auto& json : {all, two})
    {
        QCOMPARE(json["pair"].toArray(), (QJsonArray{"d3", "d7"}));
        const auto terms = json["terms"].toArray();
        QCOMPARE(terms.size(), 1 + 3 * 8 + 3);
        QVERIFY(json["additive_error"].toDouble() < 1e-5);
        QVERIFY(std::abs(sumOf(terms, "value") - json["cosine"].toDouble()) < 1e-5);
        QVERIFY(std::abs(sumOf(terms, "reverse") - json["cosine"].toDouble()) < 1e-5);
        QVERIFY(!json.contains("parts"));
    }
    QVERIFY(std::abs(all["cosine"].toDouble() - two["cosine"].toDouble()) < 1e-5);
    const auto centred = jsonOf(contributions({"--json", "--pair", "d3,d7", "--center"}));
    QCOMPARE(centred["documents"].toInt(), 12);
    QVERIFY(centred["centered"].toBool() && std::abs(centred["cosine"].toDouble() - two["cosine"].toDouble()) > 0.01);
    QVERIFY(std::abs(sumOf(centred["terms"].toArray(), "value") - centred["cosine"].toDouble()) < 1e-5);
    const GoldenFile file(base / "c/p.h5");
    JobContext job;
    const auto read = readCircuitFile(base / "c/p.h5", job);
    HEADSCOPE_VERIFY_OK(read);
    QVERIFY(read->contributions() != nullptr && read->contributions()->pair);
    QCOMPARE(read->contributions()->pair->second, std::string("d7"));
    QCOMPARE(read->contributions()->kvHeads, std::int64_t{2});
    const auto& terms = read->contributions()->pair->terms;
    QCOMPARE(terms.size(), 28U);
    QCOMPARE(terms[9].value, all["terms"].toArray()[9].toObject()["value"].toDouble());
    QVERIFY(terms[9].part == (VectorPart{PartKind::Head, 1, 0}));
    QCOMPARE(file.names("/contributions/pairs"), (std::vector<std::string>{"cosine", "documents", "matrix"}));
    QCOMPARE(file.shape("/contributions/pairs/matrix"), (std::vector<std::int64_t>{1, 31, 31}));
    QCOMPARE(file.strings("/documents")[static_cast<std::size_t>(file.integers("/contributions/pairs/documents")[1])],
             "d7");
    const auto matrix = file.doubles("/contributions/pairs/matrix");
    const double second = std::accumulate(matrix.begin() + 31 * 2, matrix.begin() + 31 * 3, 0.0);
    QVERIFY(std::abs(second - all["terms"].toArray()[2].toObject()["value"].toDouble()) < 1e-12);
    const auto self = jsonOf(contributions({"--json", "--pair", "d3,d3"}));
    QVERIFY(std::abs(self["cosine"].toDouble() - 1) < 1e-12);
}

void TestEngineContributions::theTextSaysWhatItsNumbersAre()
{
    for (const auto& [options, model, part] :
         {std::tuple(QStringList(), "mistral_f32", "the sum is exact up to rounding"),
          {QStringList(), "bert_f32", "all norms frozen"},
          {QStringList{"--pair", "d3,d7"}, "mistral_f32", "Cosine of d3 and d7: "}})
    {
        const auto outcome = contributions(options, model);
        QVERIFY2(outcome.exitCode == 0, outcome.err.constData());
        QVERIFY2(outcome.out.contains(part), outcome.out.constData());
        QVERIFY2(outcome.out.contains("The parts sum to the total within "), outcome.out.constData());
    }
}

void TestEngineContributions::threadsChangeNothing()
{
    QJsonValue first;
    for (const char* threads : {"1", "2", "3"})
    {
        const QJsonValue parts = jsonOf(contributions({"--json", "--threads", threads}))["parts"];
        QVERIFY(parts.isArray());
        if (first.isArray())
            QCOMPARE(parts, first);
        first = parts;
    }
}

void TestEngineContributions::wrongUse_data()
{
    QTest::addColumn<QStringList>("options");
    QTest::addColumn<int>("code");
    QTest::addColumn<QByteArray>("part");
    const auto row = [](const char* name, const QStringList& options, int code, const char* part) {
        QTest::newRow(name) << options << code << QByteArray(part);
    };
    row("one id", {"--pair", "d3"}, 2, "--pair");
    row("unknown id", {"--pair", "d3,nobody"}, 2, "--pair: expected the ids of two input documents");
    row("parts without a file", {"--parts"}, 2, "--parts: this option needs -o FILE.h5");
    row("parts in a table", {"--parts", "-o", "y.csv"}, 2, "--parts: this option needs -o FILE.h5");
    row("ending", {"-o", "y.txt"}, 2, "--output: expected a name that ends in .csv, .h5 or .json");
    row("column", {"--text-column", "body"}, 3, "body");
}

void TestEngineContributions::wrongUse()
{
    QFETCH(QStringList, options);
    QFETCH(int, code);
    QFETCH(QByteArray, part);
    const auto outcome = contributions(options);
    HEADSCOPE_VERIFY_FAILED(outcome, code, part);
    QVERIFY(outcome.out.isEmpty());
}

HEADSCOPE_TEST_GUILESS(TestEngineContributions)
#include "tst_engine_contributions.moc"
