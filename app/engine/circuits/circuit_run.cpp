// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/engine/circuits/circuit_run.h"

#include "app/engine/circuits/circuit_texts.h"
#include "app/engine/circuits/contributions_answer.h"
#include "app/engine/circuits/lens_answer.h"
#include "app/engine/circuits/residual_weights.h"
#include "app/engine/extraction_steps.h"
#include "app/engine/memory_check.h"

#include <utility>

namespace headscope::engine
{
namespace
{

/// A model with what its documents are run by.
struct Running
{
    const OpenedModel* model = nullptr;
    const HeadExtractor* extractor = nullptr;
    ExtractionOptions options;
    std::int64_t maxTokens = 0;
};

/// Opens the model and makes it ready for documents.
/// @param command  the text of its prompt is filled in
template <class C>
Result<Running> startRun(C& command, Status (*checkFamily)(const ModelConfig&), const CircuitRun& run)
{
    Running running;
    HEADSCOPE_TRY(running.model, run.model.open(command.model, run.common.numThreads(), run.job));
    HEADSCOPE_TRY(const auto prompted, choosePrompt(command, *running.model));
    run.say(prompted);
    HEADSCOPE_CHECK(checkFamily(running.model->files.config));
    HEADSCOPE_TRY(running.options, embeddingOptions(command, run.common, *running.model));
    HEADSCOPE_TRY(running.maxTokens, running.model->maxTokens(command.maxTokens));
    HEADSCOPE_TRY(running.extractor, run.model.extractor(running.options, running.maxTokens, run.job));
    return running;
}

Result<LensFindings> decoded(commands::LensCommand& command, const CircuitRun& run)
{
    if (!command.weights)
    {
        HEADSCOPE_TRY(const Running running, startRun(command, checkLensFamily, run));
        return decodeDocuments(command, run.common, *running.model, *running.extractor, running.options,
                               running.maxTokens, run.job);
    }
    HEADSCOPE_TRY(const OpenedModel* model, run.model.open(command.model, run.common.numThreads(), run.job));
    HEADSCOPE_CHECK(checkLensFamily(model->files.config));
    HEADSCOPE_CHECK(run.model.hash(run.job));
    return decodeWeights(command, *model, run.common.numThreads(), run.job);
}

} // namespace

Result<const OpenedModel*> OwnModel::open(const std::filesystem::path& path, int threads, JobContext& job)
{
    CardOptions options;
    options.threads = threads;
    HEADSCOPE_TRY(m_model, openModelAndTokenizer(path, options, job));
    m_say(m_model->card.warnings);
    return &*m_model;
}

Status OwnModel::hash(JobContext& job)
{
    return addHashes(m_model->files, m_model->card, job);
}

Result<const HeadExtractor*> OwnModel::extractor(const ExtractionOptions& options, std::int64_t maxTokens,
                                                 JobContext& job)
{
    HEADSCOPE_CHECK(checkMemoryOfRun(m_model->files, options, m_model->files.config.layers - 1, maxTokens));
    HEADSCOPE_CHECK(hash(job));
    HEADSCOPE_TRY(m_extractor, HeadExtractor::create(m_model->files, options, job));
    return &*m_extractor;
}

Status OwnModel::checkUnchanged() const
{
    return m_extractor ? m_extractor->checkUnchanged() : Status();
}

Result<ContributionsFindings> runContributions(commands::ContributionsCommand command, const CircuitRun& run)
{
    HEADSCOPE_CHECK(checkContributionsChoices(command));
    HEADSCOPE_TRY(const auto place, circuitOutput(command.output, command.model, command.inputs, run.common.overwrite));
    HEADSCOPE_TRY(const Running running, startRun(command, checkResidualFamily, run));
    HEADSCOPE_TRY(auto found, findContributions(command, run.common, *running.model, *running.extractor,
                                                running.options, running.maxTokens, run.job));
    HEADSCOPE_CHECK(run.model.checkUnchanged());
    run.say(found.notices);
    if (!place.empty())
        HEADSCOPE_CHECK(writeContributions(place, found, command.parts, run.line, run.job));
    return found;
}

Result<LensFindings> runLens(commands::LensCommand command, const CircuitRun& run)
{
    HEADSCOPE_CHECK(checkLensChoices(command));
    HEADSCOPE_TRY(const auto place, circuitOutput(command.output, command.model, command.inputs, run.common.overwrite));
    HEADSCOPE_TRY(auto found, decoded(command, run));
    HEADSCOPE_CHECK(run.model.checkUnchanged());
    run.say(found.notices);
    if (!place.empty())
        HEADSCOPE_CHECK(writeLens(place, found, run.line));
    return found;
}

} // namespace headscope::engine
