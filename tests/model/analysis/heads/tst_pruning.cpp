// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/analysis/heads/pruning.h"

#include "tests/support/golden_heads.h"
#include "tests/support/test_paths.h"
#include "tests/support/test_program.h"
#include "tests/support/verify.h"

#include <cmath>

using namespace headscope;
using namespace headscope::test;

class TestPruning : public QObject
{
    Q_OBJECT

    JobContext m_job;

    static std::vector<std::int64_t> hitsOf(const Result<std::vector<PruningStep>>& steps)
    {
        std::vector<std::int64_t> hits;
        for (const PruningStep& step : *steps)
            hits.push_back(step.hits);
        return hits;
    }

    static std::vector<std::int64_t> column(const std::vector<std::int64_t>& values, std::size_t which)
    {
        std::vector<std::int64_t> result;
        for (std::size_t i = which; i < values.size(); i += 2)
            result.push_back(values[i]);
        return result;
    }

    void compareOrder(const GoldenFile& file, const std::string& group, const Result<std::vector<PruningStep>>& steps)
    {
        HEADSCOPE_VERIFY_OK(steps);
        auto order = file.integers(group + "/order");
        order.pop_back(); // the survivor is not removed
        std::vector<std::int64_t> removed;
        for (std::size_t i = 1; i < steps->size(); ++i)
            removed.push_back((*steps)[i].unit);
        QCOMPARE(removed, order);
        QCOMPARE(hitsOf(steps), file.integers(group + "/hits"));
    }

private Q_SLOTS:
    void equalsTheRecordedOrders_data()
    {
        QTest::addColumn<QString>("cache");
        QTest::newRow("a") << "a";
        QTest::newRow("b") << "b";
    }

    void equalsTheRecordedOrders()
    {
        QFETCH(QString, cache);
        const std::string name = cache.toStdString();
        const GoldenFile file(golden("analysis/pruning.h5"));
        const HeadVectors documents = goldenHeads(file, name + "/cache/heads");
        const ModelInfo model = goldenModel(file, name, documents);
        const auto k = file.integers(name + "/k");
        for (std::size_t i = 0; i < 2; ++i)
        {
            const auto match = HeadMatch::create(documents, goldenHeads(file, name + "/cache/topics"),
                                                 goldenLabels(file, name + "/cache/label"), k[i], 2, m_job);
            HEADSCOPE_VERIFY_OK(match);
            QCOMPARE(match->labelled(), file.integers(name + "/labelled")[0]);
            QCOMPARE(match->leftOut(), 0);
            QCOMPARE(match->hits(allIndices(match->heads()), k[i]), file.integers(name + "/full_hits")[i]);
            QCOMPARE(hitsOf(withoutEach(*match, model, PruningUnit::Heads, 2, m_job)),
                     column(file.integers(name + "/without_head_hits"), i));
            QCOMPARE(hitsOf(withoutEach(*match, model, PruningUnit::Groups, 2, m_job)),
                     column(file.integers(name + "/without_group_hits"), i));
            QCOMPARE(hitsOf(eachAlone(*match, model, PruningUnit::Heads, 2, m_job)),
                     column(file.integers(name + "/alone_hits"), i));
            compareOrder(file, name + (i == 0 ? "/greedy_top1" : "/greedy_top5"),
                         backwardElimination(*match, model, PruningUnit::Heads, 2, m_job));
            if (i == 1)
                compareOrder(file, name + "/greedy_groups_top5",
                             backwardElimination(*match, model, PruningUnit::Groups, 3, m_job));
        }
    }

    void onlyWholeGroupsSaveCache()
    {
        const GoldenFile file(golden("analysis/pruning.h5"));
        const HeadVectors documents = goldenHeads(file, "b/cache/heads");
        const ModelInfo model = goldenModel(file, "b", documents); // 12 heads of 8 in 4 groups, width 96
        const auto match = HeadMatch::create(documents, goldenHeads(file, "b/cache/topics"),
                                             goldenLabels(file, "b/cache/label"), 1, 1, m_job);
        HEADSCOPE_VERIFY_OK(match);
        const std::int64_t perHead = 2 * 8 * 96;
        const auto heads = withoutEach(*match, model, PruningUnit::Heads, 1, m_job);
        const auto groups = withoutEach(*match, model, PruningUnit::Groups, 1, m_job);
        HEADSCOPE_VERIFY_OK(heads);
        HEADSCOPE_VERIFY_OK(groups);
        for (const PruningStep& step : *heads)
        {
            QCOMPARE(*step.parametersSaved, perHead);
            QCOMPARE(*step.kvBytesSaved, 0);
        }
        for (const PruningStep& step : *groups)
        {
            QCOMPARE(*step.parametersSaved, 4 * perHead); // three query heads, and one key/value head
            QCOMPARE(*step.kvBytesSaved, 2 * 8 * 2);
        }
    }

    void forwardEndsWithAllHeads()
    {
        const GoldenFile file(golden("analysis/pruning.h5"));
        const HeadVectors documents = goldenHeads(file, "b/cache/heads");
        const ModelInfo model = goldenModel(file, "b", documents);
        const auto match = HeadMatch::create(documents, goldenHeads(file, "b/cache/topics"),
                                             goldenLabels(file, "b/cache/label"), 1, 1, m_job);
        HEADSCOPE_VERIFY_OK(match);
        const auto steps = forwardSelection(*match, model, PruningUnit::Heads, 1, m_job);
        HEADSCOPE_VERIFY_OK(steps);
        QCOMPARE(steps->size(), std::size_t{13});
        QCOMPARE(steps->back().hits, file.integers("b/full_hits")[0]);
        QCOMPARE(*steps->back().parametersSaved, 0);
        const auto alone = hitsOf(eachAlone(*match, model, PruningUnit::Heads, 1, m_job));
        QCOMPARE((*steps)[1].hits, *std::max_element(alone.begin(), alone.end()));
    }

    void theFrontHoldsWhatNothingBeats()
    {
        std::vector<PruningStep> steps(4);
        steps[0].value = 0.5;
        steps[1] = {0, 0.6, 0, 10, 0, false};
        steps[2] = {1, 0.4, 0, 20, 0, false};
        steps[3] = {2, 0.4, 0, 20, 8, false};
        markFront(steps);
        QVERIFY(!steps[0].onFront); // the first removal is better and saves
        QVERIFY(steps[1].onFront);
        QVERIFY(!steps[2].onFront); // the same, without the cache bytes
        QVERIFY(steps[3].onFront);
    }

    void ordersOfRemoval()
    {
        using Order = std::vector<std::int64_t>;
        const std::vector<PruningStep> each = {
            {0, 0.5, 0, 0, 0, false}, {1, 0.7, 0, 0, 0, false}, {2, 0.5, 0, 0, 0, false}};
        QCOMPARE(removalOrder(each, false), (Order{1, 0, 2}));
        const std::vector<PruningStep> greedy = {
            {-1, 0.5, 0, 0, 0, false}, {2, 0.1, 0, 0, 0, false}, {0, 0.9, 0, 0, 0, false}};
        QCOMPARE(removalOrder(greedy, false), (Order{2, 0}));
        QCOMPARE(removalOrder(greedy, true), (Order{0, 2}));
    }
};

HEADSCOPE_TEST_GUILESS(TestPruning)
#include "tst_pruning.moc"
