// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "model/base/result.h"
#include "model/data/results/head_measures.h"

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace headscope
{

/// The attention statistics that make the pattern of a head, those that there are: relative entropy, first, previous
/// and own token, confidence, induction and duplicate token.
[[nodiscard]] std::span<const std::string_view> patternKeys();

/// Heads whose attention looks alike.
struct PatternClusters
{
    /// A cluster, and how far its heads lie from the mean of all, in standard deviations.
    struct Cluster
    {
        std::int64_t heads = 0;
        std::vector<double> mean; ///< [used]
    };
    std::vector<std::string> used;     ///< keys of the statistics, each with variance
    std::vector<Cluster> clusters;     ///< the largest first, of equal ones that with the earlier head
    MatrixD cluster;                   ///< [L, H] number of the cluster, from 1; NaN: a head without all of them
    std::vector<HeadPlace> order;      ///< heads that have one, as leaves of the tree: similar ones beside each other
    std::vector<std::int64_t> ranks{}; ///< [L H] place in `order`; -1: none
};

/// Clusters all heads by their attention statistics: each less its mean over the heads and divided by its standard
/// deviation (of the population), Ward's clustering (clusterTree), the highest joins undone until there are `clusters`
/// of them.
/// @param clusters  at least 1; more than there are heads: each is one
/// @errors InvalidArgument (none of the statistics is there or varies)
/// @cost   O(n^2 (D + log n)) and 8 n^2 bytes, n = L H
[[nodiscard]] Result<PatternClusters> clusterPatterns(const HeadMeasures& measures, std::int64_t clusters);

/// The same as a measure of the list ("pattern").
[[nodiscard]] HeadMeasure patternMeasure(const HeadMeasures& measures, const PatternClusters& clusters);

} // namespace headscope
