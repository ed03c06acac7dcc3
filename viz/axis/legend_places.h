// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "viz/axis/legend.h"
#include "viz/color/inks.h"

#include <QFont>
#include <QRectF>
#include <QSizeF>
#include <QString>

#include <cstddef>
#include <cstdint>
#include <vector>

namespace headscope::viz
{

struct LegendStyle
{
    InkTheme theme = InkTheme::Light;
    double textPx = 11;    ///< height of the body text; everything else follows from it
    double maxWidth = 260; ///< long names are elided in the middle beyond it
    double maxHeight = 0;  ///< categories that do not fit are summed up in a last line; 0 = no limit
    bool card = true;      ///< with a background and a hairline border, as on the screen
    bool ground = true;    ///< of a card: those are painted here; false where its holder paints them
    double headRight = 0;  ///< room that stays free on the right of the title, for buttons
    double headBelow = 0;  ///< and below it, for a field
    bool eyes = false;     ///< an eye next to each label and group, crossed out where it is not shown
    bool shapes = true;    ///< markers in their shapes; false where dots are too small to show them
    int columns = 1;       ///< entries are in so many columns, read downwards
};

/// What lies under a place of a legend.
struct LegendHit
{
    enum class Kind
    {
        Group,    ///< index = KV group
        Head,     ///< index = head, 0-based
        Category, ///< index = code, -1 = no label
    };
    Kind kind = Kind::Head;
    std::int64_t index = 0;
    bool operator==(const LegendHit&) const = default;
};

/// A part of a legend and where it lies, relative to the top left corner.
struct LegendItem
{
    enum class Kind
    {
        Title,
        Label,  ///< grey text
        Name,   ///< text in ink
        Swatch, ///< marker of a colour
        Ramp,   ///< gradient from colours
        Number, ///< grey, right aligned
        Eye,    ///< open, or crossed out with its target
    };
    Kind kind = Kind::Label;
    QRectF box;
    QString text;
    QRgb color = 0;
    MarkerShape shape = MarkerShape::Circle;
    std::vector<QRgb> ramp;
    int target = -1; ///< of the targets; fades with it
};

/// What can be hit, and where.
struct LegendTarget
{
    QRectF box;
    LegendHit hit;
};

/// Between the columns of a legend that has several.
inline constexpr double kBetweenLegendColumns = 14;

/// Where everything of a legend goes.
struct LegendPlaces
{
    std::vector<LegendItem> items;
    std::vector<LegendTarget> targets;
    QSizeF size;
    double headBottom = 0; ///< the end of title, hint and what LegendStyle keeps free
    std::size_t rows = 0;  ///< lines of entries in all columns, title and ramp not counted
};

/// The font of a part.
[[nodiscard]] QFont legendFont(const LegendStyle& style, LegendItem::Kind kind);

/// Finds the places of all parts. Needs a QGuiApplication (fonts).
/// @cost  linear in the entries
[[nodiscard]] LegendPlaces placeLegend(const Legend& legend, const LegendStyle& style);

} // namespace headscope::viz
