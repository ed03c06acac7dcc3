// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/analysis/statistics/jackknife.h"

#include "tests/support/test_program.h"

#include <cmath>
#include <limits>
#include <vector>

using namespace headscope;

class TestJackknife : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    /// Of a mean the jackknife is the textbook's standard error: s / sqrt(n).
    void meanByHand()
    {
        const std::vector<double> values = {1, 2, 4, 9, 4};
        std::vector<double> without;
        for (const double value : values)
            without.push_back((20 - value) / 4);
        const Interval interval = jackknifeInterval(4, without);
        const double half = 1.959963984540054 * std::sqrt(38.0 / 4 / 5); // squares about the mean: 9, 4, 0, 25, 0
        QVERIFY(std::abs(interval.low - (4 - half)) < 1e-12);
        QVERIFY(std::abs(interval.high - (4 + half)) < 1e-12);
    }

    void nothingToGoBy()
    {
        constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();
        QVERIFY(std::isnan(jackknifeInterval(1, std::vector<double>{1.0, kNaN}).low));
        QVERIFY(std::isnan(jackknifeInterval(kNaN, std::vector<double>{1.0, 2.0}).high));
        QVERIFY(std::isnan(jackknifeInterval(1, {}).low));
        // What is not finite is left out.
        QCOMPARE(jackknifeInterval(1, std::vector<double>{1.0, kNaN, 2.0}).high,
                 jackknifeInterval(1, std::vector<double>{1.0, 2.0}).high);
    }
};

HEADSCOPE_TEST_GUILESS(TestJackknife)
#include "tst_jackknife.moc"
