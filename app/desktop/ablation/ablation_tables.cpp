// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/desktop/ablation/ablation_tables.h"

#include "model/data/head_ranges.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>
#include <vector>

namespace headscope::desktop
{

ResultTable importanceTable(const ImportanceComparison& comparison)
{
    constexpr double kNan = std::numeric_limits<double>::quiet_NaN();
    const ImportanceResult& result = comparison.inModel;
    ResultTable table({"measure",
                       "documents",
                       "layer",
                       result.groups ? "group" : "head",
                       "cut",
                       "cut_low",
                       "cut_high",
                       "left_out",
                       "left_out_low",
                       "left_out_high",
                       "intervals",
                       "alone",
                       "alone_low",
                       "alone_high",
                       "coefficient",
                       "coefficient_low",
                       "coefficient_high",
                       "standard_error",
                       "document_error",
                       "p",
                       "q",
                       "role"});
    for (const NamedValues& measure : result.measures)
    {
        const CutValues* cut = comparison.cutOf(measure.measure);
        for (std::size_t i = 0; i < measure.values.players.size(); ++i)
        {
            const PlayerValue& player = measure.values.players[i];
            std::vector<ResultTable::Cell> cells = {std::string(measureName(measure.measure)), measure.values.documents,
                                                    result.players[i].layer,
                                                    shownNumber(HeadIndex(result.players[i].unit))};
            const auto add = [&cells](const Estimate& estimate) {
                cells.insert(cells.end(), {estimate.value, estimate.ci95.low, estimate.ci95.high});
            };
            const Estimate none{kNan, {}};
            add(cut == nullptr ? none : cut->lost[i]);
            add(player.leftOut);
            const EstimateAgreement agreement =
                cut == nullptr ? EstimateAgreement::Unknown : agreementOf(cut->lost[i], player.leftOut);
            cells.emplace_back(std::string(agreement == EstimateAgreement::Excluded  ? "apart"
                                           : agreement == EstimateAgreement::Overlap ? "overlap"
                                                                                     : ""));
            add(player.alone);
            add(player.coefficient);
            for (const double number : {player.standardError, player.documentError, player.p, player.q})
                cells.emplace_back(number);
            cells.emplace_back(std::string(roleName(player.role, measure.measure)));
            table.add(std::move(cells));
        }
    }
    return table;
}

std::string columnName(const SwitchOffResult& result)
{
    return fmt::format("cosine without {}:{}", result.layer, formatHeadRanges(result.heads));
}

std::shared_ptr<const ui::CacheOverview> withCosines(const ui::CacheOverview& overview, const SwitchOffResult& result,
                                                     const std::string& name)
{
    std::vector<std::string> values(static_cast<std::size_t>(overview.documents->count()));
    for (std::size_t i = 0; i < result.documents.size(); ++i)
        if (const double cosine = result.inModel.cosine[i]; std::isfinite(cosine))
            values[static_cast<std::size_t>(result.documents[i])] = fmt::format("{:.6f}", cosine);
    auto documents = std::make_shared<DocumentSet>(*overview.documents);
    std::erase_if(documents->labels, [&name](const LabelColumn& column) { return column.name == name; });
    documents->labels.push_back(makeLabelColumn(name, values));
    auto changed = std::make_shared<ui::CacheOverview>(overview);
    changed->documents = std::move(documents);
    return changed;
}

} // namespace headscope::desktop
