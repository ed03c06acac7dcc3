// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/desktop/view_files.h"
#include "tests/support/test_program.h"

#include <QComboBox>
#include <QFile>
#include <QFileInfo>
#include <QImage>
#include <QLabel>
#include <QPainter>
#include <QPushButton>
#include <QTemporaryDir>
#include <QtTest>

#include <memory>

using namespace headscope;

namespace
{

QLabel* patch(QWidget* parent, const QRect& place, const char* color)
{
    auto* label = new QLabel(parent);
    label->setGeometry(place);
    label->setAutoFillBackground(true);
    QPalette palette;
    palette.setColor(QPalette::Window, QColor(color));
    label->setPalette(palette);
    return label;
}

/// 400 x 300: green top left, blue bottom right, a red button and a choice between them.
std::unique_ptr<QWidget> sample()
{
    auto widget = std::make_unique<QWidget>();
    widget->resize(400, 300);
    QPalette white;
    white.setColor(QPalette::Window, Qt::white);
    widget->setPalette(white);
    patch(widget.get(), {0, 0, 80, 60}, "#00ff00");
    patch(widget.get(), {320, 240, 80, 60}, "#0000ff");
    auto* button = new QPushButton(widget.get());
    button->setGeometry(150, 20, 100, 40);
    button->setStyleSheet(QStringLiteral("background: #ff0000; border: none"));
    auto* choice = new QComboBox(widget.get());
    choice->addItem(QStringLiteral("Cosine of means"));
    choice->setGeometry(100, 120, 200, 40);
    widget->show();
    return widget;
}

} // namespace

class TestDesktopViewFiles : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    /// The picture shows the whole widget whatever the resolution of the file is, and no controls.
    void fillsTheFigure_data()
    {
        QTest::addColumn<double>("dpi");
        for (const double dpi : {72.0, 96.0, 300.0})
            QTest::addRow("%g dots per inch", dpi) << dpi;
    }
    void fillsTheFigure()
    {
        QFETCH(const double, dpi);
        const auto widget = sample();
        const QSizeF inches = desktop::inchesOf(*widget);
        QCOMPARE(inches.height() / inches.width(), 0.75);
        QImage image((inches * dpi).toSize(), QImage::Format_ARGB32_Premultiplied);
        image.setDotsPerMeterX(qRound(dpi / 0.0254));
        image.setDotsPerMeterY(qRound(dpi / 0.0254));
        image.fill(Qt::white);
        QPainter painter(&image);
        desktop::drawingOf (*widget)(painter, QRectF(image.rect()), 1.0);
        painter.end();
        const auto at = [&image](double x, double y) {
            return QColor(image.pixel(int(x * image.width()), int(y * image.height())));
        };
        QCOMPARE(at(0.1, 0.1), QColor(Qt::green));
        QCOMPARE(at(0.9, 0.9), QColor(Qt::blue));
        QCOMPARE(at(0.78, 0.9), QColor(Qt::white)); // the patch is as large as in the widget
        QCOMPARE(at(0.5, 0.13), QColor(Qt::white)); // the button
        bool ink = false;
        for (int x = image.width() / 4; x < image.width() / 2; ++x)
            for (int y = int(0.4 * image.height()); y < int(0.53 * image.height()); ++y)
                ink = ink || qGray(image.pixel(x, y)) < 128;
        QVERIFY2(ink, "what is chosen must stand in the figure");
    }

    void isExported()
    {
        const QTemporaryDir folder;
        const auto widget = sample();
        viz::FigureOptions options;
        options.sizeInches = desktop::inchesOf(*widget);
        for (const char* name : {"a.png", "a.svg", "a.pdf"})
        {
            const QString file = folder.filePath(QString::fromLatin1(name));
            const Status written = viz::exportDrawing(desktop::drawingOf(*widget), file.toStdString(), options);
            QVERIFY2(written.has_value(), name);
            QVERIFY(QFileInfo(file).size() > 0);
        }
        const QImage image(folder.filePath(QStringLiteral("a.png")));
        QCOMPARE(QColor(image.pixel(image.width() * 93 / 100, image.height() * 93 / 100)), QColor(Qt::blue));
        QFile drawing(folder.filePath(QStringLiteral("a.svg")));
        QVERIFY(drawing.open(QIODevice::ReadOnly));
        QVERIFY(drawing.readAll().contains("Cosine of means"));
    }
};

HEADSCOPE_TEST(TestDesktopViewFiles)
#include "tst_desktop_view_files.moc"
