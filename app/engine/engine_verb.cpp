// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/engine/engine_verb.h"

#include "app/engine/model_source.h"
#include "app/shell/console.h"
#include "app/shell/progress_line.h"

#include <array>

namespace headscope::engine
{
namespace
{

#define HEADSCOPE_ENGINE_VERB(stem, name, summary, served) \
    EngineVerb{name, summary, shell::Served::served, declare##stem},
constexpr std::array kVerbs = {HEADSCOPE_VERBS(HEADSCOPE_NO_VERB, HEADSCOPE_ENGINE_VERB, HEADSCOPE_ENGINE_VERB)};
#undef HEADSCOPE_ENGINE_VERB

} // namespace

std::span<const EngineVerb> engineVerbs()
{
    return kVerbs;
}

void sayNotices(VerbContext& context, const std::vector<std::string>& sentences)
{
    for (const std::string& sentence : sentences)
        context.note(sentence);
}

Result<const OpenedModel*> openModelOf(VerbContext& context, const std::filesystem::path& path)
{
    HEADSCOPE_TRY(const OpenedModel* model, context.models.open(path, context.common.numThreads(), context.job));
    if (!context.models.stays())
        sayNotices(context, model->card.warnings);
    return model;
}

void answer(VerbContext& context, const std::function<std::string()>& json, const std::function<std::string()>& text)
{
    context.progress.clear();
    if (context.common.json)
        context.console.printJson(json());
    else
        context.console.print(text());
}

} // namespace headscope::engine
