// SPDX-License-Identifier: GPL-3.0-or-later
#include "viz/heatmap/cell_rects.h"

#include <QImage>
#include <QPaintEngine>
#include <QPainter>
#include <QRectF>

#include <algorithm>
#include <cmath>

namespace headscope::viz
{
namespace
{

constexpr int kMaxRects = 4096;  ///< 64 heads by 64
constexpr int kMinPixels = 1024; ///< of the side of an enlarged picture
/// So much of a cell lies under the next one: no viewer shows a seam between them.
constexpr double kUnder = 0.5;

} // namespace

bool paintsShapes(const QPainter& painter)
{
    const QPaintEngine* engine = painter.paintEngine();
    return engine != nullptr && engine->type() != QPaintEngine::Raster;
}

bool fewEnoughCells(int columns, int rows)
{
    return columns > 0 && rows > 0 && columns <= kMaxRects / rows;
}

void paintCellRects(QPainter& painter, const QRectF& box, const QImage& cells)
{
    if (cells.isNull() || box.isEmpty())
        return;
    painter.save();
    painter.setRenderHint(QPainter::SmoothPixmapTransform, false);
    painter.setRenderHint(QPainter::Antialiasing, false);
    if (!paintsShapes(painter))
    {
        painter.drawImage(box, cells);
    }
    else if (!fewEnoughCells(cells.width(), cells.height()))
    {
        const int times = std::max(1, kMinPixels / std::max(cells.width(), cells.height()));
        painter.drawImage(box, cells.scaled(cells.size() * times, Qt::IgnoreAspectRatio, Qt::FastTransformation));
    }
    else
    {
        const double width = box.width() / cells.width();
        const double height = box.height() / cells.height();
        for (int row = 0; row < cells.height(); ++row)
            for (int begin = 0, end = 0; begin < cells.width(); begin = end)
            {
                const QColor color = cells.pixelColor(begin, row);
                for (end = begin + 1; end < cells.width() && cells.pixelColor(end, row) == color;)
                    ++end; // a run of one colour is one rectangle
                if (color.alpha() == 0)
                    continue;
                const double left = box.left() + begin * width;
                const double top = box.top() + row * height;
                const double right = std::min(box.right(), box.left() + end * width + kUnder);
                const double bottom = std::min(box.bottom(), top + height + kUnder);
                painter.fillRect(QRectF(QPointF(left, top), QPointF(right, bottom)), color);
            }
    }
    painter.restore();
}

} // namespace headscope::viz
