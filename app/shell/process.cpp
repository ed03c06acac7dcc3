// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/shell/process.h"

#include "model/base/error.h"
#include "model/base/escape_controls.h"
#include "model/base/output/temporary_path.h"

#include <fcntl.h>
#include <unistd.h>

#include <array>
#include <atomic>
#include <cerrno>
#include <csignal>
#include <cstddef>
#include <cstdlib>
#include <exception>
#include <new>
#include <stdexcept>
#include <string>
#include <string_view>
#include <system_error>

namespace headscope::shell
{
namespace
{

constexpr std::string_view kCrash =
    "headscope: the program crashed. Please report this, with the steps that led here.\n";

/// Opens what was closed in the direction that cannot be used, so that using it fails as it would have.
void openStandardDescriptors()
{
    constexpr std::array kWays = {O_WRONLY, O_RDONLY, O_WRONLY};
    for (int descriptor = 0; descriptor < static_cast<int>(kWays.size()); ++descriptor)
    {
        if (::fcntl(descriptor, F_GETFD) >= 0 || errno != EBADF)
            continue;
        // The lowest free number is this one, as those below are open.
        [[maybe_unused]] const int opened = ::open("/dev/null", kWays[static_cast<std::size_t>(descriptor)]);
    }
}

/// Writes without memory of its own: there may be none.
void sayPlainly(std::initializer_list<std::string_view> parts)
{
    for (const std::string_view part : parts)
    {
        [[maybe_unused]] const auto written = ::write(STDERR_FILENO, part.data(), part.size());
    }
}

/// Says what an exception was, and gives its exit code.
int codeOfException(const std::exception_ptr& exception)
{
    try
    {
        if (exception)
            std::rethrow_exception(exception);
        // An exception that met a function which lets none out: in a library, where it got no memory.
        sayPlainly({kCrash});
    }
    catch (const std::bad_alloc&)
    {
        sayPlainly({"headscope: not enough memory for this task\n"});
        return exitCode(ErrorCode::OutOfMemory);
    }
    catch (const std::length_error&) // a size that no memory could hold
    {
        sayPlainly({"headscope: not enough memory for this task\n"});
        return exitCode(ErrorCode::OutOfMemory);
    }
    catch (const std::system_error& error) // a thread that could not be started
    {
        sayPlainly({"headscope: a system limit was reached: ", escapeControls(error.what(), LineBreaks::Shown), "\n"});
        return exitCode(ErrorCode::Resource);
    }
    catch (const std::exception& error)
    {
        sayPlainly({"headscope: unexpected failure: ", escapeControls(error.what(), LineBreaks::Shown), "\n"});
    }
    catch (...)
    {
        sayPlainly({"headscope: unexpected failure of an unknown kind\n"});
    }
    return exitCode(ErrorCode::Internal);
}

/// In place of abort(), for an exception that left a thread.
[[noreturn]] void endAfterException()
{
    const int code = codeOfException(std::current_exception());
    removeTemporaryPaths();
    std::_Exit(code);
}

/// Whether a program runs that has not come to its own end.
std::atomic<bool> running = false;

/// exit() before the program's own end: HDF5 does that where its tables cannot grow, X where its server went away.
void endAfterLibraryExit()
{
    if (!running.exchange(false))
        return;
    sayPlainly({"headscope: a library ended the program, for example because the display was closed\n"});
    removeTemporaryPaths();
    std::_Exit(exitCode(ErrorCode::Resource));
}

/// A crash by the program's own doing, or a library's: HDF5 and the matrix library use memory they did not get.
extern "C" void endAfterCrash(int number, siginfo_t* info, void* /*context*/)
{
    if (info->si_code <= 0 && info->si_pid != ::getpid()) // sent by another process: it ends as it would have
    {
        std::signal(number, SIG_DFL);
        raise(number);
        return;
    }
    static std::atomic_flag said;
    while (said.test_and_set()) // threads that share what broke crash together; the first speaks, and ends all
        ::pause();
    [[maybe_unused]] const auto written = ::write(STDERR_FILENO, kCrash.data(), kCrash.size());
    std::_Exit(exitCode(ErrorCode::Internal));
}

/// Has crashes end in a sentence. Not under sanitizers, which report them themselves.
void catchCrashes()
{
#if !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
    constexpr std::size_t kStackBytes = std::size_t{64} << 10; // for an endless recursion, which has no other left
    alignas(16) static std::array<std::byte, kStackBytes> stack;
    stack_t handlers = {};
    handlers.ss_sp = stack.data();
    handlers.ss_size = stack.size();
    ::sigaltstack(&handlers, nullptr);
    struct sigaction action = {};
    action.sa_sigaction = endAfterCrash;
    action.sa_flags = SA_SIGINFO | SA_ONSTACK;
    for (const int number : {SIGSEGV, SIGFPE, SIGILL, SIGABRT, SIGBUS, SIGTRAP})
        ::sigaction(number, &action, nullptr);
#endif
}

} // namespace

int runProgram(int (*program)(int argc, char** argv), int argc, char** argv)
{
    openStandardDescriptors();
    std::signal(SIGPIPE, SIG_IGN);
    std::signal(SIGXFSZ, SIG_IGN);
    std::set_terminate(endAfterException);
    std::atexit(endAfterLibraryExit);
    catchCrashes();
    running = true;
    int code = 0;
    try
    {
        code = program(argc, argv);
    }
    catch (...)
    {
        code = codeOfException(std::current_exception());
    }
    running = false;
    return code;
}

} // namespace headscope::shell
