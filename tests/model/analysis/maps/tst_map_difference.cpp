// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/analysis/maps/map_difference.h"
#include "model/base/random.h"
#include "tests/support/test_program.h"
#include "tests/support/verify.h"

#include <QTest>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <set>
#include <vector>

using namespace headscope;

namespace
{

std::shared_ptr<HeadMap> mapOf(const std::vector<std::int32_t>& documents, const std::vector<std::int32_t>& heads,
                               std::uint64_t seed)
{
    auto map = std::make_shared<HeadMap>();
    map->points = std::make_shared<const PointIds>(PointIds{documents, heads});
    map->xy = MatrixF(static_cast<std::int64_t>(documents.size()), 2);
    const CounterRandom random(seed);
    for (std::size_t i = 0; i < map->xy.values().size(); ++i)
        map->xy.values()[i] = static_cast<float>(random.normal(i));
    return map;
}

std::vector<std::int32_t> firstNumbers(std::int32_t count)
{
    std::vector<std::int32_t> numbers;
    for (std::int32_t i = 0; i < count; ++i)
        numbers.push_back(i);
    return numbers;
}

std::set<std::int64_t> nearestSet(const MatrixF& xy, std::int64_t i, std::int64_t k)
{
    std::vector<std::pair<double, std::int64_t>> others;
    for (std::int64_t j = 0; j < xy.rows(); ++j)
        if (j != i)
            others.emplace_back(
                std::hypot(static_cast<double>(xy(i, 0) - xy(j, 0)), static_cast<double>(xy(i, 1) - xy(j, 1))), j);
    std::sort(others.begin(), others.end());
    std::set<std::int64_t> nearest;
    for (std::int64_t rank = 0; rank < k; ++rank)
        nearest.insert(others[static_cast<std::size_t>(rank)].second);
    return nearest;
}

} // namespace

class MapDifferenceTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void asByBruteForce()
    {
        const auto a = mapOf(firstNumbers(300), {}, 1);
        auto b = mapOf(firstNumbers(300), {}, 2);
        for (std::size_t i = 0; i < 400; ++i) // the first 200 points stay about where they are
            b->xy.values()[i] = a->xy.values()[i] + 0.05F * b->xy.values()[i];
        JobContext job;
        const auto found = mapDifference(a->xy.view(), b->xy.view(), 2, job);
        HEADSCOPE_VERIFY_OK(found);
        QCOMPARE(found->neighbors, 10);
        double sum = 0;
        for (std::int64_t i = 0; i < 300; ++i)
        {
            const auto inA = nearestSet(a->xy, i, 10);
            const auto inB = nearestSet(b->xy, i, 10);
            const auto lost = std::count_if(inA.begin(), inA.end(), [&](auto j) { return !inB.contains(j); });
            QCOMPARE(found->changed[static_cast<std::size_t>(i)], static_cast<float>(lost) / 10.0F);
            sum += static_cast<double>(lost);
        }
        QVERIFY(std::abs(found->mean - sum / 3000) < 1e-12);
        QCOMPARE(std::accumulate(found->histogram.begin(), found->histogram.end(), std::int64_t{0}), 300);
        const auto again = mapDifference(a->xy.view(), b->xy.view(), 3, job);
        HEADSCOPE_VERIFY_OK(again);
        QVERIFY(again->changed == found->changed);
    }

    void aMovedMapHasNotChanged()
    {
        const auto a = mapOf(firstNumbers(120), std::vector<std::int32_t>(120, 3), 1);
        auto b = std::make_shared<HeadMap>(*a);
        for (std::int64_t i = 0; i < 120; ++i) // mirrored, turned by a quarter, twice as large, elsewhere
        {
            b->xy(i, 0) = 2 * a->xy(i, 1) + 7;
            b->xy(i, 1) = 2 * a->xy(i, 0) - 3;
        }
        JobContext job;
        const auto pair = pairMaps(a, b, 1, job);
        HEADSCOPE_VERIFY_OK(pair);
        QCOMPARE(pair->match, MapMatch::Points);
        QVERIFY(pair->correlation > 0.999999);
        QVERIFY(pair->difference.mean < 0.01); // rounding may swap a tie
        for (std::size_t i = 0; i < pair->xyA.values().size(); ++i)
            QVERIFY(std::abs(pair->xyA.values()[i] - pair->xyB.values()[i]) < 1e-4F);
    }

    void matchesByDocumentAndHead()
    {
        const auto a = mapOf({0, 0, 1, 1, 2, 2}, {0, 1, 0, 1, 0, 1}, 1);
        const auto b = mapOf({2, 1, 5, 0}, {1, 1, 1, 1}, 2);
        JobContext job;
        const auto pair = pairMaps(a, b, 1, job);
        HEADSCOPE_VERIFY_OK(pair);
        QCOMPARE(pair->match, MapMatch::Points);
        QCOMPARE(pair->points->document, (std::vector<std::int32_t>{0, 1, 2}));
        QCOMPARE(pair->points->head, (std::vector<std::int32_t>{1, 1, 1}));
        QCOMPARE(pair->onlyInA, 3);
        QCOMPARE(pair->onlyInB, 1);
        QCOMPARE(pair->difference.neighbors, 2);
    }

    void matchesByDocumentWhereHeadsDiffer_data()
    {
        QTest::addColumn<bool>("full");
        QTest::newRow("two heads") << false;
        QTest::newRow("the full vector and head 0") << true;
    }
    void matchesByDocumentWhereHeadsDiffer()
    {
        QFETCH(bool, full);
        auto a = mapOf({0, 1, 2, 3}, full ? std::vector<std::int32_t>{} : std::vector<std::int32_t>{4, 4, 4, 4}, 1);
        const auto b = mapOf({3, 2, 1, 9}, {0, 0, 0, 0}, 2);
        b->xy(1, 0) = std::numeric_limits<float>::quiet_NaN();
        JobContext job;
        const auto pair = pairMaps(a, b, 1, job);
        HEADSCOPE_VERIFY_OK(pair);
        QCOMPARE(pair->match, MapMatch::Documents);
        QCOMPARE(pair->points->document, (std::vector<std::int32_t>{1, 3}));
        QCOMPARE(pair->headInB, (std::vector<std::int32_t>{0, 0}));
        QCOMPARE(pair->onlyInA, 2);
        QCOMPARE(pair->onlyInB, 2);
        QCOMPARE(pair->xyA(0, 0), a->xy(1, 0));
    }

    void mapsOfTheSamePointsHaveTheSameKey()
    {
        const auto map = mapOf({0, 0, 1, 1}, {0, 1, 0, 1}, 1);
        QCOMPARE(pointsKey(*mapOf({1, 0, 1, 0}, {1, 0, 0, 1}, 2)), pointsKey(*map)); // in another order
        QVERIFY(pointsKey(*mapOf({0, 0, 1, 2}, {0, 1, 0, 1}, 1)) != pointsKey(*map));
        QVERIFY(pointsKey(*mapOf({0, 0, 1, 1}, {0, 1, 0, 2}, 1)) != pointsKey(*map));
        QVERIFY(pointsKey(*mapOf({0, 0, 1}, {0, 1, 0}, 1)) != pointsKey(*map));
        QVERIFY(pointsKey(*mapOf({0, 1}, {}, 1)) != pointsKey(*mapOf({0, 1}, {0, 0}, 1))); // full and head 0
    }

    void refusals()
    {
        JobContext job;
        const auto a = mapOf({0, 1}, {0, 0}, 1);
        QCOMPARE(pairMaps(a, mapOf({5, 6}, {0, 0}, 2), 1, job).error().code, ErrorCode::InvalidArgument);
        auto plain = std::make_shared<HeadMap>(*a);
        plain->points = nullptr;
        QCOMPARE(pairMaps(a, plain, 1, job).error().code, ErrorCode::InvalidArgument);
        QCOMPARE(mapDifference(a->xy.view(), mapOf({1}, {0}, 1)->xy.view(), 1, job).error().code,
                 ErrorCode::ShapeMismatch);
    }
};

HEADSCOPE_TEST_GUILESS(MapDifferenceTest)
#include "tst_map_difference.moc"
