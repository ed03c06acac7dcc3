// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/call_faults.h"

#include "tests/support/process.h"

#include <fcntl.h>
#include <sys/ptrace.h>
#include <sys/syscall.h>
#include <sys/user.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <csignal>
#include <cstdint>
#include <cstdlib>
#include <utility>

namespace headscope::test
{
namespace
{

constexpr int kNotTraced = 99;

#if defined(__x86_64__)

/// A call that changes files, and what a disk says that does not take it.
struct FileCall
{
    long number = 0;
    const char* name = "";
    int error = 0;
    bool happens = false; ///< before it fails: a file is closed in any case
};

constexpr std::array kFileCalls = {
    FileCall{SYS_openat, "openat", ENOSPC},     FileCall{SYS_open, "open", ENOSPC},
    FileCall{SYS_write, "write", ENOSPC},       FileCall{SYS_pwrite64, "pwrite64", ENOSPC},
    FileCall{SYS_writev, "writev", ENOSPC},     FileCall{SYS_ftruncate, "ftruncate", ENOSPC},
    FileCall{SYS_fsync, "fsync", EIO},          FileCall{SYS_fdatasync, "fdatasync", EIO},
    FileCall{SYS_rename, "rename", ENOSPC},     FileCall{SYS_renameat2, "renameat2", ENOSPC},
    FileCall{SYS_mkdir, "mkdir", ENOSPC},       FileCall{SYS_close, "close", EIO, true},
    FileCall{SYS_truncate, "truncate", ENOSPC}, FileCall{SYS_unlink, "unlink", EIO}};

user_regs_struct registersOf(pid_t child)
{
    user_regs_struct registers = {};
    ::ptrace(PTRACE_GETREGS, child, nullptr, &registers);
    return registers;
}

const FileCall* fileCall(const user_regs_struct& registers)
{
    const auto number = static_cast<long>(registers.orig_rax);
    const auto* found = std::ranges::find(kFileCalls, number, &FileCall::number);
    if (found == kFileCalls.end())
        return nullptr;
    const auto flags = number == SYS_openat ? registers.rdx : registers.rsi;
    const bool opens = number == SYS_openat || number == SYS_open;
    return opens && (flags & O_CREAT) == 0 ? nullptr : found;
}

#endif

/// Waits for the next stop; false: the child is gone, and how is in `run`.
bool nextStop(pid_t child, int& status, FaultyRun& run)
{
    if (::waitpid(child, &status, 0) != child || WIFSIGNALED(status))
        return false;
    if (WIFEXITED(status))
        run.exitCode = WEXITSTATUS(status);
    return !WIFEXITED(status);
}

/// Follows the child to its second SIGSTOP, which ends the faulty part; false: it is gone.
bool follow(pid_t child, CallFault fault, int number, FaultyRun& run)
{
    constexpr int kCallStop = SIGTRAP | 0x80;
    int status = 0;
    bool entering = true;
    int calls = 0;
    while (true)
    {
        ::ptrace(PTRACE_SYSCALL, child, nullptr, nullptr);
        if (!nextStop(child, status, run))
            return false;
        if (WSTOPSIG(status) == SIGSTOP)
            return true;
        if (WSTOPSIG(status) != kCallStop)
            continue;
        if (!std::exchange(entering, !entering))
            continue;
        if (fault == CallFault::Kill && calls++ == number)
        {
            run.reached = true;
            static_cast<void>(signal(child, SIGKILL));
            static_cast<void>(::waitpid(child, &status, 0));
            return false;
        }
#if defined(__x86_64__)
        if (fault == CallFault::Kill || run.reached)
            continue;
        user_regs_struct registers = registersOf(child);
        const FileCall* call = fileCall(registers);
        if (call == nullptr || calls++ != number)
            continue;
        run.reached = true;
        run.call = call->name;
        if (!call->happens)
        {
            registers.orig_rax = ~0ULL; // no such call
            ::ptrace(PTRACE_SETREGS, child, nullptr, &registers);
        }
        ::ptrace(PTRACE_SYSCALL, child, nullptr, nullptr);
        if (!nextStop(child, status, run))
            return false;
        registers = registersOf(child);
        registers.rax = static_cast<unsigned long long>(-static_cast<std::int64_t>(call->error));
        ::ptrace(PTRACE_SETREGS, child, nullptr, &registers);
        entering = true;
#endif
    }
}

} // namespace

FaultyRun runWithFault(CallFault fault, int number, const std::function<void()>& faulty,
                       const std::function<int()>& after)
{
    FaultyRun run;
    const pid_t child = ::fork();
    if (child < 0)
        return run; // no process: there is nobody to trace
    if (child == 0)
    {
        if (::ptrace(PTRACE_TRACEME, 0, nullptr, nullptr) != 0)
            std::_Exit(kNotTraced);
        ::raise(SIGSTOP);
        faulty();
        ::raise(SIGSTOP);
        std::_Exit(after());
    }
    int status = 0;
    if (!nextStop(child, status, run))
        return run;
    ::ptrace(PTRACE_SETOPTIONS, child, nullptr, PTRACE_O_TRACESYSGOOD | PTRACE_O_EXITKILL);
    if (!follow(child, fault, number, run))
        return run;
    do
        ::ptrace(PTRACE_CONT, child, nullptr, nullptr);
    while (nextStop(child, status, run));
    return run;
}

bool canFault(CallFault fault)
{
#if !defined(__x86_64__)
    if (fault == CallFault::Fail)
        return false;
#endif
    const FaultyRun run = runWithFault(
        fault, 1'000'000, [] {}, [] { return 0; });
    return run.exitCode == 0;
}

} // namespace headscope::test
