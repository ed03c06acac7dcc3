// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/commands/serve/embed_command.h"
#include "app/engine/ablation/ablation_json.h"
#include "app/engine/encode_options.h"
#include "app/engine/extraction_steps.h"
#include "app/engine/inspect/model_card_text.h"
#include "app/engine/options.h"
#include "app/engine/serve/resident_means.h"
#include "app/engine/serve/serving.h"
#include "model/base/clock.h"
#include "model/base/output/output_file.h"
#include "model/data/documents/document_set.h"
#include "model/data/last_layer.h"
#include "model/io/shards/collecting_sink.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>
#include <filesystem>
#include <span>
#include <utility>
#include <vector>

namespace headscope::engine
{
namespace
{

using Json = nlohmann::ordered_json;
using Vectors = std::vector<std::shared_ptr<const HeadVectors>>;

Result<ExtractionOptions> optionsOf(const commands::EmbedCommand& command, const shell::CommonOptions& common,
                                    const OpenedModel& model)
{
    ExtractionOptions options;
    HEADSCOPE_TRY(options.stages, parseStages(command.stages));
    HEADSCOPE_TRY(options.layers, parseLayers(command.layers, model.card.info.layers));
    HEADSCOPE_TRY(options.pooling, model.pooling(command.pooling));
    HEADSCOPE_TRY(options.backend, chooseBackend("auto", command.device));
    options.finalNorm = command.lastLayer != "raw";
    HEADSCOPE_CHECK(addEmbedding(command.embedding, model, options));
    options.threads = common.numThreads();
    options.keepsPass = true;
    return options;
}

/// All that changes what the tokens of a text are.
std::string encodingOf(const commands::EmbedCommand& command)
{
    return fmt::format("{}\n{}\n{}\n{}", command.prompt, command.maxTokens, command.encode.eos,
                       command.encode.specialTokens);
}

Status writeVectors(const std::filesystem::path& path, const Vectors& vectors)
{
    HEADSCOPE_TRY(auto file, OutputFile::create(path));
    for (const auto& block : vectors)
    {
        const auto bytes = std::as_bytes(block->values());
        // NOLINTNEXTLINE(cppcoreguidelines-pro-type-reinterpret-cast): bytes as text, to be written
        HEADSCOPE_CHECK(file.write({reinterpret_cast<const char*>(bytes.data()), bytes.size()}));
    }
    return file.publish();
}

Json vectorsJson(const Vectors& vectors, const ModelInfo& info)
{
    Json list = Json::array();
    std::size_t offset = 0;
    for (const auto& block : vectors)
    {
        Json one = {{"layer", block->layer().value()},
                    {"stage", stageName(block->stage())},
                    {"shape", {block->heads(), block->dims()}},
                    {"dtype", "f32"},
                    {"offset", offset}};
        if (const auto note = finalNormNote(info, block->layer(), block->stage()); !note.empty())
            one["final_norm"] = note;
        list.push_back(std::move(one));
        offset += block->values().size_bytes();
    }
    return list;
}

bool has(const TokenizedDocument& document, DocumentFlag flag)
{
    return (document.flags & static_cast<std::uint8_t>(flag)) != 0;
}

/// Opens the model and loads the layers that are asked for.
Result<std::string> open(const commands::EmbedCommand& command, Serving& serving, VerbContext& context)
{
    HEADSCOPE_TRY(const OpenedModel* model, openModelOf(context, command.model));
    HEADSCOPE_TRY(const auto options, optionsOf(command, context.common, *model));
    HEADSCOPE_TRY(const auto maxTokens, model->maxTokens(command.maxTokens));
    HEADSCOPE_CHECK(toStatus(serving.model.extractor(options, maxTokens, Hashes::Needed, context.job)));
    return modelCardJson(*model);
}

/// Embeds a text: its vectors are those that `extract` writes for a file with this text alone, bit for bit. Layers
/// below the first one with a head off are not computed again for the text that was embedded last.
///
/// The file holds the blocks one after another, by layer, then by stage, as float32 in the byte order of the machine.
Result<std::string> embed(const commands::EmbedCommand& asked, Serving& serving, VerbContext& context)
{
    commands::EmbedCommand command = asked;
    JobContext& job = context.job;
    ResidentModel& resident = serving.model;
    const auto start = Clock::now();
    HEADSCOPE_CHECK(checkChoices(command.ablation, false));
    if (!command.output.empty())
        HEADSCOPE_CHECK(checkOutputPath(command.output, context.common.overwrite,
                                        std::array{std::filesystem::path(command.model)}));
    HEADSCOPE_TRY(const OpenedModel* model, openModelOf(context, command.model));
    HEADSCOPE_CHECK(toStatus(choosePrompt(command, *model))); // the answer says which
    HEADSCOPE_TRY(auto options, optionsOf(command, context.common, *model));
    HEADSCOPE_TRY(auto ablation, chooseAblation(command.ablation, model->files.config));
    HEADSCOPE_TRY(const auto maxTokens, model->maxTokens(command.maxTokens));
    HEADSCOPE_TRY(const auto encoder, makeEncoder(command, *model, maxTokens));
    HEADSCOPE_TRY(const auto document, encoder.tokens(0, command.text));
    options.edit.groups = ablation.edit.groups; // of the reference, too
    if (ablation.mean)
        HEADSCOPE_CHECK(measureMeans({command.ablation, encoder, encodingOf(command), maxTokens}, options, resident,
                                     ablation, job));
    options.edit = ablation.edit;
    HEADSCOPE_TRY(const HeadExtractor* extractor, resident.extractor(options, maxTokens, Hashes::Needed, job));
    const double loading = secondsSince(start);
    CollectingSink sink(extractor->blocks(), 1);
    bool given = false;
    const TokenStream stream = [&]() -> Result<std::optional<TokenizedDocument>> {
        return std::exchange(given, true) ? std::nullopt : std::optional(document);
    };
    HEADSCOPE_TRY(const auto report, extractor->run(stream, sink, 1, job));
    HEADSCOPE_CHECK(job.checkStop());
    const auto vectors = sink.take();
    std::filesystem::path path = command.output;
    if (path.empty())
    {
        HEADSCOPE_TRY(path, serving.files.next());
    }
    HEADSCOPE_CHECK(writeVectors(path, vectors));
    ModelInfo info = model->card.info;
    info.lastLayerRaw = command.lastLayer == "raw";
    Json hashes = Json::object();
    for (const auto& file : model->card.files)
        hashes[file.name] = file.sha256;
    Json object = {{"file", path.string()},
                   {"vectors", vectorsJson(vectors, info)},
                   {"model", info.name},
                   {"sha256", std::move(hashes)},
                   {"pooling", poolingName(options.pooling)},
                   {"modules", embeddingSource(options, extractor->blocks()).modules},
                   {"prompt", command.prompt},
                   {"tokens", document.ids.size()},
                   {"empty", has(document, DocumentFlag::Empty)},
                   {"truncated", has(document, DocumentFlag::Truncated)},
                   {"non_finite", report.nonFinite > 0},
                   {"seconds", {{"load", loading}, {"compute", report.seconds}, {"total", secondsSince(start)}}}};
    addAblation(object, ablation.heads, ablation.changes.ablation, command.ablation.regroup,
                ablation.changes.words(ablation.kvHeads));
    if (ablation.mean)
        object["reference"] = ablation.changes.reference;
    return object.dump(-1, ' ', false, Json::error_handler_t::replace);
}

} // namespace

RunVerb declareServedOpen(Fields& table, Serving& serving)
{
    return formOf(table, serving, &commands::EmbedCommand::declareModel, open);
}

RunVerb declareServedEmbed(Fields& table, Serving& serving)
{
    return formOf(table, serving, &commands::EmbedCommand::declare, embed);
}

} // namespace headscope::engine
