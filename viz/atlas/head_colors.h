// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "model/data/model_info.h"
#include "model/data/results/head_measures.h"
#include "viz/axis/legend.h"
#include "viz/color/color_scale.h"
#include "viz/color/head_palette.h"
#include "viz/scatter/marker.h"

#include <QColor>
#include <QString>

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

namespace headscope::viz
{

/// The colour that is of no measure: that of the head in every view, a hue for each KV group.
inline constexpr std::string_view kColorByHead = "color_by_head";

/// What the heads of a model are coloured by, and what that means.
struct HeadColors
{
    std::int64_t heads = 0;          ///< of a layer
    std::vector<QRgb> colors;        ///< [L H]; those without a value have the ink of what is missing
    std::vector<MarkerShape> shapes; ///< [L H]
    std::vector<bool> known;         ///< [L H]
    Legend legend;
    std::optional<ColorScale> scale; ///< of numbers

    [[nodiscard]] std::size_t indexOf(const HeadPlace& place) const
    {
        return static_cast<std::size_t>(place.layer * heads + place.head);
    }
};

/// Colours by a measure: numbers from low to high, around zero where they have both signs; groups in the colours of
/// labels. A key that no measure has colours by head.
/// @param info  as rows of the stage fall into groups (groupedAt)
[[nodiscard]] HeadColors headColors(const HeadMeasures& measures, std::string_view key, const ModelInfo& info,
                                    const HeadPalette& palette);

/// "Strength" or "Attention entropy, nats".
[[nodiscard]] QString measureTitle(const HeadMeasure& measure);
/// "29.4": layer 29, head 4 (from 1), as dots are named.
[[nodiscard]] QString shortName(const HeadPlace& place);

} // namespace headscope::viz
