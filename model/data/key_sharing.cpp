// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/data/key_sharing.h"

#include "model/data/model_family.h"

#include <fmt/format.h>

namespace headscope
{

KeySharing keySharing(const ModelInfo& info)
{
    if (info.heads < 1 || info.kvHeads < 1)
        return KeySharing::Unknown;
    if (info.kvHeads >= info.heads)
        return KeySharing::Own;
    return info.kvHeads == 1 ? KeySharing::One : KeySharing::Groups;
}

bool hasKvGroups(const ModelInfo& info, Stage stage)
{
    return unitName(stage) == "head" && keySharing(info) == KeySharing::Groups;
}

ModelInfo groupedAt(const ModelInfo& info, Stage stage)
{
    ModelInfo grouped = info;
    if (!hasKvGroups(info, stage))
        grouped.kvHeads = info.heads;
    return grouped;
}

bool keepsCache(const ModelInfo& info)
{
    const FamilyTraits* traits = familyNamed(info.family);
    return traits == nullptr || traits->direction == Direction::Causal;
}

std::optional<bool> hasAttentionBiases(const ModelInfo& info)
{
    const FamilyTraits* traits = familyNamed(info.family);
    if (traits == nullptr || traits->attentionBias == BiasRule::AsConfigured)
        return std::nullopt;
    return traits->attentionBias == BiasRule::Always;
}

std::optional<bool> rotatesByPosition(const ModelInfo& info)
{
    const FamilyTraits* traits = familyNamed(info.family);
    return traits == nullptr ? std::nullopt : std::optional(traits->positions == PositionScheme::Rotary);
}

std::string headsAndGroups(const ModelInfo& info)
{
    const std::string heads = fmt::format("{} {}", info.heads, info.heads == 1 ? "head" : "heads");
    switch (info.heads > 1 ? keySharing(info) : KeySharing::Unknown)
    {
    case KeySharing::Own:
        return heads + ", each with its own KV head";
    case KeySharing::Groups:
        return fmt::format("{} in {} KV groups", heads, info.kvHeads);
    case KeySharing::One:
        return heads + ", all sharing one KV head";
    case KeySharing::Unknown:
        break;
    }
    return heads;
}

} // namespace headscope
