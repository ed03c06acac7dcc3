// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "model/analysis/topics/topics.h"
#include "model/base/job_context.h"
#include "model/data/results/head_results.h"

namespace headscope
{

/// What the labels say of every head, over all labelled documents with their own topic.
/// @errors those of makeHeatmap and matchTopics; InvalidArgument (no labelled document)
/// @cost   O(N H D) and a sort inside each topic
[[nodiscard]] Result<HeadAnswers> headAnswers(const TopicInput& input, int numThreads, JobContext& job);

/// A map of the heads under each of the likenesses.
/// @errors those of scaleToPlane
[[nodiscard]] Result<HeadPlanes> headPlanes(const HeadRedundancy& redundancy, JobContext& job);

} // namespace headscope
