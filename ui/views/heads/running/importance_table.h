// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "model/data/results/importance_results.h"
#include "ui/models/rank_table_model.h"

#include <QString>

#include <cstdint>
#include <vector>

namespace headscope::ui
{

/// The table of a comparison: its columns, a row a player, and which player a row is.
struct ImportanceTable
{
    std::vector<RankColumn> columns;
    std::vector<std::vector<RankCell>> rows;
    std::vector<std::int64_t> keys;
};
[[nodiscard]] ImportanceTable importanceTable(const ImportanceComparison& comparison, ImportanceMeasure measure);

/// What was measured over what: "100 of 192 documents · layer 29 · heads set to zero · 90 random sets".
[[nodiscard]] QString importanceOfText(const ImportanceComparison& comparison);

/// What the columns mean, and how many heads both measures disagree about.
[[nodiscard]] QString importanceLegend(const ImportanceComparison& comparison, ImportanceMeasure measure);

} // namespace headscope::ui
