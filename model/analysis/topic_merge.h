// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "model/data/topic_results.h"

#include <map>
#include <string>
#include <vector>

namespace headscope
{

/// Which topics one might take as one.
struct TopicMerge
{
    std::vector<std::vector<std::int32_t>> groups; ///< topic codes, each group ascending, by its first topic
    std::vector<std::string> names;                ///< [groups] the members' names joined by "/"
    std::map<std::string, std::string> labelMap;   ///< old name to new, every topic
};

/// Joins the two most similar groups, by the mean similarity of their members, as long as that is
/// at least `threshold` (agglomerative, average linkage; ties: the lower codes first).
/// @cost O(T^2) as a rule, O(T^3) at worst; 8 T^2 bytes
[[nodiscard]] TopicMerge proposeMerge(const TopicSimilarity& similarity, double threshold);

} // namespace headscope
