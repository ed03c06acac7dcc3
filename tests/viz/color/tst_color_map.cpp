// SPDX-License-Identifier: GPL-3.0-or-later
#include "viz/color/color_map.h"

#include "tests/support/test_program.h"
#include "viz/color/oklab.h"

#include <QTest>

#include <algorithm>
#include <cmath>
#include <limits>

using namespace headscope::viz;

class TestColorMap : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void sequentialIsEven();
    void divergingIsSymmetric();
    void ends();
};

void TestColorMap::sequentialIsEven()
{
    for (const InkTheme theme : {InkTheme::Light, InkTheme::Dark})
    {
        const ColorMap map = sequentialMap(theme);
        double shortest = 1;
        double longest = 0;
        for (int i = 16; i < ColorMap::kSteps; i += 16)
        {
            const double step = colorDistance(QColor(map.step(i)), QColor(map.step(i - 16)));
            shortest = std::min(shortest, step);
            longest = std::max(longest, step);
            const double up = toOklch(QColor(map.step(i))).lightness - toOklch(QColor(map.step(i - 16))).lightness;
            QVERIFY(theme == InkTheme::Light ? up < -0.02 : up > 0.02);
        }
        QVERIFY2(longest < 2 * shortest, qPrintable(QStringLiteral("%1 %2").arg(shortest).arg(longest)));
    }
}

void TestColorMap::divergingIsSymmetric()
{
    for (const InkTheme theme : {InkTheme::Light, InkTheme::Dark})
    {
        const ColorMap map = divergingMap(theme);
        for (int i = 0; i < 128; i += 8)
        {
            const Oklch blue = toOklch(QColor(map.step(i)));
            const Oklch red = toOklch(QColor(map.step(255 - i)));
            QVERIFY(std::abs(blue.lightness - red.lightness) < 0.02);
            if (i < 100)
            {
                QVERIFY(blue.hueDeg > 230 && blue.hueDeg < 280);
                QVERIFY(red.hueDeg > 10 && red.hueDeg < 50);
            }
        }
        QVERIFY(toOklch(QColor(map.at(0.5))).chroma < 0.01);
    }
}

void TestColorMap::ends()
{
    const ColorMap there = sequentialMap();
    const ColorMap back = reversed(there);
    for (int i = 0; i < ColorMap::kSteps; ++i)
        QCOMPARE(back.step(i), there.step(ColorMap::kSteps - 1 - i));
    const ColorMap map = greyMap();
    QCOMPARE(map.at(-3), map.step(0));
    QCOMPARE(map.at(7), map.step(255));
    QCOMPARE(map.at(std::numeric_limits<double>::quiet_NaN()), map.step(0));
    QCOMPARE(QColor(map.step(0)), inks(InkTheme::Light).background);
    QCOMPARE(QColor(map.step(255)), inks(InkTheme::Light).ink);
    QCOMPARE(qAlpha(divergingMap().at(0.3)), 255);
}

HEADSCOPE_TEST_GUILESS(TestColorMap)
#include "tst_color_map.moc"
