// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/commands/attention/importance_command.h"
#include "app/engine/importance/importance_job.h"
#include "model/data/frame/frame.h"

#include <filesystem>
#include <string>

namespace headscope::engine
{

/// What is lost without heads as `importance --json` prints it (app/INTERFACE.md, section 5).
/// @param more    members behind it
/// @param indent  of its lines; -1: one line
[[nodiscard]] std::string importanceJson(const ImportanceFindings& found, const Members& more = {}, int indent = -1);

/// The same as a table for people, a row a head.
[[nodiscard]] std::string importanceText(const ImportanceFindings& found);

/// Writes findings as the name's ending asks: a table (.csv), with all values of all masks (.h5), or what `--json`
/// prints (.json).
/// @param command  as typed, for the file
/// @errors those of the writers
[[nodiscard]] Status writeImportance(const std::filesystem::path& path, const ImportanceFindings& found,
                                     const std::string& command);

/// Refuses a name with another ending.
/// @errors WrongUse
[[nodiscard]] Status checkImportanceOutput(const std::filesystem::path& path);

} // namespace headscope::engine
