// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/engine/extraction/shard_settings.h"

#include "model/data/ablation_spec.h"

#include <fmt/format.h>

namespace headscope::engine
{

std::map<std::string, std::string> shardSettings(const ExtractionRequest& request, const OpenedModel& model,
                                                 const ExtractionOptions& options, std::int64_t maxTokens,
                                                 const std::optional<DocumentSample>& sample, const Ablation& ablation)
{
    std::map<std::string, std::string> settings = {{"--device", options.backend.device},
                                                   {"--dtype", std::string(precisionName(options.backend.precision))},
                                                   {"--eos", request.run.encode.eos},
                                                   {"--last-layer", options.finalNorm ? "normed" : "raw"},
                                                   {"--max-tokens", std::to_string(maxTokens)},
                                                   {"--pooling", std::string(poolingName(options.pooling))},
                                                   {"--prompt", request.run.prompt},
                                                   {"--special-tokens", request.run.encode.specialTokens},
                                                   {"the program's version", HEADSCOPE_VERSION},
                                                   {"the tokenizer", model.tokenizer.sha256()}};
    const bool isInMean = options.pooling == Pooling::Mean && !request.run.prompt.empty();
    if (isInMean && !model.card.sentence.includePrompt) // as 1_Pooling/config.json says, which has no digest
        settings["the prompt's tokens in the mean"] = "none";
    if (options.embedding != nullptr)
        settings["the modules of the model"] =
            fmt::format("{} ({})", options.embedding->words(), options.embedding->digest());
    if (sample)
        settings["--sample"] = sample->text();
    settings.merge(ablationSettings(ablation.changes));
    if (ablation.changes.regroupedFrom != 0)
        settings["--regroup"] = std::to_string(ablation.kvHeads);
    for (const auto& [file, digest] : model.card.info.sha256)
        settings[file] = digest;
    return settings;
}

} // namespace headscope::engine
