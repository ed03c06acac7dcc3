// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/commands/attention/attention_command.h"
#include "app/engine/ablation/ablated_extractor.h"
#include "app/engine/attention/attention_corpus.h"
#include "app/engine/attention/attention_job.h"
#include "app/engine/attention/attention_output.h"
#include "app/engine/engine_verb.h"
#include "app/engine/extraction/extraction_output.h"
#include "app/engine/extraction/run_extraction.h"
#include "app/engine/head_corpus/head_corpus_plan.h"
#include "app/engine/head_corpus/head_corpus_verb.h"
#include "app/engine/model_source.h"
#include "app/frames/frame_json.h"
#include "model/base/output/disk_space.h"
#include "model/base/text/plural.h"
#include "model/data/model_digests.h"
#include "model/io/texts/csv_separator.h"
#include "model/io/texts/standard_input.h"

#include <fmt/format.h>

#include <array>
#include <optional>
#include <span>

namespace headscope::engine
{
namespace
{

using commands::AttentionCommand;

/// All of standard input, without the line end that an editor or echo puts behind it.
Result<std::string> standardInput(JobContext& job)
{
    constexpr std::size_t kMost = std::size_t{64} << 20;
    std::string text;
    std::array<char, 65'536> buffer{};
    while (true)
    {
        HEADSCOPE_CHECK(job.checkStop());
        HEADSCOPE_TRY(const std::size_t count, readStandardInput(std::as_writable_bytes(std::span(buffer))));
        if (count == 0)
            break;
        text.append(buffer.data(), count);
        if (text.size() > kMost)
            return Error{ErrorCode::InvalidArgument,
                         fmt::format("expected one text of at most {} bytes, found more", kMost),
                         "standard input",
                         {}};
    }
    if (text.ends_with('\n'))
        text.pop_back();
    if (text.ends_with('\r'))
        text.pop_back();
    return text;
}

/// A model that is read in place is an input, too.
Result<std::filesystem::path> checkedPlace(const AttentionCommand& command, bool overwrite)
{
    ExtractionRequest request;
    request.model = command.model;
    request.output = command.output;
    if (!command.corpus.empty())
        request.inputs = {command.corpus};
    return checkedOutput(request, overwrite);
}

/// An extractor of the model as it is asked for, and in the job what was changed in it.
/// @param place  empty: nothing is written, and no hash is needed
Result<const HeadExtractor*> extractorOf(const AttentionCommand& command, AttentionJob& job, const OpenedModel& model,
                                         const std::filesystem::path& place, VerbContext& context)
{
    if (!place.empty())
        HEADSCOPE_CHECK(checkFreeSpace(place, job.shapes.bytes()));
    HEADSCOPE_TRY(const auto encoder, referenceEncoder(command, model));
    ExtractionRequest request; // of the documents of a mean
    request.ablation = command.ablation;
    request.documents.textColumn = command.textColumn;
    request.documents.lines = command.lines;
    request.documents.separator = separatorFromName(command.separator);
    if (!command.corpus.empty())
        request.inputs = {command.corpus};
    auto options = job.options;
    options.edit = {};
    HEADSCOPE_TRY(const HeadExtractor* extractor,
                  ablatedExtractor(request, model, options, job.ablation, encoder, job.shapes.tokens,
                                   place.empty() ? Hashes::NotNeeded : Hashes::Needed, context));
    job.origin.model = model.card.info;
    job.ablation.describe(job.origin.model);
    return extractor;
}

/// Opens the model, and gives the command the prompt that texts have.
Result<const OpenedModel*> openFor(AttentionCommand& command, VerbContext& context)
{
    HEADSCOPE_TRY(const OpenedModel* model, openModelOf(context, command.model));
    HEADSCOPE_TRY(const auto prompted, chooseTextPrompt(command, *model));
    sayNotices(context, prompted);
    return model;
}

void say(nlohmann::ordered_json object, const std::string& text, const AttentionCommand& command, VerbContext& context)
{
    object["output"] = textJson(command.output);
    const auto& changed = object["changed"];
    const std::string above = changed.is_string() ? changedHeading(changed.get<std::string>()) : std::string();
    answer(
        context, [&] { return object.dump(-1, ' ', false, nlohmann::ordered_json::error_handler_t::replace); },
        [&] { return above + text; });
}

/// Statistics over documents.
Status runCorpus(AttentionCommand command, const std::filesystem::path& place, VerbContext& context)
{
    HEADSCOPE_TRY(const OpenedModel* model, openFor(command, context));
    HEADSCOPE_TRY(auto job, beginAttentionJob(command, context.common, *model, context.command));
    HEADSCOPE_TRY(job.shapes.tokens, model->maxTokens(command.maxTokens)); // at most
    HEADSCOPE_TRY(const HeadExtractor* extractor, extractorOf(command, job, *model, place, context));
    HEADSCOPE_TRY(const auto found, measureCorpus(command, job, *model, *extractor, context.job));
    HEADSCOPE_CHECK(context.models.checkUnchanged());
    sayNotices(context, found.notices);
    if (!place.empty())
    {
        job.origin.documents = found.documents;
        HEADSCOPE_TRY(auto file, AttentionFile::create(place, job.shapes, job.origin));
        HEADSCOPE_CHECK(file.publish(found.tables));
    }
    auto object = attentionJson(job, model->files.config, {found.tables, {}});
    object["tokens"] = found.tokens;
    object["truncated"] = found.truncated;
    object["documents"] = found.documents;
    object["ci95"] = intervalsJson(found.low, found.high);
    object["empty"] = found.empty;
    say(std::move(object),
        place.empty() ? attentionText(job, model->files.config, {found.tables, {}})
                      : fmt::format("{}: statistics over {} document{}, {} token{}\n", command.output, found.documents,
                                    plural(found.documents), found.tokens, plural(found.tokens)),
        command, context);
    return {};
}

/// One text.
Status runText(AttentionCommand command, const std::filesystem::path& place, VerbContext& context)
{
    std::string text = command.text;
    if (text == "-")
    {
        HEADSCOPE_TRY(text, standardInput(context.job));
    }
    HEADSCOPE_TRY(const OpenedModel* model, openFor(command, context));
    HEADSCOPE_TRY(auto job, makeAttentionJob(command, text, context.common, *model, context.command));
    HEADSCOPE_TRY(const HeadExtractor* extractor, extractorOf(command, job, *model, place, context));
    std::optional<AttentionFile> file;
    if (!place.empty())
    {
        HEADSCOPE_TRY(auto made, AttentionFile::create(place, job.shapes, job.origin));
        file.emplace(std::move(made));
    }
    HEADSCOPE_TRY(const auto found,
                  runAttentionJob(job, model->files.config, *extractor, file ? &*file : nullptr, context.job));
    HEADSCOPE_CHECK(context.models.checkUnchanged());
    if (file)
        HEADSCOPE_CHECK(file->publish(found.tables, found.arrays()));
    if (job.truncated)
        sayNotices(context,
                   {fmt::format("the text was truncated to {} token{}", job.shapes.tokens, plural(job.shapes.tokens))});
    say(attentionJson(job, model->files.config, found),
        file ? fmt::format("{}: {} token{}, {} layer{}, {} head{}\n", command.output, job.shapes.tokens,
                           plural(job.shapes.tokens), job.shapes.layers.size(), plural(std::ssize(job.shapes.layers)),
                           job.shapes.heads, plural(job.shapes.heads))
             : attentionText(job, model->files.config, found),
        command, context);
    return {};
}

Status runAttentionVerb(const AttentionCommand& command, VerbContext& context)
{
    const bool ofHead = !command.activations.empty();
    HEADSCOPE_CHECK(ofHead ? checkTogetherOfHead(command) : checkTogether(command, true));
    std::filesystem::path place;
    if (!command.output.empty())
    {
        HEADSCOPE_TRY(place, checkedPlace(command, context.common.overwrite));
    }
    if (ofHead)
        return runHeadCorpus(command, place, context);
    return command.corpus.empty() ? runText(command, place, context) : runCorpus(command, place, context);
}

} // namespace

RunVerb declareAttention(Fields& table)
{
    return verbOf(table, runAttentionVerb);
}

} // namespace headscope::engine
