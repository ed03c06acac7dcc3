// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

namespace headscope::engine
{

/// headscope-engine from its command line to its exit code (app/INTERFACE.md, section 2): finds the
/// verb, runs it under a job that SIGINT and SIGTERM stop, and turns its error into one sentence on
/// stderr and, with --json, one object on stdout.
///
/// @threads called once, from main: it handles the two signals while the verb runs
[[nodiscard]] int run(int argc, char** argv);

} // namespace headscope::engine
