// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/engine/engine_verb.h"
#include "app/engine/extraction_output.h"
#include "app/engine/extraction_steps.h"
#include "app/engine/importance/cache_documents.h"
#include "app/engine/importance/importance_answer.h"
#include "app/engine/importance/importance_job.h"
#include "app/engine/memory_check.h"
#include "app/engine/run_extraction.h"
#include "app/shell/console.h"
#include "app/shell/progress_line.h"
#include "model/base/fields/fields.h"

#include <memory>

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
    CardOptions cardOptions;
    cardOptions.threads = context.common.numThreads();
    HEADSCOPE_TRY(auto model, openModelAndTokenizer(command.model, cardOptions, context.job));
    sayNotices(context, model.card.warnings);
    ImportanceCommand chosen = command;
    HEADSCOPE_TRY(const auto prompted, choosePrompt(chosen, model));
    sayNotices(context, prompted);
    HEADSCOPE_TRY(const auto documents, CacheDocuments::open(chosen, context.job));
    HEADSCOPE_TRY(const auto job, importanceJob(documents.command(), context.common, model));
    HEADSCOPE_CHECK(checkMemoryOfRun(model.files, job.options, model.files.config.layers - 1, job.maxTokens));
    HEADSCOPE_CHECK(addHashes(model.files, model.card, context.job));
    HEADSCOPE_TRY(const auto extractor, HeadExtractor::create(model.files, job.options, context.job));
    HEADSCOPE_TRY(auto found,
                  measureImportance(documents.command(), context.common, model, job, extractor, context.job));
    documents.restoreNames(found);
    HEADSCOPE_CHECK(extractor.checkUnchanged());
    sayNotices(context, found.notices);
    if (!place.empty())
        HEADSCOPE_CHECK(writeImportance(place, found, context.command));
    context.progress.clear();
    if (context.common.json)
        context.console.printJson(importanceJson(found, {{"output", textOrNull(command.output)}}));
    else
        context.console.print(importanceText(found));
    return {};
}

} // namespace

RunVerb declareImportance(Fields& table)
{
    auto command = std::make_shared<ImportanceCommand>();
    command->declare(table);
    return [command](VerbContext& context) { return runImportance(*command, context); };
}

} // namespace headscope::engine
