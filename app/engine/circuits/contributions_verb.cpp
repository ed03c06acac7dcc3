// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/engine/circuits/circuit_run.h"
#include "app/engine/circuits/contributions_answer.h"
#include "app/engine/engine_verb.h"
#include "app/engine/extraction_steps.h"
#include "app/shell/console.h"
#include "app/shell/progress_line.h"
#include "model/base/fields/fields.h"

#include <memory>

namespace headscope::engine
{

using commands::ContributionsCommand;

RunVerb declareContributions(Fields& table)
{
    auto command = std::make_shared<ContributionsCommand>();
    command->declare(table);
    return [command](VerbContext& context) -> Status {
        const SayNotices say = [&context](const auto& sentences) { sayNotices(context, sentences); };
        OwnModel model(say);
        HEADSCOPE_TRY(const auto found,
                      runContributions(*command, {context.common, context.command, model, say, context.job}));
        context.progress.clear();
        if (context.common.json)
            context.console.printJson(contributionsJson(found, {{"output", textOrNull(command->output)}}));
        else
            context.console.print(contributionsText(found));
        return {};
    };
}

} // namespace headscope::engine
