// SPDX-License-Identifier: GPL-3.0-or-later
// extract --into: what is added to a cache, and that the rest of it stays.
#include "model/data/maps/head_map.h"
#include "model/io/cache/cache_writer.h"
#include "tests/app/engine/into_fixture.h"
#include "tests/support/test_program.h"
#include "tests/support/verify.h"

#include <QJsonArray>

#include <cmath>

using namespace headscope;
using namespace headscope::test;
namespace fs = std::filesystem;

namespace
{

/// Whether two caches have the same vectors, to the last bits of a float: which layers are computed decides how they
/// are multiplied.
void compareVectors(CacheReader& one, CacheReader& other)
{
    JobContext job;
    QCOMPARE(one.info().embeddings.size(), other.info().embeddings.size());
    for (const VectorsInfo& info : one.info().embeddings)
    {
        const auto a = one.load(info.layer, info.stage, {}, job);
        const auto b = other.load(info.layer, info.stage, {}, job);
        HEADSCOPE_VERIFY_OK(a);
        HEADSCOPE_VERIFY_OK(b);
        QCOMPARE((*a)->values().size(), (*b)->values().size());
        for (std::size_t i = 0; i < (*a)->values().size(); ++i)
            QVERIFY(std::abs((*a)->values()[i] - (*b)->values()[i]) <=
                    1e-5F * std::max(1.0F, std::abs((*b)->values()[i])));
    }
    for (const TopicColumnInfo& column : one.info().topics)
        for (const VectorsInfo& info : column.vectors)
        {
            const auto a = one.topics(column.column, info.layer, info.stage, job);
            const auto b = other.topics(column.column, info.layer, info.stage, job);
            HEADSCOPE_VERIFY_OK(a);
            HEADSCOPE_VERIFY_OK(b);
            QCOMPARE(a->names, b->names);
            for (std::size_t i = 0; i < a->vectors->values().size(); ++i)
                QVERIFY(std::abs(a->vectors->values()[i] - b->vectors->values()[i]) <=
                        1e-5F * std::max(1.0F, std::abs(b->vectors->values()[i])));
        }
}

} // namespace

class TestEngineInto : public QObject, private IntoFixture
{
    Q_OBJECT

private Q_SLOTS:
    void initTestCase();
    void addedDocumentsGiveTheBytesOfOneRun_data();
    void addedDocumentsGiveTheBytesOfOneRun();
    void addedLayersAndStagesGiveTheVectorsOfOneRun();
    void documentsAndLayersComeAtOnce();
    void layersAndStagesOfTheCacheAreTheDefault();
    void topicNamesAreAddedWithoutDocuments();
    void labelColumnsAreAddedWhenNamed();
    void nothingMissingLeavesTheFileAsItIs();
    void mapsStayUntilDocumentsCome();
    void documentsOfASampleSayWhatTheyAre();
    void memoryIsBounded();
    void serveAddsToACache();
    void statusTellsOfAnAddition();
};

void TestEngineInto::initTestCase()
{
    qputenv("SOURCE_DATE_EPOCH", "1700000000"); // in which all runs are made
    writeTexts("all.jsonl", 0, kDocuments);
    writeTexts("old.jsonl", 0, 50);
    writeTexts("middle.jsonl", 50, 53);
    writeTexts("new.jsonl", 53, kDocuments);
    writeFile(base / "topics.json", R"({"topic": ["t3", "t9"], "kind": ["b"]})");
    writeFile(base / "more.json", R"({"topic": ["t3", "t9", "t10"], "kind": ["b"]})");
}

void TestEngineInto::addedDocumentsGiveTheBytesOfOneRun_data()
{
    QTest::addColumn<QStringList>("options");
    QTest::newRow("plain") << QStringList();
    QTest::newRow("f16, all layers") << QStringList{"--store", "f16", "--layers", "all", "--stages", "1,contribution"};
    QTest::newRow("bf16, mean") << QStringList{"--store", "bf16", "--pooling", "mean"};
    QTest::newRow("prompt, cut") << QStringList{"--prompt", "Say it's \"so\": ", "--max-tokens", "9"};
    QTest::newRow("no labels") << QStringList{"--label-columns", ""};
    QTest::newRow("raw, text") << QStringList{"--last-layer", "raw", "--special-tokens", "text"};
    QTest::newRow("topics") << QStringList{"--topics", "../topics.json", "--topic-template", "Text about {}."};
    QTest::newRow("memory") << QStringList{"--memory", "500M"};
}

/// In two steps, the first of which adds a few: it begins within a step of the run before, and so does the second.
void TestEngineInto::addedDocumentsGiveTheBytesOfOneRun()
{
    QFETCH(QStringList, options);
    const std::string name = std::string("documents ") + QTest::currentDataTag();
    QVERIFY(engine(words({"../all.jsonl"}, options + QStringList{"-o", "whole.h5"}), name).exitCode == 0);
    QVERIFY(engine(words({"../old.jsonl"}, options + QStringList{"-o", "c.h5"}), name).exitCode == 0);
    // Some that are there are given again.
    for (const auto& [documents, added] : {std::pair("../middle.jsonl", 3), std::pair("../all.jsonl", 37)})
    {
        const auto grown = engine(words({documents}, options + QStringList{"--into", "c.h5", "--json"}), name);
        QVERIFY2(grown.exitCode == 0, grown.err.constData());
        const auto json = jsonOf(grown);
        QCOMPARE(json.value(u"added").toObject().value(u"documents").toInt(), added);
        QCOMPARE(json.value(u"added").toObject().value(u"vectors").toArray().size(), 0);
        QCOMPARE(json.value(u"skipped").toInt(), json.value(u"documents").toInt() - added);
    }
    QCOMPARE(filesIn(name), (QStringList{"c.h5", "whole.h5"}));
    const auto whole = checksumsOf(name + "/whole.h5");
    QVERIFY(whole.size() > 8);
    QCOMPARE(checksumsOf(name + "/c.h5"), whole);
    const auto cache = open(name + "/c.h5");
    QVERIFY(cache != nullptr);
    QCOMPARE(cache->info().header.truncated, open(name + "/whole.h5")->info().header.truncated);
    QVERIFY(cache->info().header.command.find(" -o c.h5 && headscope-engine extract ") != std::string::npos);
}

void TestEngineInto::addedLayersAndStagesGiveTheVectorsOfOneRun()
{
    QVERIFY(engine(words({"../all.jsonl"}, {"--layers", "all", "-o", "whole.h5"}), "layers").exitCode == 0);
    QVERIFY(engine(words({"../all.jsonl"}, {"--stages", "1", "-o", "c.h5"}), "layers").exitCode == 0);
    const auto before = checksumsOf("layers/c.h5");
    const auto grown =
        engine(words({}, {"--layers", "all", "--stages", "1,2,3", "--into", "c.h5", "--json"}), "layers");
    QVERIFY2(grown.exitCode == 0, grown.err.constData());
    QCOMPARE(jsonOf(grown).value(u"skipped").toInt(-1), 0);
    QCOMPARE(jsonOf(grown).value(u"added").toObject().value(u"vectors").toArray().size(), 8);
    const auto after = checksumsOf("layers/c.h5");
    for (const auto& [name, digest] : before) // nothing of what was there is another
        QCOMPARE(after.at(name), digest);
    const auto whole = open("layers/whole.h5");
    const auto cache = open("layers/c.h5");
    QCOMPARE(onlyOf(after, "/documents"), onlyOf(checksumsOf("layers/whole.h5"), "/documents"));
    compareVectors(*whole, *cache);
}

void TestEngineInto::documentsAndLayersComeAtOnce()
{
    QVERIFY(engine(words({"../all.jsonl"}, {"--layers", "0,2", "-o", "whole.h5"}), "both").exitCode == 0);
    QVERIFY(engine(words({"../old.jsonl"}, {"--layers", "2", "-o", "c.h5"}), "both").exitCode == 0);
    const auto grown =
        engine(words({"../middle.jsonl", "../new.jsonl"}, {"--layers", "0", "--into", "c.h5", "--json"}), "both");
    QVERIFY2(grown.exitCode == 0, grown.err.constData());
    const auto added = jsonOf(grown).value(u"added").toObject();
    QCOMPARE(added.value(u"documents").toInt(), 40);
    QCOMPARE(added.value(u"vectors").toArray().size(), 3);
    QCOMPARE(added.value(u"topics").toArray(), QJsonArray{"topic"});
    // Both layers were computed for all: to the bit.
    QCOMPARE(checksumsOf("both/c.h5"), checksumsOf("both/whole.h5"));
    QCOMPARE(filesIn("both"), (QStringList{"c.h5", "whole.h5"}));
}

void TestEngineInto::layersAndStagesOfTheCacheAreTheDefault()
{
    QVERIFY(engine(words({"../old.jsonl"}, {"--layers", "1", "--stages", "2", "-o", "c.h5"}), "default").exitCode == 0);
    const auto grown = engine(words({"../new.jsonl"}, {"--into", "c.h5"}), "default");
    QVERIFY2(grown.exitCode == 0, grown.err.constData());
    auto cache = open("default/c.h5");
    QCOMPARE(cache->info().embeddings.size(), std::size_t{1});
    QCOMPARE(cache->info().documents, 87);
    QVERIFY(engine(words({}, {"--stages", "1", "--into", "c.h5"}), "default").exitCode == 0);
    cache = open("default/c.h5");
    QCOMPARE(cache->info().embeddings.size(), std::size_t{2});
    QCOMPARE(cache->info().embeddings[0].layer, LayerIndex(1));
    QCOMPARE(cache->info().embeddings[0].stage, Stage::HeadOutput);
}

void TestEngineInto::topicNamesAreAddedWithoutDocuments()
{
    QVERIFY(engine(words({"../all.jsonl"}, {"--topics", "../more.json", "-o", "whole.h5"}), "topics").exitCode == 0);
    QVERIFY(engine(words({"../all.jsonl"}, {"--topics", "../topics.json", "-o", "c.h5"}), "topics").exitCode == 0);
    const auto before = checksumsOf("topics/c.h5");
    const auto grown = engine(words({}, {"--topics", "../more.json", "--into", "c.h5", "--json"}), "topics");
    QVERIFY2(grown.exitCode == 0, grown.err.constData());
    QCOMPARE(jsonOf(grown).value(u"added").toObject().value(u"topics").toArray(), QJsonArray{"topic"});
    QCOMPARE(jsonOf(grown).value(u"skipped").toInt(), kDocuments);
    const auto after = checksumsOf("topics/c.h5");
    QVERIFY(after != before);
    QCOMPARE(onlyOf(after, "/embeddings"), onlyOf(before, "/embeddings"));
    QCOMPARE(after, checksumsOf("topics/whole.h5"));
}

/// The cache was made without them; documents that are given again bring theirs, the others have none.
void TestEngineInto::labelColumnsAreAddedWhenNamed()
{
    QVERIFY(engine(words({"../old.jsonl"}, {"--label-columns", "kind", "-o", "c.h5"}), "columns").exitCode == 0);
    QVERIFY(engine(words({"../new.jsonl"}, {"--into", "c.h5"}), "columns").exitCode == 0);
    QCOMPARE(open("columns/c.h5")->info().labels, std::vector<std::string>{"kind"});
    writeTexts("some.jsonl", 40, 53);
    const auto grown = engine(words({"../some.jsonl"}, {"--label-columns", "topic", "--into", "c.h5"}), "columns");
    QVERIFY2(grown.exitCode == 0, grown.err.constData());
    const auto cache = open("columns/c.h5");
    JobContext job;
    const auto documents = cache->documents(job);
    HEADSCOPE_VERIFY_OK(documents);
    const LabelColumn* topic = (*documents)->label("topic");
    QVERIFY(topic != nullptr);
    QCOMPARE(topic->category(0), std::string_view());
    QCOMPARE(topic->category(40), std::string_view("t3"));
    QCOMPARE((*documents)->ids[87], std::string("d50")); // behind those that were there
    QCOMPARE(topic->category(87), std::string_view("t2"));
    QCOMPARE((*documents)->label("kind")->category(87), std::string_view()); // it was not asked for
    QVERIFY(cache->hasTopics("topic", LayerIndex(2), Stage::HeadOutput));
}

void TestEngineInto::nothingMissingLeavesTheFileAsItIs()
{
    QVERIFY(engine(words({"../old.jsonl"}, {"-o", "c.h5"}), "nothing").exitCode == 0);
    const auto bytes = contents(base / "nothing/c.h5");
    const auto time = changed("nothing/c.h5");
    for (const QStringList& options : {QStringList{}, QStringList{"--layers", "last"}, QStringList{"--stages", "1"}})
    {
        const auto outcome =
            engine(words({"../old.jsonl"}, options + QStringList{"--into", "c.h5", "--json"}), "nothing");
        QVERIFY2(outcome.exitCode == 0, outcome.err.constData());
        QVERIFY2(outcome.err.contains("c.h5 already contains everything: nothing was computed"),
                 outcome.err.constData());
        QCOMPARE(jsonOf(outcome).value(u"skipped").toInt(), 50);
        QCOMPARE(jsonOf(outcome).value(u"sha256").toString().size(), qsizetype{64});
    }
    QVERIFY(engine(words({}, {"--into", "c.h5"}), "nothing").exitCode == 0);
    QVERIFY(contents(base / "nothing/c.h5") == bytes);
    QCOMPARE(changed("nothing/c.h5"), time);
    QCOMPARE(filesIn("nothing"), QStringList{"c.h5"});
}

/// A map of the documents before is no map of those that are there now.
void TestEngineInto::mapsStayUntilDocumentsCome()
{
    QVERIFY(engine(words({"../old.jsonl"}, {"-o", "c.h5"}), "maps").exitCode == 0);
    HeadMap map;
    map.name = "of heads";
    auto points = std::make_shared<PointIds>();
    points->document = {0, 49};
    points->head = {1, 2};
    map.points = points;
    map.xy = MatrixF(2, 2, {0.5F, 1, -2, 3});
    map.layer = LayerIndex(2);
    JobContext job;
    HEADSCOPE_VERIFY_OK(saveMap(base / "maps/c.h5", map, false, job));
    const auto before = onlyOf(checksumsOf("maps/c.h5"), "/maps");
    QVERIFY(before.size() >= 3);

    QVERIFY(engine(words({}, {"--layers", "0", "--into", "c.h5"}), "maps").exitCode == 0);
    QCOMPARE(onlyOf(checksumsOf("maps/c.h5"), "/maps"), before);
    writeFile(base / "maps/c.h5.headscope", "kept");
    const auto grown = engine(words({"../new.jsonl"}, {"--into", "c.h5", "--json"}), "maps");
    QVERIFY2(grown.exitCode == 0, grown.err.constData());
    QVERIFY2(grown.err.contains("1 map of the earlier documents is no longer in the cache: of heads"),
             grown.err.constData());
    QVERIFY2(grown.err.contains("c.h5.headscope holds analyses of the previous version of the cache"),
             grown.err.constData());
    QCOMPARE(jsonOf(grown).value(u"added").toObject().value(u"dropped_maps").toArray(), QJsonArray{"of heads"});
    QVERIFY(open("maps/c.h5")->info().maps.empty());
    QCOMPARE(contents(base / "maps/c.h5.headscope"), std::string("kept"));
}

void TestEngineInto::documentsOfASampleSayWhatTheyAre()
{
    QVERIFY(engine(words({"../old.jsonl"}, {"--sample", "20", "-o", "c.h5"}), "sample").exitCode == 0);
    QVERIFY(engine(words({"../new.jsonl"}, {"--sample", "5", "--seed", "3", "--into", "c.h5"}), "sample").exitCode ==
            0);
    const auto cache = open("sample/c.h5");
    QCOMPARE(cache->info().documents, 25);
    QCOMPARE(cache->info().header.sample, std::string("20 of 50 documents, seed 1; added: 5 of 37 documents, seed 3"));
}

/// The vectors of the cache are copied in pieces.
void TestEngineInto::memoryIsBounded()
{
    std::string lines;
    for (int i = 0; i < 7000; ++i)
        lines += "{\"id\": \"" + std::to_string(i) + "\", \"text\": \"a b " + std::to_string(i) + "\"}\n";
    writeFile(base / "many.jsonl", lines);
    const auto made = engine(words({"../many.jsonl"}, {"--layers", "all", "--stages", "1,2,3,contribution", "-o",
                                                       "c.h5", "--shard-mb", "4"}),
                             "memory");
    QVERIFY2(made.exitCode == 0, made.err.constData());
    const auto size = fs::file_size(base / "memory/c.h5");
    QVERIFY(size > 100'000'000);
    const auto grown = engine(words({"../new.jsonl"}, {"--into", "c.h5", "--shard-mb", "4", "--json"}), "memory");
    QVERIFY2(grown.exitCode == 0, grown.err.constData());
    QCOMPARE(jsonOf(grown).value(u"documents").toInt(), 7037);
    QVERIFY2(jsonOf(grown).value(u"peak_bytes").toDouble() < 90e6, grown.out.constData());
}

void TestEngineInto::serveAddsToACache()
{
    QVERIFY(engine(words({"../old.jsonl"}, {"-o", "c.h5"}), "serve").exitCode == 0);
    const QByteArray model = QByteArray::fromStdString(golden("models/mistral_f32").string());
    const auto served = engine({"serve"}, "serve",
                               "{\"id\": 1, \"method\": \"extract\", \"params\": {\"model\": \"" + model +
                                   "\", \"documents\": [\"../new.jsonl\"], \"into\": \"c.h5\"}}\n"
                                   "{\"id\": 2, \"method\": \"extract\", \"params\": {\"model\": \"" +
                                   model + "\", \"documents\": [\"../new.jsonl\"]}}\n");
    QVERIFY2(served.exitCode == 0, served.err.constData());
    QVERIFY2(served.out.contains("\"added\":{\"documents\":37"), served.out.constData());
    QVERIFY2(served.out.contains("expected -o with a new cache or --into with an existing one, found neither"),
             served.out.constData());
    QCOMPARE(open("serve/c.h5")->info().documents, 87);
}

void TestEngineInto::statusTellsOfAnAddition()
{
    QVERIFY(engine(words({"../old.jsonl"}, {"-o", "c.h5"}), "status").exitCode == 0);
    fs::create_directories(base / "status/c.h5.shards");
    writeFile(base / "status/c.h5.shards/manifest.jsonl",
              R"({"format": "headscope-shards", "version": 2, "run": "headscope-engine extract x --into c.h5", )"
              R"("settings": {"--into": "ab"}, "store": "float32", "blocks": [{"layer": 0, "stage": "1", "heads": 8, )"
              R"("dims": 16}], "documents": {"begin": 0, "end": 70, "all": 70}})"
              "\n");
    const auto outcome = engine({"status", "c.h5"}, "status");
    QVERIFY2(outcome.exitCode == 0, outcome.err.constData());
    const QByteArray said = outcome.out + outcome.err;
    QVERIFY2(said.contains(
                 "c.h5.shards: 0 of 70 documents to add to a cache are done; no process is adding documents now: "),
             said.constData());
}

HEADSCOPE_TEST_GUILESS(TestEngineInto)
#include "tst_engine_into.moc"
