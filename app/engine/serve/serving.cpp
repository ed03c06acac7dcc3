// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/engine/serve/serving.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <utility>

namespace headscope::engine
{
namespace
{

struct Form
{
    std::string_view name;
    RunVerb (*declare)(Fields&, Serving&);
    bool (*takes)(const Request&) = nullptr; ///< requests that it answers; the verb answers the others, alone
};

/// Whether attention is asked of a text, not of documents.
bool ofText(const Request& request)
{
    return request.find("corpus") == nullptr && request.find("activations") == nullptr;
}

constexpr std::array kForms = {Form{"open", declareServedOpen}, Form{"embed", declareServedEmbed},
                               Form{"tokenize", declareServedTokenize},
                               Form{"attention", declareServedAttention, ofText}};

/// A verb that runs while no other model is in memory.
RunVerb alone(RunVerb run, Serving& serving)
{
    return [run = std::move(run), &serving](VerbContext& context) {
        serving.model.release();
        OwnModel models;
        VerbContext own{context.common,  context.console, context.job,  context.progress,
                        context.signals, models,          context.note, context.command};
        return run(own);
    };
}

/// A verb as a method of its own name.
ServedMethod asMethod(const EngineVerb& verb, bool isAlone)
{
    return {verb.name, [declare = verb.declare, isAlone](Fields& table, Serving& serving) {
                return isAlone ? alone(declare(table), serving) : declare(table);
            }};
}

/// Adds what answers requests for a verb.
void addVerb(const EngineVerb& verb, std::vector<ServedMethod>& methods)
{
    if (verb.served != shell::Served::Form)
    {
        methods.push_back(asMethod(verb, verb.served == shell::Served::Alone));
        return;
    }
    const auto* const form = std::ranges::find(kForms, verb.name, &Form::name);
    HEADSCOPE_ASSERT(form != kForms.end());
    methods.push_back({form->name, form->declare, form->takes});
    if (form->takes != nullptr)
        methods.push_back(asMethod(verb, true));
}

std::vector<ServedMethod> listMethods()
{
    std::vector<ServedMethod> methods;
    for (const Form& form : kForms)
        if (shell::findVerb(form.name) == nullptr)
            methods.push_back({form.name, form.declare});
    for (const EngineVerb& verb : engineVerbs())
        if (verb.served != shell::Served::No)
            addVerb(verb, methods);
    return methods;
}

} // namespace

const std::vector<ServedMethod>& servedMethods()
{
    static const std::vector<ServedMethod> kMethods = listMethods();
    return kMethods;
}

Result<std::filesystem::path> VectorFiles::next()
{
    constexpr std::size_t kKept = 16;
    if (m_folder.path().empty())
    {
        HEADSCOPE_TRY(m_folder, TemporaryPath::makeFolder("headscope-serve"));
    }
    if (m_files.size() >= kKept)
        m_files.pop_front();
    auto path = m_folder.path() / fmt::format("{}.f32", ++m_count);
    m_files.emplace_back(path);
    return path;
}

} // namespace headscope::engine
