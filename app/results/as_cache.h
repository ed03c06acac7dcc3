// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "model/data/stage.h"
#include "model/io/cache/cache_reader.h"

#include <string>
#include <tuple>
#include <utility>

namespace headscope
{

/// Gives a command that runs a model what the texts of a cache became tokens and vectors by; what is not known stays.
/// @tparam C  one of app/commands, with --eos, --special-tokens and --max-tokens, and --prompt-name where it has that
template <class C>
void encodeAsCache(const CacheHeader& header, C& command)
{
    const auto take = [](std::string& value, const std::string& kept) {
        if (!kept.empty())
            value = kept;
    };
    take(command.encode.eos, header.eos);
    take(command.encode.specialTokens, header.specialTokens);
    if (header.maxTokens > 0)
        command.maxTokens = std::to_string(header.maxTokens);
    if constexpr (requires { command.pooling; })
        take(command.pooling, header.pooling);
    if constexpr (requires { command.promptName; })
        if (header.prompt.empty()) // whatever the model's files put before texts by themselves
            command.promptName = "none";
}

/// Layers and stages, as --layers and --stages take them, of which a layer and stage and the full vectors are: those
/// are stage 3 of the last layer where the cache has it, and the sentence embedding comes with that.
[[nodiscard]] std::pair<std::string, std::string> placesOfSearch(const CacheReader& cache, LayerIndex layer,
                                                                 Stage stage);

/// Gives a command that extracts what its vectors must have to be compared with those of a cache.
template <class C>
void extractAsCache(const CacheReader& cache, LayerIndex layer, Stage stage, C& command)
{
    encodeAsCache(cache.info().header, command);
    std::tie(command.layers, command.stages) = placesOfSearch(cache, layer, stage);
    if (cache.info().header.model.lastLayerRaw)
        command.lastLayer = "raw";
    command.embedding = stage == Stage::Embedding ? "auto" : "none";
}

} // namespace headscope
