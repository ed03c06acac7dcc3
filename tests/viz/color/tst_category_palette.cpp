// SPDX-License-Identifier: GPL-3.0-or-later
#include "viz/color/category_palette.h"

#include "tests/support/test_program.h"
#include "viz/color/oklab.h"

#include <QtTest>

#include <algorithm>

using namespace headscope::viz;

class TestCategoryPalette : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void distinct_data();
    void distinct();
    void firstEightForAllEyes();
    void none();
};

void TestCategoryPalette::distinct_data()
{
    QTest::addColumn<int>("count");
    QTest::addColumn<double>("least");
    QTest::newRow("8") << 8 << 0.12;
    QTest::newRow("25") << 25 << 0.06;
    QTest::newRow("64") << 64 << 0.03;
}

void TestCategoryPalette::distinct()
{
    QFETCH(int, count);
    QFETCH(double, least);
    for (const Theme theme : {Theme::Light, Theme::Dark})
    {
        const CategoryPalette palette(count, theme);
        for (int a = 0; a < count; ++a)
        {
            QVERIFY(colorDistance(palette.color(a), inks(theme).background) > 0.08);
            for (int b = a + 1; b < count; ++b)
            {
                const double found = colorDistance(palette.color(a), palette.color(b));
                QVERIFY2(found >= least, qPrintable(QStringLiteral("%1, %2: %3").arg(a).arg(b).arg(found)));
            }
        }
    }
}

void TestCategoryPalette::firstEightForAllEyes()
{
    const CategoryPalette palette(8);
    for (int a = 0; a < 8; ++a)
        for (int b = a + 1; b < 8; ++b)
            for (const Deficiency eye : {Deficiency::Deuteranopia, Deficiency::Protanopia})
                QVERIFY(colorDistance(simulated(palette.color(a), eye), simulated(palette.color(b), eye)) > 0.05);
    // Yellow is weak on white and comes last.
    QVERIFY(toOklch(palette.color(7)).lightness > 0.85);
}

void TestCategoryPalette::none()
{
    const CategoryPalette palette(1000);
    QCOMPARE(palette.count(), 1000);
    QCOMPARE(palette.color(-1), palette.noneColor());
    QCOMPARE(palette.color(64), palette.color(0));
    QCOMPARE(CategoryPalette().color(3), CategoryPalette().noneColor());
    QVERIFY(CategoryPalette(0).color(0).isValid());
}

HEADSCOPE_TEST_GUILESS(TestCategoryPalette)
#include "tst_category_palette.moc"
