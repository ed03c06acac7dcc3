// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/desktop/engine/embed_query.h"

#include "app/commands/command_line.h"
#include "app/commands/serve/embed_command.h"
#include "app/desktop/engine/engine_server.h"
#include "app/results/as_cache.h"
#include "app/shell/request_params.h"
#include "model/base/file.h"
#include "model/base/output/temporary_path.h"
#include "model/data/last_layer.h"

#include <nlohmann/json.hpp>

#include <cstring>
#include <memory>
#include <utility>
#include <vector>

namespace headscope::desktop
{
namespace
{

using Json = nlohmann::json;

Error badAnswer(const std::filesystem::path& file)
{
    return {ErrorCode::BadFormat,
            "expected vectors of the requested layer and stage, found vectors of another layer or stage",
            file.string(),
            {}};
}

/// A block of the answer; null where it has none of this layer and stage.
Result<std::shared_ptr<const HeadVectors>> blockOf(const Json& result, const std::string& bytes, LayerIndex layer,
                                                   Stage stage, const ModelInfo& info)
{
    for (const Json& block : result.value("vectors", Json::array()))
    {
        if (!block.is_object() || block.value("layer", Json()) != layer.value() ||
            block.value("stage", Json()) != stageName(stage))
            continue;
        const Json shape = block.value("shape", Json::array());
        const Json offset = block.value("offset", Json());
        const Json dtype = block.value("dtype", Json());
        if (shape.size() != 2 || !shape[0].is_number_unsigned() || !shape[1].is_number_unsigned() ||
            !offset.is_number_unsigned() || dtype != "f32")
            return badAnswer(result.value("file", ""));
        const auto heads = shape[0].get<std::uint64_t>();
        const auto dims = shape[1].get<std::uint64_t>();
        const auto at = offset.get<std::uint64_t>();
        const std::uint64_t room = at <= bytes.size() ? (bytes.size() - at) / sizeof(float) : 0;
        if (heads == 0 || dims == 0 || heads > room || dims > room / heads)
            return badAnswer(result.value("file", ""));
        std::vector<float> values(heads * dims);
        std::memcpy(values.data(), bytes.data() + at, values.size() * sizeof(float));
        return std::make_shared<const HeadVectors>(stage, layer, 1, static_cast<std::int64_t>(heads),
                                                   static_cast<std::int64_t>(dims), std::move(values),
                                                   finalNormNote(info, layer, stage));
    }
    return std::shared_ptr<const HeadVectors>();
}

/// The model that answered: changed as it was asked to be, with the means that only it knows.
ModelInfo askingModel(const Json& result, const ModelInfo& cache)
{
    ModelInfo info;
    info.kvHeads = cache.kvHeads;
    info.changes = cache.changes;
    info.changes.reference = result.value("reference", "");
    info.name = result.value("model", "");
    const Json hashes = result.value("sha256", Json::object());
    for (const auto& [file, digest] : hashes.items())
        if (digest.is_string())
            info.sha256.emplace_back(file, digest.get<std::string>());
    return info;
}

} // namespace

Result<cli::RetrievalQueries> embedQuery(EngineServer& engine, const std::string& text, const std::string& model,
                                         const CacheInput& input, const cli::SearchVectors& searched, JobContext& job)
{
    commands::CommandLine<commands::EmbedCommand> line;
    line.command.model = model;
    line.command.text = text;
    extractAsCache(*input.cache, input.layers.front(), input.stages.front(), line.command);
    HEADSCOPE_TRY(const auto folder, TemporaryPath::makeFolder("headscope-query"));
    HEADSCOPE_CHECK(addReference(*input.cache, folder.path(), line.command.ablation, job));
    HEADSCOPE_TRY(const Json result, engine.ask("embed", shell::requestParams(line), job));
    const std::filesystem::path file = result.value("file", "");
    HEADSCOPE_TRY(const std::string bytes, readTextFile(file));
    const LayerIndex layer = input.layers.front();
    const Stage stage = input.stages.front();
    cli::RetrievalQueries queries;
    queries.ids = {"query"};
    queries.vectors.model = askingModel(result, input.model());
    HEADSCOPE_CHECK(checkChangedAsCache(input.model(), queries.vectors.model, model));
    HEADSCOPE_TRY(queries.vectors.heads, blockOf(result, bytes, layer, stage, input.model()));
    if (queries.vectors.heads == nullptr)
        return badAnswer(file);
    // What the full vectors are that are searched (fullVectors).
    HEADSCOPE_TRY(queries.vectors.full,
                  blockOf(result, bytes, searched.full->layer(), searched.full->stage(), input.model()));
    if (queries.vectors.full == nullptr)
        return badAnswer(file);
    queries.vectors.fullSource = searched.fullSource;
    HEADSCOPE_CHECK(cli::checkQueriesFit(queries.vectors, searched, model));
    queries.notice = cli::otherModelNotice(input.model(), queries.vectors.model);
    return queries;
}

} // namespace headscope::desktop
