// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/test_program.h"
#include "viz/scatter/point_prefix.h"

#include <QTest>

#include <algorithm>
#include <set>
#include <vector>

using namespace headscope::viz;

class TestPointPrefix : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void prefixesGrowIntoEachOther_data()
    {
        QTest::addColumn<int>("points");
        for (const int points : {0, 1, 2, 63, 64, 65, 1000, 4096})
            QTest::addRow("%d", points) << points;
    }
    /// Each holds the one before, the last holds every point once.
    void prefixesGrowIntoEachOther()
    {
        QFETCH(int, points);
        std::vector<float> xy;
        std::vector<std::uint16_t> index;
        std::vector<PointState> states;
        for (int i = 0; i < points; ++i)
        {
            xy.insert(xy.end(), {static_cast<float>(i), static_cast<float>(-i)});
            index.push_back(static_cast<std::uint16_t>(i % 7));
            states.push_back(i % 3 == 0 ? PointState::Dimmed : PointState::Shown);
        }
        ScatterData data;
        data.xy = xy;
        data.index = index;
        data.states = states;
        std::set<int> before;
        PointPrefix prefix;
        for (int rounds = 1; rounds <= PointPrefix::kRounds; ++rounds)
        {
            prefix.take(data, rounds, 1 + rounds % 3);
            QCOMPARE(prefix.count(), PointPrefix::countOf(points, rounds));
            std::set<int> held;
            for (std::size_t i = 0; i < static_cast<std::size_t>(prefix.count()); ++i)
            {
                const int point = static_cast<int>(prefix.data().xy[2 * i]);
                held.insert(point);
                QVERIFY(PointPrefix::holds(point, rounds));
                QCOMPARE(static_cast<int>(prefix.data().xy[2 * i + 1]), -point);
                QCOMPARE(static_cast<int>(prefix.data().index[i]), point % 7);
                QCOMPARE(prefix.data().states[i], states[static_cast<std::size_t>(point)]);
            }
            QCOMPARE(static_cast<std::int64_t>(held.size()), prefix.count());
            QVERIFY(std::includes(held.begin(), held.end(), before.begin(), before.end()));
            before = held;
        }
        QCOMPARE(before.size(), static_cast<std::size_t>(points));
    }

    /// A round holds about as many points of each of 32 heads, which lie one after another.
    void everyHeadHasItsShare()
    {
        constexpr int kPoints = 320'000;
        std::vector<int> ofHead(32, 0);
        for (int point = 0; point < kPoints; ++point)
            if (PointPrefix::holds(point, 16))
                ++ofHead[static_cast<std::size_t>(point % 32)];
        const auto [least, most] = std::minmax_element(ofHead.begin(), ofHead.end());
        QVERIFY(*least > 0.9 * kPoints / 32 / 4);
        QVERIFY(*most < 1.1 * kPoints / 32 / 4);
    }
};

HEADSCOPE_TEST_GUILESS(TestPointPrefix)
#include "tst_point_prefix.moc"
