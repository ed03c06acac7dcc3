// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/analysis/evaluation/rank_correlation.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

namespace headscope
{
namespace
{

/// Correlation of weighted values.
double weightedPearson(std::span<const double> a, std::span<const double> b, std::span<const std::int32_t> times)
{
    double count = 0;
    double meanA = 0;
    double meanB = 0;
    for (std::size_t i = 0; i < a.size(); ++i)
    {
        const auto weight = static_cast<double>(times[i]);
        count += weight;
        meanA += weight * a[i];
        meanB += weight * b[i];
    }
    meanA /= count;
    meanB /= count;
    double aa = 0;
    double bb = 0;
    double ab = 0;
    for (std::size_t i = 0; i < a.size(); ++i)
    {
        const auto weight = static_cast<double>(times[i]);
        aa += weight * (a[i] - meanA) * (a[i] - meanA);
        bb += weight * (b[i] - meanB) * (b[i] - meanB);
        ab += weight * (a[i] - meanA) * (b[i] - meanB);
    }
    return aa > 0 && bb > 0 ? ab / std::sqrt(aa * bb) : std::numeric_limits<double>::quiet_NaN();
}

} // namespace

std::vector<double> pairCosines(ConstMatrixView rows, std::span<const std::int64_t> first,
                                std::span<const std::int64_t> second)
{
    std::vector<double> cosines;
    cosines.reserve(first.size());
    for (std::size_t i = 0; i < first.size(); ++i)
    {
        const auto x = rows.row(first[i]);
        const auto y = rows.row(second[i]);
        double xx = 0;
        double yy = 0;
        double xy = 0;
        for (std::size_t d = 0; d < x.size(); ++d)
        {
            const auto a = static_cast<double>(x[d]);
            const auto b = static_cast<double>(y[d]);
            xx += a * a;
            yy += b * b;
            xy += a * b;
        }
        const double lengths = std::sqrt(xx) * std::sqrt(yy);
        cosines.push_back(std::isfinite(lengths) && lengths > 0 ? xy / lengths
                                                                : std::numeric_limits<double>::quiet_NaN());
    }
    return cosines;
}

RankCorrelation::RankCorrelation(std::span<const double> a, std::span<const double> b)
    : m_a(orderOf(a)), m_b(orderOf(b))
{}

RankCorrelation::Order RankCorrelation::orderOf(std::span<const double> values)
{
    Order order;
    order.items.resize(values.size());
    std::iota(order.items.begin(), order.items.end(), 0);
    const auto at = [&values](std::int32_t item) { return values[static_cast<std::size_t>(item)]; };
    std::stable_sort(order.items.begin(), order.items.end(),
                     [&at](std::int32_t x, std::int32_t y) { return at(x) < at(y); });
    for (std::size_t place = 0; place < order.items.size(); ++place)
    {
        const bool same = place > 0 && at(order.items[place]) == at(order.items[place - 1]);
        order.groups.push_back(place == 0 ? 0 : order.groups.back() + (same ? 0 : 1));
    }
    return order;
}

void RankCorrelation::ranksInto(const Order& order, std::span<const std::int32_t> times, std::vector<double>& ranks)
{
    ranks.resize(order.items.size());
    double before = 0;
    for (std::size_t begin = 0; begin < order.items.size();)
    {
        std::size_t end = begin;
        double count = 0;
        for (; end < order.items.size() && order.groups[end] == order.groups[begin]; ++end)
            count += static_cast<double>(times[static_cast<std::size_t>(order.items[end])]);
        for (; begin < end; ++begin)
            ranks[static_cast<std::size_t>(order.items[begin])] = before + (count + 1) / 2;
        before += count;
    }
}

double RankCorrelation::value() const
{
    return value(std::vector<std::int32_t>(m_a.items.size(), 1));
}

double RankCorrelation::value(std::span<const std::int32_t> times) const
{
    std::vector<double> a;
    std::vector<double> b;
    ranksInto(m_a, times, a);
    ranksInto(m_b, times, b);
    return weightedPearson(a, b, times);
}

double pearson(std::span<const double> a, std::span<const double> b)
{
    return weightedPearson(a, b, std::vector<std::int32_t>(a.size(), 1));
}

} // namespace headscope
