// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "model/base/result.h"
#include "viz/axis/figure_legend.h"
#include "viz/export/figure_export.h"

#include <QColor>
#include <QString>

#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

namespace headscope::viz
{

/// One of several parts of a figure: a table, a small picture, which owns what it shows. Lengths in points.
struct FigurePart
{
    QString title;        ///< above; may be empty
    QString note;         ///< grey, wrapped, under the title; may be empty
    double least = 0;     ///< least width: parts share a line where each gets as much
    double most = 0;      ///< largest width; 0: its share of the line
    HeightOfWidth height; ///< of what is painted, without title and note
    Drawing paint;
    QString more{}; ///< what the caption says besides, and the figure does not: definitions
};

/// A cell of a table on paper.
struct FigureCell
{
    QString text;
    std::optional<QColor> swatch; ///< a coloured mark before the text
    /// Both ends of a bar, 0..1 of the cell's width, pale behind a number.
    std::optional<std::pair<double, double>> bar{};
    /// Both ends of an interval on the bar's scale, a line below it.
    std::optional<std::pair<double, double>> whisker{};
    /// Pieces of a bar before a number: share of the longest bar, and colour.
    std::vector<std::pair<double, QRgb>> pieces;
    int indent = 0;
    bool bold = false;
};

struct FigureColumn
{
    QString title;
    bool number = false; ///< right-aligned
    bool grows = false;  ///< text that is wrapped in the room that is left
    bool pieces = false; ///< its cells have bars of pieces
};

/// A table in the manner of booktabs. Columns that do not fit next to each other go into a second table under the
/// first that begins with the first column again. Each has a column beside the first; where even these two do not fit,
/// their texts are wrapped. No text is cut.
struct FigureTable
{
    std::vector<FigureColumn> columns;
    std::vector<std::vector<FigureCell>> rows;
};

/// @param least  as FigurePart::least
[[nodiscard]] FigurePart tablePart(const QString& title, FigureTable table, double least);

/// Parts in reading order, as many in a line as have their least width. A figure without a caption of its own has
/// titles, notes and definitions of its parts.
/// @errors InvalidArgument (no part)
[[nodiscard]] Figure figureOfParts(std::vector<FigurePart> parts);
/// The same on this paper, of parts that were made for it.
[[nodiscard]] Result<FigureSpec> partsSpec(std::vector<FigurePart> parts, FigureOptions options);

} // namespace headscope::viz
