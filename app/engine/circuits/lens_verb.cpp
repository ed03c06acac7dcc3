// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/engine/circuits/circuit_texts.h"
#include "app/engine/circuits/lens_answer.h"
#include "app/engine/engine_verb.h"
#include "app/engine/model_source.h"

namespace headscope::engine
{
namespace
{

using commands::LensCommand;

Result<LensFindings> decoded(LensCommand& command, VerbContext& context)
{
    if (!command.weights)
    {
        HEADSCOPE_TRY(const TracedModel model, openToTrace(command, command.model, checkLensFamily, context));
        return decodeDocuments(command, context.common, *model.opened, *model.extractor, model.options, model.maxTokens,
                               context.job);
    }
    HEADSCOPE_TRY(const OpenedModel* model, openModelOf(context, command.model));
    HEADSCOPE_CHECK(checkLensFamily(model->files.config));
    HEADSCOPE_CHECK(context.models.hash(context.job));
    return decodeWeights(command, *model, context.common.numThreads(), context.job);
}

Status runLens(const LensCommand& typed, VerbContext& context)
{
    LensCommand command = typed;
    HEADSCOPE_CHECK(checkLensChoices(command));
    HEADSCOPE_TRY(const auto place,
                  circuitOutput(command.output, command.model, command.inputs, context.common.overwrite));
    HEADSCOPE_TRY(const auto found, decoded(command, context));
    HEADSCOPE_CHECK(context.models.checkUnchanged());
    sayNotices(context, found.notices);
    if (!place.empty())
        HEADSCOPE_CHECK(writeLens(place, found, context.command));
    answerFound(context, found, command.output, lensJson, lensText);
    return {};
}

} // namespace

RunVerb declareLens(Fields& table)
{
    return verbOf(table, runLens);
}

} // namespace headscope::engine
