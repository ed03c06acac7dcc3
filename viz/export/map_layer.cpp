// SPDX-License-Identifier: GPL-3.0-or-later
#include "viz/export/map_layer.h"

#include "viz/export/pixels/opaque_image.h"
#include "viz/scatter/contours.h"

#include <QPainter>

#include <algorithm>

namespace headscope::viz
{

double windowShape(const QRectF& window)
{
    constexpr double kFlattest = 0.25;
    constexpr double kSteepest = 1.4;
    return window.width() > 0 ? std::clamp(window.height() / window.width(), kFlattest, kSteepest) : 1.0;
}

double dprOf(const FigureOptions& options)
{
    return options.dpi * options.scale / kPointsPerInch / kUnitsPerPoint;
}

MapLayer::MapLayer(const ScatterData& points, ScatterMode mode, const std::optional<QRectF>& window, QSizeF box)
    : data(points)
{
    const QSizeF size = box * kUnitsPerPoint;
    const ViewTransform all = ViewTransform::fit(dataBounds(data.xy).value_or(QRectF()), size, 8);
    view = window ? ViewTransform::fit(*window, size, 0) : all;
    style.scaleGain = std::max(1.0, view.scale() / all.scale());
    style.mode = mode;
}

double MapLayer::opacity() const
{
    const double area = view.viewSize().width() * view.viewSize().height() * style.scaleGain * style.scaleGain;
    return automaticOpacity(static_cast<std::int64_t>(data.xy.size() / 2), area, radius());
}

double MapLayer::radius() const
{
    return automaticRadius(static_cast<std::int64_t>(data.xy.size() / 2),
                           view.viewSize().width() * view.viewSize().height(), style.scaleGain);
}

void paintMapLayer(QPainter& painter, const QRectF& box, double dpr, const MapLayer& layer, int numThreads, bool vector)
{
    if (layer.style.mode == ScatterMode::Contours)
    {
        // Lines stay lines, whatever the dots behind them are.
        MapLayer dots = layer;
        dots.style.mode = ScatterMode::Dots;
        dots.style.opacity = kBehindContours * layer.opacity();
        paintMapLayer(painter, box, dpr, dots, numThreads, vector);
        painter.save();
        painter.setClipRect(box);
        painter.translate(box.topLeft());
        painter.scale(1 / kUnitsPerPoint, 1 / kUnitsPerPoint);
        paintContours(painter, layer.data, layer.style, layer.view, numThreads);
        painter.restore();
        return;
    }
    if (vector)
    {
        painter.save();
        painter.translate(box.topLeft());
        painter.scale(1 / kUnitsPerPoint, 1 / kUnitsPerPoint);
        paintVectorDots(painter, layer.data, layer.style, layer.view);
        painter.restore();
        return;
    }
    ScatterPainter scatter;
    ScatterPicture picture = scatter.paint(layer.data, layer.style, layer.view, dpr / kUnitsPerPoint, numThreads);
    if (picture.image.isNull())
        return;
    picture.image.setDevicePixelRatio(1);
    painter.drawImage(box, opaqueImage(picture.image));
}

} // namespace headscope::viz
