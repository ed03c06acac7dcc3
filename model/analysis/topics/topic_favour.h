// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "model/analysis/topics/topics.h"
#include "model/base/job_context.h"
#include "model/base/result.h"
#include "model/base/strong_index.h"
#include "model/data/results/measures/direction_results.h"

#include <vector>

namespace headscope
{

/// How much nearer the vectors of one head are to each topic when they are its own: the mean cosine of the topic's
/// documents with it, minus that of all other labelled documents. Intervals and p are Welch's, of unequal variances.
/// @return  the topics that have documents, the largest difference first, equal ones by code; those without a value last
/// @errors  ShapeMismatch, InvalidArgument (no labelled document), Cancelled
/// @threads reentrant
/// @cost    N T D multiply-adds
/// @source  Welch 1947, Biometrika 34, 28-35 (doi 10.1093/biomet/34.1-2.28)
[[nodiscard]] Result<std::vector<TopicFavour>> topicFavours(const TopicInput& input, HeadIndex head, JobContext& job);

} // namespace headscope
