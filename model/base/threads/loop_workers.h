// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <functional>

namespace headscope
{

/// Runs `work(0)` on this thread, and `work(1)` to `work(numThreads - 1)` on threads that wait for such calls.
///
/// The work of one loop must be divisible at will: a worker that has not begun when work(0) returns is not waited for,
/// and its call is left out. So a loop never waits for a thread to which the system gives no processor. A worker that
/// has begun is waited for. Waiting threads, the caller too, look for some ten microseconds, which bridges the pause
/// between two loops, then sleep; where the machine is busy, or there are more threads than cores, they sleep at once.
///
/// Threads are started when they are first needed, kept until the process ends, and shared by all callers. They do not
/// receive SIGHUP, SIGINT and SIGTERM. Where the system gives no further thread, the work is done by fewer.
/// @param numThreads  at least 1
/// @param work        must not throw
/// @threads reentrant; `work` may not wait for another of its own calls to begin
/// @cost    about a microsecond where the workers still look; a worker that sleeps begins some 5 to 50 microseconds later
void runTeam(int numThreads, const std::function<void(int worker)>& work);

} // namespace headscope
