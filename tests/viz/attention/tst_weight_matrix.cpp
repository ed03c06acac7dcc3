// SPDX-License-Identifier: GPL-3.0-or-later
#include "viz/attention/weight_matrix.h"

#include "tests/support/attention_runs.h"
#include "tests/support/test_program.h"
#include "viz/attention/weight_image.h"
#include "viz/axis/text.h"

#include <QGuiApplication>
#include <QImage>
#include <QPainter>
#include <QTest>

#include <algorithm>
#include <cmath>

using namespace headscope;
using namespace headscope::viz;

class TestWeightMatrix : public QObject
{
    Q_OBJECT

private:
    static WeightPyramid pyramidOf(const AttentionRun& run, bool withoutFirst, int threads = 1)
    {
        return WeightPyramid(ShownWeights(run.weights[3].rows, run.causal, withoutFirst), threads);
    }

private Q_SLOTS:
    /// Every entry of every level is the largest of the weights it covers.
    void levelsKeepTheLargest()
    {
        const auto run = test::makeAttentionRun({.tokens = 37, .layers = 1});
        const WeightPyramid pyramid = pyramidOf(*run, true, 3);
        for (int level = 1; level <= pyramid.levels(); ++level)
        {
            const std::int64_t cells = std::int64_t(1) << level;
            QCOMPARE(pyramid.side(level), (37 + cells - 1) / cells);
            for (std::int64_t row = 0; row < pyramid.side(level); ++row)
                for (std::int64_t column = 0; column < pyramid.side(level); ++column)
                {
                    float most = 0;
                    for (std::int64_t i = row * cells; i < std::min<std::int64_t>(37, (row + 1) * cells); ++i)
                        for (std::int64_t j = column * cells; j < std::min<std::int64_t>(37, (column + 1) * cells); ++j)
                            most = std::max(most, pyramid.weights()(i, j));
                    QCOMPARE(pyramid.at(level, row, column), most);
                }
        }
        QCOMPARE(pyramid.side(pyramid.levels()), 1);
        QCOMPARE(pyramid.levelFor(1), 0);
        QCOMPARE(pyramid.levelFor(2), 1);
        QCOMPARE(pyramid.levelFor(3.9), 1);
        QCOMPARE(pyramid.levelFor(4), 2);
        QCOMPARE(pyramid.levelFor(1e9), pyramid.levels());
    }

    /// Zoomed out, a pixel is the largest weight of the cells under it.
    void aPictureKeepsTheLargest()
    {
        const auto run = test::makeAttentionRun({.tokens = 50, .layers = 1});
        const WeightPyramid pyramid = pyramidOf(*run, false);
        constexpr int kSide = 13;
        constexpr double kCell = kSide / 50.0;
        const QImage image = weightImage(pyramid, {kSide, kSide}, {0, 0}, kCell, InkTheme::Light);
        for (int y = 0; y < kSide; ++y)
            for (int x = 0; x < kSide; ++x)
            {
                const auto range = [&](int pixel) {
                    const auto first = static_cast<std::int64_t>(pixel / kCell);
                    const auto last = static_cast<std::int64_t>(std::ceil((pixel + 1) / kCell)) - 1;
                    return std::pair(first, std::min<std::int64_t>(49, last));
                };
                const auto [top, bottom] = range(y);
                const auto [left, right] = range(x);
                float most = 0;
                for (std::int64_t i = top; i <= bottom; ++i)
                    for (std::int64_t j = left; j <= right; ++j)
                        most = std::max(most, pyramid.weights()(i, j));
                if (left > bottom)
                    QCOMPARE(QColor(image.pixel(x, y)), unwrittenColor(InkTheme::Light));
                else // entries of a level may reach over the pixel's edge, never fall short of it
                    QVERIFY(qGray(image.pixel(x, y)) <= qGray(attentionColor(double(most), InkTheme::Light)));
            }
    }

    void cellsAreFoundAtAnyZoom()
    {
        const auto run = test::makeAttentionRun();
        const TokenNames names(run->tokens, textFont(12));
        const QRectF box(0, 0, 400, 420);
        WeightMatrixLayout layout(names, box, InkTheme::Light, {});
        QVERIFY(layout.showsAll());
        for (std::int64_t i = 0; i < 17; ++i)
            QVERIFY(layout.cellAt(layout.cellRect({i, 16 - i}).center()) == (WeightCell{i, 16 - i}));
        QCOMPARE(layout.rowNameAt({layout.plot().left() - 4, layout.cellRect({5, 0}).center().y()}), 5);
        QCOMPARE(layout.columnNameAt({layout.cellRect({0, 5}).center().x() + 1, layout.plot().top() - 2}), 5);
        // The cell under the pointer stays there.
        const QPointF place = layout.cellRect({8, 4}).center();
        layout = WeightMatrixLayout(names, box, InkTheme::Light, layout.zoomedAt(place, 1.7));
        QVERIFY(!layout.showsAll());
        QVERIFY(layout.cellAt(place) == (WeightCell{8, 4}));
        layout = WeightMatrixLayout(names, box, InkTheme::Light, layout.panned({-1e6, -1e6}));
        QVERIFY(layout.cellAt(layout.filled().bottomRight() - QPointF(2, 2)) == (WeightCell{16, 16}));
        layout = WeightMatrixLayout(names, box, InkTheme::Light, layout.showing({0, 0}));
        QVERIFY(layout.cellAt(layout.filled().topLeft() + QPointF(2, 2)) == (WeightCell{0, 0}));
        layout = WeightMatrixLayout(names, box, InkTheme::Light, layout.zoomedAt(place, 1e-6));
        QVERIFY(layout.showsAll());
    }

    void paintedCellsHaveTheirColours()
    {
        const auto run = test::makeAttentionRun();
        const TokenNames names(run->tokens, textFont(12));
        const WeightMatrixLayout layout(names, {0, 0, 420, 420}, InkTheme::Light, {});
        const WeightPyramid pyramid = pyramidOf(*run, true);
        QImage image(420, 420, QImage::Format_RGB32);
        image.fill(Qt::white);
        QPainter painter(&image);
        layout.paint(painter, pyramid, {}, 1);
        painter.end();
        const auto at = [&](std::int64_t reading, std::int64_t read) {
            return QColor(image.pixel(layout.cellRect({reading, read}).center().toPoint()));
        };
        QCOMPARE(at(4, 9), unwrittenColor(InkTheme::Light));
        QCOMPARE(at(9, 0), takenOutColor(InkTheme::Light));
        QCOMPARE(at(9, 4), QColor(attentionColor(double(pyramid.weights()(9, 4)), InkTheme::Light)));
    }

    /// Strong weights stand out in both themes, and nothing is the background.
    void theMapRunsFromTheBackground()
    {
        for (const InkTheme theme : {InkTheme::Light, InkTheme::Dark})
        {
            QCOMPARE(QColor(attentionColor(0, theme)), inks(theme).background);
            double before = 0;
            for (int step = 1; step <= 20; ++step)
            {
                const double apart =
                    std::abs(qGray(attentionColor(step / 20.0, theme)) - qGray(inks(theme).background.rgb()));
                QVERIFY(apart > before);
                before = apart;
            }
        }
    }
};

HEADSCOPE_TEST_UNDER(QGuiApplication, TestWeightMatrix)
#include "tst_weight_matrix.moc"
