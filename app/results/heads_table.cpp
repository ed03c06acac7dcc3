// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/results/heads_table.h"

#include "model/data/head_ranges.h"

#include <limits>

namespace headscope::results
{

ResultTable headsTable(const HeadRows& rows, const ModelInfo& model, std::span<const std::int64_t> heads, bool groups)
{
    ResultTable table({std::string(unitName(rows.stage)), "group", "mean norm", "spread", "score", "mean similarity",
                       "sd similarity", "selectivity", "follows full", "match", "evenness", "top topic",
                       "top similarity"});
    for (const std::int64_t head : heads)
    {
        const auto h = static_cast<std::size_t>(head);
        if (h >= rows.statistics.size())
            continue;
        const auto answer = [&rows, h](const std::vector<double> HeadAnswers::*values) {
            return rows.answers != nullptr ? (rows.answers->*values)[h] : std::numeric_limits<double>::quiet_NaN();
        };
        const HeadStatistics& statistics = rows.statistics[h];
        // A stage that is kept uncut has one row, whatever the model's groups.
        table.add({shownNumber(HeadIndex(head)),
                   groups ? ResultTable::Cell(shownNumber(model.groupOf(HeadIndex(head)))) : ResultTable::Cell("-"),
                   statistics.meanNorm, statistics.spread, statistics.score, answer(&HeadAnswers::meanSimilarity),
                   answer(&HeadAnswers::sdSimilarity), answer(&HeadAnswers::selectivity),
                   answer(&HeadAnswers::followsFull), answer(&HeadAnswers::match), answer(&HeadAnswers::evenness),
                   rows.topTopic[h], answer(&HeadAnswers::topSimilarity)});
    }
    return table;
}

} // namespace headscope::results
