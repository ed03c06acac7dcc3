// SPDX-License-Identifier: GPL-3.0-or-later
#include "viz/export/pixels/indexed_pixels.h"

#include "tests/support/test_program.h"
#include "viz/color/head_palette.h"

#include <QBuffer>
#include <QPainter>
#include <QTest>

#include <algorithm>
#include <cmath>

using namespace headscope;
using namespace headscope::viz;

namespace
{

/// Many dots of the heads' colours on white, their edges blended.
QImage dots(int count)
{
    QImage image(400, 300, QImage::Format_RGB32);
    image.fill(Qt::white);
    QPainter painter(&image);
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(Qt::NoPen);
    const HeadPalette palette(8, 4);
    for (int i = 0; i < count; ++i)
    {
        painter.setBrush(palette.color(HeadIndex(i % 32)));
        painter.drawEllipse(QPointF(std::fmod(i * 61.8, 400), std::fmod(i * 37.1, 300)), 2.2, 2.2);
    }
    return image;
}

qsizetype pngBytes(const QImage& image)
{
    QBuffer buffer;
    buffer.open(QIODevice::WriteOnly);
    image.save(&buffer, "PNG");
    return buffer.size();
}

} // namespace

class TestIndexedPixels : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    /// Little is lost, and two thirds of the bytes are.
    void dotsStayWhatTheyAre()
    {
        const QImage image = dots(4'000);
        const QImage indexed = indexedPixels(image);
        QCOMPARE(indexed.format(), QImage::Format_Indexed8);
        QCOMPARE(indexed.size(), image.size());
        QCOMPARE(indexed.dotsPerMeterX(), image.dotsPerMeterX());
        QVERIFY(indexed.colorCount() <= 256);
        double squares = 0;
        for (int y = 0; y < image.height(); ++y)
            for (int x = 0; x < image.width(); ++x)
            {
                const QRgb a = image.pixel(x, y);
                const QRgb b = indexed.pixel(x, y);
                squares += std::pow(qRed(a) - qRed(b), 2) + std::pow(qGreen(a) - qGreen(b), 2) +
                           std::pow(qBlue(a) - qBlue(b), 2);
            }
        const double rms = std::sqrt(squares / (3.0 * image.width() * image.height()));
        QVERIFY2(rms < 6, qPrintable(QString::number(rms)));
        QVERIFY2(2 * pngBytes(indexed) < pngBytes(image),
                 qPrintable(QStringLiteral("%1 of %2").arg(pngBytes(indexed)).arg(pngBytes(image))));
        QVERIFY(indexedPixels(image) == indexed);
    }

    /// Few colours are kept as they are.
    void fewColorsAreExact()
    {
        QImage image(20, 10, QImage::Format_RGB32);
        image.fill(QColor(250, 251, 252));
        for (int x = 0; x < 20; ++x)
            image.setPixel(x, 3, qRgb(10 * x, 200, 7));
        const QImage indexed = indexedPixels(image);
        for (int y = 0; y < 10; ++y)
            for (int x = 0; x < 20; ++x)
                QCOMPARE(indexed.pixel(x, y), image.pixel(x, y));
    }

    void nothing() { QVERIFY(indexedPixels(QImage()).isNull()); }
};

HEADSCOPE_TEST(TestIndexedPixels)
#include "tst_indexed_pixels.moc"
