// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/test_program.h"
#include "viz/color/oklab.h"

#include <QTest>

#include <cmath>

using namespace headscope::viz;

class TestOklab : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void knownColors_data();
    void knownColors();
    void roundTrip();
    void keepsHueAndLightnessOutsideSrgb();
    void mixEnds();
    void simulatedColors();
    void contrast();
};

void TestOklab::knownColors_data()
{
    // Reference values of the source's own tables.
    QTest::addColumn<QColor>("color");
    QTest::addColumn<double>("lightness");
    QTest::addColumn<double>("a");
    QTest::addColumn<double>("b");
    QTest::newRow("white") << QColor(255, 255, 255) << 1.0 << 0.0 << 0.0;
    QTest::newRow("black") << QColor(0, 0, 0) << 0.0 << 0.0 << 0.0;
    QTest::newRow("red") << QColor(255, 0, 0) << 0.62796 << 0.22486 << 0.12585;
    QTest::newRow("green") << QColor(0, 255, 0) << 0.86644 << -0.23389 << 0.17950;
    QTest::newRow("blue") << QColor(0, 0, 255) << 0.45201 << -0.03246 << -0.31153;
}

void TestOklab::knownColors()
{
    QFETCH(QColor, color);
    QFETCH(double, lightness);
    QFETCH(double, a);
    QFETCH(double, b);
    const Oklab lab = toOklab(color);
    QVERIFY(std::abs(lab.lightness - lightness) < 2e-5);
    QVERIFY(std::abs(lab.a - a) < 2e-5);
    QVERIFY(std::abs(lab.b - b) < 2e-5);
}

void TestOklab::roundTrip()
{
    for (int red = 0; red < 256; red += 51)
        for (int green = 0; green < 256; green += 51)
            for (int blue = 0; blue < 256; blue += 51)
            {
                const QColor color(red, green, blue);
                QCOMPARE(fromOklab(toOklab(color)), color);
                const QRgb pixel = pixelFromOklab(toOklab(color));
                QVERIFY(std::abs(qRed(pixel) - color.red()) <= 1 && std::abs(qGreen(pixel) - color.green()) <= 1 &&
                        std::abs(qBlue(pixel) - color.blue()) <= 1);
                QCOMPARE(fromOklch(toOklch(color)), color);
            }
}

void TestOklab::keepsHueAndLightnessOutsideSrgb()
{
    for (int hue = 0; hue < 360; hue += 20)
    {
        const Oklch fitted = toOklch(fromOklch({0.6, 0.5, static_cast<double>(hue)}));
        QVERIFY(std::abs(fitted.lightness - 0.6) < 0.01);
        const double turn = std::remainder(fitted.hueDeg - hue, 360.0);
        QVERIFY2(std::abs(turn) < 3.0, qPrintable(QString::number(turn)));
        QVERIFY(fitted.chroma > 0.08);
    }
}

void TestOklab::mixEnds()
{
    const QColor one(20, 80, 160);
    const QColor other(240, 200, 30);
    QCOMPARE(mixed(one, other, 0), one);
    QCOMPARE(mixed(one, other, 1), other);
    const double half = toOklab(mixed(one, other, 0.5)).lightness;
    QVERIFY(std::abs(half - (toOklab(one).lightness + toOklab(other).lightness) / 2) < 0.01);
}

void TestOklab::simulatedColors()
{
    const QColor red(200, 40, 40);
    const QColor green(60, 130, 40);
    for (const Deficiency eye : {Deficiency::Deuteranopia, Deficiency::Protanopia})
    {
        // Greys stay, red and green come together.
        QVERIFY(colorDistance(simulated(QColor(128, 128, 128), eye), QColor(128, 128, 128)) < 0.01);
        QVERIFY(colorDistance(simulated(red, eye), simulated(green, eye)) < 0.6 * colorDistance(red, green));
    }
    QVERIFY(colorDistance(simulated(red, Deficiency::Tritanopia), red) < 0.1);
}

void TestOklab::contrast()
{
    QVERIFY(std::abs(contrastRatio(Qt::white, Qt::black) - 21.0) < 1e-9);
    QCOMPARE(contrastRatio(Qt::red, Qt::red), 1.0);
    QCOMPARE(textColorOn(QColor(255, 240, 120)), QColor(0, 0, 0));
    QCOMPARE(textColorOn(QColor(60, 20, 90)), QColor(255, 255, 255));
}

HEADSCOPE_TEST_GUILESS(TestOklab)
#include "tst_oklab.moc"
