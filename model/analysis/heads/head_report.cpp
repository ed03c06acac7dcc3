// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/analysis/heads/head_report.h"

#include "model/analysis/heads/head_follows.h"
#include "model/analysis/heads/head_labels.h"
#include "model/analysis/heads/scaling.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <utility>

namespace headscope
{
namespace
{

/// A plane of the heads in which distances are 1 - likeness.
Result<MatrixD> planeOf(const MatrixD& likeness, JobContext& job)
{
    MatrixD distances(likeness.rows(), likeness.cols());
    for (std::int64_t i = 0; i < likeness.rows(); ++i)
        for (std::int64_t j = 0; j < likeness.cols(); ++j)
            distances(i, j) = i == j || likeness(i, j) > 1 ? 0.0 : 1 - likeness(i, j); // NaN stays
    HEADSCOPE_TRY(ScaledPlane plane, scaleToPlane(distances, job));
    return std::move(plane.xy);
}

} // namespace

Result<HeadTopicStatistics> headAnswers(const TopicInput& input, const HeadAnswerOptions& asked, int numThreads,
                                        JobContext& job)
{
    HeatmapOptions options;
    options.perTopic = std::numeric_limits<std::int32_t>::max();
    const auto counts = input.labels->counts();
    for (std::size_t code = 0; code < counts.size(); ++code)
        if (counts[code] > 0)
            options.topics.push_back(static_cast<std::int32_t>(code));
    if (options.topics.empty())
        return Error{ErrorCode::InvalidArgument, "none of these documents has a label", {}, {}};
    HEADSCOPE_TRY(const Heatmap heatmap, makeHeatmap(input, options, numThreads, job));
    HEADSCOPE_TRY(const auto statistics, heatmapStatistics(input, heatmap, numThreads, job));
    HEADSCOPE_TRY(const auto match, matchTopics(input, {1}, numThreads, job));
    HeadTopicStatistics answers;
    answers.options = asked;
    answers.documents = match.documents;
    answers.topics = match.topics;
    answers.matchChance = 1 / static_cast<double>(match.topics);
    answers.majority = static_cast<double>(*std::ranges::max_element(counts)) /
                       static_cast<double>(std::accumulate(counts.begin(), counts.end(), std::int64_t{0}));
    const auto heads = static_cast<std::size_t>(input.documents->heads());
    std::vector<std::int64_t> hits;
    for (std::size_t head = 0; head < heads; ++head)
    {
        answers.meanSimilarity.push_back(statistics.mean[1 + head]);
        answers.sdSimilarity.push_back(statistics.sd[1 + head]);
        answers.followsFull.push_back(statistics.spearmanMean[head]);
        answers.match.value.push_back(match.share(1 + static_cast<std::int64_t>(head), 0));
        answers.evenness.push_back(statistics.evenness[1 + head]);
        hits.push_back(match.hits(1 + static_cast<std::int64_t>(head), 0));
    }
    const std::vector<std::int64_t> measured(match.measured.begin() + 1, match.measured.end());
    HEADSCOPE_CHECK(testHeadLabels(input, hits, measured, numThreads, job, answers));
    for (std::size_t head = 0; head < heads; ++head)
    {
        const auto column = std::ranges::find(heatmap.topicOrder, answers.topTopic[head]);
        answers.topSimilarity.push_back(
            column == heatmap.topicOrder.end()
                ? std::numeric_limits<double>::quiet_NaN()
                : statistics.topicMean(1 + static_cast<std::int64_t>(head), column - heatmap.topicOrder.begin()));
    }
    // Full vectors that are as wide as the segments have the segment's own numbers at its place.
    if (asked.follows == FollowsMode::Rest && input.documents->stage() == Stage::OutputSegment &&
        input.fullDocuments.cols() == input.documents->heads() * input.documents->dims())
    {
        HEADSCOPE_TRY(FollowsNumbers rest, followsRest(input, numThreads, job));
        answers.followsFull = std::move(rest.value);
        answers.followsCi95 = std::move(rest.ci95);
    }
    else
        answers.followsCi95 = followsIntervals(heatmap, numThreads, job);
    HEADSCOPE_CHECK(job.checkStop());
    return answers;
}

Result<HeadPlanes> headPlanes(const HeadRedundancy& redundancy, JobContext& job)
{
    HeadPlanes planes;
    HEADSCOPE_TRY(planes.cka, planeOf(redundancy.cka, job));
    HEADSCOPE_TRY(planes.meanCosine, planeOf(redundancy.meanCosine, job));
    HEADSCOPE_TRY(planes.neighborOverlap, planeOf(redundancy.neighborOverlap, job));
    return planes;
}

} // namespace headscope
