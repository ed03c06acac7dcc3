// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/results/layer_table.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>
#include <string>

namespace headscope::results
{
namespace
{

Json numberOrNull(double value)
{
    return std::isfinite(value) ? Json(value) : Json();
}

} // namespace

Json layerJson(const LayerMeasures& measures)
{
    const std::string name(stageName(measures.stage));
    return {{"layer", measures.layer.value()},
            {"stage", name.size() == 1 ? Json(name[0] - '0') : Json(name)},
            {"documents", measures.documents},
            {"heads", measures.heads},
            {"accuracy", numberOrNull(measures.accuracy)},
            {"ci95", {numberOrNull(measures.ci95Low), numberOrNull(measures.ci95High)}},
            {"accuracy_chance", numberOrNull(measures.accuracyChance)},
            {"converged", measures.converged},
            {"purity", numberOrNull(measures.purity)},
            {"purity_chance", numberOrNull(measures.purityChance)},
            {"purity_documents", measures.purityDocuments},
            {"redundancy", numberOrNull(measures.redundancy)},
            {"redundancy_pairs", measures.redundancyPairs},
            {"missing", measures.missing},
            {"seconds", measures.seconds}};
}

ResultTable layerTable(const LayerList& measures)
{
    LayerList sorted = measures;
    std::sort(sorted.begin(), sorted.end(), [](const auto& a, const auto& b) {
        return std::pair(a->layer, a->stage) < std::pair(b->layer, b->stage);
    });
    ResultTable table({"layer", "stage", "probe accuracy", "ci95 low", "ci95 high", "topic purity", "purity by chance",
                       "redundancy", "documents", "heads"});
    for (const auto& each : sorted)
        table.add({each->layer.value(), std::string(stageName(each->stage)), each->accuracy, each->ci95Low,
                   each->ci95High, each->purity, each->purityChance, each->redundancy, each->documents, each->heads});
    return table;
}

} // namespace headscope::results
