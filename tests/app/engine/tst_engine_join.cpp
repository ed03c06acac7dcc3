// SPDX-License-Identifier: GPL-3.0-or-later
// merge of whole caches: other documents, or other layers and stages of the same.
#include "model/data/maps/head_map.h"
#include "model/io/cache/cache_writer.h"
#include "tests/app/engine/into_fixture.h"
#include "tests/support/test_program.h"
#include "tests/support/verify.h"

#include <cmath>

using namespace headscope;
using namespace headscope::test;
namespace fs = std::filesystem;

class TestEngineJoin : public QObject, private IntoFixture
{
    Q_OBJECT

private Q_SLOTS:
    void initTestCase();
    void cachesOfOtherDocumentsBecomeOne();
    void layersAndStagesOfTheSameDocumentsBecomeOne();
    void aJoinedCacheIsAddedTo();
    void mapsAreLeftOutAndNamed();
    void whatDoesNotFitIsRefusedByName_data();
    void whatDoesNotFitIsRefusedByName();
    void everyDamageIsRefused();

private:
    bool make(const std::string& name, const QStringList& documents, const QStringList& options)
    {
        return engine(words(documents, options + QStringList{"-o", QString::fromStdString(name)}), "parts").exitCode ==
               0;
    }
};

void TestEngineJoin::initTestCase()
{
    qputenv("SOURCE_DATE_EPOCH", "1700000000"); // in which all runs are made
    writeTexts("all.jsonl", 0, kDocuments);
    writeTexts("old.jsonl", 0, 50);
    writeTexts("new.jsonl", 50, kDocuments);
    writeTexts("other.jsonl", 0, 50, "Another text");
    QVERIFY(make("whole.h5", {"../all.jsonl"}, {}));
    QVERIFY(make("old.h5", {"../old.jsonl"}, {}));
    QVERIFY(make("new.h5", {"../new.jsonl"}, {}));
}

/// Documents, tokens and labels are those of one run; vectors to their last bits, as texts are packed in another way.
void TestEngineJoin::cachesOfOtherDocumentsBecomeOne()
{
    const auto merged = engine({"merge", "../parts/old.h5", "../parts/new.h5", "-o", "c.h5", "--json"}, "documents");
    QVERIFY2(merged.exitCode == 0, merged.err.constData());
    QCOMPARE(jsonOf(merged).value(u"documents").toInt(), kDocuments);
    QCOMPARE(jsonOf(merged).value(u"parts").toInt(), 2);
    const auto joined = open("documents/c.h5");
    const auto whole = open("parts/whole.h5");
    QVERIFY(joined != nullptr);
    QCOMPARE(onlyOf(checksumsOf("documents/c.h5"), "/documents"), onlyOf(checksumsOf("parts/whole.h5"), "/documents"));
    QCOMPARE(onlyOf(checksumsOf("documents/c.h5"), "/model"), onlyOf(checksumsOf("parts/whole.h5"), "/model"));
    JobContext job;
    QCOMPARE(joined->info().embeddings.size(), std::size_t{3});
    for (const VectorsInfo& info : whole->info().embeddings)
    {
        const auto a = joined->load(info.layer, info.stage, {}, job);
        const auto b = whole->load(info.layer, info.stage, {}, job);
        HEADSCOPE_VERIFY_OK(a);
        for (std::size_t i = 0; i < (*b)->values().size(); ++i)
            QVERIFY(std::abs((*a)->values()[i] - (*b)->values()[i]) <=
                    1e-5F * std::max(1.0F, std::abs((*b)->values()[i])));
        const auto topics = joined->topics("topic", info.layer, info.stage, job);
        const auto wanted = whole->topics("topic", info.layer, info.stage, job);
        HEADSCOPE_VERIFY_OK(topics);
        QCOMPARE(topics->names, wanted->names);
        for (std::size_t i = 0; i < wanted->vectors->values().size(); ++i)
            QVERIFY(std::abs(topics->vectors->values()[i] - wanted->vectors->values()[i]) <=
                    1e-5F * std::max(1.0F, std::abs(wanted->vectors->values()[i])));
    }
}

void TestEngineJoin::layersAndStagesOfTheSameDocumentsBecomeOne()
{
    QVERIFY(make("l0.h5", {"../old.jsonl"}, {"--layers", "0", "--stages", "1"}));
    QVERIFY(make("l2.h5", {"../old.jsonl"}, {"--layers", "2", "--stages", "3"}));
    const auto merged = engine({"merge", "../parts/l2.h5", "../parts/l0.h5", "-o", "c.h5"}, "layers");
    QVERIFY2(merged.exitCode == 0, merged.err.constData());
    auto expected = checksumsOf("parts/l0.h5");
    for (const auto& [name, digest] : checksumsOf("parts/l2.h5"))
        expected[name] = digest;
    QCOMPARE(checksumsOf("layers/c.h5"), expected); // nothing is another
    QCOMPARE(open("layers/c.h5")->info().embeddings.size(), std::size_t{2});
}

void TestEngineJoin::aJoinedCacheIsAddedTo()
{
    QVERIFY(engine({"merge", "../parts/new.h5", "../parts/old.h5", "-o", "c.h5"}, "added").exitCode == 0);
    QCOMPARE(open("added/c.h5")->info().documents, std::int64_t{kDocuments});
    const auto outcome = engine(words({"../all.jsonl"}, {"--into", "c.h5"}), "added");
    QVERIFY2(outcome.exitCode == 0 && outcome.err.contains("already contains everything"), outcome.err.constData());
    HEADSCOPE_VERIFY_FAILED(engine(words({"../all.jsonl"}, {"--prompt", "A", "--into", "c.h5"}), "added"), 3,
                            "--prompt is nothing in the cache and A here");
}

void TestEngineJoin::mapsAreLeftOutAndNamed()
{
    fs::create_directories(base / "maps");
    fs::copy_file(base / "parts/old.h5", base / "maps/old.h5");
    HeadMap map;
    map.name = "mine";
    auto points = std::make_shared<PointIds>();
    points->document = {0};
    points->head = {1};
    map.points = points;
    map.xy = MatrixF(1, 2, {0.5F, 1});
    map.layer = LayerIndex(2);
    JobContext job;
    HEADSCOPE_VERIFY_OK(saveMap(base / "maps/old.h5", map, false, job));
    const auto merged = engine({"merge", "old.h5", "../parts/new.h5", "-o", "c.h5"}, "maps");
    QVERIFY2(merged.exitCode == 0, merged.err.constData());
    QVERIFY2(merged.err.contains("maps of old.h5 are not copied: mine"), merged.err.constData());
    QVERIFY(open("maps/c.h5")->info().maps.empty());
}

void TestEngineJoin::whatDoesNotFitIsRefusedByName_data()
{
    QTest::addColumn<QStringList>("options");
    QTest::addColumn<QByteArray>("part");
    QTest::newRow("an id twice") << QStringList{"../all.jsonl"} << QByteArray("found the id \"d0\" in both files");
    QTest::newRow("a layer twice") << QStringList{"../old.jsonl"} << QByteArray("found layer 2 stage 1 in both");
    QTest::newRow("pooling") << QStringList{"../new.jsonl", "--pooling", "mean"}
                             << QByteArray("--pooling is last there and mean here");
    QTest::newRow("prompt") << QStringList{"../new.jsonl", "--prompt", "A"}
                            << QByteArray("--prompt is nothing there and A here");
    QTest::newRow("store") << QStringList{"../new.jsonl", "--store", "f16"}
                           << QByteArray("--store is float32 there and float16 here");
    QTest::newRow("template") << QStringList{"../new.jsonl", "--topic-template", "On {}."}
                              << QByteArray("--topic-template is nothing there and On {}. here");
    QTest::newRow("last layer") << QStringList{"../new.jsonl", "--last-layer", "raw"}
                                << QByteArray("--last-layer is normed there and raw here");
    QTest::newRow("texts") << QStringList{"../other.jsonl", "--layers", "0"}
                           << QByteArray("expected the texts that the same documents have in ../parts/old.h5");
    QTest::newRow("labels") << QStringList{"../old.jsonl", "--layers", "0", "--label-columns", "kind"}
                            << QByteArray("expected the labels that the same documents have");
    QTest::newRow("both") << QStringList{"../new.jsonl", "--layers", "0"}
                          << QByteArray("found other documents with layer 0 stage 1");
    QTest::newRow("a range") << QStringList{"../new.jsonl", "--range", "0:5"}
                             << QByteArray(
                                    "expected the cache of a range (extract --range), found the cache of a whole run");
}

void TestEngineJoin::whatDoesNotFitIsRefusedByName()
{
    QFETCH(QStringList, options);
    QFETCH(QByteArray, part);
    const std::string name = std::string("refused ") + QTest::currentDataTag();
    const auto made = engine(words({}, options + QStringList{"-o", "b.h5"}), name);
    QVERIFY2(made.exitCode == 0, made.err.constData());
    const auto refused = engine({"merge", "../parts/old.h5", "b.h5", "-o", "c.h5"}, name);
    HEADSCOPE_VERIFY_FAILED(refused, 3, part);
    QCOMPARE(filesIn(name), QStringList{"b.h5"});
}

void TestEngineJoin::everyDamageIsRefused()
{
    const std::string sound = contents(base / "parts/new.h5");
    fs::create_directories(base / "damage");
    for (std::size_t at = 13; at < sound.size(); at += sound.size() / 40)
    {
        std::string bytes = sound;
        bytes[at] ^= 0x10;
        writeFile(base / "damage/new.h5", bytes);
        const auto outcome = engine({"merge", "../parts/old.h5", "new.h5", "-o", "c.h5"}, "damage");
        HEADSCOPE_VERIFY_FAILED(outcome, 3, "new.h5");
        QVERIFY(!fs::exists(base / "damage/c.h5"));
    }
}

HEADSCOPE_TEST_GUILESS(TestEngineJoin)
#include "tst_engine_join.moc"
