// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/views/ablation/model_texts.h"

#include "app/commands/command_line.h"
#include "app/commands/serve/embed_command.h"
#include "app/desktop/engine/engine_server.h"
#include "app/results/card/card_model_parts.h"
#include "app/shell/request_params.h"
#include "model/data/model_digests.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <utility>

namespace headscope::desktop
{
namespace
{

using Json = nlohmann::json;

} // namespace

std::string obstacleToRunning(const CacheHeader& header, const DocumentSet& documents)
{
    if (documents.texts.empty())
        return "The cache holds no texts. They are needed to run the model.";
    if (header.model.changes.any())
        return fmt::format("The model of this cache was changed: {}. Here the unchanged model is run, which would not "
                           "match the cache. Open a cache of the unchanged model.",
                           header.model.changes.words(header.model.kvHeads));
    return {};
}

Result<std::string> checkModelOfCache(EngineServer& engine, const std::string& model, const ModelInfo& cache,
                                      JobContext& job)
{
    NamedDigests made;
    if (!cache.sha256.empty())
    {
        commands::CommandLine<commands::EmbedCommand> line;
        line.command.model = model;
        line.command.text = "a";
        line.command.stages = "3";
        HEADSCOPE_TRY(const Json answer, engine.ask("embed", shell::requestParams(line), job));
        const Json hashes = answer.value("sha256", Json::object());
        for (const auto& [file, digest] : hashes.items())
            if (digest.is_string())
                made.emplace_back(file, digest.get<std::string>());
    }
    HEADSCOPE_TRY(std::string notice, checkSameModel(cache, made, model));
    return notice.empty() ? std::move(notice) : asSentence(std::move(notice));
}

} // namespace headscope::desktop
