// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

namespace headscope::engine
{

/// Makes the OpenMP threads of libtorch sleep between loops, after spinning for a moment, as ours do
/// (model/base/threads/loop_workers): by default they spin for milliseconds, and on a busy machine take the processor
/// from the thread they wait for. The runtime reads its settings before main begins, so the program is started once more,
/// as the same process, with OMP_WAIT_POLICY=passive and GOMP_SPINCOUNT=5000 in its environment. Returns where
/// OMP_WAIT_POLICY or GOMP_SPINCOUNT is set already, or where the system cannot start it again: then they wait as they
/// would have.
/// @param argv  main's, with the null pointer at its end
/// @threads once, first thing in main: nothing is open yet, and no thread runs
/// @cost    loads the program's libraries twice, some 10 to 20 ms
/// @source  measured on t-SNE of 32,000 points, tests/bench/README.md
void sleepWhileWaiting(char** argv);

} // namespace headscope::engine
