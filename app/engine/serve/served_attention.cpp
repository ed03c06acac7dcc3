// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/engine/serve/served_attention.h"

#include "app/commands/command_line.h"
#include "app/engine/attention/attention_answer.h"
#include "app/engine/attention/attention_job.h"
#include "app/shell/quoted_command.h"
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

/// As a user of the verb would type it.
std::string typedLine(const commands::AttentionCommand& command)
{
    const commands::CommandLine<commands::AttentionCommand> line{command, {}};
    return shell::quotedCommand("headscope-engine", line.words());
}

Result<AttentionFile> openFile(const commands::AttentionCommand& command, const AttentionJob& job, VectorFiles& files,
                               std::filesystem::path& path)
{
    constexpr std::uint64_t kMostBytes = std::uint64_t{1} << 30;
    path = command.output;
    if (path.empty() && job.shapes.bytes() > kMostBytes)
        return Error{ErrorCode::InvalidArgument,
                     fmt::format("expected an output for {} of weights, or fewer layers, or no-weights; without a name "
                                 "a file has at most {}",
                                 spaceText(job.shapes.bytes()), spaceText(kMostBytes)),
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

} // namespace

Result<std::string> servedAttention(const commands::AttentionCommand& command, const shell::CommonOptions& common,
                                    ResidentModel& resident, VectorFiles& files, JobContext& context)
{
    const auto start = Clock::now();
    HEADSCOPE_CHECK(checkTogether(command, false));
    if (!command.output.empty())
        HEADSCOPE_CHECK(
            checkOutputPath(command.output, common.overwrite, std::array{std::filesystem::path(command.model)}));
    HEADSCOPE_TRY(const OpenedModel* model, resident.open(command.model, common.numThreads(), context));
    HEADSCOPE_TRY(auto job, makeAttentionJob(command, command.text, common, *model, typedLine(command)));
    job.options.keepsPass = true;
    HEADSCOPE_TRY(const HeadExtractor* extractor, resident.extractor(job.options, job.shapes.tokens, context));
    const double loading = secondsSince(start);
    std::optional<AttentionFile> file;
    std::filesystem::path path;
    if (job.fills())
    {
        HEADSCOPE_TRY(auto made, openFile(command, job, files, path));
        file.emplace(std::move(made));
    }
    const auto beforeRun = Clock::now();
    HEADSCOPE_TRY(const auto found,
                  runAttentionJob(job, model->files.config, *extractor, file ? &*file : nullptr, context));
    const double computing = secondsSince(beforeRun);
    HEADSCOPE_CHECK(context.checkStop());
    const Json blocks = file && command.output.empty() ? blocksJson(*file) : Json::array();
    if (file)
        HEADSCOPE_CHECK(file->publish(found.tables, found.arrays()));
    Json object = attentionJson(job, model->files.config, found);
    object["output"] = command.output.empty() ? Json() : Json(command.output);
    object["file"] = file && command.output.empty() ? Json(path.string()) : Json();
    object["blocks"] = blocks;
    object["layer_numbers"] = job.shapes.layers;
    object["kv_heads"] = job.shapes.kvHeads;
    object["head_dim"] = job.shapes.headDim;
    object["causal"] = job.origin.causal;
    object["ids"] = job.ids;
    object["texts"] = job.origin.tokens;
    object["model"] = model->card.info.name;
    Json hashes = Json::object();
    for (const auto& each : model->card.files)
        hashes[each.name] = each.sha256;
    object["sha256"] = std::move(hashes);
    object["seconds"] = {{"load", loading}, {"compute", computing}, {"total", secondsSince(start)}};
    return object.dump(-1, ' ', false, Json::error_handler_t::replace);
}

} // namespace headscope::engine
