// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/engine/engine_verb.h"
#include "app/engine/extraction/extraction_output.h"
#include "app/engine/extraction/run_extraction.h"
#include "app/engine/extraction_steps.h"
#include "app/engine/importance/cache_documents.h"
#include "app/engine/importance/importance_answer.h"
#include "app/engine/importance/importance_job.h"
#include "app/engine/model_source.h"

namespace headscope::engine
{
namespace
{

using commands::ImportanceCommand;

/// Where the findings are written; empty: nowhere.
Result<std::filesystem::path> placeOf(const ImportanceCommand& command, bool overwrite)
{
    if (command.output.empty())
        return std::filesystem::path();
    HEADSCOPE_CHECK(checkImportanceOutput(command.output));
    ExtractionRequest request;
    request.model = command.model;
    request.output = command.output;
    request.topics = command.topics;
    request.inputs = {command.inputs.begin(), command.inputs.end()};
    if (!command.reference.empty())
        request.inputs.emplace_back(command.reference);
    return checkedOutput(request, overwrite);
}

Status runImportance(const ImportanceCommand& command, VerbContext& context)
{
    HEADSCOPE_TRY(const auto place, placeOf(command, context.common.overwrite));
    HEADSCOPE_TRY(const OpenedModel* model, openModelOf(context, command.model));
    ImportanceCommand chosen = command;
    HEADSCOPE_TRY(const auto prompted, choosePrompt(chosen, *model));
    sayNotices(context, prompted);
    HEADSCOPE_TRY(const auto documents, CacheDocuments::open(chosen, context.job));
    HEADSCOPE_TRY(const auto job, importanceJob(documents.command(), context.common, *model));
    HEADSCOPE_TRY(const HeadExtractor* extractor,
                  context.models.extractor(job.options, job.maxTokens, Hashes::Needed, context.job));
    HEADSCOPE_TRY(auto found,
                  measureImportance(documents.command(), context.common, *model, job, *extractor, context.job));
    documents.restoreNames(found);
    HEADSCOPE_CHECK(context.models.checkUnchanged());
    HEADSCOPE_CHECK(context.job.checkStop());
    sayNotices(context, found.notices);
    if (!place.empty())
        HEADSCOPE_CHECK(writeImportance(place, found, context.command));
    answerFound(context, found, command.output, importanceJson, importanceText);
    return {};
}

} // namespace

RunVerb declareImportance(Fields& table)
{
    return verbOf(table, runImportance);
}

} // namespace headscope::engine
