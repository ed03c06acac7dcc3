// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/analysis/topics/topic_favour.h"

#include "model/analysis/statistics/permutations.h"
#include "model/analysis/statistics/running_moments.h"
#include "model/analysis/statistics/split_scores.h"
#include "model/analysis/topics/topic_cells.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <limits>

namespace headscope
{
namespace
{

void setWelch(TopicFavour& favour, const RunningMoments& own, const RunningMoments& others)
{
    favour.documents = own.count;
    favour.others = others.count;
    if (own.count == 0 || others.count == 0)
        return;
    favour.difference = own.mean - others.mean;
    if (own.count < 2 || others.count < 2)
        return;
    const double variance = own.variance() + others.variance();
    const double parts = own.variance() * own.variance() / static_cast<double>(own.count - 1) +
                         others.variance() * others.variance() / static_cast<double>(others.count - 1);
    if (!(variance > 0) || !(parts > 0))
        return;
    const auto degrees = std::max<std::int64_t>(1, static_cast<std::int64_t>(variance * variance / parts));
    const double half = studentQuantile(degrees) * std::sqrt(variance);
    favour.ci95 = {favour.difference - half, favour.difference + half};
    favour.p = studentP(favour.difference / std::sqrt(variance), degrees);
}

/// Cosines of the head with each topic that has documents: [topics][other documents, its own].
Result<std::vector<std::array<RunningMoments, 2>>> momentsOf(const TopicInput& input, HeadIndex head,
                                                             const std::vector<std::int64_t>& counts, JobContext& job)
{
    std::vector<std::array<RunningMoments, 2>> moments(counts.size());
    for (std::int64_t document = 0; document < input.documents->documents(); ++document)
    {
        HEADSCOPE_CHECK(job.checkStop());
        const std::int32_t own = input.labels->codes[static_cast<std::size_t>(document)];
        if (own < 0)
            continue;
        for (std::size_t topic = 0; topic < counts.size(); ++topic)
            if (counts[topic] > 0)
                if (const double cosine =
                        rowCosine(input, 1 + head.value(), DocumentIndex(document), static_cast<std::int32_t>(topic));
                    std::isfinite(cosine))
                    moments[topic][own == static_cast<std::int32_t>(topic) ? 1 : 0].add(cosine);
    }
    return moments;
}

} // namespace

Result<std::vector<TopicFavour>> topicFavours(const TopicInput& input, HeadIndex head, JobContext& job)
{
    HEADSCOPE_CHECK(checkShapes(input));
    const std::vector<std::int64_t> counts = input.labels->counts();
    if (std::ranges::all_of(counts, [](std::int64_t count) { return count == 0; }))
        return Error{ErrorCode::InvalidArgument, "expected labelled documents, found none", {}, {}};
    HEADSCOPE_TRY(const auto moments, momentsOf(input, head, counts, job));
    std::vector<TopicFavour> favours;
    std::vector<double> p;
    for (std::size_t topic = 0; topic < counts.size(); ++topic)
        if (counts[topic] > 0)
        {
            TopicFavour favour;
            favour.topic = static_cast<std::int32_t>(topic);
            setWelch(favour, moments[topic][1], moments[topic][0]);
            p.push_back(favour.p);
            favours.push_back(favour);
        }
    const std::vector<double> q = benjaminiHochberg(p);
    for (std::size_t i = 0; i < favours.size(); ++i)
        favours[i].q = q[i];
    std::ranges::stable_sort(favours, [](const TopicFavour& a, const TopicFavour& b) {
        constexpr double kLast = -std::numeric_limits<double>::infinity();
        return (std::isfinite(a.difference) ? a.difference : kLast) >
               (std::isfinite(b.difference) ? b.difference : kLast);
    });
    return favours;
}

} // namespace headscope
