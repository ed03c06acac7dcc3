// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "viz/attention/weight_pyramid.h"
#include "viz/color/inks.h"

#include <QImage>
#include <QPointF>
#include <QSize>

namespace headscope::viz
{

/// Part of a table of weights as pixels, at any zoom: where several weights share a pixel it shows the largest.
/// @param pixels      of the picture
/// @param moved       where it begins, in pixels of the whole table
/// @param cellPixels  side of a weight's cell
/// @cost  O(pixels), whatever the number of weights
[[nodiscard]] QImage weightImage(const WeightPyramid& weights, QSize pixels, QPointF moved, double cellPixels,
                                 InkTheme theme);

} // namespace headscope::viz
