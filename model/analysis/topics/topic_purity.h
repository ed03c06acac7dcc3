// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "model/base/job_context.h"
#include "model/data/head_vectors.h"
#include "model/data/results/interval.h"

#include <cstdint>
#include <span>

namespace headscope
{

/// How the purity is measured and tested.
struct PurityOptions
{
    int neighbors = 10;                               ///< nearest documents that are looked at, at least 1
    std::int64_t permutations = kDefaultPermutations; ///< of the labels among the documents; 0: no p value
    std::uint64_t seed = 1;
};

/// How often the nearest documents of a document share its label.
struct TopicPurity
{
    double share = 0;           ///< of a document's nearest documents that have its own label, mean over the documents
    Interval ci95;              ///< jackknife by document, the neighbours of all others found without it
    double chance = 0;          ///< the same for neighbours drawn at random from the others
    PermutationNull null;       ///< the same neighbours, labels shuffled among the documents
    std::int64_t documents = 0; ///< that count: labelled, finite, not zero
    std::int64_t neighbors =
        0; ///< looked at: as asked, or all others: then, and with one label, there is no interval and no p
};

/// Purity of the labels in the space of all heads, concatenated.
///
/// Nearest by cosine, itself excluded, among the documents that count. Needs labels only, no topic vectors.
/// @param labels     [N] code of each document, -1 = none
/// @errors  ShapeMismatch, WrongUse (neighbors < 1), InvalidArgument (fewer than two documents count, no two have the
///          same label), Cancelled
/// @threads reentrant; uses numThreads threads; result independent of their number
/// @cost    exact neighbours: N^2 H D / 2 multiply-adds; permutations x N x neighbours comparisons
[[nodiscard]] Result<TopicPurity> topicPurity(const HeadVectors& vectors, std::span<const std::int32_t> labels,
                                              const PurityOptions& options, int numThreads, JobContext& job);

} // namespace headscope
