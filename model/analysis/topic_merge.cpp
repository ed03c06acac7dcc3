// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/analysis/topic_merge.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <numeric>
#include <optional>

namespace headscope
{
namespace
{

using Group = std::vector<std::int32_t>;

double meanSimilarity(const TopicSimilarity& similarity, const Group& a, const Group& b)
{
    double sum = 0;
    for (const std::int32_t i : a)
        for (const std::int32_t j : b)
            sum += similarity.values(i, j);
    return sum / static_cast<double>(a.size() * b.size());
}

/// The pair of groups with the largest mean similarity, if that reaches the threshold.
std::optional<std::pair<std::size_t, std::size_t>> nearestPair(const TopicSimilarity& similarity,
                                                               const std::vector<Group>& groups, double threshold)
{
    std::optional<std::pair<std::size_t, std::size_t>> best;
    double bestValue = threshold;
    for (std::size_t i = 0; i < groups.size(); ++i)
        for (std::size_t j = i + 1; j < groups.size(); ++j)
        {
            const double value = meanSimilarity(similarity, groups[i], groups[j]);
            if (std::isnan(value) || value < bestValue || (best && value == bestValue))
                continue;
            best = {i, j};
            bestValue = value;
        }
    return best;
}

} // namespace

TopicMerge proposeMerge(const TopicSimilarity& similarity, double threshold)
{
    std::vector<Group> groups;
    for (std::int32_t topic = 0; topic < static_cast<std::int32_t>(similarity.names.size()); ++topic)
        groups.push_back({topic});
    while (const auto pair = nearestPair(similarity, groups, threshold))
    {
        Group& kept = groups[pair->first];
        const Group& joined = groups[pair->second];
        kept.insert(kept.end(), joined.begin(), joined.end());
        std::sort(kept.begin(), kept.end());
        groups.erase(groups.begin() + static_cast<std::ptrdiff_t>(pair->second));
    }
    TopicMerge merge;
    merge.groups = std::move(groups);
    std::sort(merge.groups.begin(), merge.groups.end());
    for (const Group& group : merge.groups)
    {
        std::string name;
        for (const std::int32_t topic : group)
            name += (name.empty() ? "" : "/") + similarity.names[static_cast<std::size_t>(topic)];
        for (const std::int32_t topic : group)
            merge.labelMap[similarity.names[static_cast<std::size_t>(topic)]] = name;
        merge.names.push_back(std::move(name));
    }
    return merge;
}

} // namespace headscope
