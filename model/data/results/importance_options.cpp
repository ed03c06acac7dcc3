// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/data/results/importance_options.h"

#include "model/base/fields/fields.h"

#include <algorithm>
#include <array>
#include <utility>

namespace headscope
{
namespace
{

constexpr std::array kUnitWords = {FieldWord{"heads", "by head"}, FieldWord{"groups", "by KV group"}};
constexpr std::array kAblationWords = {FieldWord{"zero", "zero"}, FieldWord{"mean", "the mean of each"}};

void layerField(Fields& f, std::int64_t& layer, const AblationLimits& limits)
{
    const auto last = static_cast<double>(std::max<std::int64_t>(1, limits.layers) - 1);
    f("layer", layer).label("Layer", "Layer whose heads are ablated, from 0.").within(0, last).offers(0, last);
}

void documentsField(Fields& f, std::int64_t& documents, std::int64_t least, const AblationLimits& limits)
{
    f("documents", documents)
        .label("Documents", "Number of documents that the model is run on, sampled with the seed from the settings.")
        .countFrom(least)
        .offers(static_cast<double>(least), static_cast<double>(std::max(least, limits.documents)));
}

} // namespace

Field& unitsField(Fields& f, std::string& units, std::string about)
{
    return f("units", units, "--units", std::move(about))
        .among(kUnitWords)
        .label("Ablated units", "Units that are ablated together.");
}

Field& ablationField(Fields& f, std::string& ablation, const std::string& which)
{
    return f("ablation", ablation, "--ablation",
             "value that the outputs of " + which +
                 " are set to: zero, or their own mean over all tokens of a reference")
        .among(kAblationWords)
        .label("Ablation value", "Value of ablated outputs at every token: zero, or the mean, which keeps the model "
                                 "closer to the inputs it was trained on.");
}

void fields(Fields& f, ImportanceChoices& o, const AblationLimits& limits)
{
    layerField(f, o.layer, limits);
    unitsField(f, o.units);
    ablationField(f, o.ablation);
    documentsField(f, o.documents, 1, limits);
}

void fields(Fields& f, SwitchOffChoices& o, const AblationLimits& limits)
{
    layerField(f, o.layer, limits);
    f("heads", o.heads)
        .label("Heads", "Heads to ablate together, counted from 1. “Ablate in the model…” adds the heads that are "
                        "marked in any view.")
        .leastMeans("1-3,9");
    ablationField(f, o.ablation);
    documentsField(f, o.documents, 2, limits);
}

} // namespace headscope
