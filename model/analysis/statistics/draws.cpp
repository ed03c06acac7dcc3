// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/analysis/statistics/draws.h"

#include <numeric>
#include <utility>

namespace headscope
{

std::vector<std::int64_t> shuffledIndices(const Draws& draws, std::int64_t count)
{
    std::vector<std::int64_t> order(static_cast<std::size_t>(count));
    std::iota(order.begin(), order.end(), std::int64_t{0});
    shuffle(draws, 0, count, [&order](std::int64_t a, std::int64_t b) {
        std::swap(order[static_cast<std::size_t>(a)], order[static_cast<std::size_t>(b)]);
    });
    return order;
}

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
    shuffle(draws, static_cast<std::uint64_t>(b * n), n, [&](std::int64_t i, std::int64_t other) {
        std::swap(permuted[labelled[static_cast<std::size_t>(i)]], permuted[labelled[static_cast<std::size_t>(other)]]);
    });
    return permuted;
}

} // namespace headscope
