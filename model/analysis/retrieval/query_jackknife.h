// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "model/data/results/interval.h"

#include <cstdint>
#include <optional>
#include <span>
#include <unordered_map>
#include <utility>

namespace headscope
{

/// Whether each query is another of the documents that are searched.
/// @param asking    rows of the documents that ask
/// @param searched  rows, ascending
[[nodiscard]] bool areOthersAmong(std::span<const std::int64_t> asking, std::span<const std::int64_t> searched);

/// The interval of a mean over queries where the queries are documents of what they search: such a document counts as a
/// query and as a result of others, and the jackknife leaves it out as both. Drawing queries again would take the
/// results as given, and would be too narrow by about half.
///
/// Of a ranking without one of its results what is left counts, without the next one: of k results that changes the
/// value by less than 1 / k^2.
class QueryJackknife
{
public:
    /// @param value     of a query
    /// @param document  that asks; each asks once at most
    void add(double value, std::int64_t document);
    /// The value of the query that was added last if this document, not its own, were not there; nothing: it would have
    /// none.
    void addWithout(std::int64_t document, std::optional<double> value);

    /// 95% of the mean over the queries, jackknife over the documents; NaN with fewer than ten queries. It has a width
    /// where all values are 0 or all are 1 (withWidthAtEnds).
    /// @param documents  that are searched, those that ask among them
    [[nodiscard]] Interval interval(std::int64_t documents) const;

private:
    double m_sum = 0;
    std::int64_t m_queries = 0;
    double m_last = 0;
    /// Of each document, what sum and number of values lose or gain without it.
    std::unordered_map<std::int64_t, std::pair<double, std::int64_t>> m_change;
};

} // namespace headscope
