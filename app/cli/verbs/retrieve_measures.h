// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/results/json_type.h"
#include "app/results/result_table.h"
#include "model/data/results/retrieval_results.h"

#include <cstdint>
#include <string>
#include <vector>

namespace headscope::cli
{

/// Rankings measured against the documents that are relevant to their queries, with what chance gives and intervals.
class RetrieveMeasures
{
public:
    /// @param one     of a query whose relevant documents are known
    /// @param chance  expectedByChance of the same query
    void add(RetrievalMetrics one, RetrievalMetrics chance);

    [[nodiscard]] std::int64_t queries() const { return static_cast<std::int64_t>(m_each.size()); }
    /// As app/INTERFACE.md names them.
    [[nodiscard]] results::Json json(std::int64_t top, std::uint64_t seed) const;
    /// The measures at `top`, a row each: mean, 95 % interval, chance.
    [[nodiscard]] results::ResultTable table(std::int64_t top, std::uint64_t seed) const;
    /// The table, and a line that says what they are.
    /// @param label  column of the category ratio; empty: none
    [[nodiscard]] std::string text(std::int64_t top, std::int64_t asked, const std::string& label,
                                   std::uint64_t seed) const;

private:
    std::vector<RetrievalMetrics> m_each;
    std::vector<RetrievalMetrics> m_chance;
};

} // namespace headscope::cli
