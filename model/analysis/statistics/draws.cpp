// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/analysis/statistics/draws.h"

#include <utility>

namespace headscope
{

std::vector<std::int64_t> resample(const Draws& draws, std::int64_t b, std::int64_t n)
{
    std::vector<std::int64_t> units(static_cast<std::size_t>(n));
    for (std::int64_t k = 0; k < n; ++k)
        units[static_cast<std::size_t>(k)] = draws.below(static_cast<std::uint64_t>(b * n + k), n);
    return units;
}

std::vector<std::int32_t> permutedLabels(std::span<const std::int32_t> labels, const Draws& draws, std::int64_t b)
{
    std::vector<std::size_t> labelled;
    for (std::size_t i = 0; i < labels.size(); ++i)
    {
        if (labels[i] >= 0)
            labelled.push_back(i);
    }
    std::vector<std::int32_t> permuted(labels.begin(), labels.end());
    const auto n = static_cast<std::int64_t>(labelled.size());
    for (std::int64_t i = n - 1; i > 0; --i) // Fisher-Yates
    {
        const std::int64_t other = draws.below(static_cast<std::uint64_t>(b * n + i), i + 1);
        std::swap(permuted[labelled[static_cast<std::size_t>(i)]], permuted[labelled[static_cast<std::size_t>(other)]]);
    }
    return permuted;
}

} // namespace headscope
