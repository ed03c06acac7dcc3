// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/engine/serve/served_importance.h"

#include "app/engine/extraction_steps.h"
#include "app/engine/importance/cache_documents.h"
#include "app/engine/importance/importance_answer.h"
#include "app/engine/importance/importance_job.h"

#include <utility>

namespace headscope::engine
{
namespace
{

Result<std::string> run(const commands::ImportanceCommand& command, const shell::CommonOptions& common,
                        ResidentModel& resident, std::vector<std::string>& notices, JobContext& context)
{
    if (!command.output.empty())
        return Error{
            ErrorCode::WrongUse, "an output file is not possible: the answer contains everything", {}, "params.output"};
    HEADSCOPE_TRY(const OpenedModel* model, resident.open(command.model, common.numThreads(), context));
    commands::ImportanceCommand chosen = command;
    HEADSCOPE_TRY(const auto prompted, choosePrompt(chosen, *model));
    HEADSCOPE_TRY(const auto documents, CacheDocuments::open(chosen, context));
    HEADSCOPE_TRY(const auto job, importanceJob(documents.command(), common, *model));
    HEADSCOPE_TRY(const HeadExtractor* extractor, resident.extractor(job.options, job.maxTokens, context));
    HEADSCOPE_TRY(auto found, measureImportance(documents.command(), common, *model, job, *extractor, context));
    documents.restoreNames(found);
    HEADSCOPE_CHECK(context.checkStop());
    notices = std::move(found.notices);
    notices.insert(notices.end(), prompted.begin(), prompted.end());
    return importanceJson(found);
}

} // namespace

JobOutcome servedImportance(const commands::ImportanceCommand& command, const shell::CommonOptions& common,
                            ResidentModel& resident, JobContext& context)
{
    JobOutcome outcome{std::string()};
    outcome.result = run(command, common, resident, outcome.notices, context);
    return outcome;
}

} // namespace headscope::engine
