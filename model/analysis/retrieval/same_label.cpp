// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/analysis/retrieval/same_label.h"

#include "model/analysis/retrieval/query_jackknife.h"
#include "model/analysis/statistics/intervals.h"

#include <algorithm>
#include <map>
#include <optional>

namespace headscope
{
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
        std::int64_t known = 0;
        std::int64_t same = 0;
        for (const std::int64_t row : rankings[query])
        {
            known += labelOf(row) >= 0 ? 1 : 0;
            same += labelOf(row) == own ? 1 : 0;
        }
        if (own < 0 || known == 0)
            continue;
        shares.push_back(static_cast<double>(same) / static_cast<double>(known));
        jackknife.add(shares.back(), asking[query]);
        result.allLabelled = result.allLabelled && known == std::ssize(rankings[query]);
        for (const std::int64_t row : rankings[query])
            if (labelOf(row) >= 0 && row != asking[query])
                jackknife.addWithout(row, known == 1 ? std::nullopt
                                                     : std::optional(static_cast<double>(same - (labelOf(row) == own)) /
                                                                     static_cast<double>(known - 1)));
        const bool among = left && std::ranges::binary_search(searched, asking[query]);
        const std::int64_t others = labelled - (among ? 1 : 0); // at least one: a labelled result is there
        chance += static_cast<double>(counts[own] - (among ? 1 : 0)) / static_cast<double>(others);
    }
    result.queries = std::ssize(shares);
    if (shares.empty())
        return result;
    const auto mean = [&shares](std::span<const std::int64_t> drawn) {
        double sum = 0;
        for (const std::int64_t one : drawn)
            sum += shares[static_cast<std::size_t>(one)];
        return sum / static_cast<double>(drawn.size());
    };
    double sum = 0;
    for (const double share : shares)
        sum += share;
    result.share = sum / static_cast<double>(shares.size());
    result.chance = chance / static_cast<double>(shares.size());
    constexpr std::int64_t kFewestQueries = 10; // fewer are drawn again into much the same ones
    result.isCertain = counts.size() == 1;
    result.byDocument = areOthersAmong(asking, searched);
    if (result.isCertain)
        return result;
    if (result.byDocument)
        result.ci95 = jackknife.interval(std::ssize(searched));
    else if (result.queries >= kFewestQueries)
        result.ci95 = bootstrapInterval(result.queries, mean, {.seed = seed}).ci95;
    return result;
}

} // namespace headscope
