// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/data/results/heatmap_panel.h"

#include "model/data/key_sharing.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>
#include <numeric>

namespace headscope
{
namespace
{

constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();

/// Puts `items` into the order of falling scores; those without a number last, ties as they stand.
void sortByScore(std::vector<std::int64_t>& items, const std::vector<double>& score)
{
    std::stable_sort(items.begin(), items.end(), [&score](std::int64_t a, std::int64_t b) {
        const double first = score[static_cast<std::size_t>(a)];
        const double second = score[static_cast<std::size_t>(b)];
        if (std::isnan(first) || std::isnan(second))
            return std::isnan(second) && !std::isnan(first);
        return first > second;
    });
}

/// Heads group by group, the group with the largest mean first.
std::vector<std::int64_t> byGroups(const std::vector<double>& mean, const ModelInfo& info, std::int64_t heads)
{
    const std::int64_t size = std::max<std::int64_t>(1, info.heads == heads ? info.groupSize() : heads);
    const std::int64_t groups = (heads + size - 1) / size;
    std::vector<double> groupMean;
    for (std::int64_t group = 0; group < groups; ++group)
    {
        double sum = 0;
        std::int64_t count = 0;
        for (std::int64_t head = group * size; head < std::min(heads, (group + 1) * size); ++head)
            if (const double value = mean[static_cast<std::size_t>(1 + head)]; !std::isnan(value))
            {
                sum += value;
                ++count;
            }
        groupMean.push_back(count > 0 ? sum / static_cast<double>(count) : kNaN);
    }
    std::vector<std::int64_t> order(static_cast<std::size_t>(groups));
    std::iota(order.begin(), order.end(), 0);
    sortByScore(order, groupMean);
    std::vector<std::int64_t> sorted;
    for (const std::int64_t group : order)
        for (std::int64_t head = group * size; head < std::min(heads, (group + 1) * size); ++head)
            sorted.push_back(head);
    return sorted;
}

} // namespace

std::vector<std::int64_t> heatmapRows(const HeatmapPanel& panel, const ModelInfo& info, HeatmapRows order,
                                      std::span<const std::int64_t> shown)
{
    const std::int64_t count = std::max<std::int64_t>(0, panel.heatmap->values.rows() - 1);
    std::vector<std::int64_t> heads(static_cast<std::size_t>(count));
    std::iota(heads.begin(), heads.end(), 0);
    const HeatmapStatistics& said = panel.statistics;
    const auto rows = static_cast<std::size_t>(1 + count);
    switch (order)
    {
    case HeatmapRows::Index:
        break;
    case HeatmapRows::GroupMean:
        if (said.mean.size() == rows)
            heads = byGroups(said.mean, groupedAt(info, panel.heatmap->stage), count);
        break;
    case HeatmapRows::FollowsFull:
        if (said.spearmanMean.size() + 1 == rows)
            sortByScore(heads, said.spearmanMean);
        break;
    case HeatmapRows::Selectivity:
        if (said.eta2.size() == rows)
            sortByScore(heads, {said.eta2.begin() + 1, said.eta2.end()});
        break;
    case HeatmapRows::Clusters:
        if (panel.heads.order.size() == heads.size())
            heads = panel.heads.order;
        break;
    }
    if (!shown.empty())
        std::erase_if(heads,
                      [shown](std::int64_t head) { return !std::binary_search(shown.begin(), shown.end(), head); });
    for (std::int64_t& head : heads)
        ++head;
    return heads;
}

MatrixD topicMeans(const HeatmapPanel& panel, TopicMeans what)
{
    const MatrixD& means = panel.statistics.topicMean;
    if (what == TopicMeans::Mean)
        return means;
    MatrixD result(means.rows(), means.cols());
    const Matrix<std::int64_t>& counts = panel.statistics.topicCount;
    for (std::int64_t row = 0; row < means.rows(); ++row)
    {
        double sum = 0;
        std::int64_t count = 0;
        for (std::int64_t topic = 0; topic < means.cols(); ++topic)
            if (counts(row, topic) > 0)
            {
                sum += means(row, topic) * static_cast<double>(counts(row, topic));
                count += counts(row, topic);
            }
        for (std::int64_t topic = 0; topic < means.cols(); ++topic)
        {
            double against = means(0, topic);
            if (what == TopicMeans::AgainstRest)
            {
                const std::int64_t others = count - counts(row, topic);
                const double own =
                    counts(row, topic) > 0 ? means(row, topic) * static_cast<double>(counts(row, topic)) : 0.0;
                against = others > 0 ? (sum - own) / static_cast<double>(others) : kNaN;
            }
            result(row, topic) = means(row, topic) - against;
        }
    }
    return result;
}

} // namespace headscope
