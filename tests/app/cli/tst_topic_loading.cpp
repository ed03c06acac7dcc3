// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/results/topic_loading.h"

#include "tests/model/io/cache_fixture.h"
#include "tests/model/io/memory_cache.h"
#include "tests/support/test_program.h"
#include "tests/support/verify.h"

#include <algorithm>
#include <memory>

using namespace headscope;
using headscope::loadTopics;
using headscope::whyNoTopics;

class TestTopicLoading : public QObject
{
    Q_OBJECT

    const CacheContents m_contents = test::sampleContents();
    std::unique_ptr<test::MemoryCache> m_cache;
    JobContext m_job;

private Q_SLOTS:
    void init()
    {
        m_cache = std::make_unique<test::MemoryCache>(m_contents.header.model.layers, m_contents.documents);
        for (const auto& vectors : m_contents.embeddings)
            m_cache->add(vectors);
        for (TopicVectors topics : m_contents.topics)
        {
            topics.names = {"a", "b", "c"};
            m_cache->add(std::move(topics));
        }
    }

    void asTheyStand()
    {
        const auto loaded = loadTopics(*m_cache, LayerIndex(2), Stage::HeadOutput, {"topic"}, m_job);
        HEADSCOPE_VERIFY_OK(loaded);
        QVERIFY(loaded->topics.vectors == m_contents.topics[0].vectors);
        QCOMPARE(loaded->topics.names, (std::vector<std::string>{"a", "b", "c"}));
        QVERIFY(loaded->full.topics.vectors == m_contents.topics.back().vectors);
        QVERIFY(loaded->full.documents.vectors == m_contents.embeddings.back());
    }

    /// Both the topic vectors and their full vectors follow the categories.
    void merged()
    {
        const TopicChoice choice{"topic", MergedTopics{{2, 0}, {"c", "a and b"}}};
        const auto loaded = loadTopics(*m_cache, LayerIndex(2), Stage::HeadOutput, choice, m_job);
        HEADSCOPE_VERIFY_OK(loaded);
        QCOMPARE(loaded->topics.names, (std::vector<std::string>{"c", "a and b"}));
        const auto sameRows = [](const HeadVectors& taken, const HeadVectors& all) {
            return taken.documents() == 2 &&
                   std::ranges::equal(taken.full(DocumentIndex(0)), all.full(DocumentIndex(2))) &&
                   std::ranges::equal(taken.full(DocumentIndex(1)), all.full(DocumentIndex(0)));
        };
        QVERIFY(sameRows(*loaded->topics.vectors, *m_contents.topics[0].vectors));
        QVERIFY(sameRows(*loaded->full.topics.vectors, *m_contents.topics.back().vectors));
        QCOMPARE(loaded->full.documents.vectors->documents(), 12);

        // Nothing left of the categories is another thing than as they stand.
        const TopicChoice none{"topic", MergedTopics{}};
        const auto empty = loadTopics(*m_cache, LayerIndex(2), Stage::HeadOutput, none, m_job);
        HEADSCOPE_VERIFY_OK(empty);
        QCOMPARE(empty->topics.vectors->documents(), 0);
        QVERIFY(empty->topics.names.empty());
    }

    /// A column with a label for each of many documents is refused, before anything takes hours.
    void labelsOfSingleDocumentsAreNoTopics()
    {
        MergedTopics many;
        many.rows.assign(kMaxTopics + 1, 0);
        many.names.assign(kMaxTopics + 1, "one");
        TopicChoice choice{"topic", many};
        HEADSCOPE_VERIFY_ERROR(loadTopics(*m_cache, LayerIndex(2), Stage::HeadOutput, choice, m_job),
                               ErrorCode::InvalidArgument,
                               "expected at most 4096 topics, found 4097 in column \"topic\"");
        choice.fewAreTaken = true;
        HEADSCOPE_VERIFY_OK(loadTopics(*m_cache, LayerIndex(2), Stage::HeadOutput, choice, m_job));
        choice.fewAreTaken = false;
        choice.merged->rows.pop_back();
        choice.merged->names.pop_back();
        HEADSCOPE_VERIFY_OK(loadTopics(*m_cache, LayerIndex(2), Stage::HeadOutput, choice, m_job));
    }

    void knownFullVectorsAreNotReadAgain()
    {
        const auto first = loadTopics(*m_cache, LayerIndex(2), Stage::HeadOutput, {"topic"}, m_job);
        HEADSCOPE_VERIFY_OK(first);
        const int loads = m_cache->loads();
        const auto second =
            loadTopics(*m_cache, LayerIndex(2), Stage::ProjectedSegment, {"topic"}, m_job, &first->full);
        HEADSCOPE_VERIFY_OK(second);
        QCOMPARE(m_cache->loads(), loads);
        QVERIFY(second->full.documents.vectors == first->full.documents.vectors);
        QVERIFY(second->topics.vectors->stage() == Stage::ProjectedSegment);
    }

    void saysWhatIsMissing()
    {
        const auto lack = [this](std::string_view column, std::int64_t layer) {
            return whyNoTopics(*m_cache, column, LayerIndex(layer), Stage::HeadOutput, "similarity and match are");
        };
        QVERIFY(!lack("topic", 2));
        QCOMPARE(lack("", 2).value_or(""), std::string("the cache has no labels: similarity and match are omitted"));
        QCOMPARE(lack("topic", 1).value_or(""), std::string("the cache has no topic vectors of \"topic\" for this "
                                                            "layer and stage: similarity and match are omitted"));
        HEADSCOPE_VERIFY_ERROR(loadTopics(*m_cache, LayerIndex(1), Stage::HeadOutput, {"topic"}, m_job),
                               ErrorCode::InvalidArgument, "expected topic vectors of \"topic\" for layer 1 stage 1");
    }
};

HEADSCOPE_TEST_GUILESS(TestTopicLoading)
#include "tst_topic_loading.moc"
