// SPDX-License-Identifier: GPL-3.0-or-later
#include "viz/color/category_palette.h"

#include "tests/support/test_program.h"
#include "viz/color/color_difference.h"
#include "viz/color/oklab.h"

#include <QTest>

#include <algorithm>
#include <cmath>

using namespace headscope::viz;

class TestCategoryPalette : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void distinct_data();
    void distinct();
    void firstEightForAllEyes();
    void none();
    void deltaEIsThatOfItsAuthors();
    void everyLabelHasALookOfItsOwn_data();
    void everyLabelHasALookOfItsOwn();
    void fewLabelsAreRound();
    void strongColorsStandOut();
    void palettesHaveNames();
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
    for (const InkTheme::Ground theme : {InkTheme::Light, InkTheme::Dark})
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

/// Pairs of the supplement of Sharma, Wu & Dalal, 2005.
void TestCategoryPalette::deltaEIsThatOfItsAuthors()
{
    const auto check = [](const CieLab& one, const CieLab& other, double expected) {
        QVERIFY2(std::abs(deltaE2000(one, other) - expected) < 5e-5, qPrintable(QString::number(expected)));
        QVERIFY(std::abs(deltaE2000(other, one) - expected) < 5e-5);
    };
    check({50, 2.6772, -79.7751}, {50, 0, -82.7485}, 2.0425);
    check({50, 3.1571, -77.2803}, {50, 0, -82.7485}, 2.8615);
    check({50, 2.5, 0}, {50, 0, -2.5}, 4.3065);
    check({50, 2.5, 0}, {73, 25, -18}, 27.1492);
    check({50, 2.5, 0}, {61, -5, 29}, 22.8977);
    check({50, 2.5, 0}, {56, -27, -3}, 31.9030);
    check({60.2574, -34.0099, 36.2677}, {60.4626, -34.1751, 39.4387}, 1.2644);
    QVERIFY(std::abs(toCieLab(Qt::white).lightness - 100) < 0.01);
    QVERIFY(std::abs(toCieLab(Qt::white).a) < 0.02);
    QVERIFY(std::abs(toCieLab(QColor(0x77, 0x77, 0x77)).lightness - 50.03) < 0.05);
}

void TestCategoryPalette::everyLabelHasALookOfItsOwn_data()
{
    QTest::addColumn<int>("palette");
    QTest::addColumn<int>("labels");
    for (int palette = 0; palette < kPaletteKinds; ++palette)
        for (const int labels : {8, 25, 32})
            QTest::addRow("%s, %d labels", qPrintable(paletteId(static_cast<PaletteKind>(palette))), labels)
                << palette << labels;
}

/// Two labels of one shape differ enough to all eyes (Machado et al. 2009, severity 1: simulated()).
void TestCategoryPalette::everyLabelHasALookOfItsOwn()
{
    QFETCH(int, palette);
    QFETCH(int, labels);
    for (const InkTheme::Ground theme : {InkTheme::Light, InkTheme::Dark})
    {
        const CategoryPalette looks(labels, {theme, static_cast<PaletteKind>(palette)});
        QVERIFY(looks.sure() >= labels);
        for (int a = 0; a < labels; ++a)
            for (int b = a + 1; b < labels; ++b)
            {
                if (looks.shape(a) != looks.shape(b))
                    continue;
                const QColor one = looks.color(a);
                const QColor other = looks.color(b);
                double least = deltaE2000(toCieLab(one), toCieLab(other));
                for (const Deficiency eye : {Deficiency::Deuteranopia, Deficiency::Protanopia})
                    least = std::min(least, deltaE2000(toCieLab(simulated(one, eye)), toCieLab(simulated(other, eye))));
                QVERIFY2(least >= 10,
                         qPrintable(QStringLiteral("%1 %2, %3 %4: %5")
                                        .arg(QString::number(a), one.name(), QString::number(b), other.name())
                                        .arg(least)));
            }
    }
}

void TestCategoryPalette::fewLabelsAreRound()
{
    for (const InkTheme::Ground theme : {InkTheme::Light, InkTheme::Dark})
    {
        QVERIFY(!CategoryPalette(8, theme).needsShapes());
        QVERIFY(!CategoryPalette(8, {theme, PaletteKind::ColorBlind}).needsShapes());
        QVERIFY(CategoryPalette(9, {theme, PaletteKind::ColorBlind}).needsShapes());
        QVERIFY(!CategoryPalette(4, {theme, PaletteKind::Grey}).needsShapes());
        QVERIFY(CategoryPalette(5, {theme, PaletteKind::HighContrast}).needsShapes());
        QVERIFY(CategoryPalette(25, theme).needsShapes());
    }
    QCOMPARE(CategoryPalette(25).shape(-1), MarkerShape::Circle);
    // A colour that comes again comes in another shape.
    const CategoryPalette few(32, {InkTheme::Light, PaletteKind::HighContrast});
    QCOMPARE(few.different(), 4);
    QCOMPARE(few.color(5), few.color(1));
    QVERIFY(few.shape(5) != few.shape(1));
}

void TestCategoryPalette::strongColorsStandOut()
{
    for (const InkTheme::Ground theme : {InkTheme::Light, InkTheme::Dark})
        for (int i = 0; i < 4; ++i)
        {
            const QColor color = CategoryPalette(4, {theme, PaletteKind::HighContrast}).color(i);
            QVERIFY(contrastRatio(color, inks(theme).background) >= 4.5);
            const QColor grey = CategoryPalette(4, {theme, PaletteKind::Grey}).color(i);
            QVERIFY(toOklch(grey).chroma < 0.005);
            QVERIFY(contrastRatio(grey, inks(theme).background) >= 2.9);
            // What has no label is another grey.
            QVERIFY(leastDeltaE(sightsOf(grey), sightsOf(inks(theme).missing)) > 10);
        }
}

void TestCategoryPalette::palettesHaveNames()
{
    for (int i = 0; i < kPaletteKinds; ++i)
    {
        const auto palette = static_cast<PaletteKind>(i);
        QCOMPARE(paletteFromId(paletteId(palette)), palette);
        QVERIFY(!paletteName(palette).isEmpty());
    }
    QCOMPARE(paletteFromId(QStringLiteral("purple")), PaletteKind::Standard);
}

HEADSCOPE_TEST_GUILESS(TestCategoryPalette)
#include "tst_category_palette.moc"
