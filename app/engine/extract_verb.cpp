// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/engine/extraction.h"
#include "app/engine/model_card_text.h"
#include "app/engine/progress_line.h"
#include "app/engine/verb.h"
#include "model/io/cache_writer.h"

#include <CLI/CLI.hpp>
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

Status checkLater(const CLI::App& verb)
{
    for (const char* option : {"--resume", "--range"})
        if (verb.count(option) > 0)
            return Error{
                ErrorCode::WrongUse, fmt::format("{} comes with a later version of Headscope", option), {}, {}};
    return {};
}

Result<ExtractRequest> makeRequest(const CLI::App& verb, const ExtractOptions& options, const CommonOptions& common)
{
    ExtractRequest request;
    request.model = options.model;
    request.inputs.assign(options.inputs.begin(), options.inputs.end());
    request.output = options.output;
    request.documents.textColumn = options.textColumn;
    if (verb.count("--id-column") > 0) // '': row numbers
        request.documents.idColumn = options.idColumn;
    if (verb.count("--label-columns") > 0) // '': no labels
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

void addInputOptions(CLI::App& verb, ExtractOptions& options)
{
    verb.add_option("--text-column", options.textColumn, "Column of the texts (default text)")->type_name("NAME");
    verb.add_option("--id-column", options.idColumn,
                    "Column of the ids (default: id, or the row number; '': the row number)")
        ->type_name("NAME");
    verb.add_option("--label-columns", options.labelColumns,
                    "Columns of the labels (default: text columns of at most 100 values; '': none; \\, is a comma "
                    "inside a name)")
        ->type_name("A,B");
    verb.add_option("--label-map", options.labelMap, "JSON object of old label to new")->type_name("FILE");
    verb.add_flag("--lines", options.lines, "Each line of a .txt is a document");
    verb.add_option("--limit", options.limit, "Only the first N documents")->check(CLI::PositiveNumber)->type_name("N");
    verb.add_option("--sample", options.sample, "N of the documents, chosen by the seed")
        ->check(CLI::PositiveNumber)
        ->type_name("N");
    verb.add_option("--topics", options.topics,
                    "Topic names, one a line or JSON (default: the categories of each label column)")
        ->type_name("FILE");
    verb.add_option("--label", options.label, "Label column that --topics belongs to")->type_name("NAME");
}

void addModelOptions(CLI::App& verb, ExtractOptions& options)
{
    verb.add_option("--stages,--stage", options.stages, "Stages to keep: 1, 2, 3, contribution (default 1,2,3)")
        ->type_name("LIST");
    verb.add_option("--layers,--layer", options.layers,
                    "Layers to keep: last (default), all, or numbers from 0: 0,15,20-31")
        ->type_name("LIST");
    verb.add_option("--max-tokens", options.maxTokens,
                    "Cut texts to so many tokens (default: auto, as the model was made for)")
        ->type_name("auto|N");
    verb.add_option("--pooling", options.pooling, "Token that is kept (default: auto, as the model's files say)")
        ->type_name("auto|last|mean|first");
    addEncodeOptions(verb, options.encode);
    verb.add_option("--prompt", options.prompt, "Text to put before every document and topic name")->type_name("TEXT");
    verb.add_option("--device", options.device, "Where to compute (default auto)")->type_name("auto|cpu|cuda[:N]");
    verb.add_option("--dtype", options.dtype, "Numbers to compute with (default auto: f32)")->type_name("auto|f32");
    verb.add_option("--memory", options.memory,
                    "Stay within so many bytes (k, M, G: times 1024): layers are read from disk again for every batch "
                    "of documents")
        ->type_name("BYTES");
    verb.add_option("--store", options.store, "Numbers to store (default f32)")->type_name("f32|f16|bf16");
    verb.add_option("--shard-mb", options.shardMb, "Megabytes of a shard (default 64)")
        ->check(CLI::Range(1, 1 << 20))
        ->type_name("N");
    verb.add_flag("--resume", options.resume, "Comes with a later version")->group("");
    verb.add_option("--range", options.later, "Comes with a later version")->group("");
}

} // namespace

Verb addExtractVerb(CLI::App& program, CommonOptions& common)
{
    auto options = std::make_shared<ExtractOptions>();
    auto* verb = program.add_subcommand("extract",
                                        "Write the head vectors of documents and of their topics' names into a cache");
    verb->add_option("model", options->model, "A model folder, one of its files, or a .gguf file")
        ->required()
        ->type_name("MODEL");
    verb->add_option("documents", options->inputs,
                     ".jsonl .json .csv .tsv .txt, also .gz and .zst; a folder; - for JSONL on stdin")
        ->required()
        ->type_name("DOCS");
    verb->add_option("-o,--output", options->output, "The cache to write")->required()->type_name("CACHE.h5");
    verb->footer("An extraction that is stopped keeps nothing: it begins anew.");
    addInputOptions(*verb, *options);
    addModelOptions(*verb, *options);
    addCommonOptions(*verb, common);
    return {verb, [options, verb](VerbContext& context) -> Status {
                HEADSCOPE_CHECK(checkLater(*verb));
                HEADSCOPE_TRY(const auto request, makeRequest(*verb, *options, context.common));
                HEADSCOPE_TRY(const auto summary, runExtraction(request, context));
                clearProgressLine();
                context.out << (context.common.json ? summaryJson(summary, request.output)
                                                    : summaryText(summary, request.output));
                return {};
            }};
}

} // namespace headscope::engine
