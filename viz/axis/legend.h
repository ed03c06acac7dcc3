// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "viz/color/color_scale.h"
#include "viz/scatter/marker.h"

#include <QColor>
#include <QString>

#include <cstdint>
#include <variant>
#include <vector>

namespace headscope::viz
{

/// One KV group: its members' colours, and which heads they are.
struct HeadLegendRow
{
    QString name;  ///< "KV1"; empty where there are no KV groups
    QString range; ///< "1-4", from 1
    std::int64_t group = 0;
    std::vector<std::int64_t> heads; ///< 0-based
    std::vector<QRgb> colors;        ///< one per head
    std::vector<MarkerShape> shapes; ///< one per head
};

/// Heads as KV rows x members.
struct HeadLegend
{
    std::vector<HeadLegendRow> rows;
};

struct CategoryLegendEntry
{
    QString name;
    std::int64_t code = 0;  ///< -1: no label
    std::int64_t count = 0; ///< of CategoryLegend::unit
    QRgb color = 0;
    std::uint16_t colorIndex = 0; ///< of its points in PointColoring::index
    MarkerShape shape = MarkerShape::Circle;
};

/// Labels in their natural order (of many, most frequent first), unless the user says otherwise.
struct CategoryLegend
{
    std::vector<CategoryLegendEntry> entries;
    QString unit = QStringLiteral("documents"); ///< what is counted
};

/// Heads again, each from pale (weak) to full (strong).
struct StrengthLegend
{
    HeadLegend heads;
    std::vector<QRgb> ramp; ///< weak to strong, of one sample hue
    double low = 0;         ///< strength at the pale end
    double high = 0;
};

/// Any number: a bar with its limits.
struct NumberLegend
{
    ColorScale scale;
};

/// What the colours of a view mean.
struct Legend
{
    QString title; ///< "Head", "Segment", the label's name ...
    QString hint;  ///< a grey word next to the title, may be empty ("click: isolate")
    std::variant<HeadLegend, CategoryLegend, StrengthLegend, NumberLegend> content;
};

} // namespace headscope::viz
