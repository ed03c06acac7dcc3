// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/analysis/heads/head_follows.h"

#include "model/analysis/statistics/jackknife.h"
#include "model/base/parallel.h"
#include "model/base/size_of.h"
#include "model/data/results/measures/few_documents.h"
#include "model/kernels/distances.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace headscope
{
namespace
{

constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();

/// Cosine without the numbers from `begin` to `end`; NaN without a direction.
double cosineOutside(std::span<const float> a, std::span<const float> b, std::int64_t begin, std::int64_t end)
{
    const std::int64_t behind = std::ssize(a) - end;
    const double size = (squaredNorm(a.data(), begin) + squaredNorm(a.data() + end, behind)) *
                        (squaredNorm(b.data(), begin) + squaredNorm(b.data() + end, behind));
    if (!(size > 0) || !std::isfinite(size))
        return kNaN;
    return (dotProduct(a.data(), b.data(), begin) + dotProduct(a.data() + end, b.data() + end, behind)) /
           std::sqrt(size);
}

/// Mean over the topics that have a correlation, without each groups-th document from `left` on; left = groups: of all.
double meanSpearman(const std::vector<std::vector<double>>& own, const std::vector<std::vector<double>>& full,
                    std::size_t left, std::size_t groups)
{
    double sum = 0;
    double topics = 0;
    std::size_t document = 0;
    for (std::size_t topic = 0; topic < own.size(); ++topic)
    {
        std::vector<double> a;
        std::vector<double> b;
        for (std::size_t i = 0; i < own[topic].size(); ++i, ++document)
        {
            if (groups > 0 && document % groups == left)
                continue;
            a.push_back(own[topic][i]);
            b.push_back(full[topic][i]);
        }
        const double correlation = spearman(a, b);
        sum += std::isnan(correlation) ? 0.0 : correlation;
        topics += std::isnan(correlation) ? 0 : 1;
    }
    return topics > 0 ? sum / topics : kNaN;
}

/// The 95% interval of the mean over topics of Spearman's correlations, by a jackknife over documents; of more than
/// 200 documents over 200 groups of them, each with documents of all topics.
/// @param own, full  by topic, a number a document; the same lengths
/// @return inside [-1, 1]; NaN where jackknifeInterval has none
Interval followsInterval(const std::vector<std::vector<double>>& own, const std::vector<std::vector<double>>& full)
{
    constexpr std::size_t kMaxGroups = 200;
    std::size_t documents = 0;
    for (const auto& topic : own)
        documents += topic.size();
    if (static_cast<std::int64_t>(documents) < kFewestDocuments)
        return {};
    const std::size_t groups = std::min(documents, kMaxGroups);
    std::vector<double> leftOut;
    for (std::size_t group = 0; group < groups; ++group)
        leftOut.push_back(meanSpearman(own, full, group, groups));
    const Interval interval = jackknifeInterval(meanSpearman(own, full, groups, groups), leftOut);
    return std::isfinite(interval.low) ? Interval{std::max(-1.0, interval.low), std::min(1.0, interval.high)}
                                       : interval;
}

} // namespace

std::vector<Interval> followsIntervals(const Heatmap& heatmap, int numThreads, const JobContext& job)
{
    std::vector<Interval> intervals(static_cast<std::size_t>(heatmap.values.rows() - 1));
    parallelFor(numThreads, heatmap.values.rows() - 1, 1, [&](std::int64_t head, std::int64_t) {
        std::vector<std::vector<double>> own(heatmap.topicOrder.size());
        std::vector<std::vector<double>> full(own.size());
        for (std::size_t t = 0; t < own.size() && !job.stopRequested(); ++t)
            for (std::int64_t column = heatmap.topicStart[t]; column < heatmap.topicStart[t + 1]; ++column)
            {
                const double one = static_cast<double>(heatmap.values(1 + head, column));
                const double other = static_cast<double>(heatmap.values(0, column));
                if (std::isnan(one) || std::isnan(other))
                    continue;
                own[t].push_back(one);
                full[t].push_back(other);
            }
        if (!job.stopRequested())
            intervals[static_cast<std::size_t>(head)] = followsInterval(own, full);
    });
    return intervals;
}

Result<FollowsNumbers> followsRest(const TopicInput& input, int numThreads, JobContext& job)
{
    const std::int64_t heads = input.documents->heads();
    const std::int64_t dims = input.documents->dims();
    std::vector<std::vector<std::int64_t>> members(sizeOf(input.topics->documents()));
    for (std::size_t i = 0; i < input.labels->codes.size(); ++i)
        if (const std::int32_t code = input.labels->codes[i]; code >= 0)
            members[sizeOf(code)].push_back(static_cast<std::int64_t>(i));
    FollowsNumbers result{std::vector<double>(sizeOf(heads), kNaN), std::vector<Interval>(sizeOf(heads))};
    parallelFor(numThreads, heads, 1, [&](std::int64_t head, std::int64_t) {
        std::vector<std::vector<double>> own(members.size());
        std::vector<std::vector<double>> rest(members.size());
        for (std::size_t topic = 0; topic < members.size() && !job.stopRequested(); ++topic)
        {
            const DocumentIndex row(static_cast<std::int64_t>(topic));
            for (const std::int64_t document : members[topic])
            {
                const double one = cosine(input.documents->vector(DocumentIndex(document), HeadIndex(head)),
                                          input.topics->vector(row, HeadIndex(head)));
                const double other = cosineOutside(input.fullDocuments.row(document), input.fullTopics.row(row.value()),
                                                   head * dims, (head + 1) * dims);
                if (std::isnan(one) || std::isnan(other))
                    continue;
                own[topic].push_back(one);
                rest[topic].push_back(other);
            }
        }
        result.value[sizeOf(head)] = meanSpearman(own, rest, 1, 1);
        result.ci95[sizeOf(head)] = followsInterval(own, rest);
    });
    HEADSCOPE_CHECK(job.checkStop());
    return result;
}

} // namespace headscope
