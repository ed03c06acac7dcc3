// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/commands/extract_command.h"
#include "app/engine/ablation/ablation.h"
#include "app/engine/ablation/ablation_json.h"
#include "app/engine/engine_verb.h"
#include "app/engine/extraction/run_extraction.h"
#include "app/engine/growth/growth.h"
#include "app/engine/inspect/model_card_text.h"
#include "app/engine/options.h"
#include "app/shell/wrong_use.h"
#include "model/base/text/bytes_text.h"
#include "model/base/text/plural.h"
#include "model/io/cache/cache_writer.h"
#include "model/io/texts/csv_separator.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <iterator>
#include <optional>

namespace headscope::engine
{
namespace
{

using commands::ExtractCommand;
using shell::wrongUse;

Result<Precision> precisionOf(const std::string& name, Backend backend)
{
    if (name == "auto" || name == "f32")
        return Precision::F32;
    if (name != "bf16" && name != "f16")
        return wrongUse("--dtype", "auto, f32, bf16 or f16", name);
    backend.precision = name == "bf16" ? Precision::Bf16 : Precision::F16;
    HEADSCOPE_CHECK(checkPrecision(backend));
    return backend.precision;
}

/// Options that go together, or do not.
Status checkTogether(const ExtractCommand& options)
{
    const auto wrong = [](const char* message, const char* place) -> Status {
        return Error{ErrorCode::WrongUse, message, {}, place};
    };
    if (options.output.empty() && options.into.empty())
        return wrong("expected -o with a new cache or --into with an existing one, found neither", "--output");
    if (!options.output.empty() && !options.into.empty())
        return wrong("expected either -o with a new cache or --into with an existing one, found both", "--into");
    if (options.inputs.empty() && options.into.empty())
        return wrong("expected documents, found none", "documents");
    if (!options.range.empty() && !options.into.empty())
        return wrong("this option cannot be used with --into: extract each range with -o, and join the ranges with "
                     "headscope-engine merge",
                     "--range");
    return {};
}

Result<ExtractionRequest> makeRequest(const ExtractCommand& options, const CommonOptions& common)
{
    HEADSCOPE_CHECK(checkTogether(options));
    ExtractionRequest request;
    request.model = options.model;
    request.inputs.assign(options.inputs.begin(), options.inputs.end());
    request.into = !options.into.empty();
    request.output = request.into ? options.into : options.output;
    request.documents.textColumn = options.textColumn;
    request.documents.idColumn = options.idColumn;
    if (options.labelColumns)
        request.documents.labelColumns = splitColumns(*options.labelColumns);
    if (options.numberColumns)
        request.documents.numberColumns = splitColumns(*options.numberColumns);
    request.documents.separator = separatorFromName(options.separator);
    request.documents.joinLists = options.labelLists == "joined";
    request.documents.repeatedIds = options.duplicateIds == "suffix" ? RepeatedIds::Suffix : RepeatedIds::Refuse;
    request.documents.lines = options.lines;
    request.documents.limit = options.limit;
    request.documents.sample = options.sample;
    request.documents.seed = common.seed;
    request.documents.labelMap = options.labelMap;
    if (options.stages || !request.into)
    {
        HEADSCOPE_TRY(request.stages, parseStages(options.stages.value_or("1,2,3")));
    }
    request.layers = options.layers.value_or(request.into ? "" : "last");
    request.run = options;
    request.topics = options.topics;
    request.topicTemplate = options.topicTemplate;
    request.label = options.label;
    request.ablation = options.ablation;
    const bool fromStandardInput = std::ranges::find(options.inputs, "-") != options.inputs.end();
    HEADSCOPE_CHECK(checkChoices(options.ablation, !request.into && !fromStandardInput));
    HEADSCOPE_TRY(request.backend, chooseBackend("auto", options.device));
    if (!options.memory.empty())
    {
        HEADSCOPE_TRY(request.memory, parseBytes(options.memory, "--memory"));
        if (request.backend.kind != Backend::Kind::Cpu)
            return Error{ErrorCode::WrongUse,
                         fmt::format("a memory limit needs --device cpu, found {}", request.backend.device),
                         {},
                         "--memory"};
    }
    const auto store = storeTypeFromName(options.store);
    if (!store)
        return wrongUse("--store", "f32, f16 or bf16", options.store);
    request.store = *store;
    HEADSCOPE_TRY(request.backend.precision, precisionOf(options.dtype, request.backend));
    if (!options.range.empty())
    {
        HEADSCOPE_TRY(request.range, parseRange(options.range, "--range"));
    }
    request.resume = !options.noResume;
    request.shardBytes = static_cast<std::uint64_t>(options.shardMb) << 20;
    return request;
}

nlohmann::ordered_json sampleJson(const std::optional<DocumentSample>& sample)
{
    return sample ? nlohmann::ordered_json{{"of", sample->of}, {"seed", sample->seed}} : nlohmann::ordered_json();
}

nlohmann::ordered_json addedJson(const AddedSummary& added)
{
    auto vectors = nlohmann::ordered_json::array();
    for (const ExtractionBlock& block : added.vectors)
        vectors.push_back({{"layer", block.layer.value()}, {"stage", stageName(block.stage)}});
    return {{"documents", added.documents},
            {"vectors", std::move(vectors)},
            {"topics", added.topics},
            {"dropped_maps", added.droppedMaps}};
}

std::string summaryJson(const ExtractSummary& summary, const std::filesystem::path& output)
{
    nlohmann::ordered_json object = {{"documents", summary.documents},
                                     {"sample", sampleJson(summary.sample)},
                                     {"skipped", summary.skipped},
                                     {"tokens", summary.tokens},
                                     {"empty", summary.empty},
                                     {"truncated", summary.truncated},
                                     {"non_finite", summary.nonFinite},
                                     {"seconds",
                                      {{"load", summary.loadSeconds},
                                       {"tokenize", summary.tokenizeSeconds},
                                       {"check", summary.checkSeconds},
                                       {"compute", summary.computeSeconds},
                                       {"write", summary.writeSeconds},
                                       {"total", summary.totalSeconds}}},
                                     {"tokens_per_second", summary.tokensPerSecond},
                                     {"device", summary.device},
                                     {"dtype", precisionName(summary.precision)},
                                     {"peak_bytes", summary.peakBytes},
                                     {"output", output.string()},
                                     {"sha256", summary.sha256}};
    addAblation(object, summary.ablated, summary.ablation, summary.regroup, summary.changed);
    if (summary.added)
        object["added"] = addedJson(*summary.added);
    return object.dump(-1, ' ', false, nlohmann::ordered_json::error_handler_t::replace);
}

std::string summaryText(const ExtractSummary& summary, const std::filesystem::path& output)
{
    std::string oddities;
    const auto add = [&oddities](std::int64_t count, std::string_view what, std::string_view ending = {}) {
        if (count > 0)
            oddities += fmt::format(", {} {}{}", count, what, ending);
    };
    const auto addNew = [&add](std::int64_t count, std::string_view what) { add(count, what, plural(count)); };
    if (summary.added)
    {
        addNew(summary.added->documents, "new document");
        const auto pairs = std::ssize(summary.added->vectors);
        add(pairs, pairs == 1 ? "new pair of layer and stage" : "new pairs of layer and stage");
        const auto columns = std::ssize(summary.added->topics);
        add(columns, columns == 1 ? "label column with other topic names" : "label columns with other topic names");
    }
    if (summary.sample)
        oddities += fmt::format(", sampled from {} with seed {}", summary.sample->of, summary.sample->seed);
    if (!summary.changed.empty())
        oddities += ", changed: " + summary.changed;
    add(summary.skipped, summary.added ? "done before" : "done by an earlier run");
    add(summary.empty, "empty");
    add(summary.truncated, "truncated");
    add(summary.nonFinite, "with NaN or infinity");
    return fmt::format("{}: {} document{}, {} token{}{}; {:.1f} s ({:.0f} tokens/s on {}), {} of memory\n",
                       output.string(), summary.documents, plural(summary.documents), summary.tokens,
                       plural(summary.tokens), oddities, summary.totalSeconds, summary.tokensPerSecond, summary.device,
                       bytesText(summary.peakBytes));
}

Status runExtract(const ExtractCommand& command, VerbContext& context)
{
    HEADSCOPE_TRY(const auto request, makeRequest(command, context.common));
    HEADSCOPE_TRY(const auto summary, request.into ? runGrowth(request, context) : runExtraction(request, context));
    answer(
        context, [&] { return summaryJson(summary, request.output); },
        [&] { return summaryText(summary, request.output); });
    return {};
}

} // namespace

RunVerb declareExtract(Fields& table)
{
    return verbOf(table, runExtract);
}

} // namespace headscope::engine
