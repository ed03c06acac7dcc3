// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/analysis/heads/head_set_measures.h"
#include "model/analysis/statistics/draws.h"

#include "model/base/random.h"
#include "tests/support/golden_heads.h"
#include "tests/support/memory_limit.h"
#include "tests/support/test_paths.h"
#include "tests/support/test_program.h"
#include "tests/support/verify.h"

#include <cmath>
#include <limits>

using namespace headscope;
using namespace headscope::test;

class TestHeadSetMeasures : public QObject
{
    Q_OBJECT

    JobContext m_job;
    const float m_nan = std::numeric_limits<float>::quiet_NaN();

    /// 60 documents of 3 classes; head 0 tells the class, head 1 is noise, head 2 half and half.
    static HeadVectors telling()
    {
        const CounterRandom random(3);
        std::vector<float> values;
        for (std::int64_t document = 0; document < 60; ++document)
            for (std::int64_t head = 0; head < 3; ++head)
                for (std::int64_t d = 0; d < 4; ++d)
                    values.push_back(
                        static_cast<float>(random.normal(values.size()) +
                                           (head != 1 && d == document % 3 ? (head == 0 ? 6.0 : 2.0) : 0.0)));
        return {Stage::HeadOutput, LayerIndex(0), 60, 3, 4, std::move(values)};
    }

    static std::vector<std::int32_t> thirds()
    {
        std::vector<std::int32_t> labels;
        for (std::int32_t document = 0; document < 60; ++document)
            labels.push_back(document % 3);
        return labels;
    }

private Q_SLOTS:
    void flipsEqualQuestions()
    {
        const GoldenFile file(golden("analysis/pruning.h5"));
        const HeadVectors documents = goldenHeads(file, "b/cache/heads");
        const auto match = HeadMatch::create(documents, goldenHeads(file, "b/cache/topics"),
                                             goldenLabels(file, "b/cache/label"), 1, 2, m_job);
        HEADSCOPE_VERIFY_OK(match);
        std::vector<bool> kept(static_cast<std::size_t>(match->heads()), true);
        kept[3] = kept[7] = false;
        const std::vector<std::vector<std::int64_t>> flips = {{}, {0}, {3}, {0, 1, 2, 7}};
        const std::vector<std::vector<std::int64_t>> sets = {{0, 1, 2, 4, 5, 6, 8, 9, 10, 11},
                                                             {1, 2, 4, 5, 6, 8, 9, 10, 11},
                                                             {0, 1, 2, 3, 4, 5, 6, 8, 9, 10, 11},
                                                             {4, 5, 6, 7, 8, 9, 10, 11}};
        for (const int threads : {1, 3})
        {
            const auto scores = match->flipped(kept, flips, threads, m_job);
            HEADSCOPE_VERIFY_OK(scores);
            for (std::size_t i = 0; i < flips.size(); ++i)
                QCOMPARE((*scores)[i].hits, match->hits(sets[i], 1));
        }
    }

    /// Against shuffled labels that are matched anew: the sets of nearest topics stay what they are.
    void theNullOfAllHeads()
    {
        const GoldenFile file(golden("analysis/pruning.h5"));
        const HeadVectors documents = goldenHeads(file, "b/cache/heads");
        const HeadVectors topics = goldenHeads(file, "b/cache/topics");
        const std::vector<std::int32_t> labels = goldenLabels(file, "b/cache/label");
        std::vector<std::int32_t> labelled = labels;
        std::erase_if(labelled, [](std::int32_t label) { return label < 0; });
        const auto match = HeadMatch::create(documents, topics, labels, 2, 2, m_job);
        HEADSCOPE_VERIFY_OK(match);
        constexpr std::int64_t kDraws = 40;
        const PermutationNull null = match->nullOfAll(kDraws, 7);
        std::vector<std::int64_t> all;
        for (std::int64_t head = 0; head < match->heads(); ++head)
            all.push_back(head);
        const std::int64_t observed = match->hits(all, 2);
        const Draws draws(7);
        double sum = 0;
        std::int64_t atLeast = 0;
        for (std::int64_t draw = 0; draw < kDraws; ++draw)
        {
            std::vector<std::int32_t> some = permutedLabels(labelled, draws, draw);
            for (std::size_t i = 0; i < labels.size(); ++i) // the others stay without
                if (labels[i] < 0)
                    some.insert(some.begin() + static_cast<std::ptrdiff_t>(i), -1);
            const auto shuffled = HeadMatch::create(documents, topics, some, 2, 2, m_job);
            HEADSCOPE_VERIFY_OK(shuffled);
            const std::int64_t hits = shuffled->hits(all, 2);
            sum += static_cast<double>(hits) / static_cast<double>(labelled.size());
            atLeast += hits >= observed ? 1 : 0;
        }
        QCOMPARE(null.permutations, kDraws);
        QVERIFY(std::abs(null.mean - sum / kDraws) < 1e-12);
        QVERIFY(std::abs(null.p - static_cast<double>(1 + atLeast) / (1 + kDraws)) < 1e-12);
    }

    void brokenAndZeroVectors()
    {
        // Two topics along the axes; document 2 is zero, document 3 is not finite.
        const HeadVectors documents(Stage::HeadOutput, LayerIndex(0), 4, 2, 2,
                                    {1, 0, 1, 0, 0, 1, 0, 1, 0, 0, 0, 0, 1, 0, m_nan, 0});
        const HeadVectors topics(Stage::HeadOutput, LayerIndex(0), 2, 2, 2, {1, 0, 1, 0, 0, 1, 0, 1});
        const auto match = HeadMatch::create(documents, topics, std::vector<std::int32_t>{0, 1, 0, 0}, 2, 1, m_job);
        HEADSCOPE_VERIFY_OK(match);
        QCOMPARE(match->leftOut(), 1);
        QCOMPARE(match->labelled(), 3);
        QCOMPARE(match->hits(std::vector<std::int64_t>{0, 1}, 2), 2); // a document without a direction never hits
        QCOMPARE(match->hits({}, 2), 0);
        const auto none = match->flipped({true, false}, std::vector<std::vector<std::int64_t>>{{0}}, 1, m_job);
        HEADSCOPE_VERIFY_OK(none);
        QCOMPARE((*none)[0].hits, 0);
        HEADSCOPE_VERIFY_ERROR(HeadMatch::create(documents,
                                                 HeadVectors(Stage::HeadOutput, LayerIndex(0), 1, 1, 2, {1, 2}),
                                                 std::vector<std::int32_t>{0, 0, 0, 0}, 1, 1, m_job),
                               ErrorCode::ShapeMismatch, "2 heads x 2");
    }

    void probesTellLabels()
    {
        const HeadVectors documents = telling();
        const auto probe = HeadTopicProbe::create(documents, thirds(), 0.25, 1);
        HEADSCOPE_VERIFY_OK(probe);
        QCOMPARE(probe->tested() + probe->trained(), 60);
        const std::vector<std::vector<std::int64_t>> flips = {{}, {0}, {1}, {0, 1, 2}};
        const auto scores = probe->flipped({true, true, true}, flips, 2, m_job);
        HEADSCOPE_VERIFY_OK(scores);
        QVERIFY((*scores)[0].value > 0.9);
        QVERIFY((*scores)[1].value < (*scores)[0].value); // without the head that tells
        QCOMPARE((*scores)[3].value, 0.0);                // no heads at all
        // A set asked for alone is worth what it is beside others.
        for (std::size_t i = 0; i < flips.size(); ++i)
        {
            const auto alone = probe->flipped({true, true, true}, {&flips[i], 1}, 2, m_job);
            HEADSCOPE_VERIFY_OK(alone);
            QCOMPARE((*alone)[0].hits, (*scores)[i].hits);
        }
        const auto again = probe->flipped({true, true, true}, flips, 1, m_job);
        QCOMPARE((*again)[1].hits, (*scores)[1].hits);
        const std::vector<std::int32_t> one(60, 0);
        HEADSCOPE_VERIFY_ERROR(HeadTopicProbe::create(documents, one, 0.25, 1), ErrorCode::InvalidArgument,
                               "at least 2 different labels among the documents, found 1");
    }

    void retrievalFindsRelevant()
    {
        const HeadVectors documents = telling();
        std::vector<RelevantQuery> queries;
        for (std::int64_t query = 0; query < 6; ++query)
        {
            RelevantQuery each{query, query, {}};
            for (std::int64_t document = query % 3; document < 60; document += 3)
                if (document != query)
                    each.relevant.push_back(document);
            queries.push_back(std::move(each));
        }
        const auto retrieval = HeadRetrieval::create(documents, documents, queries, 19, 2, m_job);
        HEADSCOPE_VERIFY_OK(retrieval);
        QCOMPARE(retrieval->queries(), 6);
        const std::vector<std::vector<std::int64_t>> flips = {{}, {0}, {1, 2}, {0, 1, 2}};
        const auto scores = retrieval->flipped({true, true, true}, flips, 2, m_job);
        HEADSCOPE_VERIFY_OK(scores);
        QVERIFY((*scores)[0].value > 0.9);
        QVERIFY((*scores)[1].value < (*scores)[0].value);
        QVERIFY((*scores)[2].value > 0.9);
        QCOMPARE((*scores)[3].value, 0.0);
        const auto again = retrieval->flipped({true, true, true}, flips, 1, m_job);
        QCOMPARE((*again)[1].value, (*scores)[1].value);
        HEADSCOPE_VERIFY_ERROR(HeadRetrieval::create(documents, documents, {}, 5, 1, m_job), ErrorCode::InvalidArgument,
                               "expected queries with relevant documents, found none");
    }

    void needMemory()
    {
        constexpr std::int64_t kMany = 20'000;
        const HeadVectors many(Stage::HeadOutput, LayerIndex(0), kMany, 1, 1, std::vector<float>(kMany, 1.0F));
        const test::MemoryLimit limit(500'000'000);
        HEADSCOPE_VERIFY_ERROR(HeadMatch::create(many, many, std::vector<std::int32_t>(kMany), 1, 1, m_job),
                               ErrorCode::OutOfMemory,
                               "the match of 20000 documents with 20000 topics by 1 head needs about 3.20 GB");
        std::vector<RelevantQuery> queries(kMany, RelevantQuery{0, -1, {1}});
        HEADSCOPE_VERIFY_ERROR(HeadRetrieval::create(many, many, std::move(queries), 5, 1, m_job),
                               ErrorCode::OutOfMemory,
                               "the retrieval of 20000 documents for 20000 queries by 1 head needs about 1.60 GB");
    }
};

HEADSCOPE_TEST_GUILESS(TestHeadSetMeasures)
#include "tst_head_set_measures.moc"
