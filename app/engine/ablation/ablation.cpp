// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/engine/ablation/ablation.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

namespace headscope::engine
{
namespace
{

Status checkRegroup(std::int64_t groups, const ModelConfig& config)
{
    const auto possible = possibleGroups(config.heads, config.kvHeads);
    if (groups == 0 || std::ranges::find(possible, groups) != possible.end())
        return {};
    return Error{ErrorCode::InvalidArgument,
                 fmt::format("expected a divisor of {} (the model's number of KV groups), or a multiple of it that "
                             "divides {}, the number of heads (possible: {}), found {}",
                             config.kvHeads, config.heads, fmt::join(possible, ", "), groups),
                 {},
                 "--regroup"};
}

} // namespace

std::vector<std::int64_t> Ablation::layersUpTo(std::int64_t last) const
{
    std::vector<std::int64_t> layers;
    for (const auto& [layer, chosen] : heads)
        if (layer <= last)
            layers.push_back(layer);
    return layers;
}

void Ablation::take(const TokenMeans& means, std::int64_t headDim)
{
    for (const auto& [layer, chosen] : heads)
        edit.off[static_cast<std::size_t>(layer)].values = means.of(layer, chosen, headDim);
    changes.reference = fmt::format("{} documents, {} tokens, XXH3 {}", means.documents, means.tokens, means.digest);
}

void Ablation::describe(ModelInfo& info) const
{
    info.changes = changes;
    info.kvHeads = kvHeads;
}

Status checkChoices(const AblationChoices& choices, bool ownReference)
{
    const auto wrong = [](const char* message, const char* place) -> Status {
        return Error{ErrorCode::WrongUse, message, {}, place};
    };
    const bool mean = choices.ablation == "mean";
    if (choices.ablate.empty() && mean)
        return wrong("mean needs --ablate with the heads to set to their means", "--ablation");
    if (!choices.reference.empty() && !mean)
        return wrong("this option needs --ablation mean", "--reference");
    if (mean && choices.reference.empty() && !ownReference)
        return wrong("--ablation mean needs this option with the documents for the mean", "--reference");
    return {};
}

Result<Ablation> chooseAblation(const AblationChoices& choices, const ModelConfig& config)
{
    HEADSCOPE_CHECK(checkRegroup(choices.regroup, config));
    Ablation chosen;
    const auto layers = static_cast<std::size_t>(config.layers);
    chosen.kvHeads = choices.regroup == 0 ? config.kvHeads : choices.regroup;
    if (chosen.kvHeads != config.kvHeads)
    {
        chosen.edit.groups.assign(layers, chosen.kvHeads);
        chosen.changes.regroupedFrom = config.kvHeads;
    }
    if (choices.ablate.empty())
        return chosen;
    HEADSCOPE_TRY(chosen.heads, parseAblation(choices.ablate, config.layers, config.heads, chosen.kvHeads));
    chosen.mean = choices.ablation == "mean";
    chosen.edit.off.resize(layers);
    for (const auto& [layer, heads] : chosen.heads)
        chosen.edit.off[static_cast<std::size_t>(layer)].heads = heads;
    chosen.changes.ablated = ablationText(chosen.heads);
    chosen.changes.ablation = choices.ablation;
    return chosen;
}

} // namespace headscope::engine
