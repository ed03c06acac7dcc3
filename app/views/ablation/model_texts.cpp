// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/views/ablation/model_texts.h"

#include "app/commands/command_line.h"
#include "app/commands/serve/embed_command.h"
#include "app/desktop/engine/engine_server.h"
#include "app/results/card/card_model_parts.h"
#include "app/shell/request_params.h"
#include "model/analysis/statistics/draws.h"
#include "model/data/model_digests.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <numeric>
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
        return "The cache was made with ablated heads or changed KV groups. Ablating more heads is not supported.";
    return {};
}

std::vector<std::int64_t> drawnDocuments(const DocumentSet& documents, std::span<const std::int64_t> candidates,
                                         std::int64_t most, std::uint64_t seed)
{
    std::vector<std::int64_t> rows(candidates.begin(), candidates.end());
    if (rows.empty())
    {
        rows.resize(documents.ids.size());
        std::iota(rows.begin(), rows.end(), 0);
    }
    std::erase_if(rows, [&documents](std::int64_t row) {
        const auto at = static_cast<std::size_t>(row);
        return documents.texts[at].empty() ||
               (!documents.flags.empty() && hasFlag(documents.flags[at], DocumentFlag::Empty));
    });
    const Draws draws(seed);
    const auto count = std::ssize(rows);
    const std::int64_t taken = std::min(most, count);
    for (std::int64_t i = 0; i < taken; ++i) // the first steps of a shuffle
    {
        const std::int64_t other = i + draws.below(static_cast<std::uint64_t>(i), count - i);
        std::swap(rows[static_cast<std::size_t>(i)], rows[static_cast<std::size_t>(other)]);
    }
    rows.resize(static_cast<std::size_t>(taken));
    std::ranges::sort(rows);
    return rows;
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
