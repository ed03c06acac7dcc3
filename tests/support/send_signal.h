// SPDX-License-Identifier: GPL-3.0-or-later
// The one place of the tests that calls kill(2), which takes ids of another kind for an order to signal many processes:
// 0 is the caller's group, -1 everybody.
#pragma once

#include <sys/types.h>

#include <csignal>

namespace headscope::test
{

/// Whether this is the id of a process that a test may have started: not 0, a group or the first process.
[[nodiscard]] inline bool isStartedProcess(pid_t process)
{
    return process >= 2;
}

/// @return whether it was sent
[[nodiscard]] inline bool sendSignal(pid_t process, int number)
{
    return isStartedProcess(process) && ::kill(process, number) == 0;
}

/// To all processes of the group that a process leads.
[[nodiscard]] inline bool sendToGroup(pid_t leader, int number)
{
    return isStartedProcess(leader) && ::kill(-leader, number) == 0;
}

} // namespace headscope::test
