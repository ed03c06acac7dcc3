// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "model/analysis/topics/topics.h"
#include "model/base/job_context.h"
#include "model/data/results/interval.h"

#include <vector>

namespace headscope
{

/// How well the heads follow the full vector, [H] each.
struct FollowsNumbers
{
    std::vector<double> value;
    std::vector<Interval> ci95;
};

/// The 95% intervals of HeatmapStatistics::spearmanMean, of each head's row of a heatmap with its full row, by a
/// jackknife over documents; of more than 200 documents over 200 groups of them, each with documents of all topics.
/// @return [H] inside [-1, 1], NaN where jackknifeInterval has none; not to be used when the job was stopped meanwhile
/// @threads uses numThreads threads; result independent of their number
[[nodiscard]] std::vector<Interval> followsIntervals(const Heatmap& heatmap, int numThreads, const JobContext& job);

/// Spearman's correlation, inside each topic and then the plain mean over the topics, of the cosines of a segment
/// with those of the full vector without the segment's own numbers.
/// @return [H] and its intervals; NaN where nothing is left
/// @pre the full vectors are as wide as all segments together
/// @errors  Cancelled
/// @cost    N H F multiply-adds, F the width of the full vectors
[[nodiscard]] Result<FollowsNumbers> followsRest(const TopicInput& input, int numThreads, JobContext& job);

} // namespace headscope
