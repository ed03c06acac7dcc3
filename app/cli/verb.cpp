// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/verb.h"

#include "viz/export/figure_export.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>

namespace headscope::cli
{
namespace
{

/// The verbs that headscope does itself.
struct OwnVerb
{
    std::string_view name;
    std::unique_ptr<Verb> (*make)();
};

#define HEADSCOPE_OWN_VERB(stem, name, summary, ...) OwnVerb{name, make##stem##Verb},
constexpr std::array kOwnVerbs = {HEADSCOPE_VERBS(HEADSCOPE_OWN_VERB, HEADSCOPE_NO_VERB, HEADSCOPE_OWN_VERB)};
#undef HEADSCOPE_OWN_VERB

} // namespace

std::unique_ptr<Verb> makeVerb(std::string_view name)
{
    const auto* const found =
        std::find_if(kOwnVerbs.begin(), kOwnVerbs.end(), [&](const OwnVerb& v) { return v.name == name; });
    return found == kOwnVerbs.end() ? nullptr : found->make();
}

Answer::Answer() : json(std::make_unique<Json>(Json::object())) {}
Answer::Answer(Answer&&) noexcept = default;
Answer& Answer::operator=(Answer&&) noexcept = default;
Answer::~Answer() = default;

} // namespace headscope::cli
