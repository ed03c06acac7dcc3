// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "model/analysis/retrieval/query_jackknife.h"
#include "model/data/frame/frame.h"
#include "model/data/results/interval.h"
#include "model/data/results/retrieval_results.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace headscope::cli
{

/// Rankings measured against the documents that are relevant to their queries, with what chance gives and intervals.
class RetrieveMeasures
{
public:
    /// @param documents  that are searched; where the queries are not of them, 0
    explicit RetrieveMeasures(std::int64_t documents) : m_documents(documents) {}

    /// @param ranked, relevant, labels  of a query whose relevant documents are known, as measureRanking takes them
    /// @param chance  expectedByChance of the same query
    /// @param asking  the document that asks, where the queries are documents that are searched
    void add(std::span<const std::int64_t> ranked, std::span<const std::int64_t> relevant,
             std::span<const std::int32_t> labels, RetrievalMetrics chance, std::int64_t asking);

    [[nodiscard]] std::int64_t queries() const { return static_cast<std::int64_t>(m_each.size()); }
    /// As app/INTERFACE.md names them.
    [[nodiscard]] Members result(std::int64_t top, std::uint64_t seed) const;
    /// The measures at `top`, a row each: mean, 95% interval, chance.
    [[nodiscard]] Frame table(std::int64_t top, std::uint64_t seed) const;
    /// The table, and a line that says what they are.
    /// @param label  column of the category ratio; empty: none
    [[nodiscard]] std::string text(std::int64_t top, std::int64_t asked, const std::string& label,
                                   std::uint64_t seed) const;

private:
    static constexpr std::size_t kMeasureCount = 4;

    [[nodiscard]] Interval intervalOf(std::size_t measure, std::uint64_t seed) const;
    [[nodiscard]] bool hasIntervals() const;

    std::int64_t m_documents = 0;
    std::array<QueryJackknife, kMeasureCount> m_jackknives;
    std::vector<RetrievalMetrics> m_each;
    std::vector<RetrievalMetrics> m_chance;
};

} // namespace headscope::cli
