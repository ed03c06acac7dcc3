// SPDX-License-Identifier: GPL-3.0-or-later
// Loaded before a program (LD_PRELOAD), it makes one call of the C library fail, or every call from that one on.
//
//   HEADSCOPE_FAULT=write|rename|say|allocation  which calls: those that change files, that rename them, that write to
//                                      standard error, or that take memory
//   HEADSCOPE_FAULT_AT=N               the Nth of them since main() began, from 1; 0: none, they are only counted
//   HEADSCOPE_FAULT_TEXT=TEXT          only calls on files with this text in their path, or what is said with it
//   HEADSCOPE_FAULT_HOW=once|on|short|quota  it alone; it and all later ones; a write that takes half of its bytes; it
//                                      alone, because of the user's quota
//                       kill|hold      nothing fails: the program is killed there, or stands still until SIGCONT;
//                                      at a write before it, at the others behind it
//   HEADSCOPE_FAULT_COUNT=FILE         where their number is written at the end, and how many files were renamed that
//                                      had been written to since they were last synced
//   HEADSCOPE_FAULT_PLACES=FILE        where "N HASH" is written for the first allocation of each place of the code,
//                                      which is one with other 8 innermost calls than all before it
//
// Allocations of fontconfig itself never fail: version 2.14 keeps a lock where one does, and waits for it for ever.
//
// The time of day stands still where a call fails, so that the same run writes the same bytes.
//
// A call that changes a file is one on a regular file behind standard error, or one that makes, opens for writing or
// renames a path outside of /dev, /proc and /sys.
#include "tests/faults/interpose_notes.h"

#include <dlfcn.h>
#include <execinfo.h>
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <sys/uio.h>
#include <unistd.h>

#include <array>
#include <atomic>
#include <cerrno>
#include <csignal>
#include <cstdarg>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>

extern "C" {
void* __libc_malloc(std::size_t size);
void* __libc_calloc(std::size_t count, std::size_t size);
void* __libc_realloc(void* block, std::size_t size);
void* __libc_memalign(std::size_t alignment, std::size_t size);
}

namespace
{

constexpr time_t kStandingStill = 1'767'225'600; // 2026-01-01

enum class Fault
{
    None,
    Write,
    Rename,
    Say,
    Allocation,
};

enum class How
{
    Once,
    On,
    Short,
    Quota,
    Kill,
    Hold,
};

Fault wanted = Fault::None;
How how = How::Once;
long at = 0;
const char* meant = nullptr;
const char* countFile = nullptr;
std::atomic<bool> armed{false};
std::atomic<long> calls{0};

/// Counts a call, and says whether it is one to fail.
bool fails(Fault fault)
{
    if (fault != wanted || !armed.load(std::memory_order_relaxed))
        return false;
    const long number = calls.fetch_add(1) + 1;
    if (at == 0 || (how == How::On ? number < at : number != at))
        return false;
    if (how == How::Kill)
        ::syscall(SYS_kill, ::syscall(SYS_getpid), SIGKILL);
    if (how == How::Hold) // this thread at once, the others with it
        ::syscall(SYS_tgkill, ::syscall(SYS_getpid), ::syscall(SYS_gettid), SIGSTOP);
    return how != How::Hold;
}

/// Nothing fails: the program ends or waits.
bool onlyMeets()
{
    return how == How::Kill || how == How::Hold;
}

/// Whether it is a file that is meant.
bool isMeant(const char* path)
{
    return meant == nullptr || std::strstr(path, meant) != nullptr;
}

bool isMeant(int descriptor)
{
    if (meant == nullptr)
        return true;
    char link[32];
    char path[4096];
    std::snprintf(link, sizeof link, "/proc/self/fd/%d", descriptor);
    const long length = ::syscall(SYS_readlinkat, AT_FDCWD, link, path, sizeof path - 1);
    path[length > 0 ? length : 0] = 0;
    return isMeant(path);
}

headscope::faults::Unsynced unsynced;

int errorOr(int error)
{
    return how == How::Quota ? EDQUOT : error;
}

bool isFile(int descriptor)
{
    struct stat status = {};
    return descriptor > 2 && ::fstat(descriptor, &status) == 0 && S_ISREG(status.st_mode);
}

bool isOurs(const char* path)
{
    const auto below = [path](const char* folder) { return std::strncmp(path, folder, std::strlen(folder)) == 0; };
    return path != nullptr && !below("/dev/") && !below("/proc/") && !below("/sys/");
}

bool failsWrite(int descriptor, int error)
{
    if (wanted != Fault::Write || !isFile(descriptor) || !isMeant(descriptor) || !fails(Fault::Write))
        return false;
    errno = errorOr(error);
    return true;
}

bool failsPath(const char* path, int error)
{
    if (wanted != Fault::Write || !isOurs(path) || !isMeant(path) || !fails(Fault::Write))
        return false;
    errno = errorOr(error);
    return true;
}

/// Behind a renaming, which has the result `result`.
int renamed(const char* to, long result)
{
    if (wanted == Fault::Rename && result == 0 && isOurs(to) && isMeant(to))
        static_cast<void>(fails(Fault::Rename));
    return static_cast<int>(result);
}

/// What of `size` bytes a write takes that is made to fail; -1: nothing, and it is an error.
ssize_t taken(std::size_t size)
{
    return how == How::Short && size > 1 ? static_cast<ssize_t>(size / 2) : -1;
}

/// The C library's own function of this name.
template <class Function>
Function next(const char* name)
{
    return reinterpret_cast<Function>(::dlsym(RTLD_NEXT, name)); // NOLINT: how dlsym gives functions
}

headscope::faults::Fontconfig fontconfig;
headscope::faults::Places places;

[[maybe_unused]] bool failsAllocation(const void* caller)
{
    if (fontconfig.has(caller))
        return false;
    if (wanted == Fault::Allocation && places.wanted() && armed.load(std::memory_order_relaxed))
    {
        places.note(calls.fetch_add(1) + 1);
        return false;
    }
    if (!fails(Fault::Allocation))
        return false;
    errno = ENOMEM;
    return true;
}

int openFile(int folder, const char* path, int flags, mode_t mode)
{
    const bool writes = (flags & (O_WRONLY | O_RDWR | O_CREAT)) != 0;
    if (writes && failsPath(path, ENOSPC))
        return -1;
    return static_cast<int>(::syscall(SYS_openat, folder, path, flags, mode));
}

mode_t modeOf(int flags, va_list& list)
{
    return (flags & (O_CREAT | O_TMPFILE)) != 0 ? va_arg(list, mode_t) : 0;
}

int (*programMain)(int, char**, char**) = nullptr;

void writeCount()
{
    armed = false;
    places.write();
    if (countFile == nullptr)
        return;
    char text[32];
    const int length = std::snprintf(text, sizeof text, "%ld %ld\n", calls.load(), unsynced.renamedCount());
    const auto file = static_cast<int>(::syscall(SYS_openat, AT_FDCWD, countFile, O_WRONLY | O_CREAT | O_TRUNC, 0600));
    ::syscall(SYS_write, file, text, static_cast<std::size_t>(length));
    ::syscall(SYS_close, file);
}

int armedMain(int count, char** words, char** environment)
{
    fontconfig.find();
    std::array<void*, 4> frames{};
    ::backtrace(frames.data(), static_cast<int>(frames.size())); // it loads the unwinder when it is first called
    armed = true;
    const int code = programMain(count, words, environment);
    writeCount();
    return code;
}

__attribute__((constructor)) void readWishes()
{
    const auto value = [](const char* name) {
        const char* text = std::getenv(name);
        return text == nullptr ? "" : text;
    };
    const char* fault = value("HEADSCOPE_FAULT");
    wanted = std::strcmp(fault, "write") == 0        ? Fault::Write
             : std::strcmp(fault, "rename") == 0     ? Fault::Rename
             : std::strcmp(fault, "say") == 0        ? Fault::Say
             : std::strcmp(fault, "allocation") == 0 ? Fault::Allocation
                                                     : Fault::None;
    const char* way = value("HEADSCOPE_FAULT_HOW");
    how = std::strcmp(way, "on") == 0      ? How::On
          : std::strcmp(way, "short") == 0 ? How::Short
          : std::strcmp(way, "quota") == 0 ? How::Quota
          : std::strcmp(way, "kill") == 0  ? How::Kill
          : std::strcmp(way, "hold") == 0  ? How::Hold
                                           : How::Once;
    at = std::atol(value("HEADSCOPE_FAULT_AT"));
    meant = std::getenv("HEADSCOPE_FAULT_TEXT");
    countFile = std::getenv("HEADSCOPE_FAULT_COUNT");
    places.open(std::getenv("HEADSCOPE_FAULT_PLACES"));
    if (onlyMeets())
        ::prctl(PR_SET_PDEATHSIG, SIGKILL); // nobody lets it go on whose parent has ended
    ::unsetenv("LD_PRELOAD");               // programs that it starts are left alone
}

} // namespace

extern "C" {

// Calls count from main(): what the loader and the libraries take before it is not the program's to handle.
int __libc_start_main(int (*main)(int, char**, char**), int count, char** words, void (*init)(), void (*fini)(),
                      void (*loaderFini)(), void* stackEnd)
{
    using Start = int (*)(int (*)(int, char**, char**), int, char**, void (*)(), void (*)(), void (*)(), void*);
    programMain = main;
    return next<Start>("__libc_start_main")(armedMain, count, words, init, fini, loaderFini, stackEnd);
}

int clock_gettime(clockid_t clock, struct timespec* now) noexcept
{
    if (clock != CLOCK_REALTIME || wanted == Fault::None || onlyMeets())
        return static_cast<int>(::syscall(SYS_clock_gettime, clock, now));
    *now = {kStandingStill, 0};
    return 0;
}

time_t time(time_t* now) noexcept
{
    struct timespec seconds = {kStandingStill, 0};
    if (onlyMeets())
        ::syscall(SYS_clock_gettime, CLOCK_REALTIME, &seconds);
    if (now != nullptr)
        *now = seconds.tv_sec;
    return seconds.tv_sec;
}

int gettimeofday(struct timeval* now, void* /*zone*/) noexcept
{
    struct timespec exact = {kStandingStill, 0};
    if (onlyMeets())
        ::syscall(SYS_clock_gettime, CLOCK_REALTIME, &exact);
    *now = {exact.tv_sec, exact.tv_nsec / 1000};
    return 0;
}

ssize_t write(int descriptor, const void* data, std::size_t size)
{
    if (failsWrite(descriptor, ENOSPC))
    {
        const ssize_t part = taken(size);
        return part < 0 ? -1 : ::syscall(SYS_write, descriptor, data, part);
    }
    unsynced.wrote(descriptor);
    return ::syscall(SYS_write, descriptor, data, size);
}

ssize_t pwrite64(int descriptor, const void* data, std::size_t size, off64_t offset)
{
    if (failsWrite(descriptor, ENOSPC))
    {
        const ssize_t part = taken(size);
        return part < 0 ? -1 : ::syscall(SYS_pwrite64, descriptor, data, part, offset);
    }
    unsynced.wrote(descriptor);
    return ::syscall(SYS_pwrite64, descriptor, data, size, offset);
}

ssize_t pwrite(int descriptor, const void* data, std::size_t size, off_t offset)
{
    return pwrite64(descriptor, data, size, offset);
}

ssize_t writev(int descriptor, const struct iovec* parts, int count)
{
    if (failsWrite(descriptor, ENOSPC))
        return -1;
    unsynced.wrote(descriptor);
    return ::syscall(SYS_writev, descriptor, parts, count);
}

int fsync(int descriptor)
{
    if (failsWrite(descriptor, EIO))
        return -1;
    unsynced.synced(descriptor);
    return static_cast<int>(::syscall(SYS_fsync, descriptor));
}

int fdatasync(int descriptor)
{
    if (failsWrite(descriptor, EIO))
        return -1;
    unsynced.synced(descriptor);
    return static_cast<int>(::syscall(SYS_fdatasync, descriptor));
}

int ftruncate64(int descriptor, off64_t size) noexcept
{
    return failsWrite(descriptor, ENOSPC) ? -1 : static_cast<int>(::syscall(SYS_ftruncate, descriptor, size));
}

int ftruncate(int descriptor, off_t size) noexcept
{
    return ftruncate64(descriptor, size);
}

int rename(const char* from, const char* to) noexcept
{
    if (failsPath(to, EIO))
        return -1;
    unsynced.renamed(from);
    return renamed(to, ::syscall(SYS_rename, from, to));
}

int renameat2(int fromFolder, const char* from, int toFolder, const char* to, unsigned flags) noexcept
{
    if (failsPath(to, EIO))
        return -1;
    unsynced.renamed(from);
    return renamed(to, ::syscall(SYS_renameat2, fromFolder, from, toFolder, to, flags));
}

int link(const char* from, const char* to) noexcept
{
    if (failsPath(to, EIO))
        return -1;
    unsynced.renamed(from);
    return renamed(to, ::syscall(SYS_link, from, to));
}

int mkdir(const char* path, mode_t mode) noexcept
{
    return failsPath(path, ENOSPC) ? -1 : static_cast<int>(::syscall(SYS_mkdir, path, mode));
}

int open(const char* path, int flags, ...)
{
    va_list list;
    va_start(list, flags);
    const mode_t mode = modeOf(flags, list);
    va_end(list);
    return openFile(AT_FDCWD, path, flags, mode);
}

int open64(const char* path, int flags, ...)
{
    va_list list;
    va_start(list, flags);
    const mode_t mode = modeOf(flags, list);
    va_end(list);
    return openFile(AT_FDCWD, path, flags, mode);
}

int openat(int folder, const char* path, int flags, ...)
{
    va_list list;
    va_start(list, flags);
    const mode_t mode = modeOf(flags, list);
    va_end(list);
    return openFile(folder, path, flags, mode);
}

FILE* fopen64(const char* path, const char* mode)
{
    if (std::strpbrk(mode, "wa+") != nullptr && failsPath(path, ENOSPC))
        return nullptr;
    static const auto theirs = next<FILE* (*)(const char*, const char*)>("fopen64");
    return theirs(path, mode);
}

FILE* fopen(const char* path, const char* mode)
{
    return fopen64(path, mode);
}

std::size_t fwrite(const void* data, std::size_t size, std::size_t count, FILE* stream)
{
    static const auto theirs = next<decltype(&fwrite)>("fwrite");
    const std::size_t written = theirs(data, size, count, stream);
    if (wanted == Fault::Say && stream == stderr &&
        (meant == nullptr || ::memmem(data, size * count, meant, std::strlen(meant)) != nullptr))
        static_cast<void>(fails(Fault::Say));
    return written;
}

#if !defined(HEADSCOPE_SANITIZED) // sanitizers hand out the memory themselves

void* malloc(std::size_t size)
{
    return failsAllocation(__builtin_return_address(0)) ? nullptr : __libc_malloc(size);
}

void* calloc(std::size_t count, std::size_t size)
{
    return failsAllocation(__builtin_return_address(0)) ? nullptr : __libc_calloc(count, size);
}

void* realloc(void* block, std::size_t size)
{
    return size > 0 && failsAllocation(__builtin_return_address(0)) ? nullptr : __libc_realloc(block, size);
}

void* aligned_alloc(std::size_t alignment, std::size_t size)
{
    return failsAllocation(__builtin_return_address(0)) ? nullptr : __libc_memalign(alignment, size);
}

void* memalign(std::size_t alignment, std::size_t size)
{
    return aligned_alloc(alignment, size);
}

int posix_memalign(void** block, std::size_t alignment, std::size_t size)
{
    if (failsAllocation(__builtin_return_address(0)))
        return ENOMEM;
    *block = __libc_memalign(alignment, size);
    return *block == nullptr ? ENOMEM : 0;
}

void* mmap64(void* address, std::size_t size, int protection, int flags, int file, off64_t offset) noexcept
{
    if (failsAllocation(__builtin_return_address(0)))
        return MAP_FAILED;
    return reinterpret_cast<void*>(::syscall(SYS_mmap, address, size, protection, flags, file, offset)); // NOLINT
}

void* mmap(void* address, std::size_t size, int protection, int flags, int file, off_t offset) noexcept
{
    return mmap64(address, size, protection, flags, file, offset);
}

#endif

} // extern "C"
