// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/engine/circuits/lens_answer.h"
#include "app/engine/circuits/lens_job.h"
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

using commands::LensCommand;

Result<LensFindings> decodeTexts(const LensCommand& command, const OpenedModel& model, VerbContext& context)
{
    HEADSCOPE_TRY(const auto options, embeddingOptions(command, context.common, model));
    HEADSCOPE_TRY(const auto maxTokens, model.maxTokens(command.maxTokens));
    HEADSCOPE_CHECK(checkMemoryOfRun(model.files, options, model.files.config.layers - 1, maxTokens));
    HEADSCOPE_TRY(const auto extractor, HeadExtractor::create(model.files, options, context.job));
    HEADSCOPE_TRY(auto found,
                  decodeDocuments(command, context.common, model, extractor, options, maxTokens, context.job));
    HEADSCOPE_CHECK(extractor.checkUnchanged());
    found.documents.model = {}; // views of the extractor's weights
    return found;
}

Status runLens(LensCommand command, VerbContext& context)
{
    HEADSCOPE_CHECK(checkLensChoices(command));
    HEADSCOPE_TRY(const auto place,
                  circuitOutput(command.output, command.model, command.inputs, context.common.overwrite));
    CardOptions cardOptions;
    cardOptions.threads = context.common.numThreads();
    HEADSCOPE_TRY(auto model, openModelAndTokenizer(command.model, cardOptions, context.job));
    sayNotices(context, model.card.warnings);
    if (!command.weights)
    {
        HEADSCOPE_TRY(const auto prompted, choosePrompt(command, model));
        sayNotices(context, prompted);
    }
    HEADSCOPE_CHECK(checkLensFamily(model.files.config));
    HEADSCOPE_CHECK(addHashes(model.files, model.card, context.job));
    HEADSCOPE_TRY(const LensFindings found,
                  command.weights ? decodeWeights(command, model, context.common.numThreads(), context.job)
                                  : decodeTexts(command, model, context));
    sayNotices(context, found.notices);
    if (!place.empty())
        HEADSCOPE_CHECK(writeLens(place, found, context.command));
    context.progress.clear();
    if (context.common.json)
        context.console.printJson(lensJson(found, {{"output", textOrNull(command.output)}}));
    else
        context.console.print(lensText(found));
    return {};
}

} // namespace

RunVerb declareLens(Fields& table)
{
    auto command = std::make_shared<LensCommand>();
    command->declare(table);
    return [command](VerbContext& context) { return runLens(*command, context); };
}

} // namespace headscope::engine
