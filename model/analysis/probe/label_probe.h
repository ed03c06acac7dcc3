// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "model/base/job_context.h"
#include "model/base/result.h"
#include "model/data/head_vectors.h"
#include "model/data/results/label_probe_result.h"

#include <cstdint>
#include <span>

namespace headscope
{

/// Tells the label of each document by multinomial logistic regression: from each head's vector alone, and from the
/// vectors of all chosen heads one after another. The same splits of the documents for all of them.
///
/// Accuracy alone says little: where one label is common, naming it always is right often, so the share that gets right
/// (`majority`) and the balanced accuracy stand beside it. A label that the text carries is told from almost any vector
/// of it: a head above chance carries the label, it need not be about it.
/// @param heads   chosen heads, ascending, at least one
/// @param labels  [documents] codes, -1: none; documents without one, or whose chosen heads are not finite, are left
/// out
/// @param options c, testShare and seed count; a row is a document
/// @param splits  of the documents, at least one, by the seeds seed, seed + 1, ...; scores are means over them
/// @errors InvalidArgument (fewer than two labels, a side of the split without documents), OutOfMemory (before a
///          fit begins), Cancelled
/// @threads uses numThreads threads; result independent of their number, but for `seconds`
/// @cost    a split: H fits of [documents, D] and one of [documents, H D]
[[nodiscard]] Result<LabelProbeResult> probeLabels(const HeadVectors& vectors, std::span<const std::int64_t> heads,
                                                   std::span<const std::int32_t> labels, const ProbeOptions& options,
                                                   int numThreads, JobContext& job, int splits = 1);

} // namespace headscope
