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

} // namespace headscope
