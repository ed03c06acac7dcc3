// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/engine/circuits/contributions_answer.h"
#include "app/engine/circuits/contributions_job.h"
#include "app/engine/circuits/residual_weights.h"
#include "app/engine/engine_verb.h"
#include "app/engine/extraction_steps.h"
#include "app/engine/memory_check.h"
#include "app/shell/console.h"
#include "app/shell/progress_line.h"
#include "model/base/fields/fields.h"

#include <memory>

namespace headscope::engine
{
namespace
{

using commands::ContributionsCommand;

Status runContributions(ContributionsCommand command, VerbContext& context)
{
    HEADSCOPE_CHECK(checkContributionsChoices(command));
    HEADSCOPE_TRY(const auto place,
                  circuitOutput(command.output, command.model, command.inputs, context.common.overwrite));
    CardOptions cardOptions;
    cardOptions.threads = context.common.numThreads();
    HEADSCOPE_TRY(auto model, openModelAndTokenizer(command.model, cardOptions, context.job));
    sayNotices(context, model.card.warnings);
    HEADSCOPE_TRY(const auto prompted, choosePrompt(command, model));
    sayNotices(context, prompted);
    HEADSCOPE_CHECK(checkResidualFamily(model.files.config));
    HEADSCOPE_TRY(const auto options, embeddingOptions(command, context.common, model));
    HEADSCOPE_TRY(const auto maxTokens, model.maxTokens(command.maxTokens));
    HEADSCOPE_CHECK(checkMemoryOfRun(model.files, options, model.files.config.layers - 1, maxTokens));
    HEADSCOPE_CHECK(addHashes(model.files, model.card, context.job));
    HEADSCOPE_TRY(const auto extractor, HeadExtractor::create(model.files, options, context.job));
    HEADSCOPE_TRY(const auto found,
                  findContributions(command, context.common, model, extractor, options, maxTokens, context.job));
    HEADSCOPE_CHECK(extractor.checkUnchanged());
    sayNotices(context, found.notices);
    if (!place.empty())
        HEADSCOPE_CHECK(writeContributions(place, found, command.parts, context.command, context.job));
    context.progress.clear();
    if (context.common.json)
        context.console.printJson(contributionsJson(found, {{"output", textOrNull(command.output)}}));
    else
        context.console.print(contributionsText(found));
    return {};
}

} // namespace

RunVerb declareContributions(Fields& table)
{
    auto command = std::make_shared<ContributionsCommand>();
    command->declare(table);
    return [command](VerbContext& context) { return runContributions(*command, context); };
}

} // namespace headscope::engine
