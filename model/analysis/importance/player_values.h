// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "model/analysis/importance/mask_plan.h"
#include "model/base/job_context.h"
#include "model/base/result.h"
#include "model/data/matrix.h"
#include "model/data/results/importance_results.h"

#include <cstdint>
#include <span>
#include <vector>

namespace headscope
{

/// A standard error and how well it is known.
struct StandardError
{
    double value = 0;
    std::int64_t degrees = 0; ///< of freedom
};

/// Of a number with two independent errors: the root of the sum of their squares, with the degrees of freedom of Welch
/// and Satterthwaite, rounded down.
/// @source Satterthwaite 1946, Biometrics Bulletin 2, 110-114 (doi 10.2307/3002019)
[[nodiscard]] StandardError joined(StandardError one, StandardError other);

/// The rule of a role: facilitating where the 95% interval of the coefficient, by Student's t, lies above 0,
/// interfering where it lies below.
[[nodiscard]] PlayerRole roleOf(double coefficient, StandardError error);

/// Means over documents with the bootstrap's interval, all on the same resamples of the documents.
/// @param rows         [quantities, documents] a number of every document
/// @param differences  [quantities] those that are differences: without kMinChanged documents that are not 0 they
///                     have no interval
/// @return  [quantities]
/// @errors Cancelled
[[nodiscard]] Result<std::vector<Estimate>>
meansOverDocuments(const MatrixD& rows, const std::vector<bool>& differences, std::uint64_t seed, JobContext& job);

/// What a measure says of every player. All of it is linear in the values of the masks, so that every number is a mean
/// over documents of the number of each, with the bootstrap's interval over documents. A coefficient has a second
/// error, that of the masks that were drawn: its interval, p and role are of both together (not where all masks were
/// measured).
/// @param measure  what the values are: shares have a width at 0 and 1 (withWidthAtEnds), and the cosine of the whole
///                 model with itself has no interval
/// @param values  [masks of the plan, documents] of every mask and document
/// @param seed    of the resamples
/// @errors those of MaskRegression::create; Cancelled
/// @cost   1,000 (2 players + 2) documents multiply-adds
[[nodiscard]] Result<MeasureValues> playerValues(const MaskPlan& plan, ImportanceMeasure measure, const MatrixD& values,
                                                 std::uint64_t seed, JobContext& job);

} // namespace headscope
