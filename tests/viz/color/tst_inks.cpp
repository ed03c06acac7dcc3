// SPDX-License-Identifier: GPL-3.0-or-later
#include "viz/color/inks.h"

#include "tests/support/test_program.h"
#include "viz/color/oklab.h"

#include <QTest>

using namespace headscope::viz;

class TestTheme : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void textReads_data();
    void textReads();
    void greysHaveNoHue();
};

void TestTheme::textReads_data()
{
    QTest::addColumn<int>("theme");
    QTest::newRow("light") << static_cast<int>(InkTheme::Light);
    QTest::newRow("dark") << static_cast<int>(InkTheme::Dark);
}

void TestTheme::textReads()
{
    QFETCH(int, theme);
    const Inks& ink = inks(static_cast<InkTheme::Ground>(theme));
    for (const QColor& paper : {ink.background, ink.card})
    {
        QVERIFY(contrastRatio(ink.ink, paper) >= 7.0);
        QVERIFY(contrastRatio(ink.secondary, paper) >= 4.5);
    }
    // Dimmed points are quieter than what is chosen, but still there.
    QVERIFY(colorDistance(ink.dimmed, ink.background) > 0.1);
    QVERIFY(contrastRatio(ink.dimmed, ink.background) < 2.0);
}

void TestTheme::greysHaveNoHue()
{
    for (const InkTheme theme : {InkTheme::Light, InkTheme::Dark})
        for (const QColor& grey : {inks(theme).ink, inks(theme).secondary, inks(theme).dimmed, inks(theme).missing})
            QVERIFY(toOklch(grey).chroma < 0.03);
}

HEADSCOPE_TEST_GUILESS(TestTheme)
#include "tst_inks.moc"
