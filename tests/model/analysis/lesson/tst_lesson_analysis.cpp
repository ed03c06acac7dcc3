// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/analysis/lesson/cloud_points.h"
#include "model/analysis/lesson/group_view.h"
#include "model/analysis/lesson/regroup_measures.h"
#include "model/analysis/statistics/intervals.h"
#include "model/base/random.h"
#include "tests/model/analysis/lesson/sample_run.h"
#include "tests/support/test_program.h"
#include "tests/support/verify.h"

#include <QTest>

#include <cmath>

using namespace headscope;

namespace
{

MatrixF drawn(std::int64_t rows, std::int64_t columns, std::uint64_t seed)
{
    MatrixF matrix(rows, columns);
    const CounterRandom random(seed);
    for (std::size_t i = 0; i < matrix.values().size(); ++i)
        matrix.values()[i] = static_cast<float>(random.normal(i));
    return matrix;
}

} // namespace

class TestLessonAnalysis : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void outputsAreMeansOfTheValues_data()
    {
        QTest::addColumn<int>("heads");
        QTest::addColumn<int>("kvHeads");
        QTest::addColumn<bool>("causal");
        QTest::newRow("groups") << 9 << 3 << true;
        QTest::newRow("own") << 4 << 4 << true;
        QTest::newRow("one") << 8 << 1 << true;
        QTest::newRow("encoder") << 4 << 4 << false;
    }
    void outputsAreMeansOfTheValues()
    {
        QFETCH(const int, heads);
        QFETCH(const int, kvHeads);
        QFETCH(const bool, causal);
        const auto run = test::sampleRun({heads, kvHeads, 16, 12, causal});
        JobContext job;
        for (std::int64_t group = 0; group < kvHeads; ++group)
            for (const std::int64_t token : {0, 5, 11})
            {
                const auto view = groupView(*run, *run->vectors.front(), group, token, job);
                HEADSCOPE_VERIFY_OK(view);
                QCOMPARE(view->keys, causal ? token + 1 : std::int64_t{12});
                QCOMPARE(std::ssize(view->heads), std::int64_t{heads / kvHeads});
                QCOMPARE(view->heads.front(), group * (heads / kvHeads));
                QVERIFY2(view->deviation < 1e-6, qPrintable(QString::number(view->deviation)));
                QVERIFY(view->share > 0 && view->share <= 1);
                for (std::int64_t row = 0; row < view->weights.rows(); ++row)
                {
                    double sum = 0;
                    double x = 0;
                    double y = 0;
                    for (std::int64_t key = 0; key < view->keys; ++key)
                    {
                        QVERIFY(view->weights(row, key) >= 0);
                        sum += view->weights(row, key);
                        x += view->weights(row, key) * view->values(key, 0);
                        y += view->weights(row, key) * view->values(key, 1);
                    }
                    QVERIFY(std::abs(sum - 1) < 1e-12);
                    // The same mixture in the plane: the projection is affine.
                    QVERIFY(std::abs(x - view->outputs(row, 0)) < 1e-5);
                    QVERIFY(std::abs(y - view->outputs(row, 1)) < 1e-5);
                }
            }
    }

    /// The same keys: at the first token of a causal text all heads of a group put out the one value.
    void theFirstTokenHasOneValue()
    {
        const auto run = test::sampleRun();
        JobContext job;
        const auto view = groupView(*run, *run->vectors.front(), 1, 0, job);
        HEADSCOPE_VERIFY_OK(view);
        QCOMPARE(view->share, 1.0);
        for (std::int64_t row = 0; row < 3; ++row)
            QVERIFY(std::abs(view->outputs(row, 0)) < 1e-5 && view->weights(row, 0) == 1.0);
    }

    void whatDoesNotFitIsRefused()
    {
        const auto run = test::sampleRun();
        JobContext job;
        HEADSCOPE_VERIFY_ERROR(groupView(*run, *run->vectors.front(), 3, 0, job), ErrorCode::InvalidArgument, "group");
        HEADSCOPE_VERIFY_ERROR(groupView(*run, *run->vectors.front(), 0, 12, job), ErrorCode::InvalidArgument, "token");
        LayerVectors cut = *run->vectors.front();
        cut.v = MatrixF(3, 48);
        HEADSCOPE_VERIFY_ERROR(groupView(*run, cut, 0, 0, job), ErrorCode::InvalidArgument, "queries, keys");
        run->model.heads = 0;
        QVERIFY(!groupView(*run, *run->vectors.front(), 0, 0, job));
    }

    void attentionThatMoved()
    {
        const MatrixF a(3, 3, {1, 0, 0, 0.5F, 0.5F, 0, 0.2F, 0.3F, 0.5F});
        const MatrixF b(3, 3, {1, 0, 0, 0, 1, 0, 0.5F, 0.3F, 0.2F});
        QCOMPARE(movedAttention(a.view(), a.view()), 0.0);
        QVERIFY(std::abs(movedAttention(a.view(), b.view()) - 0.4) < 1e-6); // (0.5 + 0.3) / 2
        QVERIFY(std::isnan(movedAttention(MatrixF(1, 1).view(), MatrixF(1, 1).view())));
        QVERIFY(std::isnan(movedAttention(a.view(), MatrixF(2, 2).view())));
    }

    void equalVectorsKeepAll()
    {
        const MatrixF rows = drawn(30, 20, 1);
        JobContext job;
        const auto row = compareVectors(rows, rows, 10, 1, job);
        HEADSCOPE_VERIFY_OK(row);
        QVERIFY(std::abs(row->cosine - 1) < 1e-12 && std::abs(row->cosineCi95.low - 1) < 1e-12);
        QCOMPARE(row->kept, 1.0);
        QCOMPARE(row->keptCi95.low, wilsonInterval(30, 30).low); // of 30 texts, all of them
        QCOMPARE(row->keptCi95.high, 1.0);
    }

    void unrelatedVectorsKeepWhatChanceKeeps()
    {
        JobContext job;
        const auto row = compareVectors(drawn(120, 40, 2), drawn(120, 40, 3), 10, 2, job);
        HEADSCOPE_VERIFY_OK(row);
        const double chance = 10.0 / 119;
        QVERIFY(std::abs(row->cosine) < 0.05);
        QVERIFY(row->cosineCi95.low < row->cosine && row->cosineCi95.high > row->cosine);
        QVERIFY2(std::abs(row->kept - chance) < 0.03, qPrintable(QString::number(row->kept)));
        QVERIFY(row->keptCi95.low < chance && row->keptCi95.high > chance);
        const auto same = compareVectors(drawn(120, 40, 2), drawn(120, 40, 3), 10, 1, job);
        QCOMPARE(same->kept, row->kept);
        QVERIFY(!compareVectors(drawn(3, 4, 1), drawn(4, 4, 1), 10, 1, job));
        QVERIFY(!compareVectors(drawn(1, 4, 1), drawn(1, 4, 1), 10, 1, job));
    }

    void cloudsAreWhatTheyAreSaidToBe()
    {
        const CloudPoints sizes = cloudPoints("sizes", 1);
        const CloudMeasures wide = measureClouds(sizes.rows, sizes.clouds);
        QVERIFY(wide.radius[1] / wide.radius[0] > 8 && wide.radius[1] / wide.radius[0] < 12);
        const CloudPoints far = cloudPoints("distances", 1);
        const CloudMeasures apart = measureClouds(far.rows, far.clouds);
        QVERIFY(std::abs(apart.distance(0, 2) / apart.distance(0, 1) - 5) < 0.4);
        QCOMPARE(cloudPoints("noise", 1).rows.cols(), std::int64_t{50});
        const CloudPoints five = cloudPoints("seeds", 1);
        const CloudMeasures even = measureClouds(five.rows, five.clouds);
        for (int a = 0; a < 5; ++a)
            for (int b = a + 1; b < 5; ++b)
                QVERIFY(std::abs(even.distance(a, b) - 8 * std::sqrt(2.0)) < 1.5);
        QVERIFY(cloudPoints("rain", 1).clouds.empty());
    }

    /// What the lesson says of maps, on the points that it shows: sizes are evened out, distances not kept, and seeds
    /// of a random start decide who is beside whom.
    void mapsDoWhatTheLessonSays()
    {
        JobContext job;
        const CloudPoints sizes = cloudPoints("sizes", 1);
        const auto map = mapClouds(sizes, 30, false, 1, 2, job);
        HEADSCOPE_VERIFY_OK(map);
        const CloudMeasures wide = measureClouds(*map, sizes.clouds);
        qInfo("sizes: %.2f times as wide on the map", wide.radius[1] / wide.radius[0]);
        QVERIFY(wide.radius[1] / wide.radius[0] < 3);
        QCOMPARE(mapClouds(sizes, 30, false, 2, 1, job)->values(), map->values()); // threads, and a seed without use
        const CloudPoints far = cloudPoints("distances", 1);
        double least = 1e9;
        double most = 0;
        for (const double perplexity : {2, 5, 10, 20, 30, 45})
        {
            const auto other = mapClouds(far, perplexity, false, 1, 2, job);
            HEADSCOPE_VERIFY_OK(other);
            const CloudMeasures apart = measureClouds(*other, far.clouds);
            const double times = apart.distance(0, 2) / apart.distance(0, 1);
            qInfo("distances, perplexity %g: %.2f times as far", perplexity, times);
            least = std::min(least, times);
            most = std::max(most, times);
        }
        QVERIFY(least < 4);
        const CloudPoints five = cloudPoints("seeds", 1);
        QSet<qint64> nearest;
        for (std::uint64_t seed = 1; seed <= 6; ++seed)
        {
            const auto random = mapClouds(five, 30, true, seed, 2, job);
            HEADSCOPE_VERIFY_OK(random);
            const CloudMeasures even = measureClouds(*random, five.clouds);
            qint64 best = 1;
            for (qint64 cloud = 2; cloud < 5; ++cloud)
                best = even.distance(0, cloud) < even.distance(0, best) ? cloud : best;
            nearest.insert(best);
        }
        QVERIFY(nearest.size() > 1);
    }
};

HEADSCOPE_TEST_GUILESS(TestLessonAnalysis)
#include "tst_lesson_analysis.moc"
