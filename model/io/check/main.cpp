// SPDX-License-Identifier: GPL-3.0-or-later
// headscope-hdf5-check FILE: reads an HDF5 file that another process wrote, before a program with more to lose opens
// it.
//
// Exit code 0: all of it can be read. 1: a line on standard output says why not, its parts divided by tabs:
// "damaged", "system" or "memory", errno or 0, the object, the reason. 2: wrong use. A file that crashes HDF5, or that
// it reads for ever, ends this process by a signal. The limits below hold for the file's size; see file_check.h for
// who waits.
#include "model/io/check/file_walk.h"
#include "model/io/check/guarded_memory.h"

#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <new>
#include <string>

/// What a sanitizer reports is a crash for whoever waits, who knows it by the signal; its own codes would be 1 and 66.
#if defined(__SANITIZE_ADDRESS__)
extern "C" const char* __asan_default_options() // NOLINT(*-reserved-identifier): its name
{
    return "abort_on_error=1";
}
#elif defined(__SANITIZE_THREAD__)
extern "C" const char* __tsan_default_options() // NOLINT(*-reserved-identifier): its name
{
    return "abort_on_error=1:handle_segv=0";
}
#endif

namespace
{

using headscope::check::Finding;

/// @return  whether this limit holds; false: a lower one did before
bool limit(__rlimit_resource_t what, std::uint64_t most)
{
    struct rlimit limits = {};
    if (::getrlimit(what, &limits) != 0)
        return false;
    const bool lowered = limits.rlim_cur > most;
    limits.rlim_cur = std::min<rlim_t>(limits.rlim_cur, most);
    limits.rlim_max = std::min<rlim_t>(limits.rlim_max, most + 1); // at this one processor time ends without its signal
    return ::setrlimit(what, &limits) == 0 && lowered;
}

/// Memory for a walk; a good file of this size takes less.
/// @param rest  what more is allowed, below the limit of the process
void limitWalk(std::uint64_t fileBytes, std::uint64_t rest)
{
    constexpr std::uint64_t kMemory = std::uint64_t{1} << 30;
    struct rlimit limits = {};
    if (::getrlimit(RLIMIT_AS, &limits) != 0)
        return;
    limits.rlim_cur = std::min<rlim_t>(limits.rlim_max, kMemory + 2 * fileBytes + rest);
    ::setrlimit(RLIMIT_AS, &limits);
}

constexpr std::uint64_t kGuardMemory = std::uint64_t{2} << 30; // half of it addresses alone

/// @param fileBytes  what a good file of this size can need decides how much is allowed
/// @return  whether memory ends at the limit that a good file never reaches
bool setLimits(std::uint64_t fileBytes)
{
    constexpr std::uint64_t kMemory = (std::uint64_t{1} << 30) + kGuardMemory;
    constexpr std::uint64_t kSeconds = 5;
    constexpr std::uint64_t kBytesASecond = 20'000'000;
    ::prctl(PR_SET_PDEATHSIG, SIGKILL); // goes with whoever waits for it
    ::prctl(PR_SET_DUMPABLE, 0);
    limit(RLIMIT_CORE, 0);
    limit(RLIMIT_FSIZE, 4096); // the one line, where standard output is a file
    limit(RLIMIT_CPU, kSeconds + fileBytes / kBytesASecond);
#if !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__) // they take addresses for all memory there could be
    return limit(RLIMIT_AS, kMemory + 2 * fileBytes);
#else
    static_cast<void>(kMemory);
    return false;
#endif
}

/// Without what would end the line or a part of it early.
std::string plain(std::string text)
{
    std::replace_if(
        text.begin(), text.end(), [](char c) { return static_cast<unsigned char>(c) < 0x20 || c == 0x7f; }, '?');
    return text.substr(0, 1000);
}

const char* kindName(Finding::Kind kind)
{
    return kind == Finding::Kind::System ? "system" : kind == Finding::Kind::Memory ? "memory" : "damaged";
}

} // namespace

int main(int argc, char** argv)
{
    struct stat info = {};
    if (argc != 2 || argv[1][0] == '-')
    {
        std::fputs("Usage: headscope-hdf5-check FILE\n", stderr);
        return 2;
    }
    if (::stat(argv[1], &info) != 0)
    {
        std::perror(argv[1]);
        return 2;
    }
    const bool generous = setLimits(static_cast<std::uint64_t>(info.st_size));
    ::setenv("HDF5_USE_FILE_LOCKING", "FALSE", 1); // whoever opens the file afterwards locks it
    Finding finding;
    try
    {
        // Twice: a damaged file may be harmless in one kind of memory, and not in the other.
        const auto bytes = static_cast<std::uint64_t>(info.st_size);
        if (generous)
            limitWalk(bytes, 0);
        finding = headscope::check::walkFile(argv[1], bytes);
        if (generous)
            limitWalk(bytes, kGuardMemory);
        headscope::check::guardMemory();
        if (finding.kind == Finding::Kind::None)
            finding = headscope::check::walkFile(argv[1], bytes);
    }
    catch (const std::bad_alloc&)
    {
        finding.kind = Finding::Kind::Memory;
    }
    if (finding.kind == Finding::Kind::Memory && generous)
        finding = {Finding::Kind::Damaged, 0, finding.place,
                   "it requests more memory than a file of its size can need"};
    // HDF5 is not closed: what a damaged file left of it may not stand that.
    if (finding.kind == Finding::Kind::None)
        ::_exit(0);
    std::printf("%s\t%d\t%s\t%s\n", kindName(finding.kind), finding.systemNumber, plain(finding.place).c_str(),
                plain(finding.reason).c_str());
    std::fflush(stdout);
    ::_exit(1);
}
