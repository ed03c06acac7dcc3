// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/results/as_cache.h"

#include <fmt/format.h>

namespace headscope
{

std::pair<std::string, std::string> placesOfSearch(const CacheReader& cache, LayerIndex layer, Stage stage)
{
    const LayerIndex last(cache.info().header.model.layers - 1);
    if (stage == Stage::Embedding) // which extract stores beside it
        return {std::to_string(last.value()), "3"};
    std::string layers = std::to_string(layer.value());
    std::string stages(stageName(stage));
    if (cache.find(last, Stage::OutputSegment) == nullptr)
        return {layers, stages};
    if (layer != last)
        layers += fmt::format(",{}", last.value());
    if (stage != Stage::OutputSegment)
        stages += ",3";
    return {layers, stages};
}

} // namespace headscope
