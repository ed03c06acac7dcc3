// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "model/analysis/topics/topics.h"
#include "model/base/job_context.h"
#include "model/data/results/head_results.h"

namespace headscope
{

/// How well every head agrees with the labels, over all labelled documents and their own topics, and what shuffled
/// labels would give.
/// @errors those of makeHeatmap and matchTopics; InvalidArgument (no labelled document)
/// @cost   O(N H D), a sort inside each topic, and that of testHeadLabels
[[nodiscard]] Result<HeadTopicStatistics> headAnswers(const TopicInput& input, const HeadAnswerOptions& options,
                                                      int numThreads, JobContext& job);

/// The heads laid out in the plane by each of the three similarity measures.
/// @errors those of scaleToPlane
[[nodiscard]] Result<HeadPlanes> headPlanes(const HeadRedundancy& redundancy, JobContext& job);

} // namespace headscope
