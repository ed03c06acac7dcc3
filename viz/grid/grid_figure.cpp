// SPDX-License-Identifier: GPL-3.0-or-later
#include "viz/grid/grid_figure.h"

#include "viz/axis/legend_painter.h"
#include "viz/axis/text.h"
#include "viz/grid/cell_painter.h"
#include "viz/grid/grid_contents.h"
#include "viz/grid/grid_frame.h"
#include "viz/grid/grid_layout.h"
#include "viz/grid/grid_points.h"
#include "viz/grid/grid_views.h"

#include <QPainter>

#include <algorithm>
#include <cmath>
#include <utility>

namespace headscope::viz
{
namespace
{

constexpr double kTextPt = 6.5;
constexpr double kGapPt = 8;
/// Dots are laid out as on a screen of so many pixels per inch.
constexpr double kUnitsPerPoint = 150.0 / 72.0;

GridMetrics paperMetrics()
{
    GridMetrics metrics;
    metrics.gap = 3;
    metrics.margin = 0;
    metrics.caption = 9;
    metrics.blockHeader = 38;
    metrics.columnHeader = 10;
    metrics.least = 1;
    return metrics;
}

struct GridLayer
{
    GridContents contents;
    GridPoints points;
    GridFigure figure;

    [[nodiscard]] ViewTransform viewOf(const ViewTransform& fit) const
    {
        const QPointF aside = figure.aside * (fit.viewSize().width() / fit.scale());
        return {fit.centre() + aside, fit.scale() * figure.zoom, fit.viewSize()};
    }

    void paint(QPainter& painter, const QRectF& box, double dpr)
    {
        QRectF room = box;
        if (figure.legend && figure.coloring)
        {
            LegendStyle style;
            style.textPx = kTextPt;
            style.card = false;
            style.maxWidth = 0.25 * box.width();
            style.maxHeight = box.height();
            const LegendLayout legend(figure.coloring->legend, style);
            if (legend.size().height() <= box.height())
            {
                room.setRight(box.right() - legend.size().width() - kGapPt);
                legend.paint(painter, QPointF(room.right() + kGapPt, box.top()));
            }
        }
        const GridLayout layout(contents, room.size(), paperMetrics());
        const QSizeF cellSize = layout.plotSize() * kUnitsPerPoint;
        const std::vector<ViewTransform> fits = fittedViews(*points.set(), contents, cellSize);
        std::vector<PaintedCell> cells;
        for (std::size_t i = 0; i < contents.cells.size(); ++i)
        {
            const QRectF plot = layout.plot(i);
            cells.push_back({QRectF(plot.topLeft() * kUnitsPerPoint, plot.size() * kUnitsPerPoint),
                             points.data(contents.cells[i].map), viewOf(fits[i]), std::max(1.0, figure.zoom)});
        }
        const QSizeF canvasSize(room.width() * kUnitsPerPoint,
                                std::min(room.height(), layout.contentSize().height()) * kUnitsPerPoint);
        const QSize size(static_cast<int>(std::ceil(canvasSize.width())),
                         static_cast<int>(std::ceil(canvasSize.height())));
        QImage canvas;
        CellPainter cellPainter;
        cellPainter.paint(canvas, size, dpr / kUnitsPerPoint, cells, {}, figure.numThreads);
        canvas.setDevicePixelRatio(1);
        painter.drawImage(QRectF(room.topLeft(), QSizeF(size) / kUnitsPerPoint),
                          canvas.convertToFormat(QImage::Format_RGB32)); // opaque: small in a PDF
        painter.save();
        painter.translate(room.topLeft());
        paintGridFrame(painter, contents, layout, {Theme::Light, kTextPt});
        painter.restore();
    }
};

} // namespace

QString gridCaption(const HeadMapSet& set, const ModelInfo& info)
{
    if (set.maps.empty())
        return {};
    const HeadMap& first = set.maps.front().map;
    const QString name = info.name.empty() ? QStringLiteral("unnamed model") : QString::fromStdString(info.name);
    QStringList perplexities;
    for (const double perplexity : first.options.perplexities)
        perplexities << shortNumber(perplexity);
    QString caption = QStringLiteral("t-SNE of %1 of %2, one map each of %3 documents from a common start, moved onto "
                                     "each other: perplexity %4, %5 iterations. r: Procrustes correlation with the "
                                     "mean of all maps.")
                          .arg(QStringLiteral("%1 vectors").arg(groupedNumber(static_cast<qint64>(set.maps.size()))),
                               name, groupedNumber(first.xy.rows()), perplexities.join(QStringLiteral(", ")),
                               QString::number(first.iteration));
    if (first.trust)
        caption += QStringLiteral(" Kept: share of the 10 nearest neighbours.");
    return caption;
}

Status exportGrid(std::shared_ptr<const HeadMapSet> set, const ModelInfo& info, const GridFigure& figure,
                  const std::filesystem::path& path, FigureOptions options)
{
    if (set == nullptr || !anythingToSee(*set))
        return Error{ErrorCode::InvalidArgument, "expected a map with finite points, found none", path.string(), {}};
    const HeadPalette palette(info);
    GridLayer layer;
    layer.figure = figure;
    layer.contents = gridContents(*set, palette);
    layer.points.setPalette(palette);
    layer.points.setColoring(figure.coloring);
    layer.points.setStates(figure.states);
    if (options.caption.isEmpty())
        options.caption = gridCaption(*set, info);
    options.parameters.emplace_back(QStringLiteral("model"), QString::fromStdString(info.name));
    options.parameters.emplace_back(QStringLiteral("hash"), QString::fromStdString(set->hash));
    options.parameters.emplace_back(QStringLiteral("seed"), QString::number(set->maps.front().map.options.seed));
    layer.points.setSet(std::move(set));
    layer.points.setMapColorings(figure.mapColorings);
    return exportDrawing([&layer](QPainter& painter, const QRectF& box, double dpr) { layer.paint(painter, box, dpr); },
                         path, options);
}

} // namespace headscope::viz
