// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/engine/circuits/circuit_texts.h"
#include "app/engine/circuits/contributions_answer.h"
#include "app/engine/circuits/residual_weights.h"
#include "app/engine/engine_verb.h"
#include "app/engine/model_source.h"

namespace headscope::engine
{
namespace
{

using commands::ContributionsCommand;

Status runContributions(const ContributionsCommand& typed, VerbContext& context)
{
    ContributionsCommand command = typed;
    HEADSCOPE_CHECK(checkContributionsChoices(command));
    HEADSCOPE_TRY(const auto place,
                  circuitOutput(command.output, command.model, command.inputs, context.common.overwrite));
    HEADSCOPE_TRY(const TracedModel model, openToTrace(command, command.model, checkResidualFamily, context));
    HEADSCOPE_TRY(const auto found, findContributions(command, context.common, *model.opened, *model.extractor,
                                                      model.options, model.maxTokens, context.job));
    HEADSCOPE_CHECK(context.models.checkUnchanged());
    sayNotices(context, found.notices);
    if (!place.empty())
        HEADSCOPE_CHECK(writeContributions(place, found, command.parts, context.command, context.job));
    answerFound(context, found, command.output, contributionsJson, contributionsText);
    return {};
}

} // namespace

RunVerb declareContributions(Fields& table)
{
    return verbOf(table, runContributions);
}

} // namespace headscope::engine
