// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/engine/extraction.h"
#include "app/engine/model_card_text.h"
#include "app/engine/options.h"
#include "app/engine/verb.h"
#include "app/shell/command.h"
#include "app/shell/progress_line.h"
#include "model/io/cache_writer.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <memory>
#include <ostream>

namespace headscope::engine
{
namespace
{

/// The options as they were typed.
struct ExtractOptions
{
    std::string model;
    std::vector<std::string> inputs;
    std::string output;
    std::string stages = "1,2,3";
    std::string layers = "last";
    std::string textColumn = "text";
    std::string idColumn;
    std::string labelColumns;
    std::string labelMap;
    bool lines = false;
    std::int64_t limit = 0;
    std::int64_t sample = 0;
    std::string topics;
    std::string label;
    std::string maxTokens = "auto";
    std::string pooling = "auto";
    EncodeChoices encode;
    std::string prompt;
    std::string device = "auto";
    std::string dtype = "auto";
    std::string memory;
    std::string store = "f32";
    std::int64_t shardMb = 64;
    bool resume = false; ///< with later: what this version does not have
    std::string later;
};

Error wrongUse(std::string_view option, std::string_view wanted, std::string_view found)
{
    return {ErrorCode::WrongUse, fmt::format("expected {}, found \"{}\"", wanted, found), {}, std::string(option)};
}

Status checkLater(const shell::Command& command)
{
    for (const char* option : {"--resume", "--range"})
        if (command.given(option))
            return Error{
                ErrorCode::WrongUse, fmt::format("{} comes with a later version of Headscope", option), {}, {}};
    return {};
}

Result<ExtractRequest> makeRequest(const shell::Command& command, const ExtractOptions& options,
                                   const CommonOptions& common)
{
    ExtractRequest request;
    request.model = options.model;
    request.inputs.assign(options.inputs.begin(), options.inputs.end());
    request.output = options.output;
    request.documents.textColumn = options.textColumn;
    if (command.given("--id-column")) // '': row numbers
        request.documents.idColumn = options.idColumn;
    if (command.given("--label-columns")) // '': no labels
        request.documents.labelColumns = splitColumns(options.labelColumns);
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
    return object.dump(-1, ' ', false, nlohmann::ordered_json::error_handler_t::replace) + "\n";
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

void addInputOptions(shell::Command& command, ExtractOptions& options)
{
    command.option("--text-column", options.textColumn, "Column of the texts (default text)").valueName("NAME");
    command
        .option("--id-column", options.idColumn,
                "Column of the ids (default: id, or the row number; '': the row number)")
        .valueName("NAME");
    command
        .option("--label-columns", options.labelColumns,
                "Columns of the labels (default: text columns of at most 100 values; '': none; \\, is a comma "
                "inside a name)")
        .valueName("A,B");
    command.option("--label-map", options.labelMap, "JSON object of old label to new").valueName("FILE");
    command.flag("--lines", options.lines, "Each line of a .txt is a document");
    command.option("--limit", options.limit, "Only the first N documents").positive().valueName("N");
    command.option("--sample", options.sample, "N of the documents, chosen by the seed").positive().valueName("N");
    command
        .option("--topics", options.topics,
                "Topic names, one a line or JSON (default: the categories of each label column)")
        .valueName("FILE");
    command.option("--label", options.label, "Label column that --topics belongs to").valueName("NAME");
}

void addModelOptions(shell::Command& command, ExtractOptions& options)
{
    command.option("--stages,--stage", options.stages, "Stages to keep: 1, 2, 3, contribution (default 1,2,3)")
        .valueName("LIST");
    command
        .option("--layers,--layer", options.layers,
                "Layers to keep: last (default), all, or numbers from 0: 0,15,20-31")
        .valueName("LIST");
    command
        .option("--max-tokens", options.maxTokens,
                "Cut texts to so many tokens (default: auto, as the model was made for)")
        .valueName("auto|N");
    command.option("--pooling", options.pooling, "Token that is kept (default: auto, as the model's files say)")
        .valueName("auto|last|mean|first");
    addEncodeOptions(command, options.encode);
    command.option("--prompt", options.prompt, "Text to put before every document and topic name").valueName("TEXT");
    command.option("--device", options.device, "Where to compute (default auto)").valueName("auto|cpu|cuda[:N]");
    command.option("--dtype", options.dtype, "Numbers to compute with (default auto: f32)").valueName("auto|f32");
    command
        .option("--memory", options.memory,
                "Stay within so many bytes (k, M, G: times 1024): layers are read from disk again for every batch "
                "of documents")
        .valueName("BYTES");
    command.option("--store", options.store, "Numbers to store (default f32)").valueName("f32|f16|bf16");
    command.option("--shard-mb", options.shardMb, "Megabytes of a shard (default 64)")
        .within(1, 1 << 20)
        .valueName("N");
    command.flag("--resume", options.resume, "Comes with a later version").hidden();
    command.option("--range", options.later, "Comes with a later version").hidden();
}

} // namespace

RunVerb declareExtract(shell::Command& command)
{
    auto options = std::make_shared<ExtractOptions>();
    command.option("model", options->model, "A model folder, one of its files, or a .gguf file")
        .required()
        .valueName("MODEL");
    command
        .option("documents", options->inputs,
                ".jsonl .json .csv .tsv .txt, also .gz and .zst; a folder; - for JSONL on stdin")
        .required()
        .valueName("DOCS");
    command.option("-o,--output", options->output, "The cache to write").required().valueName("CACHE.h5");
    command.footer("An extraction that is stopped keeps nothing: it begins anew.");
    addInputOptions(command, *options);
    addModelOptions(command, *options);
    return [options, &command](VerbContext& context) -> Status {
        HEADSCOPE_CHECK(checkLater(command));
        HEADSCOPE_TRY(const auto request, makeRequest(command, *options, context.common));
        HEADSCOPE_TRY(const auto summary, runExtraction(request, context));
        context.progress.clear();
        context.out << (context.common.json ? summaryJson(summary, request.output)
                                            : summaryText(summary, request.output));
        return {};
    };
}

} // namespace headscope::engine
