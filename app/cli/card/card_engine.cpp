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
#include "model/analysis/statistics/draws.h"
#include "model/base/output/temporary_path.h"
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

/// Documents of the input that the model is run on, ascending.
std::vector<std::int64_t> drawnRows(const CacheInput& input, const CardRuns& runs)
{
    const Draws draws(runs.seed);
    std::vector<std::int64_t> rows;
    for (const std::int64_t place : shuffledIndices(draws, std::ssize(input.rows)))
        if (std::ssize(rows) < runs.documents)
            rows.push_back(input.rows[static_cast<std::size_t>(place)]);
    std::ranges::sort(rows);
    return rows;
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
    const ErrorCode code = answer.error().code;
    if (code != ErrorCode::BadFormat && code != ErrorCode::Unsupported && code != ErrorCode::InvalidArgument)
        return std::move(answer).error();
    parts.setMissing(part, fmt::format("The model does not offer this: {}.", answer.error().message));
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

Status runImportance(const CacheInput& input, const CardRuns& runs, std::span<const std::int64_t> rows,
                     CardModelParts& parts, JobContext& job)
{
    const CacheHeader& header = input.cache->info().header;
    for (const LayerIndex layer : runs.layers)
    {
        commands::CommandLine<commands::ImportanceCommand> line;
        encodeAsCache(header, line.command);
        line.command.model = runs.model;
        line.command.inputs = {input.cache->path().string()};
        line.command.prompt = header.prompt;
        line.command.rows = fmt::format("{}", fmt::join(rows, ","));
        line.command.layers = std::to_string(layer.value());
        line.command.masks = header.model.heads + 2; // cards show single heads, and random sets are not asked for
        line.command.topicTemplate = header.topicTemplate;
        HEADSCOPE_TRY(const auto answer, answerOf(runs, wordsOf(line, runs), {}, CardPart::Importance, parts, job));
        if (answer)
            HEADSCOPE_CHECK(parts.takeImportance(*answer, runs.model));
    }
    return {};
}

} // namespace

Result<CardModelParts> runModelForCards(const CacheInput& input, const CardRuns& runs, JobContext& job)
{
    CardModelParts parts(input.model());
    const bool hasTexts = !input.documents->texts.empty();
    const std::vector<std::int64_t> rows = drawnRows(input, runs);
    const std::uint64_t steps = runs.ablate ? 4 : 3;
    job.report("composition", 0, steps, "runs of the model");
    HEADSCOPE_CHECK(runComposition(runs, parts, job));
    if (hasTexts)
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
