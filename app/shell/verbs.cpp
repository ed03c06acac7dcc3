// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/shell/verbs.h"

#include <algorithm>
#include <array>

namespace headscope::shell
{
namespace
{

#define HEADSCOPE_OWN_VERB(stem, name, summary) VerbName{name, VerbHome::Headscope, summary},
#define HEADSCOPE_MODEL_VERB(stem, name, summary, served) VerbName{name, VerbHome::Engine, summary, Served::served},
#define HEADSCOPE_BOTH_VERB(stem, name, summary, served) VerbName{name, VerbHome::Headscope, summary, Served::served},
constexpr std::array kVerbs = {HEADSCOPE_VERBS(HEADSCOPE_OWN_VERB, HEADSCOPE_MODEL_VERB, HEADSCOPE_BOTH_VERB)};
#undef HEADSCOPE_OWN_VERB
#undef HEADSCOPE_MODEL_VERB
#undef HEADSCOPE_BOTH_VERB

} // namespace

std::span<const VerbName> allVerbs()
{
    return kVerbs;
}

const VerbName* findVerb(std::string_view name)
{
    const auto found = std::find_if(kVerbs.begin(), kVerbs.end(), [&](const VerbName& v) { return v.name == name; });
    return found == kVerbs.end() ? nullptr : &*found;
}

} // namespace headscope::shell
