// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "model/base/job_context.h"
#include "model/data/head_results.h"
#include "model/data/head_vectors.h"
#include "model/data/model_info.h"

#include <cstdint>
#include <span>
#include <vector>

namespace headscope
{

/// Which part of the model is taken away at a time.
enum class PruningUnit
{
    Heads,
    Groups, ///< a key/value head with all its query heads
};

/// Match at k of the concatenation of any set of heads, at the cost of one addition per head,
/// document and topic: products and squared lengths of heads add up.
///
/// A labelled document is matched at k when fewer than k topics come before its own; a topic comes
/// before when its cosine is larger, or equal with a lower number.
class HeadMatch
{
public:
    /// @param documents  [N, H, D]
    /// @param topics     [T, H, D] of the same stage and layer
    /// @param labels     [N] topic of each document, -1 = none; documents with NaN do not count
    /// @errors ShapeMismatch, Cancelled
    /// @cost   O(N T H D) once, then O(N T |heads|) a question
    [[nodiscard]] static Result<HeadMatch> create(const HeadVectors& documents, const HeadVectors& topics,
                                                  std::span<const std::int32_t> labels, int numThreads,
                                                  JobContext& job);

    [[nodiscard]] std::int64_t labelled() const { return static_cast<std::int64_t>(m_label.size()); }
    [[nodiscard]] std::int64_t heads() const { return m_heads; }
    /// Documents matched at k by these heads, one after another, raw.
    [[nodiscard]] std::int64_t hits(std::span<const std::int64_t> heads, std::int64_t k) const;

private:
    std::int64_t m_heads = 0;
    std::int64_t m_topics = 0;
    std::vector<std::int32_t> m_label;     // [n] labelled documents only
    std::vector<double> m_products;        // [H, n, T] document . topic
    std::vector<double> m_documentSquares; // [H, n]
    std::vector<double> m_topicSquares;    // [H, T]
};

/// What every single unit is worth: step u is the match without unit u.
/// @return [units]; `hits` and `value` (share of the labelled documents)
[[nodiscard]] std::vector<PruningStep> withoutEach(const HeadMatch& match, const ModelInfo& model, PruningUnit unit,
                                                   std::int64_t k);
/// The match of every unit alone.
[[nodiscard]] std::vector<PruningStep> eachAlone(const HeadMatch& match, const ModelInfo& model, PruningUnit unit,
                                                 std::int64_t k);

/// Removes, one after another, the unit whose removal leaves the most hits (ties: the lower index
/// goes first), until one is left. Step 0 is the start (unit -1), the last unit is never removed.
/// @errors Cancelled
[[nodiscard]] Result<std::vector<PruningStep>> backwardElimination(const HeadMatch& match, const ModelInfo& model,
                                                                   PruningUnit unit, std::int64_t k, JobContext& job);
/// Adds, one after another, the unit that gains the most hits (ties: the lower index), from none
/// to all. parametersSaved and kvBytesSaved are those of the units not yet added.
/// @errors Cancelled
[[nodiscard]] Result<std::vector<PruningStep>> forwardSelection(const HeadMatch& match, const ModelInfo& model,
                                                                PruningUnit unit, std::int64_t k, JobContext& job);

} // namespace headscope
