// SPDX-License-Identifier: GPL-3.0-or-later
#include "viz/grid/grid_figure.h"

#include "model/data/maps/map_text.h"
#include "viz/axis/figure_legend.h"
#include "viz/axis/text.h"
#include "viz/export/figure_export.h"
#include "viz/export/figure_text.h"
#include "viz/export/noise_floor_text.h"
#include "viz/export/pixels/opaque_image.h"
#include "viz/grid/cell_painter.h"
#include "viz/grid/grid_contents.h"
#include "viz/grid/grid_frame.h"
#include "viz/grid/grid_layout.h"
#include "viz/grid/grid_points.h"
#include "viz/grid/grid_views.h"

#include <QPainter>

#include <algorithm>
#include <cmath>
#include <memory>
#include <span>
#include <utility>

namespace headscope::viz
{
namespace
{

constexpr double kTextPt = 6.5;
/// Dots are laid out as on a screen of so many pixels per inch.
constexpr double kUnitsPerPoint = 150.0 / 72.0;

/// @param follow  whether the figure is as high as the cells want
GridMetrics paperMetrics(const GridContents& contents, bool follow)
{
    constexpr double kMinCell = 36;
    GridMetrics metrics;
    metrics.gap = 3;
    metrics.margin = 0;
    metrics.blockHeader = 38;
    metrics.columnHeader = 10;
    metrics.stripe = 10;
    const GridCaptionRoom room = captionRoom(contents, {InkTheme::Light, kTextPt}, true, 0);
    metrics.least = follow ? std::max(kMinCell, room.least) : 1;
    metrics.caption = room.height;
    return metrics;
}

/// @param room  height 0: as high as the cells want
GridLayout layoutOnPaper(const GridContents& contents, QSizeF room)
{
    GridMetrics metrics = paperMetrics(contents, room.height() <= 0);
    const GridLayout layout(contents, room, metrics);
    if (layout.count() == 0 || layout.columnHeading(0))
        return layout;
    // Rows are broken: names stand in the cells, and may leave the numbers a line of their own only.
    const double height = captionRoom(contents, {InkTheme::Light, kTextPt}, false, layout.cell(0).width()).height;
    if (height == metrics.caption)
        return layout;
    metrics.caption = height;
    return {contents, room, metrics};
}

struct GridLayer
{
    GridContents contents;
    GridPoints points;
    GridFigure figure;
    bool follow = true; ///< the figure is as high as the cells want

    [[nodiscard]] FigureLegend parts(QSizeF room) const
    {
        const HeightOfWidth height = [this](double width) {
            return layoutOnPaper(contents, {width, 0}).contentSize().height();
        };
        const Legend* legend = figure.coloring    ? &figure.coloring->legend
                               : figure.mapLegend ? &*figure.mapLegend
                                                  : nullptr;
        if (!figure.legend || legend == nullptr)
            return figureWithoutLegend(room, height);
        LegendStyle style;
        style.textPx = kTextPt;
        FigureLegend made = figureLegend(*legend, style, room, height);
        // Whole rows are worth more than a legend at the side.
        const auto whole = [this](double width) {
            return layoutOnPaper(contents, {width, 0}).columnHeading(0).has_value();
        };
        if (follow && !made.below && whole(room.width()) && !whole(made.picture.width()))
            return legendUnder(*legend, style, room, height);
        return made;
    }

    [[nodiscard]] ViewTransform viewOf(std::size_t cell, const ViewTransform& fit) const
    {
        const CellWindow window = cell < figure.windows.size() ? figure.windows[cell] : CellWindow();
        const QPointF aside = window.aside * (fit.viewSize().width() / fit.scale());
        return {fit.centre() + aside, fit.scale() * window.zoom, fit.viewSize()};
    }

    void paintMarks(QPainter& painter, const GridLayout& layout, const std::vector<PaintedCell>& cells,
                    double radius) const
    {
        for (std::size_t i = 0; figure.primary && i < cells.size(); ++i)
        {
            const auto point = points.pointOf(contents.cells[i].map, *figure.primary);
            if (!point)
                continue;
            ScatterData marks = cells[i].data;
            marks.marked = std::span(&*point, 1);
            painter.save();
            painter.setClipRect(layout.plot(i));
            painter.translate(layout.plot(i).topLeft());
            painter.scale(1 / kUnitsPerPoint, 1 / kUnitsPerPoint);
            viz::paintMarks(painter, marks, {}, cells[i].view, radius);
            painter.restore();
        }
    }

    void paint(QPainter& painter, const FigureLegend& parts, QPointF corner, double dpr) const
    {
        const QSizeF room = parts.picture.size();
        const GridLayout layout = layoutOnPaper(contents, {room.width(), follow ? 0 : room.height()});
        const QSizeF cellSize = layout.plotSize() * kUnitsPerPoint;
        const std::vector<ViewTransform> fits = fittedViews(*points.set(), contents, cellSize);
        std::vector<PaintedCell> cells;
        for (std::size_t i = 0; i < contents.cells.size(); ++i)
        {
            const QRectF plot = layout.plot(i);
            const ViewTransform view = viewOf(i, fits[i]);
            cells.push_back({QRectF(plot.topLeft() * kUnitsPerPoint, plot.size() * kUnitsPerPoint),
                             points.data(contents.cells[i].map), view, std::max(1.0, view.scale() / fits[i].scale())});
        }
        const QSizeF canvasSize =
            QSizeF(room.width(), std::min(room.height(), layout.contentSize().height())) * kUnitsPerPoint;
        const QSize size(static_cast<int>(std::ceil(canvasSize.width())),
                         static_cast<int>(std::ceil(canvasSize.height())));
        QImage canvas;
        CellPainter cellPainter;
        const ScatterCounts counts =
            cellPainter.paint(canvas, size, dpr / kUnitsPerPoint, cells, {}, figure.numThreads);
        canvas.setDevicePixelRatio(1);
        painter.save();
        painter.translate(corner);
        painter.drawImage(QRectF(QPointF(0, 0), QSizeF(size) / kUnitsPerPoint), opaqueImage(canvas));
        paintMarks(painter, layout, cells, counts.radiusPx);
        paintGridFrame(painter, contents, layout, {InkTheme::Light, kTextPt});
        painter.restore();
        parts.paint(painter, corner, figure.faded);
    }
};

std::shared_ptr<const GridLayer> layerOf(const std::shared_ptr<const HeadMapSet>& set, const HeadPalette& palette,
                                         const GridFigure& figure, bool follow)
{
    auto layer = std::make_shared<GridLayer>();
    layer->figure = figure;
    layer->contents = gridContents(*set, palette);
    layer->points.setPalette(palette);
    layer->points.setColoring(figure.coloring);
    layer->points.setStates(figure.states);
    layer->points.setSet(set);
    layer->points.setMapColorings(figure.mapColorings);
    layer->follow = follow;
    return layer;
}

/// What the words beside the shares of a cell mean; of few twins there are none.
QString verdictsText(std::int64_t twins)
{
    if (twins < kVerdictTwins)
        return QStringLiteral("Another noise replicate would give a different proportion, so fewer than %1 replicates "
                              "are inconclusive.")
            .arg(kVerdictTwins);
    return QStringLiteral(
        "Above noise: every replicate preserves more neighbours than the other map, and the 95% interval of the "
        "difference (over documents and replicates) excludes 0. \u2248: every replicate preserves fewer, and the "
        "interval excludes 0. Undecided: neither. Unstable: the replicates are near chance.");
}

} // namespace

QString gridCaption(const HeadMapSet& set, const ModelInfo& info)
{
    if (set.maps.empty())
        return {};
    const HeadMap& first = set.maps.front().map;
    QStringList perplexities;
    for (const double perplexity : first.options.perplexities)
        perplexities << shortNumber(perplexity);
    QString caption = QStringLiteral("t-SNE of %1 of %2, one map each of %3 documents with a common initialization, "
                                     "Procrustes-aligned: perplexity %4, %5, %6. r: Procrustes correlation with the "
                                     "mean of all maps (including this map); unrelated maps reach about %7.")
                          .arg(QStringLiteral("%1 vectors").arg(groupedNumber(static_cast<qint64>(set.maps.size()))),
                               modelName(info), groupedNumber(first.xy.rows()), perplexities.join(QStringLiteral(", ")),
                               wordsOf(affinitiesText(first.options, first.xy.rows())), iterationsText(first),
                               QString::number(1 / std::sqrt(static_cast<double>(set.maps.size())), 'f', 2));
    if (first.trust)
        caption += QStringLiteral(" Preserved: proportion of the 10 nearest neighbours; unrelated maps preserve %1%.")
                       .arg(QString::number(100 * chanceKept(10, first.xy.rows()), 'f', 1));
    if (first.floor)
        caption += QStringLiteral(" Left of the slash: the proportion of a document\u2019s %1 nearest neighbours that "
                                  "another map preserves, as a mean over the other maps in all rows (heads and "
                                  "segments). Right: the same proportion for %3 of the same vectors with Gaussian "
                                  "noise (%2 of each vector\u2019s root mean square). Unrelated maps preserve %4%. %5")
                       .arg(QString::number(first.floor->mean.neighbors), noiseWords(first.floor->noise),
                            first.floor->twins == 1 ? QStringLiteral("a map")
                                                    : QStringLiteral("%1 maps").arg(first.floor->twins),
                            QString::number(100 * chanceKept(first.floor->mean.neighbors, first.xy.rows()), 'f', 1),
                            verdictsText(first.floor->twins));
    for (const MapOfSet& each : set.maps)
        if (const QString norm = finalNormSentence(info, each.map.layer, each.map.stage); !norm.isEmpty())
            return caption + norm;
    return caption;
}

Figure figureOfGrid(std::shared_ptr<const HeadMapSet> set, ModelInfo info, GridFigure figure)
{
    return [set = std::move(set), info = std::move(info),
            figure = std::move(figure)](FigureOptions options) -> Result<FigureSpec> {
        if (set == nullptr || !anythingToSee(*set))
            return Error{ErrorCode::InvalidArgument, "there is no map with finite points to draw", {}, {}};
        if (options.caption.isEmpty())
            options.caption = gridCaption(*set, info);
        options.parameters.emplace_back(QStringLiteral("model"), modelName(info));
        options.parameters.emplace_back(QStringLiteral("hash"), QString::fromStdString(set->hash));
        const HeadMap& first = set->maps.front().map;
        options.parameters.emplace_back(QStringLiteral("affinities"),
                                        wordsOf(affinitiesText(first.options, first.xy.rows())));
        if (seedMatters(first))
            options.parameters.emplace_back(QStringLiteral("seed"), seedText(first));
        const auto layer = layerOf(set, HeadPalette(info, options.theme), figure, contentHeight(options) <= 0);
        const FigureLegend parts = layer->parts({contentWidth(options), contentHeight(options)});
        followContent(options, parts.size.height());
        return FigureSpec{[layer, parts](QPainter& painter, const QRectF& box, double dpr) {
                              layer->paint(painter, parts, box.topLeft(), dpr);
                          },
                          std::move(options)};
    };
}

} // namespace headscope::viz
