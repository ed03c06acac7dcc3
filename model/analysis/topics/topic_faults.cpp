// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/analysis/topics/topic_faults.h"

#include "model/analysis/topics/topic_cells.h"

#include <algorithm>
#include <cmath>

namespace headscope
{
namespace
{

double medianOf(std::vector<double> values)
{
    if (values.empty())
        return 0;
    const auto middle = values.begin() + std::ssize(values) / 2;
    std::nth_element(values.begin(), middle, values.end());
    return *middle;
}

} // namespace

TopicFaults topicFaults(const HeadVectors& documents, const HeadVectors& topics, const LabelColumn& labels)
{
    TopicFaults faults;
    std::vector<double> lengths;
    for (std::size_t row = 0; row < labels.codes.size(); ++row)
        if (labels.codes[row] >= 0)
            if (const double length = vectorLength(documents.full(DocumentIndex(static_cast<std::int64_t>(row))));
                std::isfinite(length) && length > 0)
                lengths.push_back(length);
    faults.documentLength = medianOf(std::move(lengths));
    const auto counts = labels.counts();
    std::vector<std::int32_t> used;
    for (std::int32_t topic = 0; topic < topics.documents() && topic < std::ssize(counts); ++topic)
        if (counts[static_cast<std::size_t>(topic)] > 0)
            used.push_back(topic);
    const auto vector = [&](std::int32_t topic) { return topics.full(DocumentIndex(topic)); };
    std::vector<double> tooLong;
    for (const std::int32_t topic : used)
        if (const double length = vectorLength(vector(topic));
            faults.documentLength > 0 && length > TopicFaults::kFarAbove * faults.documentLength)
        {
            faults.tooLong.push_back(topic);
            tooLong.push_back(length);
        }
    faults.topicLength = medianOf(std::move(tooLong));
    constexpr std::size_t kMaxCompared = 1000;
    for (std::size_t a = 0; a < used.size() && used.size() <= kMaxCompared; ++a)
        if (std::any_of(used.begin(), used.end(), [&](std::int32_t other) {
                return other != used[a] && cosine(vector(used[a]), vector(other)) >= TopicFaults::kNearOne;
            }))
            faults.alike.push_back(used[a]);
    return faults;
}

} // namespace headscope
