// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "model/data/results/interval.h"

#include <cstdint>
#include <limits>
#include <span>
#include <vector>

namespace headscope
{

/// How many of the results have the label of the document that asked.
struct SameLabel
{
    double share = std::numeric_limits<double>::quiet_NaN(); ///< of a query's labelled results, mean over the queries
    /// Where each query is another of the documents searched: by QueryJackknife. Else bootstrap by query, the results
    /// of each kept. NaN with fewer than ten queries, and where nothing can vary (isCertain).
    Interval ci95;
    bool byDocument = false;  ///< the first of the two
    bool allLabelled = false; ///< every result has a label: else the share is that of the labelled ones
    bool isCertain = false;   ///< all labelled documents have one label
    double chance = std::numeric_limits<double>::quiet_NaN(); ///< the same of results drawn at random
    std::int64_t queries = 0; ///< with a label, and with a labelled result; 0: none of the numbers is there
};

/// @param rankings  [Q] rows of the results of each query
/// @param asking    [Q] row of the document that asks, which is not among its own results where `left` is true
/// @param labels    [N] codes, -1 = none
/// @param searched  rows that were searched
/// @param left      whether a query is left out of its own results
[[nodiscard]] SameLabel sameLabel(std::span<const std::vector<std::int64_t>> rankings,
                                  std::span<const std::int64_t> asking, std::span<const std::int32_t> labels,
                                  std::span<const std::int64_t> searched, bool left, std::uint64_t seed);

} // namespace headscope
