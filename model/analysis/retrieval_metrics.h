// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "model/data/retrieval_results.h"

#include <cstdint>
#include <span>

namespace headscope
{

/// Measures one ranking against the documents that are relevant to its query.
///
/// @param ranked    documents, best first; n of them
/// @param relevant  documents, at least one, without repeats
/// @param labels    [N] label of every document, -1 = none (left out of the category ratio); may be empty
/// @return for j = 0..n-1 the measures of the first j + 1 results. Without any labelled relevant
///         document the category ratio is 1, as there is nothing to cover.
/// @source  success ratios: Besta et al., arXiv 2406.05085
[[nodiscard]] RetrievalMetrics measureRanking(std::span<const std::int64_t> ranked,
                                              std::span<const std::int64_t> relevant,
                                              std::span<const std::int32_t> labels);

} // namespace headscope
