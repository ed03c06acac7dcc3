// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "model/base/job_context.h"
#include "model/data/head_vectors.h"

#include <cstdint>
#include <span>

namespace headscope
{

/// How often the nearest documents of a document share its label.
struct TopicPurity
{
    double share = 0;           ///< of a document's nearest documents that have its own label, mean over the documents
    double chance = 0;          ///< the same for neighbours drawn at random from the others
    std::int64_t documents = 0; ///< that count: labelled, finite, not zero
    std::int64_t neighbors = 0; ///< looked at: as asked, or all others where there are fewer
};

/// Purity of the labels in the space of all heads, concatenated.
///
/// Nearest by cosine, itself excluded, among the documents that count. Needs labels only, no topic vectors.
/// @param labels     [N] code of each document, -1 = none
/// @param neighbors  nearest documents that are looked at, at least 1
/// @errors  ShapeMismatch, WrongUse (neighbors < 1), InvalidArgument (fewer than two documents count), Cancelled
/// @threads reentrant; uses numThreads threads; result independent of their number
/// @cost    exact neighbours: N^2 H D / 2 multiply-adds
[[nodiscard]] Result<TopicPurity> topicPurity(const HeadVectors& vectors, std::span<const std::int32_t> labels,
                                              int neighbors, int numThreads, JobContext& job);

} // namespace headscope
