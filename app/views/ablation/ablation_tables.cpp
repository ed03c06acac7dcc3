// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/views/ablation/ablation_tables.h"

#include "model/data/head_ranges.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

namespace headscope::desktop
{

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
