// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "model/data/results/interval.h"
#include "viz/lesson/lesson_parts.h"

#include <optional>
#include <vector>

namespace headscope::viz
{

/// A value on a scale, with its interval and the value expected by chance.
struct ShareMark
{
    double value = 0;
    Interval ci95;
    std::optional<double> chance;
    QColor color;
    double least = 0; ///< at the left end of the scale
    double most = 1;
};

/// The scale as a line, the interval as a bar, the value as a dot, chance as a dashed line.
void paintShare(QPainter& painter, const ShareMark& mark, const QRectF& row, const LessonStyle& style);
/// "0.76"; a dash for NaN.
[[nodiscard]] QString shareText(double value, int digits = 2);
/// "0.76 (0.71 to 0.80)"; the value alone where there is no interval.
[[nodiscard]] QString intervalText(double value, const Interval& ci95, int digits = 2);

/// One value of a list, with what it is compared with.
struct ShareRow
{
    QString name;
    double value = 0;
    Interval ci95;
    std::optional<double> chance; ///< none: there is no chance level
    bool strong = true;           ///< in the accent; else grey
    QString more;                 ///< behind the number: "q = 0.01"
};

/// Values on one scale, one below the other.
struct ShareRows
{
    QString title; ///< of the scale
    QString below; ///< what the dashed lines are, how the intervals were made
    std::vector<ShareRow> rows;
    double least = 0;
    double most = 1;
    int digits = 2;
};

void paintShareRows(QPainter& painter, const ShareRows& rows, const QRectF& box, const LessonStyle& style);
[[nodiscard]] double shareRowsHeight(const ShareRows& rows, double width, const LessonStyle& style);
[[nodiscard]] QString shareRowsWords(const ShareRows& rows);

} // namespace headscope::viz
