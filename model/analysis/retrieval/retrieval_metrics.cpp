// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/analysis/retrieval/retrieval_metrics.h"

#include "model/base/assert.h"

#include <algorithm>
#include <cmath>
#include <set>

namespace headscope
{
namespace
{

std::int32_t labelOf(std::span<const std::int32_t> labels, std::int64_t document)
{
    return labels.empty() ? -1 : labels[static_cast<std::size_t>(document)];
}

} // namespace

RetrievalMetrics measureRanking(std::span<const std::int64_t> ranked, std::span<const std::int64_t> relevant,
                                std::span<const std::int32_t> labels)
{
    HEADSCOPE_ASSERT(!relevant.empty());
    const std::set<std::int64_t> wanted(relevant.begin(), relevant.end());
    std::set<std::int32_t> wantedLabels;
    for (const std::int64_t document : relevant)
        if (const std::int32_t label = labelOf(labels, document); label >= 0)
            wantedLabels.insert(label);

    RetrievalMetrics metrics;
    std::set<std::int32_t> coveredLabels;
    std::size_t found = 0;
    double gain = 0;
    double idealGain = 0;
    for (std::size_t j = 0; j < ranked.size(); ++j)
    {
        const double discount = 1.0 / std::log2(static_cast<double>(j) + 2);
        if (wanted.contains(ranked[j]))
        {
            ++found;
            gain += discount;
            if (metrics.reciprocalRank == 0)
                metrics.reciprocalRank = 1.0 / static_cast<double>(j + 1);
        }
        if (j < wanted.size())
            idealGain += discount;
        if (const std::int32_t label = labelOf(labels, ranked[j]); wantedLabels.contains(label))
            coveredLabels.insert(label);
        const double ratio = static_cast<double>(found) / static_cast<double>(wanted.size());
        const double categories =
            wantedLabels.empty() ? 1.0
                                 : static_cast<double>(coveredLabels.size()) / static_cast<double>(wantedLabels.size());
        metrics.success.push_back(found == wanted.size() ? 1.0 : 0.0);
        metrics.successRatio.push_back(ratio);
        metrics.categoryRatio.push_back(categories);
        metrics.weightedSuccess.push_back((2 * ratio + categories) / 3);
        metrics.ndcg.push_back(gain / idealGain);
    }
    return metrics;
}

namespace
{

void addTo(std::vector<double>& sum, const std::vector<double>& one)
{
    const std::size_t length = std::max(sum.size(), one.size());
    sum.resize(length, sum.empty() ? 0.0 : sum.back());
    for (std::size_t j = 0; j < length && !one.empty(); ++j)
        sum[j] += one[std::min(j, one.size() - 1)];
}

} // namespace

void MeanRetrievalMetrics::add(const RetrievalMetrics& one)
{
    addTo(m_sums.success, one.success);
    addTo(m_sums.successRatio, one.successRatio);
    addTo(m_sums.categoryRatio, one.categoryRatio);
    addTo(m_sums.weightedSuccess, one.weightedSuccess);
    addTo(m_sums.ndcg, one.ndcg);
    m_sums.reciprocalRank += one.reciprocalRank;
    ++m_queries;
}

RetrievalMetrics MeanRetrievalMetrics::mean() const
{
    RetrievalMetrics mean = m_sums;
    if (m_queries == 0)
        return mean;
    const auto count = static_cast<double>(m_queries);
    for (std::vector<double>* values :
         {&mean.success, &mean.successRatio, &mean.categoryRatio, &mean.weightedSuccess, &mean.ndcg})
        for (double& value : *values)
            value /= count;
    mean.reciprocalRank /= count;
    return mean;
}

} // namespace headscope
