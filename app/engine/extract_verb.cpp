// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/commands/extract_command.h"
#include "app/engine/extraction.h"
#include "app/engine/model_card_text.h"
#include "app/engine/options.h"
#include "app/engine/verb.h"
#include "app/shell/console.h"
#include "app/shell/progress_line.h"
#include "app/shell/wrong_use.h"
#include "model/io/cache/cache_writer.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <memory>

namespace headscope::engine
{
namespace
{

using commands::ExtractCommand;
using shell::wrongUse;

Status checkLater(const ExtractCommand& options)
{
    if (!options.resume && !options.range)
        return {};
    return Error{ErrorCode::WrongUse,
                 fmt::format("{} comes with a later version of Headscope", options.resume ? "--resume" : "--range"),
                 {},
                 {}};
}

Result<ExtractRequest> makeRequest(const ExtractCommand& options, const CommonOptions& common)
{
    ExtractRequest request;
    request.model = options.model;
    request.inputs.assign(options.inputs.begin(), options.inputs.end());
    request.output = options.output;
    request.documents.textColumn = options.textColumn;
    request.documents.idColumn = options.idColumn;
    if (options.labelColumns)
        request.documents.labelColumns = splitColumns(*options.labelColumns);
    request.documents.lines = options.lines;
    request.documents.limit = options.limit;
    request.documents.sample = options.sample;
    request.documents.seed = common.seed;
    request.documents.labelMap = options.labelMap;
    HEADSCOPE_TRY(request.stages, parseStages(options.stages));
    request.layers = options.layers;
    request.maxTokens = options.maxTokens;
    request.pooling = options.pooling;
    request.encodeChoices = options.encode;
    HEADSCOPE_TRY(request.encode, encodeOptions(options.encode));
    request.prompt = options.prompt;
    request.topics = options.topics;
    request.label = options.label;
    HEADSCOPE_TRY(request.backend, chooseBackend("auto", options.device));
    if (!options.memory.empty())
    {
        HEADSCOPE_TRY(request.memory, parseBytes(options.memory, "--memory"));
        if (request.backend.kind != Backend::Kind::Cpu)
            return Error{ErrorCode::WrongUse,
                         fmt::format("expected --device cpu with a memory limit, found {}", request.backend.device),
                         {},
                         "--memory"};
    }
    const auto store = storeTypeFromName(options.store);
    if (!store)
        return wrongUse("--store", "f32, f16 or bf16", options.store);
    request.store = *store;
    if (options.dtype == "bf16" || options.dtype == "f16")
        return Error{ErrorCode::WrongUse,
                     fmt::format("--dtype {} comes with a later version of Headscope", options.dtype),
                     {},
                     {}};
    if (options.dtype != "auto" && options.dtype != "f32")
        return wrongUse("--dtype", "auto, f32, bf16 or f16", options.dtype);
    request.shardBytes = static_cast<std::uint64_t>(options.shardMb) << 20;
    return request;
}

std::string summaryJson(const ExtractSummary& summary, const std::filesystem::path& output)
{
    const nlohmann::ordered_json object = {{"documents", summary.documents},
                                           {"tokens", summary.tokens},
                                           {"empty", summary.empty},
                                           {"truncated", summary.truncated},
                                           {"non_finite", summary.nonFinite},
                                           {"seconds",
                                            {{"load", summary.loadSeconds},
                                             {"tokenize", summary.tokenizeSeconds},
                                             {"compute", summary.computeSeconds},
                                             {"write", summary.writeSeconds},
                                             {"total", summary.totalSeconds}}},
                                           {"tokens_per_second", summary.tokensPerSecond},
                                           {"device", summary.device},
                                           {"dtype", "f32"},
                                           {"peak_bytes", summary.peakBytes},
                                           {"output", output.string()},
                                           {"sha256", summary.sha256}};
    return object.dump(-1, ' ', false, nlohmann::ordered_json::error_handler_t::replace);
}

std::string summaryText(const ExtractSummary& summary, const std::filesystem::path& output)
{
    std::string oddities;
    const auto add = [&oddities](std::int64_t count, std::string_view what) {
        if (count > 0)
            oddities += fmt::format(", {} {}", count, what);
    };
    add(summary.empty, "empty");
    add(summary.truncated, "truncated");
    add(summary.nonFinite, "with NaN or infinity");
    return fmt::format("{}: {} documents, {} tokens{}; {:.1f} s ({:.0f} tokens/s on {}), {} of memory\n",
                       output.string(), summary.documents, summary.tokens, oddities, summary.totalSeconds,
                       summary.tokensPerSecond, summary.device, bytesText(summary.peakBytes));
}

} // namespace

RunVerb declareExtract(shell::OptionTable& table)
{
    auto command = std::make_shared<ExtractCommand>();
    command->declare(table);
    return [command](VerbContext& context) -> Status {
        HEADSCOPE_CHECK(checkLater(*command));
        HEADSCOPE_TRY(const auto request, makeRequest(*command, context.common));
        HEADSCOPE_TRY(const auto summary, runExtraction(request, context));
        context.progress.clear();
        if (context.common.json)
            context.console.printJson(summaryJson(summary, request.output));
        else
            context.console.print(summaryText(summary, request.output));
        return {};
    };
}

} // namespace headscope::engine
