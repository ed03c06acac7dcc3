// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/commands/circuits/circuits_command.h"
#include "app/commands/circuits/composition_command.h"
#include "app/engine/circuits/circuit_texts.h"
#include "app/engine/circuits/composition_answer.h"
#include "app/engine/circuits/composition_job.h"
#include "app/engine/engine_verb.h"
#include "app/engine/options.h"
#include "model/base/clock.h"
#include "model/base/text/split_text.h"
#include "model/net/config/model_card.h"

#include <algorithm>

namespace headscope::engine
{
namespace
{

using commands::CompositionCommand;

std::vector<CompositionKind> kindsOf(const std::string& text)
{
    const auto typed = splitText(text, ',');
    std::vector<CompositionKind> kinds;
    for (const CompositionKind kind : kCompositionKinds)
        if (std::ranges::find(typed, compositionName(kind)) != typed.end())
            kinds.push_back(kind);
    return kinds;
}

Status runComposition(const CompositionCommand& command, VerbContext& context)
{
    HEADSCOPE_TRY(const auto place, circuitOutput(command.output, command.model, {}, context.common.overwrite));
    ModelCardOptions cardOptions;
    cardOptions.threads = context.common.numThreads();
    HEADSCOPE_CHECK(checkModelPath(command.model));
    HEADSCOPE_TRY(const auto files, openModel(command.model));
    HEADSCOPE_TRY(auto card, makeModelCard(files, cardOptions, context.job)); // no text is run: no tokenizer is needed
    sayNotices(context, card.warnings);
    HEADSCOPE_CHECK(addHashes(files, card, context.job));
    CompositionFindings found;
    const auto start = Clock::now();
    HEADSCOPE_TRY(found.scores, measureComposition(files, kindsOf(command.kinds), context.common.numThreads(),
                                                   context.job, commands::layerPair(command.directions)));
    found.seconds = secondsSince(start);
    found.model = card.info.name;
    found.hashes = hashesOf(card);
    found.carried = files.config.traits().normPlacement == NormPlacement::Post;
    found.subtracted = command.baseline == "random" ? found.scores.baseline : 0;
    found.strongest = strongestEdges(found.scores, static_cast<std::size_t>(command.top), found.subtracted);
    if (!place.empty())
        HEADSCOPE_CHECK(writeComposition(place, found, context.command));
    answerFound(context, found, command.output, compositionJson, compositionText);
    return {};
}

} // namespace

RunVerb declareComposition(Fields& table)
{
    return verbOf(table, runComposition);
}

} // namespace headscope::engine
