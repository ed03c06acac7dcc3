// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "model/data/results/head_measures.h"
#include "viz/atlas/head_colors.h"

#include <QString>

#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <vector>

namespace headscope::viz
{

/// What place, size and colour of the dots say: keys of measures.
struct AtlasChoice
{
    std::string x = "layer";
    std::string y = "mean_norm";
    std::string size;                              ///< "": all alike
    std::string color = std::string(kColorByHead); ///< or a measure's key

    bool operator==(const AtlasChoice&) const = default;
};

/// One head of the model.
struct HeadDot
{
    HeadPlace head;
    double x = 0;
    double y = 0;
    double size = 0.5; ///< 0 the smallest, 1 the largest
    Interval xCi95;    ///< NaN where there is none
    Interval yCi95;
};

/// What an axis is, in units of its measure.
struct DotAxis
{
    QString title;
    double low = 0;
    double high = 1;
    bool whole = false; ///< numbers of layers or heads: only whole ticks
    double chance = std::numeric_limits<double>::quiet_NaN();
};

/// The heads of a model as dots: those that both axes have a number for.
struct HeadDots
{
    std::vector<HeadDot> dots; ///< by layer, then by head
    DotAxis x;
    DotAxis y;
    QString sizeTitle; ///< "": all alike
    double sizeLow = 0;
    double sizeHigh = 0;
    HeadColors colors;
    std::int64_t all = 0;              ///< heads of the model
    std::vector<std::size_t> extremes; ///< dots that are named: the farthest at the ends of axes that measure something

    [[nodiscard]] std::optional<std::size_t> indexOf(const HeadPlace& head) const;
};

/// @param info  as rows of the stage fall into groups (groupedAt)
/// @return without dots where an axis has no measure
[[nodiscard]] HeadDots headDots(const HeadMeasures& measures, const AtlasChoice& choice, const ModelInfo& info,
                                const HeadPalette& palette);

} // namespace headscope::viz
