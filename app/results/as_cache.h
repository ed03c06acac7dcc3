// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/commands/attention/ablation_choices.h"
#include "model/base/job_context.h"
#include "model/base/result.h"
#include "model/data/stage.h"
#include "model/io/cache/cache_reader.h"

#include <filesystem>
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

/// The changes of a model as the options that make them: its ablated heads and its KV groups. Means need a reference,
/// too (addReference).
[[nodiscard]] commands::AblationChoices changesAsCache(const ModelInfo& model);

/// Gives choices that set heads to their means the reference that the cache has where it was not named: its own first
/// documents, which are written into `folder`. Other choices stay.
/// @errors InvalidArgument (the means are over other texts, or the cache has no texts), those of writeDocumentLines
[[nodiscard]] Status addReference(CacheReader& cache, const std::filesystem::path& folder,
                                  commands::AblationChoices& choices, JobContext& job);

/// Whether vectors of a text were made by the model as it was changed for the cache: to be asked of what the engine
/// answers, which alone knows the digest of a reference.
/// @param place  the model as it was named
/// @errors InvalidArgument
[[nodiscard]] Status checkChangedAsCache(const ModelInfo& cache, const ModelInfo& asked, const std::string& place);

/// Gives a command that extracts what its vectors must have to be compared with those of a cache: the changes of its
/// model, too. Means need a reference (addReference).
template <class C>
void extractAsCache(const CacheReader& cache, LayerIndex layer, Stage stage, C& command)
{
    encodeAsCache(cache.info().header, command);
    std::tie(command.layers, command.stages) = placesOfSearch(cache, layer, stage);
    if (cache.info().header.model.lastLayerRaw)
        command.lastLayer = "raw";
    command.ablation = changesAsCache(cache.info().header.model);
    command.embedding = stage == Stage::Embedding ? "auto" : "none";
}

} // namespace headscope
