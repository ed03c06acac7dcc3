// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <span>
#include <string_view>

namespace headscope::shell
{

/// Which program does a verb's work.
enum class VerbHome
{
    Headscope, ///< headscope itself: it needs no model
    Engine,    ///< headscope-engine, which headscope hands the words to
};

/// A verb of the command line.
struct VerbName
{
    std::string_view name;
    VerbHome home;
    std::string_view summary; ///< what it gives, for the list of verbs
};

/// Every verb, in the order in which --help lists them. `inspect` stands under Headscope, which reads
/// caches; it hands models to the engine.
[[nodiscard]] std::span<const VerbName> allVerbs();
/// @return null: there is no such verb
[[nodiscard]] const VerbName* findVerb(std::string_view name);

} // namespace headscope::shell
