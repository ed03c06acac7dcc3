// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/analysis/maps/map_places.h"
#include "tests/support/test_program.h"

#include <QTest>

#include <algorithm>
#include <cmath>
#include <limits>
#include <memory>
#include <vector>

using namespace headscope;

class MapPlacesTest : public QObject
{
    Q_OBJECT

private:
    /// Documents 0 to 3 by heads 0 and 1.
    static HeadMap sample()
    {
        auto points = std::make_shared<PointIds>();
        std::vector<float> xy;
        for (std::int32_t document = 0; document < 4; ++document)
            for (std::int32_t head = 0; head < 2; ++head)
            {
                points->document.push_back(document);
                points->head.push_back(head);
                xy.push_back(static_cast<float>(document));
                xy.push_back(static_cast<float>(10 * head));
            }
        HeadMap map;
        map.points = points;
        map.xy = MatrixF(8, 2, std::move(xy));
        return map;
    }

private Q_SLOTS:
    void pointsThatAreThereStandWhereTheyDid()
    {
        const HeadMap map = sample();
        const MatrixF places = placesIn(map, PointIds{{3, 0}, {1, 0}});
        QCOMPARE(places(0, 0), 3.0F);
        QCOMPARE(places(0, 1), 10.0F);
        QCOMPARE(places(1, 0), 0.0F);
        QCOMPARE(places(1, 1), 0.0F);
    }

    void otherHeadsBeginAmongTheirDocumentAndOthersInTheMiddle()
    {
        HeadMap map = sample();
        MatrixF places = placesIn(map, PointIds{{2, 77}, {9, 0}});
        QCOMPARE(places(0, 0), 2.0F);
        QCOMPARE(places(0, 1), 5.0F); // between its two points
        QCOMPARE(places(1, 0), 0.0F);
        QCOMPARE(places(1, 1), 0.0F);
        // A point without a place counts for nothing.
        map.xy(4, 0) = std::numeric_limits<float>::quiet_NaN();
        places = placesIn(map, PointIds{{2, 2}, {9, 0}});
        QCOMPARE(places(0, 1), 10.0F);
        QCOMPARE(places(1, 1), 10.0F);
    }

    void noiseDependsOnSeedAndTurnAlone()
    {
        constexpr std::int64_t kPoints = 20'000;
        std::vector<float> xy;
        for (std::int64_t i = 0; i < 2 * kPoints; ++i)
            xy.push_back(i % 2 == 0 ? 4.0F : -4.0F); // root of the mean square: 4
        const MatrixF still(kPoints, 2, std::move(xy));
        const auto moved = [&still](std::uint64_t seed, std::uint64_t turn) {
            MatrixF map = still;
            addNoise(map, 0.25, seed, turn);
            return map;
        };
        const MatrixF once = moved(1, 0);
        QVERIFY(std::ranges::equal(once.values(), moved(1, 0).values()));
        QVERIFY(!std::ranges::equal(once.values(), moved(1, 1).values()));
        QVERIFY(!std::ranges::equal(once.values(), moved(2, 0).values()));
        double sum = 0;
        double squares = 0;
        for (std::size_t i = 0; i < once.values().size(); ++i)
        {
            const double by = static_cast<double>(once.values()[i]) - static_cast<double>(still.values()[i]);
            sum += by;
            squares += by * by;
        }
        // A standard deviation of 0.25 x 4; four standard errors of 40,000 numbers.
        QVERIFY(std::abs(sum / (2.0 * kPoints)) < 0.02);
        QVERIFY(std::abs(std::sqrt(squares / (2.0 * kPoints)) - 1.0) < 0.015);
    }
};

HEADSCOPE_TEST_GUILESS(MapPlacesTest)
#include "tst_map_places.moc"
