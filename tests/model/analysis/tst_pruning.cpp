// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/analysis/pruning.h"

#include "tests/support/golden_heads.h"
#include "tests/support/test_paths.h"
#include "tests/support/verify.h"

#include <cmath>

using namespace headscope;
using namespace headscope::test;

class TestPruning : public QObject
{
    Q_OBJECT

    JobContext m_job;

    static std::vector<std::int64_t> hitsOf(const std::vector<PruningStep>& steps)
    {
        std::vector<std::int64_t> hits;
        for (const PruningStep& step : steps)
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
        QCOMPARE(hitsOf(*steps), file.integers(group + "/hits"));
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
        const auto match = HeadMatch::create(documents, goldenHeads(file, name + "/cache/topics"),
                                             goldenLabels(file, name + "/cache/label"), 2, m_job);
        HEADSCOPE_VERIFY_OK(match);
        QCOMPARE(match->labelled(), file.integers(name + "/labelled")[0]);
        const auto k = file.integers(name + "/k");
        for (std::size_t i = 0; i < 2; ++i)
        {
            QCOMPARE(match->hits(allIndices(match->heads()), k[i]), file.integers(name + "/full_hits")[i]);
            QCOMPARE(hitsOf(withoutEach(*match, model, PruningUnit::Heads, k[i])),
                     column(file.integers(name + "/without_head_hits"), i));
            QCOMPARE(hitsOf(withoutEach(*match, model, PruningUnit::Groups, k[i])),
                     column(file.integers(name + "/without_group_hits"), i));
            QCOMPARE(hitsOf(eachAlone(*match, model, PruningUnit::Heads, k[i])),
                     column(file.integers(name + "/alone_hits"), i));
        }
        compareOrder(file, name + "/greedy_top1", backwardElimination(*match, model, PruningUnit::Heads, 1, m_job));
        compareOrder(file, name + "/greedy_top5", backwardElimination(*match, model, PruningUnit::Heads, 5, m_job));
        compareOrder(file, name + "/greedy_groups_top5",
                     backwardElimination(*match, model, PruningUnit::Groups, 5, m_job));
    }

    void onlyWholeGroupsSaveCache()
    {
        const GoldenFile file(golden("analysis/pruning.h5"));
        const HeadVectors documents = goldenHeads(file, "b/cache/heads");
        const ModelInfo model = goldenModel(file, "b", documents); // 12 heads of 8 in 4 groups, width 96
        const auto match = HeadMatch::create(documents, goldenHeads(file, "b/cache/topics"),
                                             goldenLabels(file, "b/cache/label"), 1, m_job);
        HEADSCOPE_VERIFY_OK(match);
        const std::int64_t perHead = 2 * 8 * 96;
        for (const PruningStep& step : withoutEach(*match, model, PruningUnit::Heads, 1))
        {
            QCOMPARE(step.parametersSaved, perHead);
            QCOMPARE(step.kvBytesSaved, 0);
        }
        for (const PruningStep& step : withoutEach(*match, model, PruningUnit::Groups, 1))
        {
            QCOMPARE(step.parametersSaved, 4 * perHead); // three query heads, and one key/value head
            QCOMPARE(step.kvBytesSaved, 2 * 8 * 2);
        }
    }

    void forwardEndsWithAllHeads()
    {
        const GoldenFile file(golden("analysis/pruning.h5"));
        const HeadVectors documents = goldenHeads(file, "b/cache/heads");
        const ModelInfo model = goldenModel(file, "b", documents);
        const auto match = HeadMatch::create(documents, goldenHeads(file, "b/cache/topics"),
                                             goldenLabels(file, "b/cache/label"), 1, m_job);
        HEADSCOPE_VERIFY_OK(match);
        const auto steps = forwardSelection(*match, model, PruningUnit::Heads, 1, m_job);
        HEADSCOPE_VERIFY_OK(steps);
        QCOMPARE(steps->size(), std::size_t{13});
        QCOMPARE(steps->back().hits, file.integers("b/full_hits")[0]);
        QCOMPARE(steps->back().parametersSaved, 0);
        const auto alone = hitsOf(eachAlone(*match, model, PruningUnit::Heads, 1));
        QCOMPARE((*steps)[1].hits, *std::max_element(alone.begin(), alone.end()));
    }

    void mismatchedTopicsAreRefused()
    {
        const HeadVectors documents(Stage::HeadOutput, LayerIndex(0), 1, 2, 1, {1, 2});
        const HeadVectors topics(Stage::HeadOutput, LayerIndex(0), 1, 1, 2, {1, 2});
        HEADSCOPE_VERIFY_ERROR(HeadMatch::create(documents, topics, std::vector<std::int32_t>{0}, 1, m_job),
                               ErrorCode::ShapeMismatch, "2 heads x 1");
    }
};

QTEST_GUILESS_MAIN(TestPruning)
#include "tst_pruning.moc"
