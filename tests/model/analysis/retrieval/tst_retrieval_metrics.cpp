// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/analysis/retrieval/retrieval_chance.h"
#include "model/analysis/retrieval/retrieval_metrics.h"

#include "tests/support/golden_heads.h"
#include "tests/support/test_paths.h"
#include "tests/support/test_program.h"
#include "tests/support/verify.h"

#include <algorithm>
#include <cmath>

using namespace headscope;
using namespace headscope::test;

class TestRetrievalMetrics : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void equalsTheRecordedMeasures_data()
    {
        QTest::addColumn<QString>("group");
        for (const char* cache : {"a", "b"})
            for (const char* strategy :
                 {"multirag", "decay", "distance", "split", "split_weighted", "rrf", "borda", "standard"})
                QTest::addRow("%s %s", cache, strategy)
                    << QString::fromLatin1(cache) + QStringLiteral("/retrieval/") + QString::fromLatin1(strategy);
    }

    void equalsTheRecordedMeasures()
    {
        QFETCH(QString, group);
        const std::string name = group.toStdString();
        const GoldenFile file(golden("analysis/heads.h5"));
        const auto labels = goldenLabels(file, name.substr(0, 1) + "/cache/label");
        const auto relevant = file.integers(name.substr(0, 1) + "/retrieval/relevant");
        const auto documents = file.integers(name + "/documents");
        const auto success = file.doubles(name + "/success");
        const auto ratio = file.doubles(name + "/success_ratio");
        const auto category = file.doubles(name + "/category_ratio");
        const auto weighted = file.doubles(name + "/weighted_success");
        constexpr std::size_t kResults = 10;
        for (std::size_t query = 0; query * kResults < documents.size(); ++query)
        {
            std::vector<std::int64_t> wanted;
            for (std::size_t i = 0; i < 4; ++i)
                if (relevant[query * 4 + i] >= 0)
                    wanted.push_back(relevant[query * 4 + i]);
            const auto metrics =
                measureRanking(std::span(documents).subspan(query * kResults, kResults), wanted, labels);
            for (std::size_t j = 0; j < kResults; ++j)
            {
                const std::size_t place = query * kResults + j;
                QVERIFY(std::abs(metrics.success[j] - success[place]) <= 1e-12);
                QVERIFY(std::abs(metrics.successRatio[j] - ratio[place]) <= 1e-12);
                QVERIFY(std::abs(metrics.categoryRatio[j] - category[place]) <= 1e-12);
                QVERIFY(std::abs(metrics.weightedSuccess[j] - weighted[place]) <= 1e-12);
            }
        }
    }

    void shorterRankingsGoOnAsTheyEnd()
    {
        const std::vector<std::int64_t> wanted = {1};
        MeanRetrievalMetrics means;
        means.add(measureRanking(std::vector<std::int64_t>{1}, wanted, {}));          // found at once, nothing more
        means.add(measureRanking(std::vector<std::int64_t>{5, 1, 6}, wanted, {}));    // found at the second place
        means.add(measureRanking(std::vector<std::int64_t>{}, wanted, {}));           // nothing came
        means.add(measureRanking(std::vector<std::int64_t>{7, 8, 9, 1}, wanted, {})); // at the fourth
        const RetrievalMetrics mean = means.mean();
        QCOMPARE(means.queries(), std::int64_t{4});
        QCOMPARE(mean.successRatio, (std::vector<double>{0.25, 0.5, 0.5, 0.75}));
        QCOMPARE(mean.success, mean.successRatio);
        QCOMPARE(mean.reciprocalRank, (1.0 + 0.5 + 0 + 0.25) / 4);
        // The order of the queries changes nothing.
        MeanRetrievalMetrics other;
        other.add(measureRanking(std::vector<std::int64_t>{}, wanted, {}));
        other.add(measureRanking(std::vector<std::int64_t>{7, 8, 9, 1}, wanted, {}));
        other.add(measureRanking(std::vector<std::int64_t>{5, 1, 6}, wanted, {}));
        other.add(measureRanking(std::vector<std::int64_t>{1}, wanted, {}));
        QCOMPARE(other.mean().successRatio, mean.successRatio);
    }

    void gainsByHand()
    {
        const std::vector<std::int64_t> ranked{7, 1, 5, 2};
        const std::vector<std::int64_t> relevant{1, 2};
        const auto metrics = measureRanking(ranked, relevant, {});
        QCOMPARE(metrics.reciprocalRank, 0.5);
        const double ideal = 1 + 1 / std::log2(3.0);
        QVERIFY(std::abs(metrics.ndcg[3] - (1 / std::log2(3.0) + 1 / std::log2(5.0)) / ideal) < 1e-12);
        QCOMPARE(metrics.ndcg[0], 0.0);
        QCOMPARE(metrics.success, (std::vector<double>{0, 0, 0, 1}));
        QCOMPARE(measureRanking(std::vector<std::int64_t>{7, 5}, relevant, {}).reciprocalRank, 0.0);
    }

    /// What chance gives, against the mean over all orders of the candidates.
    void chanceIsTheMeanOverAllOrders()
    {
        const std::vector<std::int32_t> labels{0, 1, 1, -1, 2, 0, 2};
        const std::vector<std::int64_t> relevant{1, 4, 6}; // the last one is no candidate
        std::vector<std::int64_t> order{0, 1, 2, 3, 4, 5};
        for (const std::int64_t results : {1, 3, 6, 9})
        {
            MeanRetrievalMetrics means;
            std::ranges::sort(order);
            do
                means.add(measureRanking(std::span(order).first(std::min<std::size_t>(6, results)), relevant, labels));
            while (std::ranges::next_permutation(order).found);
            QCOMPARE(means.queries(), std::int64_t{720});
            const RetrievalMetrics all = means.mean();
            const RetrievalMetrics chance = expectedByChance(order, results, relevant, labels);
            const auto near = [](const std::vector<double>& one, const std::vector<double>& other) {
                return one.size() == other.size() &&
                       std::ranges::equal(one, other, [](double a, double b) { return std::abs(a - b) < 1e-12; });
            };
            QVERIFY(near(chance.success, all.success));
            QVERIFY(near(chance.successRatio, all.successRatio));
            QVERIFY(near(chance.categoryRatio, all.categoryRatio));
            QVERIFY(near(chance.weightedSuccess, all.weightedSuccess));
            QVERIFY(near(chance.ndcg, all.ndcg));
            QVERIFY(std::abs(chance.reciprocalRank - all.reciprocalRank) < 1e-12);
        }
        // All relevant ones can be found: some orders have them all.
        const std::vector<std::int64_t> both{1, 4};
        QVERIFY(std::abs(expectedByChance(order, 3, both, {}).success[2] - 3.0 / 15) < 1e-12);
    }
};

HEADSCOPE_TEST_GUILESS(TestRetrievalMetrics)
#include "tst_retrieval_metrics.moc"
