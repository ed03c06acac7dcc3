// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/card/card_engine.h"

#include "app/cli/run_engine.h"
#include "app/commands/attention/attention_command.h"
#include "app/commands/attention/importance_command.h"
#include "app/commands/circuits/composition_command.h"
#include "app/commands/circuits/lens_command.h"
#include "app/commands/command_line.h"
#include "app/frames/json_type.h"
#include "app/results/as_cache.h"
#include "app/shell/error_json.h"
#include "app/shell/request_params.h"
#include "model/analysis/statistics/drawn_documents.h"
#include "model/base/output/temporary_path.h"
#include "model/base/text/split_text.h"
#include "model/data/model_digests.h"
#include "model/io/texts/document_lines.h"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <optional>
#include <utility>

namespace headscope::cli
{
namespace
{

constexpr std::int64_t kTokens = 8; ///< of each list

/// What is not on the card where the engine refuses a model.
std::string_view notComputed(CardPart part)
{
    switch (part)
    {
    case CardPart::Writes:
        return "The output of the heads of this model cannot be decoded into tokens";
    case CardPart::Reads:
        return "The attention of this model cannot be measured";
    case CardPart::Partners:
        return "Composition scores cannot be computed for this model";
    default:
        return "The heads of this model cannot be ablated";
    }
}

/// What the model does not offer is missing of the cards; its other errors are those of the run.
Status keepMissing(const Error& error, CardPart part, CardModelParts& parts)
{
    if (error.code != ErrorCode::BadFormat && error.code != ErrorCode::Unsupported &&
        error.code != ErrorCode::InvalidArgument)
        return error;
    parts.setMissing(part, fmt::format("{}: {}.", notComputed(part), error.message));
    return {};
}

/// An answer of the engine; nothing where it does not offer it for this model, and then that is missing.
Result<std::optional<std::string>> answerOf(const CardRuns& runs, const std::vector<std::string>& words,
                                            std::string_view input, CardPart part, CardModelParts& parts,
                                            JobContext& job)
{
    JobContext inner(job.stopToken());
    auto answer = runEngine(runs.engine, words, input, inner);
    if (answer)
        return std::optional(std::move(*answer));
    HEADSCOPE_CHECK(keepMissing(answer.error(), part, parts));
    return std::optional<std::string>();
}

template <class C>
std::vector<std::string> wordsOf(commands::CommandLine<C> line, const CardRuns& runs)
{
    line.common.progress = "off";
    line.common.threads = runs.threads;
    line.common.seed = runs.seed;
    line.common.json = true;
    return line.words();
}

std::string layersText(const CardRuns& runs)
{
    std::vector<std::int64_t> layers;
    for (const LayerIndex layer : runs.layers)
        layers.push_back(layer.value());
    return fmt::format("{}", fmt::join(layers, ","));
}

Status runLens(const CacheInput& input, const CardRuns& runs, std::string_view lines, CardModelParts& parts,
               JobContext& job)
{
    const CacheHeader& header = input.cache->info().header;
    commands::CommandLine<commands::LensCommand> line;
    encodeAsCache(header, line.command);
    line.command.model = runs.model;
    line.command.inputs = {"-"};
    line.command.prompt = header.prompt;
    line.command.layers = layersText(runs);
    line.command.heads = runs.heads;
    line.command.top = kTokens;
    line.command.center = true;
    HEADSCOPE_TRY(const auto answer, answerOf(runs, wordsOf(line, runs), lines, CardPart::Writes, parts, job));
    return answer ? parts.takeLens(*answer, runs.model) : Status();
}

Status runAttention(const CacheInput& input, const CardRuns& runs, std::string_view lines, std::int64_t documents,
                    CardModelParts& parts, JobContext& job)
{
    const CacheHeader& header = input.cache->info().header;
    commands::CommandLine<commands::AttentionCommand> line;
    encodeAsCache(header, line.command);
    line.command.model = runs.model;
    line.command.corpus = "-";
    line.command.prompt = header.prompt;
    HEADSCOPE_TRY(const auto answer, answerOf(runs, wordsOf(line, runs), lines, CardPart::Reads, parts, job));
    return answer ? parts.takeAttention(*answer, documents, runs.model) : Status();
}

Status runComposition(const CardRuns& runs, CardModelParts& parts, JobContext& job)
{
    HEADSCOPE_TRY(const TemporaryPath folder, TemporaryPath::makeFolder("headscope-card"));
    const auto file = folder.path() / "composition.h5";
    commands::CommandLine<commands::CompositionCommand> line;
    line.command.model = runs.model;
    line.command.output = file.string();
    HEADSCOPE_TRY(const auto answer, answerOf(runs, wordsOf(line, runs), {}, CardPart::Partners, parts, job));
    return answer ? parts.takeComposition(file, runs.model, job) : Status();
}

std::string importanceRequest(const CacheInput& input, const CardRuns& runs, std::span<const std::int64_t> rows,
                              LayerIndex layer)
{
    const CacheHeader& header = input.cache->info().header;
    commands::CommandLine<commands::ImportanceCommand> line;
    encodeAsCache(header, line.command);
    line.command.model = runs.model;
    line.command.inputs = {input.cache->path().string()};
    line.command.prompt = header.prompt;
    line.command.label = runs.label; // that of the cards: without one, only cosines are measured
    line.command.rows = fmt::format("{}", fmt::join(rows, ","));
    line.command.layers = std::to_string(layer.value());
    line.command.masks = header.model.heads + 2; // cards show single heads, and random sets are not asked for
    line.command.topicTemplate = header.topicTemplate;
    line.common.threads = runs.threads;
    line.common.seed = runs.seed;
    const nlohmann::json request = {
        {"id", layer.value()}, {"method", "importance"}, {"params", shell::requestParams(line)}};
    return request.dump(-1, ' ', false, Json::error_handler_t::replace) + "\n";
}

/// The drop without each head, a layer a request. The engine that stays opens the model once for all of them.
Status runImportance(const CacheInput& input, const CardRuns& runs, std::span<const std::int64_t> rows,
                     CardModelParts& parts, JobContext& job)
{
    constexpr std::size_t kAtOnce = 64; // more requests may not wait (app/engine/PROTOCOL.md)
    const std::span<const LayerIndex> layers = runs.layers;
    for (std::size_t first = 0; first < layers.size(); first += kAtOnce)
    {
        std::string requests;
        for (const LayerIndex layer : layers.subspan(first, std::min(kAtOnce, layers.size() - first)))
            requests += importanceRequest(input, runs, rows, layer);
        HEADSCOPE_TRY(const auto answers, answerOf(runs, {"serve"}, requests, CardPart::Importance, parts, job));
        for (const std::string& line : splitText(answers.value_or(std::string()), '\n'))
        {
            const auto answer = nlohmann::json::parse(line, nullptr, false);
            if (answer.is_object() && answer.contains("result"))
                HEADSCOPE_CHECK(parts.takeImportance(answer["result"].dump(), runs.model));
            if (const auto failed = shell::errorOf(answer))
                HEADSCOPE_CHECK(keepMissing(*failed, CardPart::Importance, parts));
        }
    }
    return {};
}

} // namespace

Result<CardModelParts> runModelForCards(const CacheInput& input, const CardRuns& runs, JobContext& job)
{
    HEADSCOPE_CHECK(checkUnchangedModel(input.model(), input.cache->path().string())); // before the model is run
    CardModelParts parts(input.model());
    const auto rows = drawnDocuments(*input.documents, input.rows, runs.documents, runs.seed);
    const std::uint64_t steps = runs.ablate ? 4 : 3;
    job.report("composition", 0, steps, "runs of the model");
    HEADSCOPE_CHECK(runComposition(runs, parts, job));
    if (!rows.empty())
    {
        const std::string lines = documentLines(*input.documents, rows);
        job.report("attention", 1, steps, "runs of the model");
        HEADSCOPE_CHECK(runAttention(input, runs, lines, std::ssize(rows), parts, job));
        job.report("lens", 2, steps, "runs of the model");
        HEADSCOPE_CHECK(runLens(input, runs, lines, parts, job));
        if (runs.ablate)
        {
            job.report("ablation", 3, steps, "runs of the model");
            HEADSCOPE_CHECK(runImportance(input, runs, rows, parts, job));
        }
    }
    else
        for (const CardPart part : {CardPart::Writes, CardPart::Reads, CardPart::Importance})
            parts.setMissing(part, "The model cannot be run, because the cache has no texts.");
    return parts;
}

} // namespace headscope::cli
