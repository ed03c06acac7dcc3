// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "model/base/result.h"
#include "viz/export/figure_export.h"

#include <QString>

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace headscope::viz
{

/// No figure has more panels: each has a letter.
inline constexpr std::int64_t kMaxPanels = 26;

enum class PanelLetters
{
    Parentheses, ///< (a)
    Plain,       ///< a
    None,
};

/// How panels are on a page.
struct PanelStyle
{
    std::int64_t columns = 1;
    PanelLetters letters = PanelLetters::Parentheses;
    bool shareLegend = true; ///< one legend where all panels have the same
};

/// Columns that suit so many panels on the width of a figure: none so narrow that its text crowds it, and no gap in the
/// last row where fewer columns avoid it.
[[nodiscard]] std::int64_t fittingColumns(std::int64_t panels, const FigureOptions& options);
/// The width of a panel as a figure of its own, margins included, in inches.
[[nodiscard]] double panelInches(std::int64_t columns, const FigureOptions& options);
/// "a", for the first panel of several.
[[nodiscard]] QString panelLetter(std::int64_t panel);
/// "panel (b): what is said of it".
[[nodiscard]] std::string ofPanel(std::int64_t panel, std::string_view sentence);
/// "(a) First caption. (b) Second one."
[[nodiscard]] QString panelsCaption(std::span<const FigureSpec> panels);

/// Panels in rows from the left, each painted by its own painter at its own height, those of a row from one line; their
/// letters above them. An empty caption in `options` is filled with panelsCaption.
/// @param panels  each for the width of panelInches
/// @errors InvalidArgument (no panel)
[[nodiscard]] Figure figureOfPanels(std::vector<FigureSpec> panels, PanelStyle style);

} // namespace headscope::viz
