// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QFont>
#include <QRectF>
#include <QSizeF>
#include <QString>
#include <QStringList>

#include <optional>

class QColor;
class QPainter;

namespace headscope::viz
{

/// The family of all text: Inter where it is installed, else the system's default.
/// Needs a QGuiApplication, as every function of this file.
[[nodiscard]] QString fontFamily();
/// A font of the family, without hinting, so that it scales.
/// @param pixelSize  height in the painter's own units (pixels, or the points of a figure), rounded
[[nodiscard]] QFont textFont(double pixelSize, QFont::Weight weight = QFont::Normal);

/// Width of a line in the font's units.
[[nodiscard]] double textWidth(const QString& text, const QFont& font);
/// Height of a line: ascent + descent.
[[nodiscard]] double lineHeight(const QFont& font);
/// The text, or with its middle replaced by an ellipsis so that it is at most `width` wide.
[[nodiscard]] QString elidedMiddle(const QString& text, const QFont& font, double width);
/// The text broken into lines of at most `width`, at spaces, words longer than a line anywhere.
/// At most maxLines lines (0: any number); running text that continues ends in an ellipsis.
[[nodiscard]] QStringList wrappedLines(const QString& text, const QFont& font, double width, int maxLines = 0);

/// The largest font, from `largest` down to `least` in whole steps, in which a line fits a cell; nothing: none does.
/// @param room  of the cell, what is to stay free around the line taken off
[[nodiscard]] std::optional<QFont> fontThatFits(const QString& text, QSizeF room, double largest, double least);

/// Draws one line inside `box`, elided in its middle where it does not fit.
/// @param alignment  as for QPainter::drawText
void drawLine(QPainter& painter, const QRectF& box, const QString& text, const QFont& font, const QColor& color,
              Qt::Alignment alignment = Qt::AlignLeft | Qt::AlignVCenter);

/// "320,000": a count for people.
[[nodiscard]] QString groupedNumber(qint64 number);
/// A number with this many decimals and a true minus sign, which what rounds to zero has not; a dash when it is not
/// finite.
[[nodiscard]] QString fixedNumber(double number, int decimals);
/// A number of three digits, from a thousand to a million of all before the point (years), with a true minus sign; a dash
/// when it is not finite.
[[nodiscard]] QString shortNumber(double number);

} // namespace headscope::viz
