// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/results/layers_frame.h"

#include "app/results/smallest_q.h"
#include "model/analysis/statistics/intervals.h"
#include "model/analysis/statistics/permutations.h"
#include "model/data/frame/frame_text.h"
#include "model/data/frame/method_names.h"
#include "model/data/frame/place_columns.h"
#include "model/data/frame/text_table.h"
#include "model/data/results/layer_columns.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <utility>

namespace headscope
{
namespace
{

using S = Shown;
using enum Facet;

// clang-format off
constexpr ColumnInfo kLayersColumns[] = {
    kLayerColumn,
    kStageColumn,
    {"documents", "Documents", "", "Number of documents that were measured", "", S::Count},
    {"heads", "Heads", "", "Number of heads of the layer, or of its segments at stages 2 and 3", "", S::Count},
    kProbeAccuracyColumn,
    {"effective_rows", "Effective sample size", "",
     "Number of independent vectors that would give an interval of the same width", ""},
    {"test_documents", "Test documents", "", "Number of held-out documents on which the accuracy is measured", "",
     S::Count},
    {"converged", "Converged", "", "Whether the training of the probe converged", "", S::Flag},
    kPurityColumn,
    {"purity_documents", "Documents for purity", "", "Number of labelled documents whose vectors are not zero", "",
     S::Count},
    {"permutations", "Permutations", "", "Number of permutations of the labels", "", S::Count},
    kRedundancyColumn,
    {"redundancy_pairs", "Pairs", "", "Number of pairs of heads with a CKA (both heads must vary over the "
                                      "documents)", "",
     S::Count},
    {"redundancy_method", "CKA", "", "Estimator of the CKA: debiased or biased", "", S::Text},
    {"after_final_norm", "After the final norm", "", "Whether the vectors are taken after the model's final norm",
     "Not comparable with earlier layers, whose vectors are taken before the final norm", S::Flag},
    {"missing", "Missing", "", "Why a measure could not be computed", "", S::Tree},
    {"seconds", "Time", "s", "Wall-clock time of the measurement", ""},
};
constexpr Slot kJson[] = {{"layer"}, {"stage"}, {"documents"}, {"heads"}, {"accuracy"}, {"accuracy", Ends, "ci95"},
    {"accuracy", IntervalMethod, "ci95_method"}, {"effective_rows"}, {"test_documents"}, {"accuracy", Chance},
    {"converged"}, {"purity"}, {"purity", Chance}, {"purity_documents"}, {"purity", Span}, {"purity", IntervalMethod},
    {"purity", P}, {"purity", NullMethod}, {"purity", Null}, {"permutations"}, {"redundancy"}, {"redundancy_pairs"},
    {"redundancy_method"}, {"redundancy", Span}, {"redundancy", IntervalMethod}, {"after_final_norm"}, {"missing"},
    {"seconds"}, {"purity", Q}, kRest};
constexpr Slot kFile[] = {{"layer"}, {"stage"}, {"accuracy", Value, "probe accuracy"}, {"accuracy", Low, "ci95 low"},
    {"accuracy", High, "ci95 high"}, {"test_documents"}, {"purity", Value, "topic purity"}, {"purity", Low},
    {"purity", High}, {"purity", Chance, "purity by chance"}, {"purity", P}, {"purity", Q}, {"redundancy"},
    {"redundancy", Low}, {"redundancy", High}, {"documents"}, {"heads"}, {"after_final_norm"}, kRest};
constexpr Slot kExplained[] = {{"accuracy", Value, "probe accuracy"}, {"purity", Value, "topic purity"},
    {"redundancy"}};
// clang-format on

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
        "The interval (ci95 low, high): {},\nover the {} test documents only (one split, seed {}; {} documents in "
        "total)",
        first.accuracyMethod, first.testDocuments, first.options.probe.seed, first.documents);
}

} // namespace

constinit const FrameInfo kLayersFrame = {
    .key = "layers", .columns = kLayersColumns, .shape = JsonShape::Flat, .json = kJson, .file = kFile};

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

std::string purityInterval(const LayerList& measures)
{
    return purityIsTested(measures)
               ? fmt::format("{}, with the neighbours recomputed each time a document is left out (conservative: the "
                             "interval covered the true value in 98 to 100 of 100 simulations).",
                             kJackknife)
               : std::string("no interval and no p: all other documents are neighbours, or all have the same label, so "
                             "only one value is possible.");
}

std::string purityTest(const LayerList& measures)
{
    const LayerOptions& options = measures.front()->options;
    if (options.permutations <= 0 || !purityIsTested(measures))
        return {};
    return fmt::format(" q: p of {} permutations of the labels among the documents (seed {}), after Benjamini-Hochberg "
                       "over the rows;\nabove 0.05 these documents do not distinguish the value from permuted labels. "
                       "The interval shows how the value varies with\nthe documents. q shows whether the value depends "
                       "on the labels. The interval may include chance where q is small.",
                       options.permutations, options.probe.seed);
}

} // namespace

std::string layersLegend(const LayerList& measures)
{
    if (measures.empty())
        return {};
    const LayerOptions& options = measures.front()->options;
    const bool isDebiased = options.cka == CkaMethod::Debiased;
    std::string text = columnWords(kLayersFrame, kExplained) +
                       fmt::format("Probe accuracy: chance {:.4g}. {}.\nTopic purity: the {} nearest of {} labelled "
                                   "documents; {}{}\nRedundancy: {}{}.\n",
                                   measures.front()->accuracyChance, probeInterval(measures), options.neighbors,
                                   purityDocuments(measures), purityInterval(measures), purityTest(measures),
                                   ckaName(options.cka), isDebiased ? fmt::format(", {}", kJackknife) : std::string());
    text += smallestQText(std::ssize(measures), options.permutations);
    for (const auto& each : measures)
        if (each->afterFinalNorm)
            text += fmt::format(
                "Stage 3 of layer {} is taken after the final norm, so it is not comparable with earlier layers.\n",
                each->layer.value());
    return text;
}

Frame layersFrame(const LayerList& measures)
{
    using M = LayerMeasures;
    const auto of = [&measures](auto projection) { return columnValues(measures, projection); };
    const auto isDebiased = [](const auto& each) { return each->options.cka == CkaMethod::Debiased; };
    Frame frame(kLayersFrame);
    frame.add("layer", of([](const auto& each) { return each->layer.value(); }));
    frame.add("stage", of([](const auto& each) { return stageName(each->stage); }));
    frame.add("documents", of(&M::documents));
    frame.add("heads", of(&M::heads));
    frame.add("accuracy", of(&M::accuracy))
        .interval(of(&M::accuracyCi95), of(&M::accuracyMethod))
        .set(Chance, of(&M::accuracyChance));
    frame.add("effective_rows", of(&M::effectiveRows));
    frame.add("test_documents", of(&M::testDocuments));
    frame.add("converged", of(&M::converged));
    frame.add("purity", of(&M::purity))
        .interval(of(&M::purityCi95), kJackknife)
        .null(of(&M::purityNull), of([](const auto& each) {
                  return std::isfinite(each->purityNull.p) ? kLabelsPermuted : std::string_view();
              }))
        .set(Q, purityQ(measures))
        .set(Chance, of(&M::purityChance));
    frame.add("purity_documents", of(&M::purityDocuments));
    frame.add("permutations", of([](const auto& each) { return each->options.permutations; }));
    frame.add("redundancy", of(&M::redundancy)).interval(of(&M::redundancyCi95), of([&](const auto& each) {
                                                             return isDebiased(each) ? std::string_view(kJackknife)
                                                                                     : std::string_view();
                                                         }));
    frame.add("redundancy_pairs", of(&M::redundancyPairs));
    frame.add("redundancy_method", of([](const auto& each) { return ckaName(each->options.cka); }));
    frame.add("after_final_norm", of(&M::afterFinalNorm));
    frame.add("missing", of([](const auto& each) { return listNode(each->missing); }));
    frame.add("seconds", of(&M::seconds));
    return frame;
}

Frame sortedLayersFrame(const LayerList& measures)
{
    return layersFrame(inOrder(measures));
}

} // namespace headscope
