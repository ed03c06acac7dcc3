// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "model/data/results/retrieval_results.h"

#include <cstdint>
#include <span>

namespace headscope
{

/// What measureRanking gives on average for a ranking in random order.
///
/// Every order of the candidates is as likely as any other; the relevant documents stay what they are. All values are
/// exact expectations, nothing is drawn.
/// @param candidates  rows that can be found, without repeats and without the query itself
/// @param n           results of a ranking; at most as many as there are candidates count
/// @param relevant    rows, at least one, without repeats; those that are no candidates can never be found
/// @param labels      [N] label of every document, -1 = none; may be empty
/// @return for j = 0..min(n, candidates)-1 the measures of the first j + 1 results
/// @cost   O(candidates + n x labels of relevant documents)
[[nodiscard]] RetrievalMetrics expectedByChance(std::span<const std::int64_t> candidates, std::int64_t n,
                                                std::span<const std::int64_t> relevant,
                                                std::span<const std::int32_t> labels);

} // namespace headscope
