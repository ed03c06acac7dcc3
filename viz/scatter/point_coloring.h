// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "model/data/documents/document_set.h"
#include "model/data/head_vectors.h"
#include "viz/axis/legend.h"
#include "viz/color/category_palette.h"
#include "viz/color/color_scale.h"
#include "viz/color/head_palette.h"

#include <QColor>
#include <QString>

#include <cstdint>
#include <span>
#include <vector>

namespace headscope::viz
{

/// Which colour and marker each point of a map has, and the legend that says so.
struct PointColoring
{
    std::vector<std::uint16_t> index; ///< [P] into colors
    std::vector<QRgb> colors;         ///< [C], at most 65,536
    std::vector<MarkerShape> shapes;  ///< [C], or empty: circles
    Legend legend;
};

/// Hue = KV group, lightness and shape = member.
/// @param unit  "head" or "segment", as unitName(stage) says
[[nodiscard]] PointColoring colorByHead(const PointIds& points, const HeadPalette& palette, const QString& unit);

/// Hue = head, pale = weak (Figure 5a of the paper that README.md cites). Strengths are placed between their 1st and
/// 99th percentile over all points, in 24 steps; those that are not finite count as weakest.
/// @param strengths  [P] L2 norms of the points' head vectors
[[nodiscard]] PointColoring colorByStrength(const PointIds& points, std::span<const float> strengths,
                                            const HeadPalette& palette, const QString& unit);

/// The same for one number per document and head, [N, H] row-major, from which the points' are taken.
[[nodiscard]] std::vector<float> strengthsOfPoints(const PointIds& points, const HeadVectors& vectors);

/// By a label of the document; documents without one are grey. The legend counts documents, not their points of
/// several heads. The colour of a label is that of its code, as in every other picture of the cache; those that not all
/// eyes can tell apart by colour differ in shape (CategoryPalette).
/// @param order  codes of labels that come first in the legend, in this order; the others follow by their codes, or of
///               more than 24 by frequency
[[nodiscard]] PointColoring colorByLabel(const PointIds& points, const LabelColumn& column, InkTheme theme,
                                         std::span<const std::int32_t> order = {});

/// What the legend of a label column is called: its name, capitalised.
[[nodiscard]] QString legendTitle(const LabelColumn& column);
/// What a box of label columns calls it: "topic · 4 values".
[[nodiscard]] QString columnTitle(const LabelColumn& column);

/// In the colour of the head whose centroid is nearest: dots of another colour than those around
/// them are vectors that could be misclassified as another head's. The hint says how many there are.
/// @param nearest  [P] heads, as nearestCentroids() finds them; negative ones are grey
[[nodiscard]] PointColoring colorByNearestHead(const PointIds& points, std::span<const std::int32_t> nearest,
                                               const HeadPalette& palette, const QString& unit);

/// By any number per point, in 256 steps; points without a finite number are grey.
/// @param values  [P]
/// @param title   of the legend
[[nodiscard]] PointColoring colorByNumber(std::span<const float> values, const ColorScale& scale, const QString& title,
                                          InkTheme theme);

} // namespace headscope::viz
