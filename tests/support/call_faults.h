// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <functional>
#include <optional>
#include <string>

namespace headscope::test
{

/// What goes wrong at one system call of a child process.
enum class CallFault
{
    Kill, ///< it is ended before the call, as by kill -9; any call counts
    Fail, ///< the call fails as on a full or broken disk; calls that change files count
};

/// How a child ended.
struct FaultyRun
{
    bool reached = false;        ///< there were so many calls: something went wrong
    std::optional<int> exitCode; ///< none: it was ended by a signal
    std::string call;            ///< the one that failed: "pwrite64"
};

/// Whether calls of a child can be made to go wrong here: tracing may be forbidden, and failing calls are known
/// of x86-64 alone.
[[nodiscard]] bool canFault(CallFault fault);

/// Runs `faulty` in a forked child, whose call number `number` (from 0) goes wrong, then `after` without any fault.
/// @param after  gives the exit code
[[nodiscard]] FaultyRun runWithFault(CallFault fault, int number, const std::function<void()>& faulty,
                                     const std::function<int()>& after);

} // namespace headscope::test
