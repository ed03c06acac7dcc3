// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/results/heatmap_table.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>

namespace headscope::results
{

std::string topTopicOf(const Heatmap& heatmap, const HeatmapStatistics& statistics, std::size_t row)
{
    const auto topic = std::ranges::find(heatmap.topicOrder, statistics.topTopic[row]);
    return topic == heatmap.topicOrder.end()
               ? std::string()
               : heatmap.topicNames[static_cast<std::size_t>(topic - heatmap.topicOrder.begin())];
}

ResultTable heatmapTable(std::span<const HeatmapLines> heatmaps, bool places)
{
    std::vector<std::string> header = {"row", "mean", "sd", "eta2", "spearman", "evenness", "top topic"};
    if (places)
        header.insert(header.begin(), {"layer", "stage"});
    ResultTable table(header);
    for (const HeatmapLines& each : heatmaps)
    {
        const Heatmap& heatmap = *each.heatmap;
        const HeatmapStatistics& statistics = *each.statistics;
        const auto add = [&](std::size_t row) {
            std::vector<ResultTable::Cell> cells;
            if (places)
                cells = {heatmap.layer.value(), std::string(stageName(heatmap.stage))};
            cells.emplace_back(row == 0 ? std::string("full") : fmt::format("{} {}", unitName(heatmap.stage), row));
            cells.insert(cells.end(),
                         {statistics.mean[row], statistics.sd[row], statistics.eta2[row],
                          row == 0 ? std::numeric_limits<double>::quiet_NaN() : statistics.spearmanMean[row - 1],
                          statistics.evenness[row], topTopicOf(heatmap, statistics, row)});
            table.add(std::move(cells));
        };
        add(0);
        for (const std::int64_t head : each.heads)
            if (static_cast<std::size_t>(head) + 1 < statistics.mean.size())
                add(static_cast<std::size_t>(head) + 1);
    }
    return table;
}

} // namespace headscope::results
