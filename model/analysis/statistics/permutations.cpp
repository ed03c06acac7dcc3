// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/analysis/statistics/permutations.h"

#include "model/analysis/statistics/draws.h"
#include "model/analysis/statistics/intervals.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <utility>

namespace headscope
{

PermutationNull permutationNull(double observed, std::vector<double> permuted)
{
    std::erase_if(permuted, [](double value) { return !std::isfinite(value); });
    PermutationNull null;
    null.permutations = static_cast<std::int64_t>(permuted.size());
    if (permuted.empty() || !std::isfinite(observed))
        return null;
    std::sort(permuted.begin(), permuted.end());
    const double least = observed - 1e-12 * std::abs(observed);
    const auto larger = permuted.end() - std::lower_bound(permuted.begin(), permuted.end(), least);
    null.p = static_cast<double>(1 + larger) / static_cast<double>(1 + null.permutations);
    null.mean = std::accumulate(permuted.begin(), permuted.end(), 0.0) / static_cast<double>(null.permutations);
    null.high = quantile(permuted, 0.95);
    return null;
}

SignTest signFlipTest(std::span<const std::int64_t> first, std::span<const std::int64_t> second, std::uint64_t seed,
                      std::int64_t draws)
{
    SignTest test;
    test.draws = draws;
    const std::size_t n = first.size();
    std::vector<std::pair<std::size_t, std::int64_t>> differences; // units that do not differ need no coin
    for (std::size_t i = 0; i < n; ++i)
    {
        if (first[i] != second[i])
            differences.emplace_back(i, first[i] - second[i]);
        test.statistic += first[i] - second[i];
    }
    const Draws random(seed);
    std::int64_t larger = 0;
    for (std::int64_t b = 0; b < draws; ++b)
    {
        std::int64_t sum = 0;
        for (const auto& [i, difference] : differences)
        {
            const bool heads = random.coin(static_cast<std::uint64_t>(b) * n + i);
            sum += heads ? difference : -difference;
        }
        larger += std::abs(sum) >= std::abs(test.statistic) ? 1 : 0;
    }
    test.p = static_cast<double>(1 + larger) / static_cast<double>(1 + draws);
    return test;
}

double shuffledHitsP(std::span<const std::int32_t> predicted, std::span<const std::int32_t> truths, std::uint64_t seed,
                     std::int64_t draws)
{
    const Draws random(seed);
    std::int64_t hits = 0;
    for (std::size_t i = 0; i < truths.size(); ++i)
        hits += predicted[i] == truths[i] ? 1 : 0;
    std::vector<std::int32_t> shuffled(truths.begin(), truths.end());
    std::uint64_t counter = 0;
    std::int64_t asMany = 0;
    for (std::int64_t draw = 0; draw < draws; ++draw)
    {
        std::int64_t told = 0;
        for (std::size_t i = shuffled.size(); i-- > 0;) // Fisher-Yates, counting what falls into place
        {
            std::swap(shuffled[i], shuffled[random.below(counter++, i + 1)]);
            told += predicted[i] == shuffled[i] ? 1 : 0;
        }
        asMany += told >= hits ? 1 : 0;
    }
    return static_cast<double>(asMany + 1) / static_cast<double>(draws + 1);
}

std::vector<double> benjaminiHochberg(std::span<const double> p)
{
    std::vector<std::size_t> order;
    for (std::size_t i = 0; i < p.size(); ++i)
    {
        if (!std::isnan(p[i]))
            order.push_back(i);
    }
    std::stable_sort(order.begin(), order.end(), [&p](std::size_t a, std::size_t b) { return p[a] < p[b]; });
    std::vector<double> q(p.size(), std::numeric_limits<double>::quiet_NaN());
    double least = 1;
    for (std::size_t rank = order.size(); rank > 0; --rank)
    {
        const double value = p[order[rank - 1]] * static_cast<double>(order.size()) / static_cast<double>(rank);
        least = std::min(least, value);
        q[order[rank - 1]] = least;
    }
    return q;
}

} // namespace headscope
