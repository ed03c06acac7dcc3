// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <iosfwd>
#include <string>
#include <string_view>
#include <vector>

namespace headscope::cli
{

/// Whether a first argument is a verb of app/INTERFACE.md, `--help` or `--version`: then main() calls
/// run() and opens no window. Reserved verbs count; names of files do not.
[[nodiscard]] bool isVerb(std::string_view name);

/// Whether the verb draws pictures, so that main() must have made a QGuiApplication (with the
/// platform "offscreen" where there is no display) before run().
[[nodiscard]] bool needsGui(const std::vector<std::string>& arguments);

/// Runs `headscope VERB ...` and returns its exit code (app/INTERFACE.md, section 2).
///
/// Verbs that need a model replace this process by headscope-engine, which lies next to it.
/// @param arguments  the verb first, without the program's name
/// @param out        stdout: tables, or with --json one JSON object
/// @param err        stderr: progress and error sentences
/// @threads once a process: sets handlers for SIGINT and SIGTERM while it runs
[[nodiscard]] int run(const std::vector<std::string>& arguments, std::ostream& out, std::ostream& err);

/// The same with main()'s arguments, on std::cout and std::cerr.
[[nodiscard]] int run(int argc, char** argv);

} // namespace headscope::cli
