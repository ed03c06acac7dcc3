// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "model/data/results/interval.h"

#include <QColor>
#include <QRectF>
#include <QString>
#include <QStringList>

#include <limits>
#include <vector>

class QPainter;

namespace headscope::viz
{

/// What a test says of a number.
enum class RowVerdict
{
    NotTested,   ///< a grey dot
    Significant, ///< a filled dot: q below 0.05
    Chance,      ///< a ring: not distinguishable from chance
};

/// @param q  of the test, adjusted for the number of tests; NaN: there is none
[[nodiscard]] RowVerdict rowVerdict(double q);

/// A number of one row, with what is next to it. What is NaN is not drawn.
struct RowNumber
{
    double value = std::numeric_limits<double>::quiet_NaN();
    Interval ci95{};
    double null = std::numeric_limits<double>::quiet_NaN(); ///< what this row would have by chance
    RowVerdict verdict = RowVerdict::NotTested;
};

/// One number of every row.
struct RowColumn
{
    QString title;
    std::vector<RowNumber> numbers;                         ///< [R]
    double line = std::numeric_limits<double>::quiet_NaN(); ///< dashed through all rows: chance, no change
    double low = std::numeric_limits<double>::quiet_NaN();  ///< where the axis begins at the latest
    double high = std::numeric_limits<double>::quiet_NaN(); ///< where it ends at the earliest
};

/// Numbers of heads, or of anything that has a name, as dots with their intervals: a line for each row, a column for
/// each number.
struct IntervalRows
{
    QStringList names;          ///< [R]
    std::vector<QColor> colors; ///< [R] a strip behind the name; empty: none
    std::vector<bool> apart;    ///< [R] a row begins something new and has a line above it; empty: none does
    std::vector<RowColumn> columns;
};

/// How high the rows are in points, every name in full height; columns that have no room next to the others go below.
[[nodiscard]] double intervalRowsHeight(const IntervalRows& rows, double width, double textPt);

/// @param box     of the height that intervalRowsHeight says
/// @param textPt  height of titles; names and numbers are a point lower
void paintIntervalRows(QPainter& painter, const IntervalRows& rows, const QRectF& box, double textPt);

} // namespace headscope::viz
