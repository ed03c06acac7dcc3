// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "model/data/origin.h"
#include "model/data/results/topic_results.h"

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace headscope
{

class Fields;
struct Field;

/// Which topics one might take as one.
struct TopicMerge
{
    std::vector<std::vector<std::int32_t>> groups; ///< topic codes, each group ascending, by its first topic
    std::vector<std::string> names;                ///< [groups] the members' names joined by "/"
    std::map<std::string, std::string> labelMap;   ///< old name to new, every topic
};

/// One step of merging: two groups become one. Each is named by its lowest topic.
struct TopicJoin
{
    std::int32_t kept = 0;
    std::int32_t joined = 0;
    double similarity = 0; ///< mean over the pairs of their members
    bool operator==(const TopicJoin&) const = default;
};

/// All steps of merging, the most similar groups first: computed once, the groups of any threshold follow in T steps.
struct TopicMergePath
{
    TopicSimilarity similarity;
    std::vector<TopicJoin> joins;    ///< in the order in which they are made
    std::vector<std::int32_t> order; ///< [T] topics so that every group of every threshold stands together
    std::string source;              ///< what was compared, for people
    Origin origin{};
};

/// The groups at a threshold: the joins as long as they reach it.
[[nodiscard]] TopicMerge mergeAt(const TopicMergePath& path, double threshold);

/// Declares the threshold, unset where nothing is merged.
Field& mergeField(Fields& f, std::optional<double>& merge);

} // namespace headscope
