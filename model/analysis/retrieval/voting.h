// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "model/base/job_context.h"
#include "model/base/result.h"
#include "model/data/head_vectors.h"
#include "model/data/results/retrieval_results.h"

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace headscope
{

/// What a document's votes are under it, as a sentence: "sum over the heads that have it among their 10 nearest ...".
/// @param length  of the list of each, which the votes hang on
[[nodiscard]] std::string votesText(VotingStrategy strategy, std::string_view unit, std::int64_t length);

/// Whether the strategy looks at the full vectors (cut into segments, or whole) and not at heads.
[[nodiscard]] bool votesOnFullVectors(VotingStrategy strategy);
/// Whether a vote counts as much as its head's, or segment's, score.
[[nodiscard]] bool votesByScore(VotingStrategy strategy);

/// The n documents of smallest cosine distance to one query, nearest first; fewer where fewer have a direction, none
/// where the query has none.
struct NearestList
{
    std::vector<std::int64_t> documents;
    std::vector<double> distances; ///< 1 - cosine
};

/// Unit vectors of one set of vectors, in double, so that every query after the first is a single
/// pass of products. A zero or non-finite vector has no direction: it is near nothing, and nothing is near it.
class CosineIndex
{
public:
    /// @param vectors  [N, D], any stride
    explicit CosineIndex(ConstMatrixView vectors);

    [[nodiscard]] std::int64_t documents() const { return m_units.rows(); }
    /// The n nearest of the documents with a direction; ties by lower document.
    /// @cost O(N D); equal vectors have equal bits in their distance
    [[nodiscard]] NearestList nearest(std::span<const float> query, std::int64_t n) const;
    /// The same without one of the documents; nothing: with all.
    [[nodiscard]] NearestList nearestOthers(std::span<const float> query, std::int64_t n,
                                            std::optional<DocumentIndex> self) const;

private:
    MatrixD m_units;                    // [N, D], zero rows for vectors without a direction
    std::vector<std::int64_t> m_placed; // documents with one, ascending
};

/// Full vectors cut into as many segments as there are heads; unchanged where they already have that many.
/// @errors InvalidArgument (`heads` does not divide their length)
[[nodiscard]] Result<std::shared_ptr<const HeadVectors>> asSegments(const std::shared_ptr<const HeadVectors>& full,
                                                                    std::int64_t heads);

/// The score of every head, mean strength times spread over all documents. [H]
/// @errors those of HeadSums::collect
[[nodiscard]] Result<std::vector<double>> headScores(const HeadVectors& vectors, int numThreads, JobContext& job);

/// The n documents nearest to one query by every head, the query itself left out.
/// @param documents  [N, H, D]
/// @param query      [H, D], one head after another
/// @param self       the document that the query is, if it is one
/// @return [H] lists
/// @errors Cancelled
/// @cost O(N H D)
[[nodiscard]] Result<std::vector<NearestList>> nearestByHeads(const HeadVectors& documents,
                                                              std::span<const float> query, std::int64_t n,
                                                              std::optional<DocumentIndex> self, int numThreads,
                                                              JobContext& job);
/// The same for many queries, each without the document that it is.
/// @param documents  [N, H, D]
/// @param queries    [J, H, D]
/// @param own        [J] the document that a query is, -1: none; empty: no query is one
/// @return [J][H] lists
/// @errors Cancelled
/// @cost O(J N H D); unit vectors of one head at a time, [N, D] in double
[[nodiscard]] Result<std::vector<std::vector<NearestList>>> nearestByHeads(const HeadVectors& documents,
                                                                           const HeadVectors& queries, std::int64_t n,
                                                                           std::span<const std::int64_t> own,
                                                                           int numThreads, JobContext& job);

/// Fuses the heads' lists into one ranking.
///
/// A head at rank r (from 0) of a list of n gives its document the strategy's weight; votes of a
/// document are added in walking order (head 0 ranks 0..n-1, then head 1, ...), and equal sums
/// keep the order in which the documents were first met.
/// @param lists        [H], each of length n, or shorter where the head has no direction in some documents
/// @param headWeights  [H] factor of every head (its score for the weighted strategies, times the
///                     user's own weight); a factor of 0 mutes the head
/// @return at most as many documents as the longest list has
/// @source published code of multi-head retrieval (arXiv 2406.05085); rules: tests/golden/analysis/README.md
[[nodiscard]] std::vector<RetrievedDocument> fuseVotes(VotingStrategy strategy, std::span<const NearestList> lists,
                                                       std::span<const double> headWeights);

} // namespace headscope
