// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "model/data/results/retrieval_results.h"

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
/// @source  success ratios: Besta et al., arXiv 2406.05085; nDCG: Järvelin & Kekäläinen 2002
///          (doi 10.1145/582415.582418)
[[nodiscard]] RetrievalMetrics measureRanking(std::span<const std::int64_t> ranked,
                                              std::span<const std::int64_t> relevant,
                                              std::span<const std::int32_t> labels);

/// The mean of several queries' measures, for the first 1..n results of the longest ranking. The last value of a
/// shorter ranking counts for the results that it lacks; an empty ranking has found nothing.
class MeanRetrievalMetrics
{
public:
    /// @param one  of a query whose relevant documents are known
    void add(const RetrievalMetrics& one);
    [[nodiscard]] std::int64_t queries() const { return m_queries; }
    /// Nothing where no query was added.
    [[nodiscard]] RetrievalMetrics mean() const;

private:
    std::int64_t m_queries = 0;
    RetrievalMetrics m_sums; ///< every list as long as the longest, shorter ones extended by their last value
};

} // namespace headscope
