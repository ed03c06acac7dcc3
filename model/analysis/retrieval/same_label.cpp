// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/analysis/retrieval/same_label.h"

#include "model/analysis/retrieval/query_jackknife.h"
#include "model/analysis/statistics/intervals.h"

#include <algorithm>
#include <map>
#include <optional>

namespace headscope
{
namespace
{

/// Of a ranking, the results with a label, and those with this one.
struct Counted
{
    std::int64_t known = 0;
    std::int64_t same = 0;
};

template <class LabelOf>
Counted countLabels(std::span<const std::int64_t> ranking, std::int32_t own, const LabelOf& labelOf)
{
    Counted counted;
    for (const std::int64_t row : ranking)
    {
        counted.known += labelOf(row) >= 0 ? 1 : 0;
        counted.same += labelOf(row) == own ? 1 : 0;
    }
    return counted;
}

/// Tells the jackknife what a query's share is without each of its results.
template <class LabelOf>
void addWithout(QueryJackknife& jackknife, std::span<const std::int64_t> ranking, std::int64_t asking,
                const Counted& counted, const LabelOf& labelOf)
{
    for (const std::int64_t row : ranking)
    {
        if (labelOf(row) < 0 || row == asking)
            continue;
        if (counted.known == 1)
        {
            jackknife.addWithout(row, std::nullopt);
            continue;
        }
        const std::int64_t same = counted.same - (labelOf(row) == labelOf(asking) ? 1 : 0);
        jackknife.addWithout(row, static_cast<double>(same) / static_cast<double>(counted.known - 1));
    }
}

/// How sure the mean of the shares is.
Interval intervalOf(const std::vector<double>& shares, std::uint64_t seed)
{
    constexpr std::int64_t kMinQueries = 10; // fewer are drawn again into much the same ones
    if (std::ssize(shares) < kMinQueries)
        return {};
    const auto mean = [&shares](std::span<const std::int64_t> drawn) {
        double sum = 0;
        for (const std::int64_t one : drawn)
            sum += shares[static_cast<std::size_t>(one)];
        return sum / static_cast<double>(drawn.size());
    };
    return withWidthAtEnds(bootstrapInterval(std::ssize(shares), mean, {.seed = seed}).ci95, std::ssize(shares));
}

} // namespace

SameLabel sameLabel(std::span<const std::vector<std::int64_t>> rankings, std::span<const std::int64_t> asking,
                    std::span<const std::int32_t> labels, std::span<const std::int64_t> searched, bool left,
                    std::uint64_t seed)
{
    const auto labelOf = [labels](std::int64_t row) { return labels[static_cast<std::size_t>(row)]; };
    std::map<std::int32_t, std::int64_t> counts;
    std::int64_t labelled = 0;
    for (const std::int64_t row : searched)
        if (labelOf(row) >= 0)
        {
            ++counts[labelOf(row)];
            ++labelled;
        }
    SameLabel result;
    result.allLabelled = true;
    std::vector<double> shares;
    QueryJackknife jackknife;
    double chance = 0;
    for (std::size_t query = 0; query < rankings.size(); ++query)
    {
        const std::int32_t own = labelOf(asking[query]);
        const Counted counted = countLabels(rankings[query], own, labelOf);
        if (own < 0 || counted.known == 0)
            continue;
        shares.push_back(static_cast<double>(counted.same) / static_cast<double>(counted.known));
        jackknife.add(shares.back(), asking[query]);
        result.allLabelled = result.allLabelled && counted.known == std::ssize(rankings[query]);
        addWithout(jackknife, rankings[query], asking[query], counted, labelOf);
        const bool among = left && std::ranges::binary_search(searched, asking[query]);
        const std::int64_t others = labelled - (among ? 1 : 0); // at least one: a labelled result is there
        chance += static_cast<double>(counts[own] - (among ? 1 : 0)) / static_cast<double>(others);
    }
    result.queries = std::ssize(shares);
    if (shares.empty())
        return result;
    double sum = 0;
    for (const double share : shares)
        sum += share;
    result.share = sum / static_cast<double>(shares.size());
    result.chance = chance / static_cast<double>(shares.size());
    result.isCertain = counts.size() == 1;
    result.byDocument = areOthersAmong(asking, searched);
    if (result.isCertain)
        return result;
    if (result.byDocument)
        result.ci95 = jackknife.interval(std::ssize(searched));
    else
        result.ci95 = intervalOf(shares, seed);
    return result;
}

} // namespace headscope
