// SPDX-License-Identifier: GPL-3.0-or-later
#include "viz/heatmap/scale_bar.h"

#include "viz/axis/text.h"
#include "viz/color/color_map.h"

#include <QImage>
#include <QPainter>

#include <algorithm>
#include <cmath>

namespace headscope::viz
{

void paintScaleBar(QPainter& painter, const ColorScale& scale, const QString& title, const QRectF& box, double textPt,
                   InkTheme theme)
{
    const QFont font = textFont(textPt);
    const ScaleLimits limits = scale.limits();
    QImage ramp(ColorMap::kSteps, 1, QImage::Format_RGB32);
    for (int i = 0; i < ColorMap::kSteps; ++i)
        ramp.setPixel(i, 0, scale.color(std::lerp(limits.low, limits.high, i / (ColorMap::kSteps - 1.0))));
    const double label = std::max(textWidth(shortNumber(limits.low), font), textWidth(shortNumber(limits.high), font));
    // The title comes first: the bar is as long as there is room beside it.
    constexpr double kShortest = 20;
    constexpr double kLongest = 120;
    const double beside = 2 * label + 8;
    const double length = std::min(std::clamp(box.width() - beside - textWidth(title, font) - 12, kShortest, kLongest),
                                   box.width() - beside);
    const QRectF bar(box.right() - label - 4 - length, box.center().y() - 3, length, 6);
    painter.drawImage(bar, ramp);
    drawLine(painter, {box.left(), box.top(), bar.left() - label - 12 - box.left(), box.height()}, title, font,
             inks(theme).ink, Qt::AlignRight | Qt::AlignVCenter);
    drawLine(painter, {bar.left() - label - 4, box.top(), label, box.height()}, shortNumber(limits.low), font,
             inks(theme).secondary, Qt::AlignRight | Qt::AlignVCenter);
    drawLine(painter, {bar.right() + 4, box.top(), label, box.height()}, shortNumber(limits.high), font,
             inks(theme).secondary);
}

} // namespace headscope::viz
