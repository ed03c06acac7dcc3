// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "model/data/figures/figure_paper.h"
#include "viz/export/figure_export.h"

namespace headscope::viz
{

/// Smaller text is hard to read on paper; venues ask for at least this.
inline constexpr double kMinReadablePt = 6;

/// Width and size of text of the preset; the height follows from the content.
void applyPreset(const FigurePreset& preset, FigureOptions& options);

/// What no figure may exceed on A4 or letter, whatever its width: in millimetres.
inline constexpr double kPageMm = 240;

/// The height that a figure can have with a preset; null: that of a page, which one as wide as A4 is itself. In
/// millimetres.
[[nodiscard]] double mostHeightMm(double widthMm, const FigurePreset* preset);
/// Whether a figure is higher than its place.
/// @param preset  null: the place is a page
[[nodiscard]] bool isTooHigh(const QSizeF& sizeMm, const FigurePreset* preset);
/// Whether people will have trouble reading the smallest text of a figure.
[[nodiscard]] bool isTooSmall(const FigureRecord& record);
[[nodiscard]] bool isTooSmall(double textPt);

} // namespace headscope::viz
