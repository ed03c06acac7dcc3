// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/analysis/retrieval/retrieval_chance.h"

#include "model/base/assert.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <set>
#include <vector>

namespace headscope
{
namespace
{

/// How many candidates have each of the labels of relevant documents.
std::map<std::int32_t, std::int64_t> wantedLabels(std::span<const std::int64_t> candidates,
                                                  std::span<const std::int64_t> relevant,
                                                  std::span<const std::int32_t> labels)
{
    std::map<std::int32_t, std::int64_t> counts;
    if (labels.empty())
        return counts;
    const auto labelOf = [labels](std::int64_t row) { return labels[static_cast<std::size_t>(row)]; };
    for (const std::int64_t row : relevant)
        if (labelOf(row) >= 0)
            counts.try_emplace(labelOf(row), 0);
    for (const std::int64_t row : candidates)
        if (const auto found = counts.find(labelOf(row)); found != counts.end())
            ++found->second;
    return counts;
}

/// Of drawing without putting back: whether what is drawn has none of some documents so far.
class NoneYet
{
public:
    NoneYet(std::int64_t all, std::int64_t wanted) : m_left(all), m_others(all - wanted) {}

    [[nodiscard]] double probability() const { return m_probability; }
    void draw()
    {
        m_probability *= static_cast<double>(std::max<std::int64_t>(0, m_others)) / static_cast<double>(m_left);
        --m_left;
        --m_others;
    }

private:
    std::int64_t m_left;
    std::int64_t m_others;
    double m_probability = 1;
};

/// The probability that all of `wanted` are among `drawn` of `all`.
double allAmong(std::int64_t wanted, std::int64_t drawn, std::int64_t all)
{
    double probability = 1;
    for (std::int64_t i = 0; i < wanted; ++i)
        probability *= static_cast<double>(std::max<std::int64_t>(0, drawn - i)) / static_cast<double>(all - i);
    return probability;
}

} // namespace

RetrievalMetrics expectedByChance(std::span<const std::int64_t> candidates, std::int64_t n,
                                  std::span<const std::int64_t> relevant, std::span<const std::int32_t> labels)
{
    HEADSCOPE_ASSERT(!relevant.empty());
    const std::set<std::int64_t> wanted(relevant.begin(), relevant.end());
    const auto all = std::ssize(candidates);
    const std::int64_t there =
        std::ranges::count_if(candidates, [&](std::int64_t row) { return wanted.contains(row); });
    const double everyOne = static_cast<double>(std::ssize(wanted));
    std::vector<NoneYet> uncovered;
    for (const auto& [label, count] : wantedLabels(candidates, relevant, labels))
        uncovered.emplace_back(all, count);

    RetrievalMetrics metrics;
    NoneYet noneRelevant(all, there);
    double gain = 0;
    double idealGain = 0;
    for (std::int64_t j = 0; j < std::min(n, all); ++j)
    {
        const double before = noneRelevant.probability();
        noneRelevant.draw();
        metrics.reciprocalRank += (before - noneRelevant.probability()) / static_cast<double>(j + 1);
        const double discount = 1.0 / std::log2(static_cast<double>(j) + 2);
        gain += discount * static_cast<double>(there) / static_cast<double>(all);
        idealGain += j < std::ssize(wanted) ? discount : 0;
        double covered = 0;
        for (NoneYet& label : uncovered)
        {
            label.draw();
            covered += 1 - label.probability();
        }
        const double ratio =
            static_cast<double>(j + 1) / static_cast<double>(all) * static_cast<double>(there) / everyOne;
        const double categories = uncovered.empty() ? 1 : covered / static_cast<double>(uncovered.size());
        metrics.success.push_back(there < std::ssize(wanted) ? 0 : allAmong(there, j + 1, all));
        metrics.successRatio.push_back(ratio);
        metrics.categoryRatio.push_back(categories);
        metrics.weightedSuccess.push_back((2 * ratio + categories) / 3);
        metrics.ndcg.push_back(gain / idealGain);
    }
    return metrics;
}

} // namespace headscope
