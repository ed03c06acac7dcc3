// SPDX-License-Identifier: GPL-3.0-or-later
#include "viz/color/color_vision.h"

#include "tests/support/test_program.h"
#include "viz/color/oklab.h"

#include <QTest>

using namespace headscope::viz;

class TestColorSight : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void greyKeepsLightness()
    {
        QImage image(3, 1, QImage::Format_RGB32);
        image.setPixelColor(0, 0, QColor(200, 30, 30));
        image.setPixelColor(1, 0, QColor(30, 30, 200));
        image.setPixelColor(2, 0, Qt::white);
        const QImage grey = seenWith(image, ColorVision::Grey);
        for (int x = 0; x < 3; ++x)
        {
            const QColor color = grey.pixelColor(x, 0);
            QVERIFY(std::abs(color.red() - color.green()) <= 1 && std::abs(color.green() - color.blue()) <= 1);
            QVERIFY(std::abs(toOklab(color).lightness - toOklab(image.pixelColor(x, 0)).lightness) < 0.01);
        }
        QCOMPARE(seenWith(image, ColorVision::Usual), image);
    }

    /// Red and green of one lightness come near each other, blue and yellow stay apart.
    void redAndGreenComeTogether()
    {
        QImage image(2, 1, QImage::Format_ARGB32);
        image.setPixelColor(0, 0, QColor(200, 80, 60, 128));
        image.setPixelColor(1, 0, QColor(110, 130, 60));
        const QImage seen = seenWith(image, ColorVision::Deuteranopia);
        QVERIFY(colorDistance(seen.pixelColor(0, 0), seen.pixelColor(1, 0)) <
                0.5 * colorDistance(image.pixelColor(0, 0), image.pixelColor(1, 0)));
        QCOMPARE(seen.pixelColor(0, 0).alpha(), 128);
        QCOMPARE(seen.pixelColor(1, 0).rgb(), simulated(image.pixelColor(1, 0), Deficiency::Deuteranopia).rgb());
    }
};

HEADSCOPE_TEST_GUILESS(TestColorSight)
#include "tst_color_vision.moc"
