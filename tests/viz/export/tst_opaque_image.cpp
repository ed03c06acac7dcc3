// SPDX-License-Identifier: GPL-3.0-or-later
#include "viz/export/pixels/opaque_image.h"

#include "tests/support/test_program.h"
#include "tests/support/verify.h"
#include "tests/viz/sample_values.h"
#include "viz/color/head_palette.h"
#include "viz/export/map_figures.h"

#include <QPainter>
#include <QTemporaryDir>
#include <QTest>

#include <filesystem>
#include <fstream>
#include <memory>
#include <string>

using namespace headscope;
using namespace headscope::viz;

namespace
{

/// Threads of Qt's own pool; they stay for half a minute after their work.
int pooledThreads()
{
    int count = 0;
    for (const auto& task : std::filesystem::directory_iterator("/proc/self/task"))
    {
        std::ifstream file(task.path() / "comm");
        std::string name;
        if (std::getline(file, name) && name == "Thread (pooled)")
            ++count;
    }
    return count;
}

} // namespace

class TestOpaqueImage : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    /// They would be waited for, also where the system gives none. First: the other function has Qt start some.
    void picturesOfMapsStartNoThreadsOfQt()
    {
        const QTemporaryDir folder;
        const ModelInfo info = test::sampleModel(8, 2);
        const HeadMap map = test::sampleMap(400, 8);
        MapFigure figure;
        figure.coloring = colorByHead(*map.points, HeadPalette(info), QStringLiteral("head"));
        HEADSCOPE_VERIFY_OK(writeFigure(figureOfMap(std::make_shared<const HeadMap>(map), info, figure),
                                        folder.filePath(QStringLiteral("m.png")).toStdString(), {}));
        QCOMPARE(pooledThreads(), 0);
        QImage large(2000, 1500, QImage::Format_ARGB32_Premultiplied);
        large.fill(Qt::white);
        QVERIFY(!large.convertToFormat(QImage::Format_RGB32).isNull());
        QVERIFY(pooledThreads() > 0); // what Qt does, and what the name of its threads is
    }

    void hasThePixelsOfQtsConversion()
    {
        QImage image(300, 40, QImage::Format_ARGB32_Premultiplied);
        image.fill(Qt::white);
        image.setDevicePixelRatio(2);
        QPainter painter(&image);
        painter.setRenderHint(QPainter::Antialiasing);
        painter.setBrush(QColor(200, 30, 90, 120));
        painter.drawEllipse(QRectF(3.3, 2.1, 100, 15));
        painter.end();
        const QImage opaque = opaqueImage(image);
        QCOMPARE(opaque.format(), QImage::Format_RGB32);
        QCOMPARE(opaque.devicePixelRatio(), 2.0);
        QVERIFY(opaque == image.convertToFormat(QImage::Format_RGB32));
        QVERIFY(opaque.pixel(100, 20) != opaque.pixel(0, 0));
        QVERIFY(opaqueImage(QImage()).isNull());
    }
};

HEADSCOPE_TEST(TestOpaqueImage)
#include "tst_opaque_image.moc"
