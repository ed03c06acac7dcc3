// SPDX-License-Identifier: GPL-3.0-or-later
#include "viz/attention/thumbnail_grid.h"

#include "tests/support/attention_runs.h"
#include "tests/support/test_program.h"
#include "viz/attention/head_measure.h"
#include "viz/attention/shown_weights.h"
#include "viz/attention/thumbnail_atlas.h"

#include <QGuiApplication>
#include <QPainter>
#include <QTest>

#include <cmath>
#include <limits>

using namespace headscope;
using namespace headscope::viz;

namespace
{

ThumbnailGridLayout layoutOf(const AttentionRun& run, QSizeF size, QSize cell = {}, QPointF offset = {})
{
    ThumbnailGridStyle style;
    style.cell = cell;
    style.offset = offset;
    return {run.layers, run.model, QRectF(QPointF(0, 0), size), style};
}

} // namespace

class TestThumbnailGrid : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void allCellsFitAndAreFound_data()
    {
        QTest::addColumn<int>("layers");
        QTest::addColumn<int>("heads");
        QTest::addColumn<int>("kvHeads");
        QTest::newRow("demo") << 30 << 9 << 3;
        QTest::newRow("large") << 32 << 32 << 8;
        QTest::newRow("no groups") << 6 << 12 << 12;
        QTest::newRow("one head") << 1 << 1 << 1;
    }
    void allCellsFitAndAreFound()
    {
        QFETCH(int, layers);
        QFETCH(int, heads);
        QFETCH(int, kvHeads);
        const auto run = test::makeAttentionRun({.tokens = 3, .layers = layers, .heads = heads, .kvHeads = kvHeads});
        const ThumbnailGridLayout layout = layoutOf(*run, {520, 640});
        QVERIFY(layout.contentSize().width() <= layout.window().width());
        QVERIFY(layout.contentSize().height() <= layout.window().height());
        for (std::int64_t row = 0; row < layers; ++row)
            for (std::int64_t head = 0; head < heads; ++head)
            {
                const ThumbnailCell cell{row, HeadIndex(head)};
                QVERIFY(layout.cellAt(layout.cellRect(cell).center()) == cell);
            }
        QVERIFY(!layout.cellAt({1, 1}));
        QCOMPARE(layout.groupSize(), kvHeads < heads && kvHeads > 1 ? heads / kvHeads : 1);
    }

    /// Groups stand apart from each other, members do not.
    void groupsHaveGaps()
    {
        const auto run = test::makeAttentionRun({.tokens = 3});
        const ThumbnailGridLayout layout = layoutOf(*run, {520, 640});
        const auto gap = [&](std::int64_t head) {
            return layout.cellRect({0, HeadIndex(head + 1)}).left() - layout.cellRect({0, HeadIndex(head)}).right();
        };
        QCOMPARE(gap(0), gap(1));
        QVERIFY(gap(2) > gap(1));
        QCOMPARE(gap(2), gap(5));
    }

    /// Larger cells than fit are moved under their headings, and never away from them.
    void movedCellsStayInTheirWindow()
    {
        const auto run = test::makeAttentionRun({.tokens = 3, .layers = 32, .heads = 32, .kvHeads = 8});
        const ThumbnailGridLayout layout = layoutOf(*run, {400, 300}, {40, 40}, {5000, -20});
        QCOMPARE(layout.style().offset.y(), 0.0);
        QVERIFY(std::abs(layout.cellRect({0, HeadIndex(31)}).right() - layout.window().right()) <= 1);
        const auto [first, last] = layout.headsInView();
        QCOMPARE(last, 32);
        QVERIFY(first > 20);
        QCOMPARE(layout.rowsInView().first, 0);
    }

    void sharesAreWeightsWhereTheTextIsShort()
    {
        const auto run = test::makeAttentionRun();
        std::vector<float> shares;
        thumbnailShares(*run, LayerIndex(2), HeadIndex(4), false, shares);
        const MatrixF& rows = *run->weightsOf(LayerIndex(2), HeadIndex(4));
        for (std::int64_t row = 0; row < 17; ++row)
            for (std::int64_t column = 0; column < 17; ++column)
            {
                const float share = shares[static_cast<std::size_t>(row * 17 + column)];
                if (column > row)
                    QVERIFY(std::isnan(share));
                else
                    QVERIFY(std::abs(share - rows(row, column)) < 1e-5F);
            }
        thumbnailShares(*run, LayerIndex(2), HeadIndex(4), true, shares);
        double sum = 0;
        for (std::int64_t column = 1; column <= 9; ++column)
            sum += static_cast<double>(shares[static_cast<std::size_t>(9 * 17 + column)]);
        QVERIFY(std::abs(sum - 1) < 1e-4);
    }

    /// Of a long text a pixel is what its columns get of a row: rows still add up to about 1.
    void sharesOfALongTextAddUp()
    {
        const auto run =
            test::makeAttentionRun({.tokens = 200, .layers = 1, .heads = 4, .kvHeads = 4, .thumbnailSide = 20});
        std::vector<float> shares;
        thumbnailShares(*run, LayerIndex(0), HeadIndex(2), false, shares); // all alike
        double sum = 0;
        for (std::int64_t column = 0; column < 20; ++column)
            if (const float share = shares[static_cast<std::size_t>(19 * 20 + column)]; !std::isnan(share))
                sum += static_cast<double>(share);
        QVERIFY2(std::abs(sum - 1) < 0.05, qPrintable(QString::number(sum)));
    }

    /// Pictures at the size of their cells: the pixel of a weight has its colour, grey is what is not yet written.
    void picturesShowTheWeights()
    {
        const auto run = test::makeAttentionRun({.tokens = 5, .layers = 2});
        ThumbnailAtlas atlas;
        atlas.prepare(run, {10, 10}, InkTheme::Light, false, 2);
        const ThumbnailCell cell{1, HeadIndex(3)};
        const QRect part = atlas.part(cell);
        const MatrixF& rows = *run->weightsOf(LayerIndex(1), HeadIndex(3));
        for (int row = 0; row < 5; ++row)
            for (int column = 0; column < 5; ++column)
            {
                const QRgb pixel = atlas.image().pixel(part.left() + 2 * column, part.top() + 2 * row + 1);
                const QRgb expected = column > row ? unwrittenColor(InkTheme::Light).rgb()
                                                   : attentionColor(double(rows(row, column)), InkTheme::Light);
                QVERIFY(std::abs(qRed(pixel) - qRed(expected)) <= 1);
                QVERIFY(std::abs(qGreen(pixel) - qGreen(expected)) <= 1);
                QVERIFY(std::abs(qBlue(pixel) - qBlue(expected)) <= 1);
            }
        const QImage one = atlas.image();
        atlas.prepare(run, {10, 10}, InkTheme::Light, false, 1);
        QCOMPARE(atlas.image().constBits(), one.constBits()); // made once
        atlas.prepare(run, {10, 10}, InkTheme::Light, true, 1);
        QCOMPARE(atlas.image().pixel(part.left(), part.top() + 9), takenOutColor(InkTheme::Light).rgb());
    }

    void theSameForAnyNumberOfThreads()
    {
        const auto run = test::makeAttentionRun({.tokens = 40, .layers = 8, .thumbnailSide = 32});
        ThumbnailAtlas one;
        one.prepare(run, {21, 17}, InkTheme::Dark, true, 1);
        for (const int threads : {2, 3})
        {
            ThumbnailAtlas many;
            many.prepare(run, {21, 17}, InkTheme::Dark, true, threads);
            QCOMPARE(many.image(), one.image());
        }
    }

    void measuresHaveAScaleOfTheirValues()
    {
        MatrixD values(2, 3, {0.1, 0.5, std::numeric_limits<double>::quiet_NaN(), 0.9, 0.2, 0.3});
        const auto scale = measureScale(values);
        QVERIFY(scale);
        QCOMPARE(scale->limits.low, 0.1);
        QCOMPARE(scale->limits.high, 0.9);
        QCOMPARE(scale->missing, 1);
        QVERIFY(!measureScale(MatrixD(1, 1, {std::numeric_limits<double>::quiet_NaN()})));
        const auto same = measureScale(MatrixD(1, 2, {0.4, 0.4}));
        QVERIFY(same && same->limits.high > same->limits.low);
    }

    /// A chosen head is marked in its colour of choice, whatever is under it.
    void paintedWhole()
    {
        const auto run = test::makeAttentionRun({.tokens = 5});
        const ThumbnailGridLayout layout = layoutOf(*run, {300, 220});
        ThumbnailAtlas atlas;
        atlas.prepare(run, layout.cellSize(), InkTheme::Light, true);
        QImage image(300, 220, QImage::Format_RGB32);
        image.fill(Qt::white);
        QPainter painter(&image);
        paintThumbnails(painter, layout, atlas);
        layout.paintHeadings(painter, HeadPalette(run->model), ThumbnailCell{2, HeadIndex(1)});
        paintThumbnailMarks(painter, layout, {ThumbnailCell{2, HeadIndex(1)}, {}, {}});
        painter.end();
        const QRectF cell = layout.cellRect({2, HeadIndex(1)});
        QCOMPARE(QColor(image.pixel(QPointF(cell.center().x(), cell.top() - 1).toPoint())),
                 inks(InkTheme::Light).accent);
        const QRectF first = layout.cellRect({0, HeadIndex(0)});
        QCOMPARE(QColor(image.pixel(QPointF(first.center().x(), first.top() - 5).toPoint())),
                 HeadPalette(run->model).color(HeadIndex(0)));
    }
};

HEADSCOPE_TEST_UNDER(QGuiApplication, TestThumbnailGrid)
#include "tst_thumbnail_grid.moc"
