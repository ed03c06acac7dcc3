// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "viz/export/figure_export.h"

#include <span>
#include <string_view>

namespace headscope::viz
{

/// Smaller text is hard to read on paper; venues ask for at least this.
inline constexpr double kMinReadablePt = 6;

/// The size of a figure for one place: it goes in as it is, never scaled.
struct FigurePreset
{
    std::string_view name; ///< "acl-column"
    double widthMm;
    double textPt; ///< height of its ordinary text
    double mostMm; ///< height that it can have there
};

/// By venue, then by width.
[[nodiscard]] std::span<const FigurePreset> figurePresets();
/// @return null: there is none of this name
[[nodiscard]] const FigurePreset* findPreset(std::string_view name);
/// Width and size of text of the preset; the height follows from the content.
void applyPreset(const FigurePreset& preset, FigureOptions& options);

/// Whether a figure is higher than its place.
[[nodiscard]] bool isTooHigh(const FigureRecord& record, const FigurePreset& preset);
/// Whether people will have trouble reading the smallest text of a figure.
[[nodiscard]] bool isTooSmall(const FigureRecord& record);
[[nodiscard]] bool isTooSmall(double textPt);

} // namespace headscope::viz
