// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "viz/color/inks.h"

#include <QColor>
#include <QRectF>
#include <QString>

#include <vector>

class QPainter;

namespace headscope::viz
{

/// What a mark of a figure stands for.
struct KeyEntry
{
    enum class Mark
    {
        None,     ///< words alone
        Bar,      ///< a filled box
        Interval, ///< a line between two ends
        Tick,     ///< a short upright mark
        Dot,      ///< filled
        Ring,     ///< a dot that is not
        Line,
        Dashes,
        Dots, ///< a line of them
    };

    QString text;
    Mark mark = Mark::None;
    QColor color;
};

/// How high a key of this width is, in the units of textPt; 0 without an entry.
[[nodiscard]] double keyHeight(const std::vector<KeyEntry>& entries, double width, double textPt);
/// Entries side by side, in as many lines as they need; words longer than a line are broken, none is cut.
/// @param box    of the height that keyHeight says
/// @param theme  of the words and of what lies behind them
void paintKey(QPainter& painter, const std::vector<KeyEntry>& entries, const QRectF& box, double textPt,
              InkTheme theme = InkTheme::Light);

} // namespace headscope::viz
