// SPDX-License-Identifier: GPL-3.0-or-later
#include "viz/grid/grid_contents.h"

#include "viz/axis/text.h"
#include "viz/export/noise_floor_text.h"

#include <algorithm>
#include <map>
#include <set>
#include <string_view>
#include <utility>

namespace headscope::viz
{
namespace
{

QString text(std::string_view words)
{
    return QString::fromUtf8(words.data(), static_cast<qsizetype>(words.size()));
}

std::int64_t headOf(const HeadMap& map)
{
    if (isFullMap(map) || map.points == nullptr || map.points->head.empty())
        return -1;
    return map.points->head.front();
}

std::int64_t numHeadsOf(const HeadMap& map)
{
    if (map.points == nullptr || map.points->head.empty())
        return 0;
    std::vector<char> seen(1 + static_cast<std::size_t>(std::ranges::max(map.points->head)), 0);
    for (const std::int32_t head : map.points->head)
        seen[static_cast<std::size_t>(head)] = 1;
    return std::ranges::count(seen, 1);
}

QString numbersOf(const MapOfSet& each)
{
    if (each.map.iteration <= 0)
        return {};
    if (const QString others = othersWords(each); !others.isEmpty())
        return others;
    QString numbers = QStringLiteral("r %1").arg(fixedNumber(each.correlation, 2));
    if (each.map.trust)
        numbers += QStringLiteral(" · %1% kept").arg(100 * each.map.trust->knn10, 0, 'f', 0);
    return numbers;
}

QString unitOf(const HeadMap& map)
{
    const QString unit = text(unitName(map.stage));
    return unit.left(1).toUpper() + unit.mid(1);
}

QString titleOf(const HeadMap& map)
{
    const std::int64_t head = headOf(map);
    return head < 0 ? QStringLiteral("Full vector")
                    : QStringLiteral("%1 %2").arg(unitOf(map), QString::number(shownNumber(HeadIndex(head))));
}

} // namespace

bool isFullMap(const HeadMap& map)
{
    return map.name == "full" || map.name.ends_with("/full") || (map.points != nullptr && map.points->head.empty());
}

QString mapTitle(const HeadMap& map)
{
    if (isFullMap(map))
        return titleOf(map);
    if (const std::int64_t heads = numHeadsOf(map); heads > 1)
        return QStringLiteral("%1 %2s, stage %3, layer %4")
            .arg(QString::number(heads), text(unitName(map.stage)), text(stageName(map.stage)),
                 QString::number(map.layer.value()));
    return QStringLiteral("%1, stage %2, layer %3")
        .arg(titleOf(map), text(stageName(map.stage)), QString::number(map.layer.value()));
}

std::optional<std::size_t> GridContents::find(std::int64_t block, std::int64_t column) const
{
    const auto found = std::find_if(cells.begin(), cells.end(),
                                    [&](const GridCell& cell) { return cell.block == block && cell.column == column; });
    if (found == cells.end())
        return std::nullopt;
    return static_cast<std::size_t>(found - cells.begin());
}

GridContents gridContents(const HeadMapSet& set, const HeadPalette& palette)
{
    using Row = std::pair<LayerIndex, Stage>;
    std::set<Row> rows;
    std::set<std::int64_t> heads; // -1: full
    for (const MapOfSet& each : set.maps)
    {
        heads.insert(headOf(each.map));
        if (headOf(each.map) >= 0)
            rows.insert({each.map.layer, each.map.stage});
    }
    if (rows.empty() && !set.maps.empty())
        rows.insert({set.maps.front().map.layer, set.maps.front().map.stage});
    std::set<LayerIndex> layers;
    std::set<Stage> stages;
    for (const auto& [layer, stage] : rows)
    {
        layers.insert(layer);
        stages.insert(stage);
    }

    GridContents contents;
    for (const auto& [layer, stage] : rows)
    {
        const QString stageText = QStringLiteral("Stage %1").arg(text(stageName(stage)));
        const QString unit = text(unitName(stage)) + QLatin1Char('s');
        if (layers.size() == 1)
            contents.blocks.push_back({stageText, unit});
        else
            contents.blocks.push_back({QStringLiteral("Layer %1").arg(layer.value()),
                                       stages.size() == 1 ? unit : stageText + QStringLiteral(", ") + unit});
    }
    std::map<std::int64_t, std::int64_t> columnOf;
    for (const std::int64_t head : heads)
    {
        columnOf[head] = static_cast<std::int64_t>(contents.columns.size());
        contents.columns.push_back(head < 0 ? QStringLiteral("full") : QString::number(shownNumber(HeadIndex(head))));
        contents.columnGroups.push_back(head < 0 ? -1 : head / std::max<std::int64_t>(1, palette.members()));
        contents.columnColors.push_back(head < 0 ? std::nullopt : std::optional(palette.color(HeadIndex(head))));
    }
    for (std::size_t m = 0; m < set.maps.size(); ++m)
    {
        const HeadMap& map = set.maps[m].map;
        const auto row = rows.find({map.layer, map.stage});
        GridCell cell;
        cell.map = m;
        cell.block = row == rows.end() ? 0 : std::distance(rows.begin(), row);
        cell.column = columnOf.at(headOf(map));
        cell.title = titleOf(map);
        cell.shortTitle = contents.columns[static_cast<std::size_t>(cell.column)];
        cell.numbers = numbersOf(set.maps[m]);
        cell.edge = contents.columnColors[static_cast<std::size_t>(cell.column)];
        contents.cells.push_back(std::move(cell));
    }
    std::stable_sort(contents.cells.begin(), contents.cells.end(), [](const GridCell& a, const GridCell& b) {
        return std::pair(a.block, a.column) < std::pair(b.block, b.column);
    });
    return contents;
}

} // namespace headscope::viz
