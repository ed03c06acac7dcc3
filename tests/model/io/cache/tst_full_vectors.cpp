// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/io/cache/full_vectors.h"

#include "tests/model/io/cache_fixture.h"
#include "tests/model/io/memory_cache.h"
#include "tests/support/test_program.h"
#include "tests/support/verify.h"

using namespace headscope;

/// What takes a cache takes any implementation of CacheReader.
class TestFullVectors : public QObject
{
    Q_OBJECT

    JobContext m_job;

    /// The cache of the fixture, in memory; maps are left out.
    [[nodiscard]] static std::unique_ptr<test::MemoryCache> inMemory(const CacheContents& contents)
    {
        auto cache = std::make_unique<test::MemoryCache>(contents.header.model.layers, contents.documents);
        for (const auto& vectors : contents.embeddings)
            cache->add(vectors);
        for (TopicVectors topics : contents.topics)
        {
            topics.names = {"a", "b", "c"};
            cache->add(std::move(topics));
        }
        return cache;
    }

private Q_SLOTS:
    void ofACacheThatIsNoFile()
    {
        const CacheContents contents = test::sampleContents();
        const auto cache = inMemory(contents);
        const auto pair = fullVectors(*cache, LayerIndex(2), Stage::HeadOutput, "topic", m_job);
        HEADSCOPE_VERIFY_OK(pair);
        // The very vectors that were put into it, by reference.
        QVERIFY(pair->documents.vectors == contents.embeddings.back());
        QVERIFY(pair->topics.vectors == contents.topics.back().vectors);
        QCOMPARE(pair->documents.source, std::string("the final hidden state (full stage 3 of layer 3)"));
        QCOMPARE(cache->loads(), 1);
        QCOMPARE(cache->topicLoads(), 1);
    }

    /// Without the embedding of the topics, documents and topics both are of the chosen stage.
    void documentsAndTopicsByOneRule()
    {
        CacheContents contents = test::sampleContents();
        contents.topics.pop_back(); // stage 3 of the last layer
        const auto cache = inMemory(contents);
        const auto pair = fullVectors(*cache, LayerIndex(2), Stage::ProjectedSegment, "topic", m_job);
        HEADSCOPE_VERIFY_OK(pair);
        QCOMPARE(pair->documents.vectors->layer().value(), 2);
        QVERIFY(pair->documents.vectors->stage() == Stage::ProjectedSegment);
        QVERIFY(pair->topics.vectors->stage() == Stage::ProjectedSegment);
        QVERIFY(pair->documents.source.starts_with("the concatenated segments of layer 2 stage 2"));
        const auto alone = fullVectors(*cache, LayerIndex(2), Stage::ProjectedSegment, std::nullopt, m_job);
        HEADSCOPE_VERIFY_OK(alone);
        QVERIFY(alone->documents.vectors == contents.embeddings.back()); // topics do not matter to who asks for none
        QVERIFY(alone->topics.vectors == nullptr);
        HEADSCOPE_VERIFY_ERROR(fullVectors(*cache, LayerIndex(0), Stage::HeadOutput, "colour", m_job),
                               ErrorCode::InvalidArgument, "memory: layer 0 stage 1 is not in this cache");
    }

    /// Whatever a cache is kept in, what is not there is refused with the same sentence.
    void oneSentenceForEveryKind()
    {
        const test::TemporaryFolder folder;
        CacheContents contents = test::sampleContents();
        contents.maps.clear();
        const auto path = folder.file("c.h5");
        HEADSCOPE_VERIFY_OK(writeCache(path, contents, NumberType::F32, m_job));
        const auto file = CacheReader::open(path);
        HEADSCOPE_VERIFY_OK(file);
        const auto memory = inMemory(contents);
        const auto messages = [this](CacheReader& cache) {
            return std::vector<std::string>{
                cache.load(LayerIndex(1), Stage::HeadOutput, {}, m_job).error().message,
                cache.load(LayerIndex(3), Stage::HeadOutput, {0, 13}, m_job).error().message,
                cache.load(LayerIndex(3), Stage::HeadOutput, {5, 4}, m_job).error().message,
                cache.topics("colour", LayerIndex(3), Stage::HeadOutput, m_job).error().message,
                cache.topics("topic", LayerIndex(1), Stage::HeadOutput, m_job).error().message,
                cache.map("mop", m_job).error().message,
                cache.mapSet("mops", m_job).error().message,
            };
        };
        QCOMPARE(messages(*memory), messages(**file));
        QVERIFY(memory->find(LayerIndex(3), Stage::OutputSegment) != nullptr);
        QVERIFY(memory->find(LayerIndex(1), Stage::OutputSegment) == nullptr);
        for (CacheReader* cache : {static_cast<CacheReader*>(memory.get()), file->get()})
        {
            QVERIFY(cache->hasTopics("topic", LayerIndex(2), Stage::HeadOutput));
            QVERIFY(!cache->hasTopics("topic", LayerIndex(1), Stage::HeadOutput));
            QVERIFY(!cache->hasTopics("colour", LayerIndex(2), Stage::HeadOutput));
        }
    }
};

HEADSCOPE_TEST_GUILESS(TestFullVectors)
#include "tst_full_vectors.moc"
