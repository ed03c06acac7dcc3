// SPDX-License-Identifier: GPL-3.0-or-later
#include "viz/attention/head_measure.h"

#include "viz/attention/shown_weights.h"

#include <QPainter>

#include <algorithm>
#include <cmath>
#include <limits>

namespace headscope::viz
{

std::optional<MeasureScale> measureScale(const MatrixD& values)
{
    MeasureScale scale{{std::numeric_limits<double>::infinity(), -std::numeric_limits<double>::infinity()}, 0};
    for (const double value : values.values())
    {
        if (!std::isfinite(value))
        {
            ++scale.missing;
            continue;
        }
        scale.limits.low = std::min(scale.limits.low, value);
        scale.limits.high = std::max(scale.limits.high, value);
    }
    if (scale.limits.low > scale.limits.high)
        return {};
    if (scale.limits.high - scale.limits.low < 1e-9)
        scale.limits.high = scale.limits.low + 1e-9;
    return scale;
}

ColorScale measureColors(const MeasureScale& scale, InkTheme theme)
{
    return {attentionMap(theme), scale.limits};
}

void paintMeasure(QPainter& painter, const ThumbnailGridLayout& layout, const MatrixD& values, const ColorScale& colors)
{
    const Inks& ink = inks(layout.style().theme);
    painter.save();
    painter.setClipRect(layout.window());
    const auto [firstRow, lastRow] = layout.rowsInView();
    const auto [firstHead, lastHead] = layout.headsInView();
    for (std::int64_t row = firstRow; row < lastRow; ++row)
        for (std::int64_t head = firstHead; head < lastHead; ++head)
        {
            const QRectF cell = layout.cellRect({row, HeadIndex(head)});
            const double value = values(row, head);
            painter.fillRect(cell, std::isfinite(value) ? QColor(colors.color(value)) : ink.missing);
            painter.setPen(ink.hairline);
            painter.drawRect(cell.adjusted(0.5, 0.5, -0.5, -0.5));
        }
    painter.restore();
}

} // namespace headscope::viz
