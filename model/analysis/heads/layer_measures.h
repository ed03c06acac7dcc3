// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "model/base/job_context.h"
#include "model/data/head_vectors.h"
#include "model/data/results/layer_results.h"

#include <cstdint>
#include <span>

namespace headscope
{

/// Measures one stage of one layer: the head-index probe, the purity of the labels among the nearest
/// documents, and the redundancy of the heads. What the data do not allow (one head, no labels, a head without
/// variance) stays NaN and is named in LayerMeasures::missing.
/// @param heads          0-based, ascending
/// @param headsPerGroup  of the model; used only to divide the probe's errors by KV group
/// @param labels         [N] code of each document, -1 = none; empty: no labels
/// @errors  InvalidArgument (a head that the vectors do not have, no head), Cancelled
/// @threads reentrant; uses numThreads threads; result independent of their number, but for `seconds`
/// @cost    a probe (probeHeads), N^2 H D / 2 for the purity, N H^2 D^2 / 2 for the redundancy
[[nodiscard]] Result<LayerMeasures> measureLayer(const HeadVectors& vectors, std::span<const std::int64_t> heads,
                                                 std::int64_t headsPerGroup, std::span<const std::int32_t> labels,
                                                 const LayerOptions& options, int numThreads, JobContext& job);

/// The same measures with the purity of other labels, or of another number of neighbours; the probe and the
/// redundancy, which do not depend on labels, are copied from `known`.
/// @param known    of these vectors and heads
/// @errors  as measureLayer
/// @cost    N^2 H D / 2
[[nodiscard]] Result<LayerMeasures> withPurity(LayerMeasures known, const HeadVectors& vectors,
                                               std::span<const std::int64_t> heads,
                                               std::span<const std::int32_t> labels, int neighbors, int numThreads,
                                               JobContext& job);

} // namespace headscope
