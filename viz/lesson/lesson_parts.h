// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "viz/color/head_palette.h"
#include "viz/color/inks.h"

#include <QColor>
#include <QFont>
#include <QPointF>
#include <QRectF>
#include <QString>

#include <cstdint>
#include <vector>

class QPainter;

namespace headscope::viz
{

/// How pictures of lessons look: on the screen, before a class, on paper.
struct LessonStyle
{
    InkTheme theme = InkTheme::Light;
    double textPx = 13;   ///< height of the body text; everything else follows from it
    double captionPx = 0; ///< the same for the heading and the note around the drawing; 0: textPx
};

inline constexpr double kSmallTimes = 0.86; ///< of the body text: its second lines

[[nodiscard]] QFont bodyFont(const LessonStyle& style);
[[nodiscard]] QFont boldFont(const LessonStyle& style);
/// Second lines: a size smaller.
[[nodiscard]] QFont smallFont(const LessonStyle& style);
/// Of the heading and the note.
[[nodiscard]] LessonStyle captionStyle(const LessonStyle& style);

/// A text may have **terms** in bold, in both.
[[nodiscard]] double blockHeight(const QString& text, const QFont& font, double width);
/// Lines broken at the width. @return their height
double paintBlock(QPainter& painter, QPointF corner, double width, const QString& text, const QFont& font,
                  const QColor& color);

/// A filled cell with a number or word in its middle, where it fits.
void paintCell(QPainter& painter, const QRectF& cell, const QColor& fill, const QString& text, const QColor& ink,
               double textPx);
/// So many cells side by side, with what is between them.
struct CellRow
{
    QRectF box;
    std::int64_t count = 0;
    double gap = 2;

    [[nodiscard]] QRectF cell(std::int64_t index) const;
};
/// A row of cells no wider than `widest` each, centred in a box.
[[nodiscard]] CellRow centredCells(const QRectF& box, std::int64_t count, double widest, double gap = 2);

/// A line that ends in an open arrow head.
void paintArrow(QPainter& painter, QPointF from, QPointF to, const QColor& color, double textPx);
/// A colour paled towards the background: 0 the background, 1 the colour.
[[nodiscard]] QColor paled(const QColor& color, const QColor& background, double share);

/// "512 MB", "10.7 GB": powers of 1000, three digits that count.
[[nodiscard]] QString shownBytes(double bytes);

} // namespace headscope::viz
