// SPDX-License-Identifier: GPL-3.0-or-later
// importance: against the vectors that extract --ablate writes for the same sets of heads.
#include "model/data/head_vectors.h"
#include "model/data/topic_vectors.h"
#include "tests/app/engine/into_fixture.h"
#include "tests/app/engine/served_engine.h"
#include "tests/support/golden_file.h"
#include "tests/support/test_program.h"
#include "tests/support/verify.h"

#include <QFileInfo>
#include <QJsonArray>
#include <QRegularExpression>

#include <cmath>
#include <numeric>

using namespace headscope;
using namespace headscope::test;

namespace
{

double cosineOf(std::span<const float> a, std::span<const float> b)
{
    const auto dot = [](std::span<const float> x, std::span<const float> y) {
        return std::inner_product(x.begin(), x.end(), y.begin(), 0.0, std::plus(),
                                  [](float p, float q) { return static_cast<double>(p) * static_cast<double>(q); });
    };
    return dot(a, b) / std::sqrt(dot(a, a) * dot(b, b));
}

/// Embeddings of the documents of a cache, and of its topics.
struct Embeddings
{
    std::shared_ptr<const HeadVectors> documents;
    TopicVectors topics;
    std::vector<std::int32_t> labels;

    [[nodiscard]] static std::span<const float> row(const HeadVectors& vectors, std::size_t index)
    {
        const auto width = static_cast<std::size_t>(vectors.heads() * vectors.dims());
        return vectors.values().subspan(index * width, width);
    }
    [[nodiscard]] double meanCosine(const Embeddings& other) const
    {
        double sum = 0;
        for (std::size_t i = 0; i < labels.size(); ++i)
            sum += cosineOf(row(*documents, i), row(*other.documents, i));
        return sum / static_cast<double>(labels.size());
    }
    [[nodiscard]] double match() const
    {
        double hits = 0;
        for (std::size_t i = 0; i < labels.size(); ++i)
        {
            std::size_t best = 0;
            for (std::size_t topic = 1; topic < topics.names.size(); ++topic)
                if (cosineOf(row(*documents, i), row(*topics.vectors, topic)) >
                    cosineOf(row(*documents, i), row(*topics.vectors, best)))
                    best = topic;
            hits += static_cast<std::int32_t>(best) == labels[i] ? 1 : 0;
        }
        return hits / static_cast<double>(labels.size());
    }
};

} // namespace

class TestEngineImportance : public QObject, private IntoFixture
{
    Q_OBJECT

private Q_SLOTS:
    void initTestCase();
    void asExtractWithoutThem_data();
    void asExtractWithoutThem();
    void allSetsOfFewGroups();
    void theTableSaysWhatItsNumbersAre();
    void samplesAndLabels();
    void aCacheInPlaceOfTexts();
    void filesHoldTheSame();
    void threadsChangeNothing();
    void servedAsTheVerb();
    void wrongUse_data();
    void wrongUse();
    void moreRunsThanMemoryHolds();

private:
    [[nodiscard]] ProcessOutcome importance(const QStringList& options, const QString& texts = "texts.jsonl") const
    {
        return engine(QStringList{"importance", text(golden("models/mistral_f32")), "../" + texts} + options, "i");
    }
    /// Extracts with these heads off; one folder each.
    [[nodiscard]] Embeddings extracted(const QStringList& options, const std::string& folder) const
    {
        const auto outcome =
            engine(words({"../texts.jsonl"}, QStringList{"--stages", "3", "-o", "c.h5"} + options), folder);
        const auto cache = open(folder + "/c.h5");
        if (outcome.exitCode != 0 || cache == nullptr)
            return {};
        JobContext job;
        Embeddings found;
        found.documents = *cache->load(LayerIndex(2), Stage::OutputSegment, {}, job);
        found.topics = *cache->topics("topic", LayerIndex(2), Stage::OutputSegment, job);
        for (const LabelColumn& column : (*cache->documents(job))->labels)
            if (column.name == "topic")
                found.labels = column.codes;
        return found;
    }
    static QJsonObject measureOf(const QJsonObject& json, int index)
    {
        return json["measures"].toArray()[index].toObject();
    }
    static QJsonObject playerOf(const QJsonObject& measure, int index)
    {
        return measure["players"].toArray()[index].toObject();
    }
    static double valueOf(const QJsonObject& player, const char* name)
    {
        return player[QLatin1StringView(name)].toObject()["value"].toDouble();
    }
};

void TestEngineImportance::initTestCase()
{
    writeTexts("texts.jsonl", 0, kDocuments);
    writeTexts("few.jsonl", 0, 30);
}

void TestEngineImportance::asExtractWithoutThem_data()
{
    QTest::addColumn<QString>("ablation");
    QTest::newRow("zero") << "zero";
    QTest::newRow("mean") << "mean";
}

void TestEngineImportance::asExtractWithoutThem()
{
    QFETCH(QString, ablation);
    const auto outcome = importance({"--layers", "1", "--label", "topic", "--ablation", ablation, "--json"});
    QVERIFY2(outcome.exitCode == 0, outcome.err.constData());
    const auto json = jsonOf(outcome);
    QCOMPARE(json["units"].toString(), "heads");
    QCOMPARE(json["documents"].toInt(), kDocuments);
    QCOMPARE(json["masks"].toInt(), 80); // ten for each of 8 heads
    QVERIFY(!json["exhaustive"].toBool());
    QCOMPARE(json["ablation"].toString(), ablation);
    QCOMPARE(json["reference"].toString().startsWith("90 documents, "), ablation == "mean");
    const auto cosines = measureOf(json, 0);
    const auto matches = measureOf(json, 1);
    QCOMPARE(matches["measure"].toString(), "match");
    const std::string folder = ablation.toStdString();
    const Embeddings whole = extracted({}, folder + "-whole");
    QCOMPARE(whole.labels.size(), static_cast<std::size_t>(kDocuments));
    QCOMPARE(cosines["all"].toObject()["value"].toDouble(), 1.0);
    QCOMPARE(matches["all"].toObject()["value"].toDouble(), whole.match());
    const QStringList off = {"--ablation", ablation, "--ablate"};
    const Embeddings none = extracted(off + QStringList{"1:all"}, folder + "-none");
    for (const int head : {0, 5})
    {
        QStringList others;
        for (int each = 0; each < 8; ++each)
            if (each != head)
                others << QString::number(each + 1);
        const Embeddings without =
            extracted(off + QStringList{QString("1:%1").arg(head + 1)}, folder + "-without" + std::to_string(head));
        const Embeddings alone =
            extracted(off + QStringList{"1:" + others.join(',')}, folder + "-alone" + std::to_string(head));
        QVERIFY(without.labels.size() == whole.labels.size() && alone.labels.size() == whole.labels.size());
        QCOMPARE(playerOf(cosines, head)["head"].toInt(), head + 1);
        QVERIFY(std::abs(valueOf(playerOf(cosines, head), "left_out") - (1 - whole.meanCosine(without))) < 1e-9);
        QVERIFY(std::abs(valueOf(playerOf(cosines, head), "alone") -
                         (whole.meanCosine(alone) - whole.meanCosine(none))) < 1e-9);
        QVERIFY(std::abs(valueOf(playerOf(matches, head), "left_out") - (whole.match() - without.match())) < 1e-12);
        QVERIFY(std::abs(valueOf(playerOf(matches, head), "alone") - (alone.match() - none.match())) < 1e-12);
        const auto interval = playerOf(cosines, head)["left_out"].toObject()["ci95"].toArray();
        QVERIFY(interval[0].toDouble() <= valueOf(playerOf(cosines, head), "left_out"));
        QVERIFY(interval[1].toDouble() >= valueOf(playerOf(cosines, head), "left_out"));
    }
}

void TestEngineImportance::allSetsOfFewGroups()
{
    const auto outcome = importance({"--layers", "all", "--units", "groups", "--masks", "64", "--label", "", "--json"});
    QVERIFY2(outcome.exitCode == 0, outcome.err.constData());
    const auto json = jsonOf(outcome);
    QVERIFY(json["exhaustive"].toBool()); // 2 groups of 3 layers
    QCOMPARE(json["runs"].toInt(), 64);
    QVERIFY(json["label"].isNull());
    QCOMPARE(json["measures"].toArray().size(), 1);
    const auto cosines = measureOf(json, 0);
    double sum = 0;
    for (int player = 0; player < 6; ++player)
    {
        const auto one = playerOf(cosines, player);
        QCOMPARE(one["layer"].toInt(), player / 2);
        QCOMPARE(one["group"].toInt(), player % 2 + 1);
        QVERIFY(one["standard_error"].isNull());
        sum += one["shapley"].toDouble();
    }
    const double span = cosines["all"].toObject()["value"].toDouble() - cosines["none"].toObject()["value"].toDouble();
    QVERIFY(std::abs(sum - span) < 1e-9);
    QVERIFY(span > 0);
}

/// Every mark of the table has its word under it, and no head helps or harms a cosine.
void TestEngineImportance::theTableSaysWhatItsNumbersAre()
{
    const QStringList options = {"--layers", "1", "--label", "topic"};
    const auto outcome = importance(options);
    QVERIFY2(outcome.exitCode == 0, outcome.err.constData());
    const QString said = QString::fromUtf8(outcome.out);
    for (const char* part :
         {"1.0000 with all heads (the model itself)", "Brackets: 95% intervals by bootstrap over documents",
          "Student's t, over the documents and the random sets", "-: fewer than 10 documents change",
          "+-: standard error of the coefficient", "About 1 in 20 heads without an effect gets a role",
          "adjusted (Benjamini-Hochberg) over the 8 heads", "Neither is better or worse",
          "is not tested against permuted labels here"})
        QVERIFY2(said.contains(QLatin1StringView(part)), qPrintable(said));
    QVERIFY2(!said.contains(QRegularExpression(QStringLiteral("\\]-?\\d"))), qPrintable(said)); // no two run together
    const auto json = jsonOf(importance(options + QStringList{"--json"}));
    QVERIFY(json["topics"].toInt() > 1);
    QVERIFY2(said.contains(QStringLiteral("(1 / %1 topics)").arg(json["topics"].toInt())), qPrintable(said));
    QVERIFY(measureOf(json, 0)["all"].toObject()["ci95"].isNull());
    QVERIFY(measureOf(json, 1)["all"].toObject()["ci95"].isArray());
    for (int head = 0; head < 8; ++head)
    {
        const QString cosine = playerOf(measureOf(json, 0), head)["role"].toString();
        QVERIFY2(QStringList({"nearer", "farther", "undecided"}).contains(cosine), qPrintable(cosine));
        const QString match = playerOf(measureOf(json, 1), head)["role"].toString();
        QVERIFY2(QStringList({"facilitating", "interfering", "undecided"}).contains(match), qPrintable(match));
        // Bracket, role and p say the same, of documents and random sets together.
        for (const int measure : {0, 1})
        {
            const auto player = playerOf(measureOf(json, measure), head);
            const auto bracket = player["coefficient"].toObject()["ci95"].toArray();
            const double value = valueOf(player, "coefficient");
            if (bracket.isEmpty())
            {
                QVERIFY(player["p"].isNull() && player["q"].isNull() && player["document_error"].isNull());
                QCOMPARE(player["role"].toString(), "undecided");
                continue;
            }
            const double low = bracket[0].toDouble();
            const double high = bracket[1].toDouble();
            const bool isApart = low > 0 || high < 0;
            QCOMPARE(player["p"].toDouble() < 0.05, isApart);
            QCOMPARE(player["role"].toString() != "undecided", isApart);
            QVERIFY(player["q"].toDouble() >= player["p"].toDouble());
            const double error = std::hypot(player["document_error"].toDouble(), player["standard_error"].toDouble());
            QVERIFY(error > 0 && high - value > 1.95 * error && std::abs(high + low - 2 * value) < 1e-12);
        }
    }
}

void TestEngineImportance::samplesAndLabels()
{
    // Topic names that no document has are topics all the same.
    writeFile(base / "names.txt", "t0\nt3\nt6\nnobody's\n");
    const QStringList options = {"--sample", "20",       "--seed",       "7",     "--label",
                                 "topic",    "--topics", "../names.txt", "--json"};
    const auto outcome = importance(options);
    QVERIFY2(outcome.exitCode == 0, outcome.err.constData());
    const auto json = jsonOf(outcome);
    QCOMPARE(json["documents"].toInt(), 20);
    QCOMPARE(json["all_documents"].toInt(), kDocuments);
    QCOMPARE(json["seed"].toInt(), 7);
    QCOMPARE(json["label"].toString(), "topic");
    QCOMPARE(json["measures"].toArray().size(), 2);
    QCOMPARE(jsonOf(importance(options))["measures"], json["measures"]);
}

/// Its texts, ids and labels are those of the documents it was made of.
void TestEngineImportance::aCacheInPlaceOfTexts()
{
    const auto made = engine(words({"../few.jsonl"}, {"--stages", "3", "-o", "c.h5", "--overwrite"}), "i");
    QVERIFY2(made.exitCode == 0, made.err.constData());
    const QStringList options = {"--label", "topic", "--json", "--overwrite"};
    const auto ofTexts = importance(options + QStringList{"-o", "t.h5"}, "few.jsonl");
    const auto ofCache = importance(options + QStringList{"-o", "c-importance.h5"}, "i/c.h5");
    QVERIFY2(ofCache.exitCode == 0, ofCache.err.constData());
    for (const char* part : {"measures", "label", "documents", "all_documents", "topics", "runs", "tokens"})
        QCOMPARE(jsonOf(ofCache)[QLatin1StringView(part)], jsonOf(ofTexts)[QLatin1StringView(part)]);
    QCOMPARE(GoldenFile(base / "i/c-importance.h5").strings("/cosine/documents"),
             GoldenFile(base / "i/t.h5").strings("/cosine/documents"));
    const auto some = importance(options + QStringList{"--rows", "3,0-1"}, "i/c.h5");
    QVERIFY2(some.exitCode == 0, some.err.constData());
    QCOMPARE(jsonOf(some)["documents"].toInt(), 3);
    // The only label column needs no name.
    writeFile(
        base / "one.jsonl",
        DocumentTexts{.end = 6,
                      .more = [](int i) { return ", \"colour\": \"" + std::string(i % 2 == 0 ? "red" : "blue") + '"'; }}
            .lines());
    QVERIFY(engine(words({"../one.jsonl"}, {"--stages", "3", "-o", "one.h5", "--overwrite"}), "i").exitCode == 0);
    for (const char* texts : {"one.jsonl", "i/one.h5"})
        QCOMPARE(jsonOf(importance({"--json"}, texts))["label"].toString(), "colour");
    for (const auto& [more, texts, code, said] :
         {std::tuple(QStringList{"--rows", "0-30"}, "i/c.h5", 3, "rows 0 to 29"),
          {QStringList{"--rows", "x"}, "i/c.h5", 2, "--rows"},
          {QStringList{"--rows", "0"}, "few.jsonl", 2, "a cache for these rows"},
          {QStringList{"--label", "nobody's"}, "i/c.h5", 3, "expected one of kind, topic, found \"nobody's\""},
          {QStringList{}, "i/c.h5", 3, "--label: expected --label with one of kind, topic"},
          {QStringList{}, "few.jsonl", 3, "--label: expected --label with one of topic, kind"}})
    {
        const auto refused = importance(more, texts);
        QCOMPARE(refused.exitCode, code);
        QVERIFY2(refused.err.contains(said), refused.err.constData());
    }
}

void TestEngineImportance::filesHoldTheSame()
{
    const QStringList options = {"--label", "topic", "--json", "--overwrite"};
    const auto printed = importance(options, "few.jsonl");
    QVERIFY2(printed.exitCode == 0, printed.err.constData());
    for (const char* name : {"x.csv", "x.h5", "x.json"})
    {
        const auto outcome = importance(options + QStringList{"-o", name}, "few.jsonl");
        QVERIFY2(outcome.exitCode == 0, outcome.err.constData());
        QCOMPARE(jsonOf(outcome)["measures"], jsonOf(printed)["measures"]);
    }
    const auto written = QJsonDocument::fromJson(QByteArray::fromStdString(contents(base / "i/x.json"))).object();
    QCOMPARE(written["measures"], jsonOf(printed)["measures"]);
    const QStringList rows = QString::fromStdString(contents(base / "i/x.csv")).trimmed().split('\n');
    QCOMPARE(rows.size(), 1 + 2 * 8);
    QVERIFY(rows[0].startsWith("measure,documents,layer,head,left_out,left_out_low,left_out_high,alone,"));
    const QStringList cells = rows[3].split(',');
    QCOMPARE(cells[0], "cosine");
    QCOMPARE(cells[3], "3");
    const auto third = playerOf(measureOf(written, 0), 2);
    QCOMPARE(cells[4].toDouble(), valueOf(third, "left_out"));
    const QStringList columns = rows[0].split(',');
    for (const char* name : {"standard_error", "document_error", "p", "q"})
        QCOMPARE(cells[columns.indexOf(QLatin1StringView(name))].toDouble(), third[QLatin1StringView(name)].toDouble());
    QCOMPARE(cells[columns.indexOf("role")], third["role"].toString());
    // The means of the values are those of the table.
    const GoldenFile file(base / "i/x.h5");
    const auto shape = file.shape("/cosine/values");
    QCOMPARE(shape[1], 30);
    QCOMPARE(shape[0], written["runs"].toInt());
    const auto values = file.doubles("/cosine/values");
    const std::size_t without = 2 + 2; // behind all and none: without the third head
    double mean = 0;
    for (std::size_t document = 0; document < 30; ++document)
        mean += (1 - values[without * 30 + document]) / 30;
    QVERIFY(std::abs(mean - valueOf(playerOf(measureOf(written, 0), 2), "left_out")) < 1e-12);
}

void TestEngineImportance::threadsChangeNothing()
{
    QJsonValue first;
    for (const char* threads : {"1", "2", "3"})
    {
        const auto outcome = importance(
            {"--layers", "0,2", "--units", "groups", "--label", "topic", "--threads", threads, "--json"}, "few.jsonl");
        QVERIFY2(outcome.exitCode == 0, outcome.err.constData());
        const QJsonValue measures = jsonOf(outcome)["measures"];
        if (first.isArray())
            QCOMPARE(measures, first);
        first = measures;
    }
}

void TestEngineImportance::servedAsTheVerb()
{
    ServedEngine served;
    const auto printed = importance({"--label", "topic", "--json"}, "few.jsonl");
    const auto answer = served.ask(1, "importance",
                                   {{"model", text(golden("models/mistral_f32"))},
                                    {"documents", QJsonArray{text(base / "few.jsonl")}},
                                    {"label", "topic"}});
    const auto result = answer.value(u"result").toObject();
    QVERIFY2(!result.isEmpty(), QJsonDocument(answer).toJson().constData());
    QCOMPARE(result["measures"], jsonOf(printed)["measures"]);
    const QString table = text(base / "served.csv");
    const auto written = served.ask(2, "importance",
                                    {{"model", text(golden("models/mistral_f32"))},
                                     {"documents", QJsonArray{text(base / "few.jsonl")}},
                                     {"label", "topic"},
                                     {"output", table}});
    QCOMPARE(written.value(u"result").toObject()["output"].toString(), table);
    QVERIFY(QFileInfo::exists(table));
}

void TestEngineImportance::wrongUse_data()
{
    QTest::addColumn<QStringList>("options");
    QTest::addColumn<int>("code");
    QTest::addColumn<QByteArray>("part");
    const auto row = [](const char* name, const QStringList& options, int code, const char* part) {
        QTest::newRow(name) << options << code << QByteArray(part);
    };
    row("layer", {"--layers", "3"}, 3, "expected layers 0 to 2");
    row("units", {"--units", "layers"}, 2, "--units");
    row("few sets", {"--masks", "9"}, 3, "--masks: expected at least 10 random sets for 8 heads, found 9");
    row("reference of zero", {"--reference", "../few.jsonl"}, 2, "--reference: this option needs --ablation mean");
    row("topics of nothing", {"--topics", "../few.jsonl", "--label", ""}, 2,
        "--topics: this option needs a label column");
    row("ending", {"-o", "x.txt"}, 2, "--output: expected a name that ends in .csv, .h5 or .json, found \"x.txt\"");
    row("label", {"--label", "colour"}, 3, "colour");
}

void TestEngineImportance::wrongUse()
{
    QFETCH(QStringList, options);
    QFETCH(int, code);
    QFETCH(QByteArray, part);
    const auto outcome = importance(options, "few.jsonl");
    HEADSCOPE_VERIFY_FAILED(outcome, code, part);
    QVERIFY(outcome.out.isEmpty());
}

/// The values of all runs are asked for before the first one.
void TestEngineImportance::moreRunsThanMemoryHolds()
{
    writeTexts("many.jsonl", 0, 4'000);
    const auto outcome =
        run("/usr/bin/prlimit", {"--as=2000000000", text(program("headscope-engine")), "importance",
                                 text(golden("models/mistral_f32")), text(base / "many.jsonl"), "--layers", "all",
                                 "--masks", "100000", "--label", "", "--threads", "1", "--device", "cpu"});
    HEADSCOPE_VERIFY_FAILED(outcome, 4, "the importance from 99732 runs of 4000 documents needs about 6.3");
    QVERIFY2(outcome.err.contains("use fewer --masks or documents"), outcome.err.constData());
}

HEADSCOPE_TEST_GUILESS(TestEngineImportance)
#include "tst_engine_importance.moc"
