// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/test_program.h"
#include "viz/color/kept_scale.h"

#include <QTest>

using namespace headscope::viz;

class TestKeptScale : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    /// Layers are seen in any order, with the same colours.
    void limitsAreThoseOfTheNumbersShown()
    {
        KeptScale scale;
        const ScaleChoice first = scale.scaleFor({-0.1, 0.5});
        QCOMPARE(first, (ScaleChoice{ScaleChoice::Kind::Diverging, {-0.1, 0.5}, 0.2}));
        QVERIFY(!scale.isKept());
        QCOMPARE(scale.scaleFor({0, 0.9}).limits, (ScaleLimits{0, 0.9}));
        QCOMPARE(scale.scaleFor({-0.1, 0.5}), first);
    }

    /// The same colour is the same number, whatever stage or layer is shown.
    void keptLimitsStay()
    {
        KeptScale scale;
        const ScaleChoice first = scale.moved(scale.scaleFor({-0.1, 0.5}));
        QVERIFY(scale.isKept());
        QCOMPARE(scale.scaleFor({0, 0.9}), first);
        scale.reset();
        QCOMPARE(scale.scaleFor({0, 0.9}).limits, (ScaleLimits{0, 0.9}));
    }

    void aroundZeroWhiteIsZero()
    {
        QCOMPARE(aroundZero({-0.1, 0.5}), (ScaleChoice{ScaleChoice::Kind::Diverging, {-0.5, 0.5}, 0}));
        QCOMPARE(aroundZero({-0.7, -0.5}).limits, (ScaleLimits{-0.7, 0.7}));
        QVERIFY(aroundZero({0, 0}).limits.high > 0);
        KeptScale scale;
        const ScaleChoice before = scale.scaleFor({-0.1, 0.5});
        scale.setAroundZero(true);
        QCOMPARE(scale.scaleFor({-0.1, 0.5}).limits, (ScaleLimits{-0.5, 0.5}));
        QCOMPARE(scale.scaleFor({0, 0.9}).centre, 0.0);
        scale.setAroundZero(false);
        QCOMPARE(scale.scaleFor({-0.1, 0.5}), before);
    }

    void movedHandlesStayUntilReset()
    {
        KeptScale scale;
        ScaleChoice own = scale.scaleFor({-0.1, 0.5});
        own.limits.high = 0.3;
        QCOMPARE(scale.moved(own), own);
        QCOMPARE(scale.scaleFor({0, 0.9}), own);
        scale.reset();
        QCOMPARE(scale.scaleFor({0, 0.9}).limits, (ScaleLimits{0, 0.9}));
    }

    void aroundZeroOneLimitTakesTheOtherAlong()
    {
        KeptScale scale;
        scale.setAroundZero(true);
        ScaleChoice own = scale.scaleFor({-0.1, 0.5});
        own.limits.low = -0.2;
        QCOMPARE(scale.moved(own).limits, (ScaleLimits{-0.2, 0.2}));
        QVERIFY(scale.isAroundZero());
        own = scale.scaleFor({0, 0.9});
        own.limits.high = 0.4;
        QCOMPARE(scale.moved(own).limits, (ScaleLimits{-0.4, 0.4}));
        own = scale.scaleFor({0, 0.9});
        own.centre = 0.1;
        QCOMPARE(scale.moved(own), own); // white is no longer zero
        QVERIFY(!scale.isAroundZero());
    }

    void sequentialColoursStay()
    {
        KeptScale scale;
        ScaleChoice own = scale.scaleFor({0, 1});
        own.kind = ScaleChoice::Kind::Sequential;
        scale.moved(own);
        scale.reset();
        QCOMPARE(scale.scaleFor({0, 1}).kind, ScaleChoice::Kind::Sequential);
        scale.setAroundZero(true);
        QCOMPARE(scale.scaleFor({0, 1}).kind, ScaleChoice::Kind::Diverging);
    }
};

HEADSCOPE_TEST_GUILESS(TestKeptScale)
#include "tst_kept_scale.moc"
