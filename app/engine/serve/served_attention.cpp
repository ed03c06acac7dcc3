// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/commands/attention/attention_command.h"
#include "app/commands/command_line.h"
#include "app/engine/attention/attention_job.h"
#include "app/engine/attention/attention_output.h"
#include "app/engine/encode_options.h"
#include "app/engine/serve/resident_means.h"
#include "app/engine/serve/serving.h"
#include "app/frames/frame_json.h"
#include "model/base/clock.h"
#include "model/base/output/disk_space.h"
#include "model/base/output/output_path.h"

#include <fmt/format.h>

#include <array>
#include <optional>

namespace headscope::engine
{
namespace
{

using Json = nlohmann::ordered_json;

/// The model's extractor with what is changed in it; of the job the means and their description.
Result<const HeadExtractor*> extractorOf(const commands::AttentionCommand& command, AttentionJob& job,
                                         const OpenedModel& model, ResidentModel& resident, JobContext& context)
{
    HEADSCOPE_TRY(const auto maxTokens, model.maxTokens(command.maxTokens));
    if (job.ablation.mean)
    {
        HEADSCOPE_TRY(const auto encoder, referenceEncoder(command, model));
        const MeansReading reading{
            command.ablation, encoder,
            fmt::format("\n{}\n{}\n{}", command.maxTokens, command.encode.eos, command.encode.specialTokens),
            maxTokens};
        auto options = job.options;
        options.edit = {.off = {}, .groups = job.ablation.edit.groups}; // of the reference, too
        HEADSCOPE_CHECK(measureMeans(reading, options, resident, job.ablation, context));
        job.options.edit = job.ablation.edit;
        job.ablation.describe(job.origin.model);
    }
    return resident.extractor(job.options, job.shapes.tokens, Hashes::Needed, context);
}

Result<AttentionFile> openFile(const commands::AttentionCommand& command, const AttentionJob& job, VectorFiles& files,
                               std::filesystem::path& path)
{
    constexpr std::uint64_t kMaxBytes = std::uint64_t{1} << 30;
    path = command.output;
    if (path.empty() && job.shapes.bytes() > kMaxBytes)
        return Error{ErrorCode::InvalidArgument,
                     fmt::format("{} of weights need an output file (without a file, at most {}); use fewer layers or "
                                 "heads, or no-weights",
                                 spaceText(job.shapes.bytes()), spaceText(kMaxBytes)),
                     {},
                     "params.output"};
    if (!path.empty())
    {
        HEADSCOPE_CHECK(checkFreeSpace(path, job.shapes.bytes()));
        return AttentionFile::create(path, job.shapes, job.origin);
    }
    HEADSCOPE_TRY(path, files.next());
    HEADSCOPE_CHECK(checkFreeSpace(path, job.shapes.bytes()));
    return AttentionFile::createPlain(path, job.shapes);
}

Json blocksJson(const AttentionFile& file)
{
    Json blocks = Json::array();
    for (const AttentionBlock& each : file.blocks())
        blocks.push_back({{"name", each.name}, {"shape", each.shape}, {"dtype", "f32"}, {"offset", each.offset}});
    return blocks;
}

/// From 1, as all of JSON has them.
Json weightHeadsJson(const AttentionShapes& shapes)
{
    Json heads = Json::array();
    for (HeadIndex head; shapes.weights && head.value() < shapes.heads; ++head)
        if (shapes.placeOf(head))
            heads.push_back(shownNumber(head));
    return heads;
}

/// Which model it is, and its sizes.
void addModel(Json& object, const OpenedModel& model)
{
    const ModelInfo& info = model.card.info;
    object["model"] = info.name;
    object["family"] = info.family;
    object["model_layers"] = info.layers;
    object["model_dim"] = info.modelDim;
    object["vocabulary"] = info.vocabulary;
    Json hashes = Json::object();
    for (const auto& each : model.card.files)
        hashes[each.name] = each.sha256;
    object["sha256"] = std::move(hashes);
}

/// The attention of a text: statistics in the answer, weights and vectors in a file, an HDF5 file where `output` names
/// one, else a plain one that goes as those of `embed`.
Result<std::string> attend(const commands::AttentionCommand& asked, Serving& serving, VerbContext& context)
{
    commands::AttentionCommand command = asked;
    const auto start = Clock::now();
    HEADSCOPE_CHECK(checkTogether(command, false));
    if (!command.output.empty())
        HEADSCOPE_CHECK(checkOutputPath(command.output, context.common.overwrite,
                                        std::array{std::filesystem::path(command.model)}));
    HEADSCOPE_TRY(const OpenedModel* model, openModelOf(context, command.model));
    const std::string line = commands::CommandLine<commands::AttentionCommand>{command, {}}.text("headscope-engine");
    HEADSCOPE_CHECK(toStatus(chooseTextPrompt(command, *model))); // the answer says which
    HEADSCOPE_TRY(auto job, makeAttentionJob(command, command.text, context.common, *model, line));
    job.options.keepsPass = true;
    HEADSCOPE_TRY(const HeadExtractor* extractor, extractorOf(command, job, *model, serving.model, context.job));
    const double loading = secondsSince(start);
    std::optional<AttentionFile> file;
    std::filesystem::path path;
    if (job.fills())
    {
        HEADSCOPE_TRY(auto made, openFile(command, job, serving.files, path));
        file.emplace(std::move(made));
    }
    const auto beforeRun = Clock::now();
    HEADSCOPE_TRY(const auto found,
                  runAttentionJob(job, model->files.config, *extractor, file ? &*file : nullptr, context.job));
    const double computing = secondsSince(beforeRun);
    HEADSCOPE_CHECK(context.job.checkStop());
    const Json blocks = file && command.output.empty() ? blocksJson(*file) : Json::array();
    if (file)
        HEADSCOPE_CHECK(file->publish(found.tables, found.arrays()));
    Json object = attentionJson(job, model->files.config, found);
    object["output"] = textJson(command.output);
    object["file"] = file && command.output.empty() ? Json(path.string()) : Json();
    object["blocks"] = blocks;
    object["layer_numbers"] = job.shapes.layers;
    object["weight_heads"] = weightHeadsJson(job.shapes);
    object["kv_heads"] = job.shapes.kvHeads;
    object["head_dim"] = job.shapes.headDim;
    object["causal"] = job.origin.causal;
    object["score_scalar"] = job.origin.scores.scalar;
    object["softcap"] = job.origin.scores.softcap;
    object["prompt"] = command.prompt;
    object["ids"] = job.ids;
    object["texts"] = job.origin.tokens;
    addModel(object, *model);
    object["seconds"] = {{"load", loading}, {"compute", computing}, {"total", secondsSince(start)}};
    return object.dump(-1, ' ', false, Json::error_handler_t::replace);
}

} // namespace

RunVerb declareServedAttention(Fields& table, Serving& serving)
{
    return formOf(table, serving, &commands::AttentionCommand::declareServed, attend);
}

} // namespace headscope::engine
