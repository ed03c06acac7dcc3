// SPDX-License-Identifier: GPL-3.0-or-later
#include "viz/scatter/point_density.h"

#include "model/base/random.h"
#include "tests/support/test_program.h"

#include <QTest>

#include <cmath>
#include <vector>

using namespace headscope;
using namespace headscope::viz;

class TestPointDensity : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void crowdsAreDenser()
    {
        const CounterRandom random(5);
        std::vector<float> xy;
        for (std::uint64_t i = 0; i < 3000; ++i) // two thirds in a crowd, one third spread wide
        {
            const double spread = i % 3 == 2 ? 4.0 : 0.05;
            xy.push_back(static_cast<float>(spread * random.normal(2 * i)));
            xy.push_back(static_cast<float>(spread * random.normal(2 * i + 1)));
        }
        const auto densities = pointDensities(xy, 1);
        QCOMPARE(densities, pointDensities(xy, 3));
        double crowd = 0;
        double spread = 0;
        for (std::size_t i = 0; i < densities.size(); ++i)
        {
            QVERIFY(densities[i] >= 0 && densities[i] < 1);
            (i % 3 == 2 ? spread : crowd) += static_cast<double>(densities[i]);
        }
        QVERIFY(crowd / 2000 > 0.3);
        QVERIFY(spread / 1000 < 0.25);
    }

    void edges()
    {
        QVERIFY(pointDensities({}, 2).empty());
        const std::vector<float> one = {3, 4};
        QCOMPARE(pointDensities(one, 2), std::vector<float>{0});
        const std::vector<float> same = {3, 4, 3, 4, 3, 4};
        QCOMPARE(pointDensities(same, 2), (std::vector<float>{0, 0, 0}));
        const std::vector<float> broken = {3, 4, std::nanf(""), 1, 5, 6};
        const auto densities = pointDensities(broken, 2);
        QVERIFY(std::isnan(densities[1]));
        QVERIFY(std::isfinite(densities[0]) && std::isfinite(densities[2]));
    }
};

HEADSCOPE_TEST_GUILESS(TestPointDensity)
#include "tst_point_density.moc"
