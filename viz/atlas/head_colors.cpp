// SPDX-License-Identifier: GPL-3.0-or-later
#include "viz/atlas/head_colors.h"

#include "viz/axis/text.h"
#include "viz/color/category_palette.h"
#include "viz/color/inks.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace headscope::viz
{
namespace
{

QString words(std::string_view text)
{
    return QString::fromUtf8(text.data(), static_cast<qsizetype>(text.size()));
}

QString rowsTitle(Stage stage)
{
    return stage == Stage::HeadOutput ? QStringLiteral("Head") : QStringLiteral("Segment");
}

/// All heads in the window's colours of heads, and the legend of one layer, which stands for all.
void colorByHead(HeadColors& found, const HeadMeasures& measures, const ModelInfo& info, const HeadPalette& palette)
{
    for (std::int64_t layer = 0; layer < measures.layers; ++layer)
        for (HeadIndex head; head.value() < measures.heads; ++head)
        {
            const std::size_t at = found.indexOf({layer, head.value()});
            found.colors[at] = palette.color(head).rgb();
            found.shapes[at] = palette.shape(head);
            found.known[at] = true;
        }
    HeadLegend legend;
    const std::int64_t members = std::max<std::int64_t>(1, info.groupSize());
    constexpr std::int64_t kInRow = 8; // where there are no groups
    const std::int64_t inRow = members > 1 && members < measures.heads ? members : kInRow;
    for (std::int64_t first = 0; first < measures.heads; first += inRow)
    {
        HeadLegendRow row;
        row.group = members > 1 ? first / members : first / kInRow;
        row.name = inRow == members ? groupName(GroupIndex(first / members), members) : QString();
        const std::int64_t end = std::min(measures.heads, first + inRow);
        row.range = end - first > 1 ? QStringLiteral("%1-%2").arg(first + 1).arg(end) : QString::number(first + 1);
        for (std::int64_t head = first; head < end; ++head)
        {
            row.heads.push_back(head);
            row.colors.push_back(palette.color(HeadIndex(head)).rgb());
            row.shapes.push_back(palette.shape(HeadIndex(head)));
        }
        legend.rows.push_back(std::move(row));
    }
    found.legend = {rowsTitle(measures.stage), QStringLiteral("of every layer"), std::move(legend)};
}

void colorByGroup(HeadColors& found, const HeadMeasure& measure, InkTheme theme)
{
    std::int64_t groups = std::ssize(measure.groupNames);
    for (const double value : measure.value.values())
        if (std::isfinite(value))
            groups = std::max(groups, static_cast<std::int64_t>(value));
    const CategoryPalette palette(groups, theme);
    CategoryLegend legend;
    legend.unit = QStringLiteral("heads");
    for (std::int64_t group = 0; group < groups; ++group)
    {
        CategoryLegendEntry entry;
        const auto at = static_cast<std::size_t>(group);
        entry.name = QString::number(group + 1);
        if (at < measure.groupNames.size())
            entry.name += QStringLiteral(" · ") + words(measure.groupNames[at]);
        entry.code = group;
        entry.color = palette.color(group).rgb();
        entry.shape = palette.shape(group);
        entry.colorIndex = static_cast<std::uint16_t>(group);
        legend.entries.push_back(std::move(entry));
    }
    for (std::size_t at = 0; at < found.colors.size(); ++at)
    {
        const double value = measure.value.values()[at];
        if (!std::isfinite(value) || value < 1)
            continue;
        const auto group = static_cast<std::int64_t>(value) - 1;
        found.colors[at] = palette.color(group).rgb();
        found.shapes[at] = palette.shape(group);
        found.known[at] = true;
        ++legend.entries[static_cast<std::size_t>(group)].count;
    }
    found.legend = {words(measure.title), QString(), std::move(legend)};
}

void colorByNumber(HeadColors& found, const HeadMeasure& measure, InkTheme theme)
{
    const std::vector<float> values(measure.value.values().begin(), measure.value.values().end());
    const ScaleLimits limits = roundedOutwards(robustLimits(values).value_or(ScaleLimits{}));
    const bool bothSigns = limits.low < 0 && limits.high > 0;
    const double reach = std::max(-limits.low, limits.high);
    const ScaleChoice choice = bothSigns ? ScaleChoice{ScaleChoice::Kind::Diverging, {-reach, reach}, 0}
                                         : ScaleChoice{ScaleChoice::Kind::Sequential, limits, 0};
    found.scale = scaleOf(choice, theme);
    for (std::size_t at = 0; at < found.colors.size(); ++at)
        if (const double value = measure.value.values()[at]; std::isfinite(value))
        {
            found.colors[at] = found.scale->color(value);
            found.known[at] = true;
        }
    found.legend = {measureTitle(measure), QString(), NumberLegend{*found.scale}};
}

} // namespace

HeadColors headColors(const HeadMeasures& measures, std::string_view key, const ModelInfo& info,
                      const HeadPalette& palette)
{
    HeadColors found;
    found.heads = measures.heads;
    const auto count = static_cast<std::size_t>(measures.count());
    found.colors.assign(count, inks(palette.theme()).missing.rgb());
    found.shapes.assign(count, MarkerShape::Circle);
    found.known.assign(count, false);
    const HeadMeasure* const measure = measures.find(key);
    if (measure == nullptr)
        colorByHead(found, measures, info, palette);
    else if (measure->groups)
        colorByGroup(found, *measure, palette.theme());
    else
        colorByNumber(found, *measure, palette.theme());
    return found;
}

QString measureTitle(const HeadMeasure& measure)
{
    return measure.unit.empty() ? words(measure.title)
                                : words(measure.title) + QStringLiteral(", ") + words(measure.unit);
}

QString shortName(const HeadPlace& place)
{
    return QStringLiteral("%1.%2").arg(place.layer).arg(place.head + 1);
}

} // namespace headscope::viz
