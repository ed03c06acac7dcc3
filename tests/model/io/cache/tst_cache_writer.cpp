// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/io/cache/cache_writer.h"

#include "model/io/cache/cache_reader.h"
#include "model/io/hdf5/hdf5_reader.h"
#include "model/kernels/half.h"
#include "tests/model/io/cache_fixture.h"
#include "tests/support/test_program.h"
#include "tests/support/verify.h"

#include <cmath>

using namespace headscope;

class TestCacheWriter : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void roundTrip_data();
    void roundTrip();
    void lastLayerIsRemembered();
    void changesOfTheModelAreRemembered();
    void whatTheModelsFilesAskForIsKept();
    void keepsNulAsItsSymbol();
    void refusesVectorsOfOtherDocuments();
    void savesAMapIntoACache();
    void savesNoMapIntoADamagedCache();
    void leavesNothingWhenNotPublished();
    void writesAMapAlone();
};

void TestCacheWriter::roundTrip_data()
{
    QTest::addColumn<int>("store");
    QTest::newRow("f32") << static_cast<int>(NumberType::F32);
    QTest::newRow("f16") << static_cast<int>(NumberType::F16);
    QTest::newRow("bf16") << static_cast<int>(NumberType::Bf16);
}

/// Whether stage 3 of the last layer stands before or after the final norm, known from the cache to its vectors.
void TestCacheWriter::lastLayerIsRemembered()
{
    JobContext job;
    const test::TemporaryFolder folder;
    for (const bool raw : {false, true})
    {
        const auto path = folder.file(raw ? "raw.h5" : "normed.h5");
        CacheContents contents = test::sampleContents();
        contents.header.model.lastLayerRaw = raw;
        HEADSCOPE_VERIFY_OK(writeCache(path, contents, NumberType::F32, job));
        const auto cache = CacheReader::open(path);
        HEADSCOPE_VERIFY_OK(cache);
        const ModelInfo& model = (*cache)->info().header.model;
        QCOMPARE(model.lastLayerRaw, raw);
        const std::string_view note = raw ? "before the final norm" : "after the final norm";
        int noted = 0;
        for (const VectorsInfo& each : (*cache)->info().embeddings)
        {
            const bool last = each.layer.value() == model.layers - 1 && each.stage == Stage::OutputSegment;
            QCOMPARE(each.finalNorm, last ? note : std::string_view());
            const auto vectors = (*cache)->load(each.layer, each.stage, {}, job);
            HEADSCOPE_VERIFY_OK(vectors);
            QCOMPARE((*vectors)->finalNorm(), each.finalNorm);
            QCOMPARE(takeRows(*vectors, {0})->finalNorm(), each.finalNorm);
            QCOMPARE(takeHeads(*vectors, {0})->finalNorm(), each.finalNorm);
            noted += last ? 1 : 0;
        }
        QCOMPARE(noted, 1);
    }
}

/// Heads that were off and other groups: another cache, by its identity and by its origin.
void TestCacheWriter::changesOfTheModelAreRemembered()
{
    JobContext job;
    const test::TemporaryFolder folder;
    const ModelChanges some{"1:2-3", "mean", "90 documents, 800 tokens, XXH3 0123", 2};
    for (const ModelChanges& changes : {ModelChanges(), some})
    {
        const auto path = folder.file(changes.any() ? "changed.h5" : "plain.h5");
        CacheContents contents = test::sampleContents();
        contents.header.model.changes = changes;
        HEADSCOPE_VERIFY_OK(writeCache(path, contents, NumberType::F32, job));
        const auto cache = CacheReader::open(path);
        HEADSCOPE_VERIFY_OK(cache);
        QCOMPARE((*cache)->info().header.model.changes, changes);
    }
    const auto plain = CacheReader::open(folder.file("plain.h5"));
    const auto changed = CacheReader::open(folder.file("changed.h5"));
    HEADSCOPE_VERIFY_OK(plain);
    HEADSCOPE_VERIFY_OK(changed);
    QVERIFY((*plain)->origin() != (*changed)->origin());
}

void TestCacheWriter::roundTrip()
{
    QFETCH(int, store);
    const auto type = static_cast<NumberType>(store);
    const test::TemporaryFolder folder;
    const auto path = folder.file("cache.h5");
    const CacheContents contents = test::sampleContents();
    JobContext job;
    const auto written = writeCache(path, contents, type, job);
    HEADSCOPE_VERIFY_OK(written);
    QCOMPARE(folder.files(), std::size_t{1});

    auto opened = CacheReader::open(path);
    HEADSCOPE_VERIFY_OK(opened);
    CacheReader& cache = **opened;
    const CacheInfo& info = cache.info();
    QCOMPARE(info.header.model.name, contents.header.model.name);
    QCOMPARE(info.header.model.kvHeads, 2);
    QCOMPARE(info.header.model.sha256, contents.header.model.sha256);
    QCOMPARE(info.header.pooling, std::string("last"));
    QCOMPARE(info.header.eos, std::string("config"));
    QCOMPARE(info.header.maxTokens, 4096);
    QCOMPARE(info.header.truncated, 1);
    QCOMPARE(info.header.created, contents.header.created);
    QVERIFY(info.header.application.starts_with("Headscope"));
    QVERIFY(info.hasChecksums);
    QVERIFY2(info.notices.empty(), info.notices.empty() ? "" : info.notices.front().c_str());
    QCOMPARE(info.embeddings.size(), std::size_t{6});

    const auto documents = cache.documents(job);
    HEADSCOPE_VERIFY_OK(documents);
    QCOMPARE((*documents)->ids, contents.documents.ids);
    QCOMPARE((*documents)->texts, contents.documents.texts);
    QCOMPARE((*documents)->tokens, contents.documents.tokens);
    QCOMPARE((*documents)->flags, contents.documents.flags);
    QCOMPARE((*documents)->labels.size(), std::size_t{2});
    for (std::size_t i = 0; i < 2; ++i)
    {
        QCOMPARE((*documents)->labels[i].name, contents.documents.labels[i].name);
        QCOMPARE((*documents)->labels[i].codes, contents.documents.labels[i].codes);
        QCOMPARE((*documents)->labels[i].categories, contents.documents.labels[i].categories);
    }
    const auto stored = [type](float value) {
        return type == NumberType::F16    ? floatFromHalf(halfFromFloat(value))
               : type == NumberType::Bf16 ? floatFromBfloat16(bfloat16FromFloat(value))
                                          : value;
    };
    for (const auto& truth : contents.embeddings)
    {
        const auto vectors = cache.load(truth->layer(), truth->stage(), {}, job);
        HEADSCOPE_VERIFY_OK(vectors);
        QCOMPARE((*vectors)->documents(), truth->documents());
        QCOMPARE((*vectors)->heads(), truth->heads());
        for (std::size_t i = 0; i < truth->values().size(); ++i)
            QCOMPARE((*vectors)->values()[i], stored(truth->values()[i]));
    }
    const auto topics = cache.topics("topic", LayerIndex(3), Stage::HeadOutput, job);
    HEADSCOPE_VERIFY_OK(topics);
    QCOMPARE(topics->names, (std::vector<std::string>{"a", "b", "c"}));
    QCOMPARE(topics->vectors->values()[7], stored(contents.topics[3].vectors->values()[7]));

    const auto map = cache.map("map", job);
    HEADSCOPE_VERIFY_OK(map);
    const HeadMap& truth = contents.maps.front();
    QVERIFY(map->xy == truth.xy);
    QCOMPARE(map->points->head, truth.points->head);
    QCOMPARE(map->points->document, truth.points->document);
    QCOMPARE(map->options.perplexities, truth.options.perplexities);
    QVERIFY(map->options.metric == Metric::Cosine && map->stage == Stage::OutputSegment);
    QCOMPARE(map->options.seed, truth.options.seed);
    QCOMPARE(map->kl, truth.kl);
    QCOMPARE(map->iteration, truth.iteration);
    QCOMPARE(map->hash, truth.hash);
    QCOMPARE(map->leftOut, truth.leftOut);
}

/// In its order and with names that repeat; it is no part of the identity or the origin, but of the digest.
void TestCacheWriter::whatTheModelsFilesAskForIsKept()
{
    JobContext job;
    const test::TemporaryFolder folder;
    const FactLines asks = {{"pooling", "last token"}, {"prompt", "q: \"a\\nb\""}, {"prompt", "d: \"\""}};
    CacheContents contents = test::sampleContents();
    contents.header.created = "2026-01-01T00:00:00Z";
    HEADSCOPE_VERIFY_OK(writeCache(folder.file("without.h5"), contents, NumberType::F32, job));
    contents.header.asks = asks;
    HEADSCOPE_VERIFY_OK(writeCache(folder.file("with.h5"), contents, NumberType::F32, job));
    const auto without = CacheReader::open(folder.file("without.h5"));
    const auto with = CacheReader::open(folder.file("with.h5"));
    HEADSCOPE_VERIFY_OK(without);
    HEADSCOPE_VERIFY_OK(with);
    QVERIFY((*with)->info().header.asks == asks);
    QVERIFY((*without)->info().header.asks.empty());
    QVERIFY(asksText((*without)->info().header).empty());
    const std::string text = asksText((*with)->info().header);
    QVERIFY(text.find("pooling  last token\n") != std::string::npos);
    QCOMPARE((*with)->info().identity, (*without)->info().identity);
    QVERIFY((*with)->origin() == (*without)->origin());
    QVERIFY((*with)->info().notices == (*without)->info().notices);
}

void TestCacheWriter::keepsNulAsItsSymbol()
{
    const test::TemporaryFolder folder;
    CacheContents contents = test::sampleContents();
    contents.documents.texts[0] = std::string("a\0b", 3);
    JobContext job;
    HEADSCOPE_VERIFY_OK(writeCache(folder.file("c.h5"), contents, NumberType::F32, job));
    auto cache = CacheReader::open(folder.file("c.h5"));
    HEADSCOPE_VERIFY_OK(cache);
    const auto documents = (*cache)->documents(job);
    HEADSCOPE_VERIFY_OK(documents);
    QCOMPARE((*documents)->texts[0], std::string("a\xe2\x90\x80"
                                                 "b"));
}

void TestCacheWriter::refusesVectorsOfOtherDocuments()
{
    const test::TemporaryFolder folder;
    CacheContents contents = test::sampleContents();
    contents.documents.ids.pop_back();
    JobContext job;
    const auto written = writeCache(folder.file("c.h5"), contents, NumberType::F32, job);
    HEADSCOPE_VERIFY_ERROR(written, ErrorCode::ShapeMismatch, "expected vectors of 11 documents, found 12");
    QCOMPARE(folder.files(), std::size_t{0});
}

void TestCacheWriter::savesAMapIntoACache()
{
    const test::TemporaryFolder folder;
    const auto path = folder.file("c.h5");
    const CacheContents contents = test::sampleContents();
    JobContext job;
    HEADSCOPE_VERIFY_OK(writeCache(path, contents, NumberType::F32, job));
    HeadMap map = contents.maps.front();
    const auto refused = saveMap(path, map, false, job);
    HEADSCOPE_VERIFY_ERROR(refused, ErrorCode::WrongUse, "/maps/map");
    map.xy(0, 0) = 99.0F;
    HEADSCOPE_VERIFY_OK(saveMap(path, map, true, job));
    map.name = "other/name";
    HEADSCOPE_VERIFY_OK(saveMap(path, map, false, job));
    QCOMPARE(folder.files(), std::size_t{1});

    auto cache = CacheReader::open(path);
    HEADSCOPE_VERIFY_OK(cache);
    QCOMPARE((*cache)->info().maps, (std::vector<std::string>{"map", "other/name"}));
    QVERIFY((*cache)->info().notices.empty());
    const auto read = (*cache)->map("map", job);
    HEADSCOPE_VERIFY_OK(read);
    QCOMPARE(read->xy(0, 0), 99.0F);
    const auto vectors = (*cache)->load(LayerIndex(3), Stage::HeadOutput, {}, job);
    HEADSCOPE_VERIFY_OK(vectors);
    QCOMPARE((*vectors)->values()[5], contents.embeddings[3]->values()[5]);
}

void TestCacheWriter::savesNoMapIntoADamagedCache()
{
    const test::TemporaryFolder folder;
    const auto path = folder.file("c.h5");
    const CacheContents contents = test::sampleContents();
    JobContext job;
    HEADSCOPE_VERIFY_OK(writeCache(path, contents, NumberType::F32, job));
    QFile file(QString::fromStdString(path.string()));
    QVERIFY(file.open(QIODevice::ReadWrite));
    QByteArray bytes = file.readAll();
    const float known = contents.embeddings[0]->values()[9];
    const auto at = bytes.indexOf(QByteArray::fromRawData(reinterpret_cast<const char*>(&known), sizeof known));
    QVERIFY(at > 0);
    bytes[at] = static_cast<char>(bytes[at] ^ 1);
    file.seek(0);
    file.write(bytes);
    file.close();
    HeadMap map = contents.maps.front();
    map.name = "new";
    const auto saved = saveMap(path, map, false, job);
    HEADSCOPE_VERIFY_ERROR(saved, ErrorCode::BadFormat, "/embeddings/layer_002/stage1");
    QCOMPARE(folder.files(), std::size_t{1});
    QVERIFY(file.open(QIODevice::ReadOnly));
    QCOMPARE(file.readAll(), bytes);
}

void TestCacheWriter::leavesNothingWhenNotPublished()
{
    const test::TemporaryFolder folder;
    {
        auto writer = CacheWriter::create(folder.file("c.h5"), {});
        HEADSCOPE_VERIFY_OK(writer);
        HEADSCOPE_VERIFY_OK(writer->writeDocuments(test::sampleContents().documents));
        QCOMPARE(folder.files(), std::size_t{1});
    }
    QCOMPARE(folder.files(), std::size_t{0});
    const auto missing = CacheWriter::create(folder.file("no/such/folder.h5"), {});
    QVERIFY(!missing.has_value());
}

void TestCacheWriter::writesAMapAlone()
{
    const test::TemporaryFolder folder;
    HeadMap map;
    map.xy = MatrixF(2, 2, {1, 2, 3, 4});
    map.kl = std::nan("");
    JobContext job;
    HEADSCOPE_VERIFY_OK(writeMapFile(folder.file("m.h5"), map, job));
    const auto file = Hdf5Reader::open(folder.file("m.h5"), job);
    HEADSCOPE_VERIFY_OK(file);
    QVERIFY(file->isDataset("/maps/map/xy"));
    QVERIFY(!file->has("/maps/map/document"));
}

HEADSCOPE_TEST_GUILESS(TestCacheWriter)
#include "tst_cache_writer.moc"
