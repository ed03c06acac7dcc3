// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/commands/all_commands.h"

#include "app/commands/attention/attention_command.h"
#include "app/commands/attention/importance_command.h"
#include "app/commands/card/card_command.h"
#include "app/commands/circuits/circuits_command.h"
#include "app/commands/circuits/composition_command.h"
#include "app/commands/circuits/contributions_command.h"
#include "app/commands/circuits/lens_command.h"
#include "app/commands/command_line.h"
#include "app/commands/doctor_command.h"
#include "app/commands/export_command.h"
#include "app/commands/extract_command.h"
#include "app/commands/figures/figure_command.h"
#include "app/commands/figures/report_command.h"
#include "app/commands/heads_command.h"
#include "app/commands/heatmap_command.h"
#include "app/commands/inspect_command.h"
#include "app/commands/layers_command.h"
#include "app/commands/match_command.h"
#include "app/commands/measures/evaluate_command.h"
#include "app/commands/measures/name_command.h"
#include "app/commands/neighbors_command.h"
#include "app/commands/probe_command.h"
#include "app/commands/prune_command.h"
#include "app/commands/quality_command.h"
#include "app/commands/retrieve_command.h"
#include "app/commands/serve/serve_command.h"
#include "app/commands/similarity_command.h"
#include "app/commands/tokenize_command.h"
#include "app/commands/tsne_command.h"
#include "app/shell/completion.h"
#include "app/shell/help_text.h"
#include "app/shell/verbs.h"

#include <array>

namespace headscope::commands
{
namespace
{

using Visit = std::function<void(std::string_view verb, const Fields& table)>;

template <class C>
void visitOne(const Visit& visit)
{
    CommandLine<C> line;
    Fields table;
    line.declare(table);
    visit(C::kVerb, table);
}

#define HEADSCOPE_VISIT_VERB(stem, name, summary, ...) visitOne<stem##Command>,
constexpr std::array kVisits = {HEADSCOPE_VERBS(HEADSCOPE_VISIT_VERB, HEADSCOPE_VISIT_VERB, HEADSCOPE_VISIT_VERB)};
#undef HEADSCOPE_VISIT_VERB

} // namespace

void visitCommands(const Visit& visit)
{
    for (const auto visitVerb : kVisits)
        visitVerb(visit);
}

std::string completionScript()
{
    std::vector<shell::VerbOptions> verbs;
    visitCommands([&verbs](std::string_view verb, const Fields& table) {
        verbs.push_back(shell::optionsForCompletion(verb, table));
    });
    return shell::bashCompletion("headscope", verbs);
}

std::string manualPage(std::string_view verb, std::string_view program)
{
    std::string page;
    visitCommands([&](std::string_view each, const Fields& table) {
        if (each == verb)
            page = shell::manPage(table, "headscope " + std::string(verb), shell::findVerb(verb)->summary, program);
    });
    return page;
}

} // namespace headscope::commands
