// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QColor>

namespace headscope::viz
{

/// Light or dark surroundings of a picture. Figures for paper are always Light.
enum class InkTheme
{
    Light,
    Dark,
};

/// The greys of a picture, and the one accent. Hues belong to the data alone (viz/README.md).
struct Inks
{
    QColor background; ///< the canvas itself
    QColor card;       ///< floating legends and cards
    QColor ink;        ///< names and numbers
    QColor secondary;  ///< second lines, row labels
    QColor hairline;   ///< borders of cards, group lines
    QColor dimmed;     ///< points that are not chosen
    QColor missing;    ///< cells and points without a value
    QColor accent;     ///< marks what the user has chosen
};

/// The inks of a theme.
/// @threads reentrant
[[nodiscard]] const Inks& inks(InkTheme theme);

} // namespace headscope::viz
