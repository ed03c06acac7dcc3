// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/analysis/statistics/intervals.h"

#include "tests/support/test_program.h"
#include "tests/support/verify.h"

#include <cmath>

using namespace headscope;

class TestIntervals : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void isAboutTwoStandardErrorsWide()
    {
        const Interval interval = bootstrapShare(300, 1000);
        const double error = std::sqrt(0.3 * 0.7 / 1000);
        QVERIFY(std::abs(interval.low - (0.3 - 1.96 * error)) < 0.006);
        QVERIFY(std::abs(interval.high - (0.3 + 1.96 * error)) < 0.006);
    }

    void edges()
    {
        QCOMPARE(bootstrapShare(0, 50).high, 0.0);
        QCOMPARE(bootstrapShare(50, 50).low, 1.0);
        QVERIFY(std::isnan(bootstrapShare(0, 0).low));
    }

    void wilson()
    {
        const Interval half = wilsonInterval(50, 100);
        QVERIFY(std::abs(half.low - 0.40383) < 1e-5 && std::abs(half.high - 0.59617) < 1e-5);
        const Interval all = wilsonInterval(10, 10);
        QVERIFY(std::abs(all.low - 0.72246) < 1e-4 && all.high > 0.999);
        QCOMPARE(wilsonInterval(0, 0).high, 1.0);
    }

    void followsTheSeed()
    {
        QCOMPARE(bootstrapShare(17, 60, 4).low, bootstrapShare(17, 60, 4).low);
        QVERIFY(bootstrapShare(17, 60, 4).low > 0.1 && bootstrapShare(17, 60, 4).high < 0.5);
    }
};

HEADSCOPE_TEST_GUILESS(TestIntervals)
#include "tst_intervals.moc"
