// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/analysis/intervals.h"

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

    void followsTheSeed()
    {
        QCOMPARE(bootstrapShare(17, 60, 4).low, bootstrapShare(17, 60, 4).low);
        QVERIFY(bootstrapShare(17, 60, 4).low > 0.1 && bootstrapShare(17, 60, 4).high < 0.5);
    }
};

QTEST_GUILESS_MAIN(TestIntervals)
#include "tst_intervals.moc"
