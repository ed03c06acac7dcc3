// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "model/data/matrix.h"
#include "viz/attention/thumbnail_grid.h"
#include "viz/color/color_scale.h"

#include <cstdint>
#include <optional>

class QPainter;

namespace headscope::viz
{

/// Cells coloured by a statistic instead.
struct MeasureScale
{
    ScaleLimits limits;
    std::int64_t missing = 0; ///< heads without a value
};
/// From the least to the largest value of a run's statistic; nothing: it has none.
[[nodiscard]] std::optional<MeasureScale> measureScale(const MatrixD& values);
[[nodiscard]] ColorScale measureColors(const MeasureScale& scale, InkTheme theme);
/// @param values  [Ls, H]
void paintMeasure(QPainter& painter, const ThumbnailGridLayout& layout, const MatrixD& values,
                  const ColorScale& colors);

} // namespace headscope::viz
