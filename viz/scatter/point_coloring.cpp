// SPDX-License-Identifier: GPL-3.0-or-later
#include "viz/scatter/point_coloring.h"

#include "model/data/head_ranges.h"
#include "viz/color/oklab.h"

#include <QLocale>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <numeric>
#include <utility>

namespace headscope::viz
{
namespace
{

constexpr std::size_t kMaxColors = 1 << 16; ///< an index has 16 bits
constexpr std::size_t kListedLabels = 24;   ///< that every legend has room for
constexpr std::int64_t kStrengthSteps = 24;

/// "head" -> "Head", for titles.
QString capitalised(const QString& word)
{
    return word.left(1).toUpper() + word.mid(1);
}

QRgb opaque(const QColor& color)
{
    return color.rgb();
}

/// The heads that occur among the points, ascending.
std::vector<std::int64_t> headsOf(const PointIds& points)
{
    std::vector<char> seen; // by head: millions of points are not sorted for that
    for (const std::int32_t head : points.head)
    {
        if (head >= std::ssize(seen))
            seen.resize(static_cast<std::size_t>(head) + 1, 0);
        if (head >= 0)
            seen[static_cast<std::size_t>(head)] = 1;
    }
    std::vector<std::int64_t> heads;
    for (std::int64_t head = 0; head < std::ssize(seen); ++head)
        if (seen[static_cast<std::size_t>(head)] != 0)
            heads.push_back(head);
    return heads;
}

/// @param unit  rows of heads have the name of their KV group; those of segments, and of heads without groups, the
///              range of their numbers alone
HeadLegend headLegend(const std::vector<std::int64_t>& heads, const HeadPalette& palette, const QString& unit)
{
    const bool named = unit == QLatin1StringView("head") && palette.grouped();
    HeadLegend legend;
    for (const std::int64_t head : heads)
    {
        const std::int64_t group = head / palette.members();
        if (legend.rows.empty() || legend.rows.back().group != group)
        {
            HeadLegendRow row;
            row.name = groupName(GroupIndex(group), palette.members());
            row.group = group;
            legend.rows.push_back(std::move(row));
        }
        HeadLegendRow& row = legend.rows.back();
        row.heads.push_back(head);
        row.colors.push_back(opaque(palette.color(HeadIndex(head))));
        row.shapes.push_back(palette.shape(HeadIndex(head)));
    }
    for (HeadLegendRow& row : legend.rows)
    {
        row.range = QString::fromStdString(formatHeadRanges(row.heads));
        row.range.replace(QLatin1Char('-'), QChar(0x2013));
        if (!named)
            row.name.clear();
    }
    return legend;
}

std::uint16_t colorIndex(std::int64_t i)
{
    return static_cast<std::uint16_t>(std::clamp<std::int64_t>(i, 0, static_cast<std::int64_t>(kMaxColors) - 1));
}

/// Codes as they come in the legend: those asked for, then the others as the column has them, which is their natural
/// order; of more than a legend always has room for, by frequency.
std::vector<std::int32_t> legendOrder(const LabelColumn& column, std::span<const std::int32_t> first)
{
    std::vector<char> taken(column.categories.size(), 0);
    std::vector<std::int32_t> order;
    const auto take = [&](std::int32_t code) {
        if (code < 0 || static_cast<std::size_t>(code) >= taken.size() || taken[static_cast<std::size_t>(code)] != 0)
            return;
        taken[static_cast<std::size_t>(code)] = 1;
        order.push_back(code);
    };
    for (const std::int32_t code : first)
        take(code);
    if (column.categories.size() > kListedLabels)
        for (const std::int32_t code : column.byFrequency())
            take(code);
    for (std::size_t code = 0; code < column.categories.size(); ++code)
        take(static_cast<std::int32_t>(code));
    return order;
}

} // namespace

PointColoring colorByHead(const PointIds& points, const HeadPalette& palette, const QString& unit)
{
    PointColoring coloring;
    for (std::int64_t head = 0; head < palette.heads(); ++head)
    {
        coloring.colors.push_back(opaque(palette.color(HeadIndex(head))));
        coloring.shapes.push_back(palette.shape(HeadIndex(head)));
    }
    coloring.index.reserve(points.head.size());
    for (const std::int32_t head : points.head)
        coloring.index.push_back(colorIndex(std::max(0, head) % palette.heads()));
    coloring.legend.title = capitalised(unit);
    coloring.legend.content = headLegend(headsOf(points), palette, unit);
    return coloring;
}

PointColoring colorByStrength(const PointIds& points, std::span<const float> strengths, const HeadPalette& palette,
                              const QString& unit)
{
    const ScaleLimits limits = robustLimits(strengths).value_or(ScaleLimits{});
    const double extent = limits.high - limits.low;
    PointColoring coloring;
    for (std::int64_t head = 0; head < palette.heads(); ++head)
        for (std::int64_t step = 0; step < kStrengthSteps; ++step)
        {
            const double strength = static_cast<double>(step) / (kStrengthSteps - 1);
            coloring.colors.push_back(opaque(palette.paleColor(HeadIndex(head), strength)));
            coloring.shapes.push_back(palette.shape(HeadIndex(head)));
        }
    coloring.index.reserve(points.head.size());
    for (std::size_t i = 0; i < points.head.size(); ++i)
    {
        const double strength = i < strengths.size() ? static_cast<double>(strengths[i]) : 0;
        const double share = std::isfinite(strength) ? std::clamp((strength - limits.low) / extent, 0.0, 1.0) : 0.0;
        const auto step = static_cast<std::int64_t>(std::lround(share * (kStrengthSteps - 1)));
        coloring.index.push_back(colorIndex(std::max(0, points.head[i]) % palette.heads() * kStrengthSteps + step));
    }
    StrengthLegend legend;
    legend.heads = headLegend(headsOf(points), palette, unit);
    for (int step = 0; step < kStrengthSteps; ++step)
        legend.ramp.push_back(
            opaque(palette.paleColor(HeadIndex(0), static_cast<double>(step) / (kStrengthSteps - 1))));
    legend.low = limits.low;
    legend.high = limits.high;
    coloring.legend.title = QStringLiteral("Norm");
    coloring.legend.hint = QStringLiteral("hue: %1").arg(unit);
    coloring.legend.content = std::move(legend);
    return coloring;
}

std::vector<float> strengthsOfPoints(const PointIds& points, const HeadVectors& vectors)
{
    std::vector<float> strengths(points.head.size(), 0.0F);
    for (std::size_t i = 0; i < strengths.size(); ++i)
    {
        double sum = 0;
        for (const float v : vectors.vector(points.documentOf(i), points.headOf(i)))
            sum += static_cast<double>(v) * static_cast<double>(v);
        strengths[i] = static_cast<float>(std::sqrt(sum));
    }
    return strengths;
}

QString legendTitle(const LabelColumn& column)
{
    return capitalised(QString::fromStdString(column.name));
}

QString columnTitle(const LabelColumn& column)
{
    const auto count = static_cast<qlonglong>(column.categories.size());
    return QStringLiteral("%1 · %2%3%4")
        .arg(QString::fromStdString(column.name), QLocale().toString(count), QChar(0x00A0),
             count == 1 ? QStringLiteral("value") : QStringLiteral("values"));
}

PointColoring colorByNearestHead(const PointIds& points, std::span<const std::int32_t> nearest,
                                 const HeadPalette& palette, const QString& unit)
{
    PointColoring coloring = colorByHead(points, palette, unit);
    const std::uint16_t grey = colorIndex(static_cast<std::int64_t>(coloring.colors.size()));
    coloring.colors.push_back(opaque(inks(palette.theme()).missing));
    coloring.shapes.push_back(MarkerShape::Circle);
    std::int64_t strangers = 0;
    for (std::size_t i = 0; i < coloring.index.size(); ++i)
    {
        const std::int32_t head = i < nearest.size() ? nearest[i] : -1;
        coloring.index[i] = head < 0 ? grey : colorIndex(head % palette.heads());
        strangers += head >= 0 && head != points.head[i] ? 1 : 0;
    }
    const auto count = static_cast<double>(std::max<std::size_t>(1, coloring.index.size()));
    coloring.legend.title = QStringLiteral("Nearest centroid");
    coloring.legend.hint =
        QStringLiteral("%1% another %2’s").arg(100 * static_cast<double>(strangers) / count, 0, 'f', 1).arg(unit);
    return coloring;
}

PointColoring colorByLabel(const PointIds& points, const LabelColumn& column, InkTheme theme,
                           std::span<const std::int32_t> firstOrder)
{
    const auto numCategories = static_cast<std::int64_t>(column.categories.size());
    const CategoryPalette palette(numCategories, theme);
    const std::vector<std::int32_t> order = legendOrder(column, firstOrder);
    const std::size_t numColors = std::min(kMaxColors - 1, order.size());

    PointColoring coloring;
    coloring.colors.push_back(opaque(palette.noneColor()));
    for (std::size_t i = 0; i < numColors; ++i)
        coloring.colors.push_back(opaque(palette.color(static_cast<std::int64_t>(i))));
    if (palette.needsShapes())
    {
        coloring.shapes.push_back(MarkerShape::Circle);
        for (std::int64_t i = 0; i < static_cast<std::int64_t>(numColors); ++i)
            coloring.shapes.push_back(palette.shape(i));
    }
    std::vector<std::int64_t> counts(numColors + 1, 0); ///< documents
    std::vector<char> counted;                          ///< by document
    coloring.index.reserve(points.document.size());
    for (const std::int32_t document : points.document)
    {
        const auto row = static_cast<std::size_t>(document);
        const std::int32_t code = row < column.codes.size() ? column.codes[row] : -1;
        const bool known = code >= 0 && code < numCategories;
        coloring.index.push_back(known ? colorIndex(code + 1) : std::uint16_t{0});
        if (row >= counted.size() && document >= 0)
            counted.resize(row + 1, 0);
        if (document < 0 || std::exchange(counted[row], 1) == 0)
            ++counts[std::min<std::size_t>(coloring.index.back(), numColors)];
    }

    CategoryLegend legend;
    for (const std::int32_t code : order)
    {
        const std::size_t at = static_cast<std::size_t>(code) + 1; // the colour of a label is that of its code
        if (at > numColors || counts[at] == 0)
            continue;
        legend.entries.push_back({QString::fromStdString(column.categories[at - 1]), code, counts[at],
                                  coloring.colors[at], colorIndex(code + 1),
                                  coloring.shapes.empty() ? MarkerShape::Circle : coloring.shapes[at]});
    }
    if (counts[0] > 0)
        legend.entries.push_back({QStringLiteral("no label"), -1, counts[0], coloring.colors[0], 0});
    coloring.legend.title = legendTitle(column);
    coloring.legend.content = std::move(legend);
    return coloring;
}

PointColoring colorByNumber(std::span<const float> values, const ColorScale& scale, const QString& title,
                            InkTheme theme)
{
    PointColoring coloring;
    coloring.colors.push_back(opaque(inks(theme).missing));
    for (int step = 0; step < ColorMap::kSteps; ++step)
        coloring.colors.push_back(scale.map().step(step));
    coloring.index.reserve(values.size());
    for (const float value : values)
    {
        const double place = std::isfinite(value) ? scale.position(static_cast<double>(value)) : -1;
        coloring.index.push_back(place < 0 ? std::uint16_t{0}
                                           : colorIndex(1 + std::lround(place * (ColorMap::kSteps - 1))));
    }
    coloring.legend.title = title;
    coloring.legend.content = NumberLegend{scale};
    return coloring;
}

} // namespace headscope::viz
