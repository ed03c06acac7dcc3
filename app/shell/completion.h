// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace headscope
{
class Fields;
}

namespace headscope::shell
{

/// What is completed after a verb.
struct VerbOptions
{
    std::string verb;
    std::vector<std::string> names; ///< "--layer", "-o", ...
    /// Options that take one of a fixed set of words: the name, and those words.
    std::vector<std::pair<std::string, std::vector<std::string>>> words;
};

/// What a table offers: every option that is not hidden, and --help.
[[nodiscard]] VerbOptions optionsForCompletion(std::string_view verb, const Fields& table);

/// A script for bash that completes verbs, options, the words that an option takes, and names of files.
/// @param program  that is completed: "headscope"
[[nodiscard]] std::string bashCompletion(std::string_view program, std::span<const VerbOptions> verbs);

} // namespace headscope::shell
