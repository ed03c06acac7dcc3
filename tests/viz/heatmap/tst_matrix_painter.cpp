// SPDX-License-Identifier: GPL-3.0-or-later
#include "viz/heatmap/matrix_painter.h"

#include "tests/support/test_program.h"
#include "tests/viz/drawn_figure.h"
#include "tests/viz/golden_image.h"
#include "viz/export/figure_export.h"
#include "viz/heatmap/cell_rects.h"

#include <QFile>
#include <QPainter>
#include <QPicture>
#include <QTemporaryDir>
#include <QTest>

#include <limits>

using namespace headscope;
using namespace headscope::viz;

class TestMatrixPainter : public QObject
{
    Q_OBJECT

private:
    MatrixD m_values{3, 4, {0, .2, .4, .6, 1, .8, .6, .4, .5, .5, .5, std::numeric_limits<double>::quiet_NaN()}};

    static MatrixStyle style()
    {
        MatrixStyle made;
        made.scale = scaleOf({ScaleChoice::Kind::Sequential, {0, 1}, 0.5}, InkTheme::Light);
        return made;
    }

    static QStringList names(const char* letters)
    {
        QStringList list;
        for (; *letters != 0; ++letters)
            list << QString(QLatin1Char(*letters));
        return list;
    }

private Q_SLOTS:
    /// Before, a file of shapes held few cells as a picture of few pixels, which viewers smear.
    void fewCellsAreShapesInAFileOfShapes()
    {
        QImage cells(9, 9, QImage::Format_RGB32);
        for (int row = 0; row < 9; ++row)
            for (int column = 0; column < 9; ++column)
                cells.setPixel(column, row, qRgb(20 * row, 20 * column, 80));
        const QTemporaryDir folder;
        const auto svg = [&folder](const auto& paint) {
            const QString path = folder.filePath(QStringLiteral("cells.svg"));
            FigureOptions options;
            options.sizeInches = {2, 2};
            options.overwrite = true;
            const auto done =
                writeFigure(test::drawnFigure([&paint](QPainter& painter, const QRectF&, double) { paint(painter); }),
                            path.toStdString(), options);
            QFile file(path);
            return done && file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray("<image");
        };
        const QByteArray shapes = svg([&](QPainter& painter) { paintCellRects(painter, {0, 0, 90, 90}, cells); });
        QVERIFY(!shapes.contains("<image"));
        QVERIFY(shapes.count("<rect") >= 81 || shapes.count("<path") >= 81);
        // The same by way of a picture that is played into the file.
        QPicture picture;
        QPainter recorder(&picture);
        paintCellRects(recorder, {0, 0, 90, 90}, cells);
        recorder.end();
        QVERIFY(!svg([&](QPainter& painter) { picture.play(&painter); }).contains("<image"));
        // On pixels both are the same.
        QImage shown(90, 90, QImage::Format_RGB32);
        QPainter painter(&shown);
        picture.play(&painter);
        painter.end();
        for (int row = 0; row < 9; ++row)
            for (int column = 0; column < 9; ++column)
                QCOMPARE(shown.pixel(10 * column + 5, 10 * row + 5), cells.pixel(column, row));
        // Many cells are a picture, enlarged beforehand.
        QImage many(100, 100, QImage::Format_RGB32);
        many.fill(Qt::red);
        many.setPixel(3, 3, qRgb(0, 0, 255));
        QVERIFY(svg([&](QPainter& to) { paintCellRects(to, {0, 0, 90, 90}, many); }).contains("<image"));
        QVERIFY(!svg([this](QPainter& to) {
                     MatrixLayout(m_values, names("abc"), names("ABCD"), QRectF(0, 0, 80, 60), style()).paint(to, 4);
                 }).contains("<image"));
    }

    void cellsAreFoundInAnyOrder()
    {
        MatrixStyle ordered = style();
        ordered.rows = {2, 0, 1};
        ordered.columns = {3, 2, 1, 0};
        const MatrixLayout layout(m_values, names("abc"), names("ABCD"), QRectF(0, 0, 400, 300), ordered);
        for (std::int64_t row = 0; row < 3; ++row)
            for (std::int64_t column = 0; column < 4; ++column)
                QVERIFY(layout.cellAt(layout.cellRect({row, column}).center()) == (HeatmapCell{row, column}));
        QVERIFY(layout.cellRect({2, 3}).topLeft() == layout.plot().topLeft());
        QCOMPARE(*layout.rowNameAt({layout.plot().left() - 3, layout.cellRect({1, 0}).center().y()}), 1);
        QCOMPARE(*layout.columnNameAt({layout.cellRect({0, 2}).center().x(), layout.plot().bottom() + 6}), 2);
        QVERIFY(!layout.cellAt({1, 1}).has_value());
    }

    void colorsAreThoseOfTheScale()
    {
        QImage image(400, 300, QImage::Format_RGB32);
        image.fill(Qt::white);
        MatrixStyle plain = style();
        plain.numbers = false;
        plain.rowColors = {Qt::red, Qt::green, Qt::blue};
        const MatrixLayout layout(m_values, names("abc"), names("ABCD"), QRectF(0, 0, 400, 300), plain);
        QPainter painter(&image);
        layout.paint(painter, 1);
        painter.end();
        for (std::int64_t row = 0; row < 3; ++row)
            for (std::int64_t column = 0; column < (row == 2 ? 3 : 4); ++column)
                QCOMPARE(image.pixel(layout.cellRect({row, column}).center().toPoint()),
                         plain.scale.color(static_cast<double>(static_cast<float>(m_values(row, column)))));
        QCOMPARE(QColor(image.pixel(static_cast<int>(layout.plot().left()) - 4,
                                    static_cast<int>(layout.cellRect({1, 0}).center().y()))),
                 QColor(Qt::green));
    }

    void golden()
    {
        MatrixD values(6, 6);
        for (std::int64_t i = 0; i < 36; ++i)
            values(i / 6, i % 6) = i / 6 == i % 6 ? 1.0 : 0.1 * static_cast<double>((i / 6 + i % 6) % 7);
        MatrixStyle framed = style();
        framed.square = true;
        framed.numbers = false;
        framed.blocks = {{0, 2}, {3, 6}};
        const MatrixLayout layout(values, {}, {}, QRectF(4, 4, 240, 200), framed);
        QCOMPARE(layout.plot().width(), layout.plot().height());
        QImage image(250, 210, QImage::Format_RGB32);
        image.fill(Qt::white);
        QPainter painter(&image);
        layout.paint(painter, 1);
        painter.end();
        const QString difference = test::differsFromGolden(image, QStringLiteral("matrix_blocks"), 3, 0.005);
        QVERIFY2(difference.isEmpty(), qPrintable(difference));
    }

    void emptyPaintsNothing()
    {
        QImage image(20, 20, QImage::Format_RGB32);
        QPainter painter(&image);
        MatrixLayout().paint(painter, 1);
        const MatrixD nothing;
        MatrixLayout(nothing, {}, {}, QRectF(0, 0, 20, 20), style()).paint(painter, 1);
        QVERIFY(!MatrixLayout().cellAt({3, 3}).has_value());
    }
};

HEADSCOPE_TEST(TestMatrixPainter)
#include "tst_matrix_painter.moc"
