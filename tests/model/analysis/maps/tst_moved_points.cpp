// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/analysis/maps/moved_points.h"

#include "model/base/random.h"
#include "tests/support/test_program.h"
#include "tests/support/verify.h"

#include <QTest>

#include <algorithm>
#include <cmath>
#include <limits>
#include <memory>
#include <stop_token>
#include <vector>

using namespace headscope;

namespace
{

constexpr std::int64_t kPoints = 200;
constexpr std::int64_t kDims = 8;

/// Two clusters, of even and odd points, far apart in space and at x = -10 and 10 on the map.
struct Clusters
{
    std::shared_ptr<HeadMap> map = std::make_shared<HeadMap>();
    MatrixF vectors = MatrixF(kPoints, kDims);

    explicit Clusters(Metric metric = Metric::Euclidean)
    {
        auto ids = std::make_shared<PointIds>();
        map->xy = MatrixF(kPoints, 2);
        const CounterRandom random(7);
        for (std::int64_t point = 0; point < kPoints; ++point)
        {
            ids->document.push_back(static_cast<std::int32_t>(point));
            ids->head.push_back(0);
            const bool odd = point % 2 == 1;
            for (std::int64_t d = 0; d < kDims; ++d)
                vectors(point, d) = noise(random, point * kDims + d) + (d == (odd ? 1 : 0) ? 5.0F : 0.0F);
            map->xy(point, 0) = (odd ? 10.0F : -10.0F) + noise(random, 100'000 + point);
            map->xy(point, 1) = noise(random, 200'000 + point);
        }
        map->points = ids;
        map->options.metric = metric;
    }
    static float noise(const CounterRandom& random, std::int64_t at)
    {
        return static_cast<float>(random.uniform(static_cast<std::uint64_t>(at)) - 0.5);
    }
    /// Some points' vectors, as they are.
    [[nodiscard]] MatrixF of(const std::vector<std::int64_t>& points) const
    {
        MatrixF some(std::ssize(points), kDims);
        for (std::int64_t i = 0; i < some.rows(); ++i)
            std::ranges::copy(vectors.row(points[static_cast<std::size_t>(i)]), some.row(i).begin());
        return some;
    }
};

} // namespace

class TestMovedPoints : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void metrics_data()
    {
        QTest::addColumn<int>("metric");
        QTest::newRow("euclidean") << static_cast<int>(Metric::Euclidean);
        QTest::newRow("cosine") << static_cast<int>(Metric::Cosine);
    }

    void whatDoesNotChangeDoesNotMove()
    {
        const Clusters clusters;
        const std::vector<std::int64_t> points = {0, 1, 7};
        JobContext job;
        const auto moved =
            movedPoints(clusters.map, clusters.vectors.view(), points, clusters.of(points).view(), {}, 2, job);
        HEADSCOPE_VERIFY_OK(moved);
        QCOMPARE(moved->unmoved, 3);
        QVERIFY(moved->points.empty());
    }

    void goesWhereItsNewVectorIsAtHome_data() { metrics_data(); }
    void goesWhereItsNewVectorIsAtHome()
    {
        QFETCH(int, metric);
        const Clusters clusters(static_cast<Metric>(metric));
        const std::vector<std::int64_t> points = {4, 8};
        MatrixF now = clusters.of({5, 8}); // point 4 gets a vector of the other cluster
        now(1, 3) += 0.01F;                // point 8 hardly changes
        JobContext job;
        const auto moved = movedPoints(clusters.map, clusters.vectors.view(), points, now.view(), {}, 2, job);
        HEADSCOPE_VERIFY_OK(moved);
        QCOMPARE(moved->points, points);
        QVERIFY(moved->places(0, 0) > 8 && moved->places(0, 0) < 12);
        QVERIFY(std::hypot(moved->places(1, 0) - clusters.map->xy(8, 0), moved->places(1, 1) - clusters.map->xy(8, 1)) <
                0.2F);
        QCOMPARE(moved->neighbors, 30);
        QCOMPARE(moved->perplexity, 10.0);
    }

    void zeroVectorsHaveNoPlace()
    {
        const Clusters clusters;
        JobContext job;
        const auto moved = movedPoints(clusters.map, clusters.vectors.view(), std::vector<std::int64_t>{3},
                                       MatrixF(1, kDims).view(), {}, 1, job);
        HEADSCOPE_VERIFY_OK(moved);
        QCOMPARE(moved->unplaced, 1);
        QVERIFY(moved->points.empty());
    }

    void theRoundingOfACacheIsNoMove()
    {
        const Clusters clusters;
        MatrixF now = clusters.of({3});
        now(0, 1) *= 1.001F;
        JobContext job;
        const std::vector<std::int64_t> points = {3};
        const auto strict = movedPoints(clusters.map, clusters.vectors.view(), points, now.view(), {}, 1, job);
        const auto rounded =
            movedPoints(clusters.map, clusters.vectors.view(), points, now.view(), {.tolerance = 2e-3}, 1, job);
        HEADSCOPE_VERIFY_OK(strict);
        HEADSCOPE_VERIFY_OK(rounded);
        QCOMPARE(strict->points.size(), std::size_t{1});
        QCOMPARE(rounded->unmoved, 1);
    }

    void threadsAndFewOldPoints()
    {
        const Clusters clusters;
        std::vector<std::int64_t> points;
        for (std::int64_t point = 0; point < kPoints; point += 2)
            points.push_back(point);
        std::vector<std::int64_t> others;
        for (const std::int64_t point : points)
            others.push_back(point + 1);
        const MatrixF now = clusters.of(others);
        JobContext job;
        const auto one = movedPoints(clusters.map, clusters.vectors.view(), points, now.view(), {}, 1, job);
        HEADSCOPE_VERIFY_OK(one);
        for (const int threads : {2, 3})
        {
            const auto more = movedPoints(clusters.map, clusters.vectors.view(), points, now.view(), {}, threads, job);
            HEADSCOPE_VERIFY_OK(more);
            QVERIFY(more->places == one->places);
        }
        // Every fourth old point alone: the clusters are where they were.
        const auto few =
            movedPoints(clusters.map, clusters.vectors.view(), points, now.view(), {.mostOld = 67}, 1, job);
        HEADSCOPE_VERIFY_OK(few);
        for (std::int64_t i = 0; i < few->places.rows(); ++i)
            QVERIFY(few->places(i, 0) > 7);
    }

    void wrongShapesAndStops()
    {
        const Clusters clusters;
        JobContext job;
        HEADSCOPE_VERIFY_ERROR(movedPoints(clusters.map, clusters.vectors.view(), std::vector<std::int64_t>{3},
                                           MatrixF(2, kDims).view(), {}, 1, job),
                               ErrorCode::ShapeMismatch, "for 1 points (of a map with 200");
        MatrixF now = clusters.of({3});
        now(0, 0) = std::numeric_limits<float>::quiet_NaN();
        HEADSCOPE_VERIFY_ERROR(
            movedPoints(clusters.map, clusters.vectors.view(), std::vector<std::int64_t>{3}, now.view(), {}, 1, job),
            ErrorCode::InvalidArgument, "");
        std::stop_source stop;
        stop.request_stop();
        JobContext stopped(stop.get_token());
        HEADSCOPE_VERIFY_ERROR(movedPoints(clusters.map, clusters.vectors.view(), std::vector<std::int64_t>{3},
                                           clusters.of({4}).view(), {}, 1, stopped),
                               ErrorCode::Cancelled, "");
    }
};

HEADSCOPE_TEST_GUILESS(TestMovedPoints)
#include "tst_moved_points.moc"
