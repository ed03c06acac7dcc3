// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/data/position_rule.h"

#include "model/data/model_family.h"

namespace headscope
{

std::optional<bool> rotatesByPosition(const ModelInfo& info)
{
    const FamilyTraits* traits = familyNamed(info.family);
    return traits == nullptr ? std::nullopt : std::optional(traits->positions == PositionScheme::Rotary);
}

} // namespace headscope
