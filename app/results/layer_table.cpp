// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/results/layer_table.h"

#include "app/results/smallest_q.h"
#include "app/results/text_table.h"
#include "model/analysis/statistics/intervals.h"
#include "model/analysis/statistics/jackknife.h"
#include "model/analysis/statistics/permutations.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>
#include <string>
#include <utility>

namespace headscope::results
{
namespace
{

Json numberOrNull(double value)
{
    return std::isfinite(value) ? Json(value) : Json();
}

Json intervalOrNull(const Interval& interval)
{
    return std::isfinite(interval.low) ? Json{interval.low, interval.high} : Json();
}

LayerList inOrder(const LayerList& measures)
{
    LayerList sorted = measures;
    std::sort(sorted.begin(), sorted.end(), [](const auto& a, const auto& b) {
        return std::pair(a->layer, a->stage) < std::pair(b->layer, b->stage);
    });
    return sorted;
}

/// Of which documents the accuracies are, and how their intervals are made.
std::string probeInterval(const LayerList& measures)
{
    const auto probed =
        std::find_if(measures.begin(), measures.end(), [](const auto& each) { return std::isfinite(each->accuracy); });
    if (probed == measures.end())
        return "No probe could be trained";
    const LayerMeasures& first = **probed;
    return fmt::format(
        "Its interval (ci95 low, high): {},\nover the {} test documents alone (one split, seed {}) of all "
        "{}",
        first.accuracyMethod, first.testDocuments, first.options.probe.seed, first.documents);
}

} // namespace

Json layerJson(const LayerMeasures& measures)
{
    const std::string name(stageName(measures.stage));
    return {
        {"layer", measures.layer.value()},
        {"stage", name.size() == 1 ? Json(name[0] - '0') : Json(name)},
        {"documents", measures.documents},
        {"heads", measures.heads},
        {"accuracy", numberOrNull(measures.accuracy)},
        {"ci95", {numberOrNull(measures.ci95Low), numberOrNull(measures.ci95High)}},
        {"ci95_method", measures.accuracyMethod.empty() ? Json() : Json(measures.accuracyMethod)},
        {"effective_rows", measures.effectiveRows},
        {"test_documents", measures.testDocuments},
        {"accuracy_chance", numberOrNull(measures.accuracyChance)},
        {"converged", measures.converged},
        {"purity", numberOrNull(measures.purity)},
        {"purity_chance", numberOrNull(measures.purityChance)},
        {"purity_documents", measures.purityDocuments},
        {"purity_ci95", intervalOrNull(measures.purityCi95)},
        {"purity_ci95_method", kJackknife},
        {"purity_p", numberOrNull(measures.purityNull.p)},
        {"purity_null", std::isfinite(measures.purityNull.p) ? Json("labels shuffled among the documents") : Json()},
        {"purity_null_mean", numberOrNull(measures.purityNull.mean)},
        {"permutations", measures.options.permutations},
        {"redundancy", numberOrNull(measures.redundancy)},
        {"redundancy_pairs", measures.redundancyPairs},
        {"redundancy_method", ckaName(measures.options.cka)},
        {"redundancy_ci95", intervalOrNull(measures.redundancyCi95)},
        {"redundancy_ci95_method", measures.options.cka == CkaMethod::Debiased ? Json(kJackknife) : Json()},
        {"after_final_norm", measures.afterFinalNorm},
        {"missing", measures.missing},
        {"seconds", measures.seconds}};
}

std::vector<double> purityQ(const LayerList& measures)
{
    std::vector<double> p;
    for (const auto& each : measures)
        p.push_back(each->purityNull.p);
    return benjaminiHochberg(p);
}

namespace
{

bool purityIsTested(const LayerList& measures)
{
    return std::ranges::any_of(measures, [](const auto& each) { return std::isfinite(each->purityCi95.low); });
}

std::string purityDocuments(const LayerList& measures)
{
    std::int64_t most = 0;
    for (const auto& each : measures)
        most = std::max(most, each->purityDocuments);
    return withCommas(most);
}

} // namespace

std::string layersLegend(const LayerList& measures)
{
    if (measures.empty())
        return {};
    const LayerOptions& options = measures.front()->options;
    std::string text = fmt::format(
        "Probe accuracy: the head (stages 2 and 3: the segment) told from one of its vectors; chance is 1 / heads{}. "
        "{}.\nOften near 1 at any stage, since heads and segments have offsets of their own: to be compared with the "
        "random cut and the noise\nof `probe`, which may be told as well.\n"
        "Topic purity: share of a labelled document's own label among its {} nearest labelled ones ({} documents), by "
        "the cosine of\nall heads or segments one after another; {}{}\n",
        measures.front()->heads > 0 ? fmt::format(" ({:.4g})", 1.0 / static_cast<double>(measures.front()->heads))
                                    : std::string(),
        probeInterval(measures), options.neighbors, purityDocuments(measures),
        !purityIsTested(measures)
            ? std::string("no interval and no p: all others are neighbours, or all have one label, and nothing else "
                          "can come out")
            : fmt::format("{} intervals, the neighbours of all others found without it (conservative: 98 to 100 of "
                          "100 held the true value in simulations).",
                          kJackknife),
        options.permutations > 0 && purityIsTested(measures)
            ? fmt::format(
                  " q: p of {} shufflings of the labels among the documents (seed {}),\nBenjamini-Hochberg "
                  "over the rows; above 0.05 not told from shuffled labels by these documents.\nThe interval says "
                  "how far the number moves with other documents, q whether it depends on the labels of these: "
                  "the\ninterval may hold chance where q is small.",
                  options.permutations, options.probe.seed)
            : std::string());
    text += smallestQText(std::ssize(measures), options.permutations);
    text +=
        options.cka == CkaMethod::Debiased
            ? fmt::format("Redundancy: debiased linear CKA, mean over pairs, {} intervals; about 0 on average for "
                          "unrelated heads, "
                          "may be negative.\n",
                          kJackknife)
            : std::string("Redundancy: biased linear CKA, mean over pairs: above 0 for unrelated heads, the more so "
                          "the fewer documents.\n");
    for (const auto& each : measures)
        if (each->afterFinalNorm)
            text += fmt::format("Stage 3 of layer {} stands after the final norm: not on one line with the layers "
                                "before it.\n",
                                each->layer.value());
    return text;
}

ResultTable layerTable(const LayerList& measures)
{
    const LayerList sorted = inOrder(measures);
    const std::vector<double> q = purityQ(sorted);
    ResultTable table({"layer", "stage", "probe accuracy", "ci95 low", "ci95 high", "test documents", "topic purity",
                       "purity low", "purity high", "purity by chance", "purity p", "purity q", "redundancy",
                       "redundancy low", "redundancy high", "documents", "heads", "after final norm"});
    for (std::size_t i = 0; i < sorted.size(); ++i)
    {
        const LayerMeasures& each = *sorted[i];
        table.add({each.layer.value(), std::string(stageName(each.stage)), each.accuracy, each.ci95Low, each.ci95High,
                   each.testDocuments, each.purity, each.purityCi95.low, each.purityCi95.high, each.purityChance,
                   each.purityNull.p, q[i], each.redundancy, each.redundancyCi95.low, each.redundancyCi95.high,
                   each.documents, each.heads, std::string(each.afterFinalNorm ? "yes" : "")});
    }
    return table;
}

} // namespace headscope::results
