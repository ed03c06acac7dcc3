// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "model/base/job_context.h"
#include "model/base/result.h"
#include "model/data/head_vectors.h"
#include "model/data/matrix.h"
#include "model/data/results/probe_result.h"

#include <cstdint>
#include <span>
#include <vector>

namespace headscope
{

/// What a probe is trained and tested on.
struct ProbeInput
{
    ConstMatrixView rows;                    ///< [n, D]
    std::span<const std::int32_t> labels;    ///< [n] class of each row, from 0
    std::int64_t classes = 0;                ///< 0 = one more than the largest label
    std::span<const std::int32_t> documents; ///< [n]; needed to split by documents
    std::span<const std::int64_t> testRows;  ///< rows that test; empty = split as the options say
};

/// Rows that train and rows that test, each ascending, without a row in common.
struct RowSplit
{
    std::vector<std::int64_t> train;
    std::vector<std::int64_t> test;
};

/// Divides rows by a seeded shuffle of documents or of rows; options.testShare of them test.
/// @errors InvalidArgument (nothing left on one side, options.trainRows more than there are),
///         WrongUse (a share outside (0, 1))
[[nodiscard]] Result<RowSplit> splitForProbe(const ProbeInput& input, const ProbeOptions& options);

/// Trains on one part of the rows, tests on the other.
///
/// Where rows belong to documents the interval of the accuracy is by document: the rows of one document are named by
/// the same fit from vectors of the same text, and are right or wrong together. With options.control the labels are
/// shuffled among all rows first. That is a leak check: an interval above chance would point to test rows in the
/// training. It says nothing about the probe's capacity (probeBaselines has a control task).
/// @errors  InvalidArgument, WrongUse, ShapeMismatch (as a sentence on what is missing), Cancelled
/// @threads uses `numThreads` threads; result independent of their number, but for `seconds`
[[nodiscard]] Result<ProbeResult> runProbe(const ProbeInput& input, const ProbeOptions& options, int numThreads,
                                           JobContext& job);

/// The head-index probe of one stage and layer: classes are positions in `heads`.
/// @param points   from gatherPoints
/// @param heads    the chosen heads, ascending; the classes, and HeadScore::head
[[nodiscard]] Result<ProbeResult> probeHeads(const HeadPoints& points, std::span<const std::int64_t> heads,
                                             std::int64_t headsPerGroup, Stage stage, LayerIndex layer,
                                             const ProbeOptions& options, int numThreads, JobContext& job);

} // namespace headscope
