// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

namespace headscope::engine
{

/// headscope-engine from its command line to its exit code (INTERFACE.md, section 1): finds the
/// verb, runs it under a job that SIGINT and SIGTERM stop, and turns its error into one sentence on
/// stderr and, with --json, one object on stdout.
///
/// @threads called once, from main, before any other thread is there: it blocks the two signals for
///          all threads
[[nodiscard]] int run(int argc, char** argv);

} // namespace headscope::engine
