// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/analysis/retrieval/query_jackknife.h"

#include "model/analysis/statistics/intervals.h"
#include "model/analysis/statistics/jackknife.h"

#include <algorithm>
#include <set>
#include <vector>

namespace headscope
{

bool areOthersAmong(std::span<const std::int64_t> asking, std::span<const std::int64_t> searched)
{
    const std::set<std::int64_t> different(asking.begin(), asking.end());
    return different.size() == asking.size() && std::ranges::all_of(asking, [searched](std::int64_t row) {
               return std::ranges::binary_search(searched, row);
           });
}

void QueryJackknife::add(double value, std::int64_t document)
{
    m_sum += value;
    ++m_queries;
    m_last = value;
    auto& [sum, count] = m_change[document];
    sum -= value;
    --count;
}

void QueryJackknife::addWithout(std::int64_t document, std::optional<double> value)
{
    auto& [sum, count] = m_change[document];
    sum += value.value_or(0.0) - m_last;
    count -= value ? 0 : 1;
}

Interval QueryJackknife::interval(std::int64_t documents) const
{
    constexpr std::int64_t kMinQueries = 10;
    if (m_queries < kMinQueries)
        return {};
    const double mean = m_sum / static_cast<double>(m_queries);
    std::vector<double> without;
    std::vector<std::int64_t> rows;
    for (const auto& each : m_change)
        rows.push_back(each.first);
    std::ranges::sort(rows); // sums in one order
    for (const std::int64_t row : rows)
    {
        const auto& [sum, count] = m_change.at(row);
        if (const std::int64_t left = m_queries + count; left > 0)
            without.push_back((m_sum + sum) / static_cast<double>(left));
    }
    without.resize(std::max(without.size(), static_cast<std::size_t>(documents)), mean);
    return withWidthAtEnds(jackknifeInterval(mean, without), m_queries);
}

} // namespace headscope
