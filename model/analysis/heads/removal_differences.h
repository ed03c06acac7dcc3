// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "model/analysis/heads/pruning_units.h"
#include "model/base/job_context.h"
#include "model/base/result.h"
#include "model/data/results/pruning_results.h"

#include <cstdint>
#include <span>
#include <vector>

namespace headscope
{

/// How the scores of the same documents differ between sets of heads and one that they are compared with.
/// @param without    [sets][n] scores
/// @param with       [n]
/// @param fullScore  of one document
/// @return one for each set: 1,000 resamples of documents and 9,999 sign flips, the same for all sets; q over the sets
///         that are tested
/// @errors Cancelled
/// @cost   O(sets x n x (1,000 + 9,999 x share of documents that differ))
[[nodiscard]] Result<std::vector<PairedDifference>>
pairedDifferences(std::span<const std::vector<std::int32_t>> without, std::span<const std::int32_t> with,
                  std::int32_t fullScore, std::uint64_t seed, int numThreads, JobContext& job);

/// The effect of taking each unit alone away, all others staying; where what is scored is also found by others
/// (HeadSetMeasure::findsItself) the interval is a jackknife over the documents, and there is neither p nor q: one
/// document changes the scores of many, so that flipping them one by one would tell changes that are none. [units]
/// @errors Cancelled
[[nodiscard]] Result<std::vector<PairedDifference>> removalDifferences(const HeadSetMeasure& measure,
                                                                       const ModelInfo& model, PruningUnit unit,
                                                                       std::uint64_t seed, int numThreads,
                                                                       JobContext& job);

/// The effect of taking away the heads that are not kept, with the same intervals, and p where those have one.
/// @param kept  [H]
/// @errors Cancelled
[[nodiscard]] Result<PairedDifference> maskDifference(const HeadSetMeasure& measure, const std::vector<bool>& kept,
                                                      std::uint64_t seed, int numThreads, JobContext& job);

/// The 95% interval of the measure itself: Wilson's where a document counts or does not, else a jackknife over
/// the documents where the queries are of them, and a bootstrap over the queries, the documents fixed, where they are
/// not; NaN where fewer than kMinChanged of them find anything.
/// @errors Cancelled
[[nodiscard]] Result<Interval> intervalOfMask(const HeadSetMeasure& measure, const std::vector<bool>& kept,
                                              std::uint64_t seed, int numThreads, JobContext& job);

} // namespace headscope
