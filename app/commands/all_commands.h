// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "model/base/fields/fields.h"

#include <functional>
#include <string>
#include <string_view>

namespace headscope::commands
{

/// Calls `visit` with every verb that there is and the table of its options, the common ones included, in the
/// order of --help. The table is valid during the call.
void visitCommands(const std::function<void(std::string_view verb, const Fields& table)>& visit);

/// The script that completes `headscope` in bash: verbs, options, the words an option takes, names of files.
[[nodiscard]] std::string completionScript();

/// The manual page of a verb.
/// @param program  with its version: "headscope 0.1.0"
/// @return empty: there is no such verb
[[nodiscard]] std::string manualPage(std::string_view verb, std::string_view program);

} // namespace headscope::commands
