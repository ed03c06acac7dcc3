// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/engine/serve/served_circuits.h"

#include "app/commands/command_line.h"
#include "app/engine/circuits/circuit_texts.h"
#include "app/engine/circuits/contributions_answer.h"
#include "app/engine/circuits/contributions_job.h"
#include "app/engine/circuits/lens_answer.h"
#include "app/engine/circuits/lens_job.h"
#include "app/engine/circuits/residual_weights.h"
#include "app/engine/extraction_steps.h"
#include "app/engine/options.h"

#include <filesystem>
#include <string>
#include <utility>
#include <vector>

namespace headscope::engine
{
namespace
{

/// A model in memory with what its documents are run by.
struct Running
{
    const OpenedModel* model = nullptr;
    const HeadExtractor* extractor = nullptr;
    ExtractionOptions options;
    std::int64_t maxTokens = 0;
};

template <class C>
Result<Running> runningModel(C& command, const shell::CommonOptions& common, ResidentModel& resident,
                             std::vector<std::string>& notices, JobContext& context)
{
    Running running;
    HEADSCOPE_TRY(running.model, resident.open(command.model, common.numThreads(), context));
    HEADSCOPE_TRY(notices, choosePrompt(command, *running.model));
    HEADSCOPE_CHECK(checkResidualFamily(running.model->files.config));
    HEADSCOPE_TRY(running.options, embeddingOptions(command, common, *running.model));
    HEADSCOPE_TRY(running.maxTokens, running.model->maxTokens(command.maxTokens));
    HEADSCOPE_TRY(running.extractor, resident.extractor(running.options, running.maxTokens, context));
    return running;
}

Result<std::string> contributions(commands::ContributionsCommand& command, const shell::CommonOptions& common,
                                  ResidentModel& resident, std::vector<std::string>& notices, JobContext& context)
{
    const std::string line =
        commands::CommandLine<commands::ContributionsCommand>{command, {}}.text("headscope-engine");
    HEADSCOPE_CHECK(checkContributionsChoices(command));
    HEADSCOPE_TRY(const std::filesystem::path place,
                  circuitOutput(command.output, command.model, command.inputs, common.overwrite));
    HEADSCOPE_TRY(const Running running, runningModel(command, common, resident, notices, context));
    HEADSCOPE_TRY(const auto found, findContributions(command, common, *running.model, *running.extractor,
                                                      running.options, running.maxTokens, context));
    notices.insert(notices.end(), found.notices.begin(), found.notices.end());
    if (!place.empty())
        HEADSCOPE_CHECK(writeContributions(place, found, command.parts, line, context));
    return contributionsJson(found, {{"output", textOrNull(command.output)}});
}

Result<std::string> lens(commands::LensCommand& command, const shell::CommonOptions& common, ResidentModel& resident,
                         std::vector<std::string>& notices, JobContext& context)
{
    const std::string line = commands::CommandLine<commands::LensCommand>{command, {}}.text("headscope-engine");
    HEADSCOPE_CHECK(checkLensChoices(command));
    HEADSCOPE_TRY(const std::filesystem::path place,
                  circuitOutput(command.output, command.model, command.inputs, common.overwrite));
    HEADSCOPE_TRY(const OpenedModel* model, resident.open(command.model, common.numThreads(), context));
    HEADSCOPE_CHECK(checkLensFamily(model->files.config));
    LensFindings found;
    if (command.weights)
    {
        HEADSCOPE_TRY(found, decodeWeights(command, *model, common.numThreads(), context));
    }
    else
    {
        HEADSCOPE_TRY(const Running running, runningModel(command, common, resident, notices, context));
        HEADSCOPE_TRY(found, decodeDocuments(command, common, *running.model, *running.extractor, running.options,
                                             running.maxTokens, context));
    }
    notices.insert(notices.end(), found.notices.begin(), found.notices.end());
    if (!place.empty())
        HEADSCOPE_CHECK(writeLens(place, found, line));
    return lensJson(found, {{"output", textOrNull(command.output)}});
}

} // namespace

JobOutcome servedContributions(commands::ContributionsCommand command, const shell::CommonOptions& common,
                               ResidentModel& resident, JobContext& context)
{
    JobOutcome outcome{std::string()};
    outcome.result = contributions(command, common, resident, outcome.notices, context);
    return outcome;
}

JobOutcome servedLens(commands::LensCommand command, const shell::CommonOptions& common, ResidentModel& resident,
                      JobContext& context)
{
    JobOutcome outcome{std::string()};
    outcome.result = lens(command, common, resident, outcome.notices, context);
    return outcome;
}

} // namespace headscope::engine
