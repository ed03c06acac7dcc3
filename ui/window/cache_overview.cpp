// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/window/cache_overview.h"

#include <algorithm>

namespace headscope::ui
{

std::vector<Stage> CacheOverview::stagesOf(LayerIndex layer) const
{
    const auto found = stages.find(layer);
    return found == stages.end() ? std::vector<Stage>() : found->second;
}

bool CacheOverview::has(LayerIndex layer, Stage stage) const
{
    if (stage == Stage::Embedding)
        return embedding == layer;
    const auto held = stagesOf(layer);
    return std::find(held.begin(), held.end(), stage) != held.end();
}

} // namespace headscope::ui
