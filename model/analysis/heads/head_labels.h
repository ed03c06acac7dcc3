// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "model/analysis/topics/topics.h"
#include "model/base/job_context.h"
#include "model/data/results/head_results.h"

#include <cstdint>
#include <vector>

namespace headscope
{

/// Holds the heads against labels that are shuffled among the labelled documents: selectivity, top topic and match.
///
/// Selectivity is the share of the variance of the cosines with the own topic that lies between topics: eta squared,
/// and from it epsilon squared = 1 - (1 - eta squared) (N - 1) / (N - T) of N documents and T topics (Kelley 1935, PNAS
/// 21, 554-559, doi 10.1073/pnas.21.9.554), without the bias of (T - 1) / (N - 1) that eta squared has where topics do
/// not differ.
/// Most of that variance is the topics' names: some are nearer to every document than others. The centred one takes
/// the mean over all labelled documents away from each topic's column of cosines first, which no labelling changes.
/// @param answers  match.value and match hits are there; fills selectivity, etaSquared, match, topTopic and topExcess
/// @param hits     [H] documents whose own topic is the nearest, of `measured` [H]
/// @errors  Cancelled
/// @threads uses numThreads threads; result independent of their number
/// @cost    N H T D for the cosines, (permutations + T) N H beyond; N T numbers of memory
[[nodiscard]] Status testHeadLabels(const TopicInput& input, const std::vector<std::int64_t>& hits,
                                    const std::vector<std::int64_t>& measured, int numThreads, JobContext& job,
                                    HeadTopicStatistics& answers);

/// How well the heads follow the full vector, [H] each.
struct FollowsNumbers
{
    std::vector<double> value;
    std::vector<Interval> ci95;
};

/// The 95 % interval of the mean over topics of Spearman's correlations, by a jackknife over documents; of more than
/// 200 documents over 200 groups of them, each with documents of all topics.
/// @param own, full  by topic, a number a document; the same lengths
/// @return inside [-1, 1]; NaN where jackknifeInterval has none
[[nodiscard]] Interval followsInterval(const std::vector<std::vector<double>>& own,
                                       const std::vector<std::vector<double>>& full);

/// followsInterval of each head's row of a heatmap with its full row: of HeatmapStatistics::spearmanMean.
/// @return [H]; not to be used when the job was stopped meanwhile
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
