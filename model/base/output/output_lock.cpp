// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/base/output/output_lock.h"

#include "model/base/file.h"
#include "model/base/output/output_path.h"
#include "model/base/output/process_tag.h"

#include <fmt/chrono.h>
#include <fmt/format.h>

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <chrono>
#include <ctime>
#include <system_error>
#include <thread>
#include <utility>

namespace headscope
{
namespace
{

namespace fs = std::filesystem;

constexpr auto kPace = std::chrono::milliseconds(50);

/// What a lock file says: two lines, the tag of its process and words for people.
struct Holder
{
    std::string tag;
    std::string words = "another program";
};

Holder holderIn(int descriptor)
{
    Holder holder;
    std::array<char, 512> text{};
    const ssize_t count = ::pread(descriptor, text.data(), text.size(), 0);
    const std::string all(text.data(), count > 0 ? static_cast<std::size_t>(count) : 0);
    const auto line = all.find('\n');
    const auto end = line == std::string::npos ? line : all.find('\n', line + 1);
    if (end == std::string::npos) // it is being written
        return holder;
    holder.tag = all.substr(0, line);
    holder.words = all.substr(line + 1, end - line - 1);
    return holder;
}

void sayHolder(int descriptor)
{
    const std::string text = fmt::format("{}\nprocess {} on {}, since {:%Y-%m-%d %H:%M:%S} UTC\n", processTag(),
                                         ::getpid(), hostName(), fmt::gmtime(std::time(nullptr)));
    [[maybe_unused]] const int emptied = ::ftruncate(descriptor, 0);
    // Without these words the lock holds too.
    [[maybe_unused]] const auto written = ::pwrite(descriptor, text.data(), text.size(), 0);
}

/// Whether the name still leads to the open file: its former holder may have removed it.
bool isStill(int descriptor, const fs::path& path)
{
    struct stat open = {};
    struct stat named = {};
    return ::fstat(descriptor, &open) == 0 && ::stat(path.c_str(), &named) == 0 && open.st_dev == named.st_dev &&
           open.st_ino == named.st_ino;
}

/// The lock file, removed with what is returned, or at once where there is no memory for that.
TemporaryPath ownFile(const fs::path& path, int descriptor)
{
    try
    {
        return TemporaryPath(path);
    }
    catch (...)
    {
        ::unlink(path.c_str());
        ::close(descriptor);
        throw;
    }
}

enum class Took
{
    Yes,
    No,
    Again, ///< the file went away meanwhile
};

/// @param made  this process made the file
Took lockOpen(int descriptor, const fs::path& path, bool made, std::string& holder)
{
    const int rc = ::flock(descriptor, LOCK_EX | LOCK_NB);
    const int number = errno;
    if (rc == 0)
        return isStill(descriptor, path) ? Took::Yes : Took::Again;
    const Holder found = holderIn(descriptor);
    holder = found.words;
    if (number == EWOULDBLOCK || number == EINTR)
        return Took::No;
    // No locks here (ENOLCK, ENOTSUP, ENOSYS): who made the file holds it.
    if (made)
        return Took::Yes;
    if (ownerOf(found.tag) != TagOwner::Gone)
    {
        holder += fmt::format(" (if this process is no longer running, remove {})", path.string());
        return Took::No;
    }
    ::unlink(path.c_str());
    return Took::Again;
}

} // namespace

OutputLock::OutputLock(TemporaryPath file, int descriptor) : m_file(std::move(file)), m_descriptor(descriptor) {}

OutputLock::OutputLock(OutputLock&& other) noexcept
    : m_file(std::move(other.m_file)), m_descriptor(std::exchange(other.m_descriptor, -1))
{}

OutputLock::~OutputLock()
{
    m_file.remove(); // while it is held: nobody else's is removed
    if (m_descriptor >= 0)
        ::close(m_descriptor);
}

Result<std::optional<OutputLock>> OutputLock::tryTake(const fs::path& place, std::string& holder)
{
    const fs::path path = nameBeside(place, ".", ".lock");
    constexpr mode_t kEverybody = 0666;
    for (;;)
    {
        int descriptor = ::open(path.c_str(), O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, kEverybody);
        const bool made = descriptor >= 0;
        if (!made && errno == EEXIST)
            descriptor = ::open(path.c_str(), O_RDWR | O_NOFOLLOW | O_CLOEXEC);
        if (descriptor < 0 && errno == ENOENT && fs::is_directory(path.parent_path()))
            continue; // it was removed between the two
        if (descriptor < 0)
            return systemError(errno, path, "making the lock file");
        const Took took = lockOpen(descriptor, path, made, holder);
        if (took == Took::Yes)
        {
            OutputLock lock(ownFile(path, descriptor), descriptor);
            sayHolder(descriptor);
            return std::optional(std::move(lock));
        }
        ::close(descriptor);
        if (took == Took::No)
            return std::optional<OutputLock>();
    }
}

Result<OutputLock> OutputLock::take(const fs::path& target)
{
    HEADSCOPE_TRY(const fs::path place, placeBehindLinks(target));
    std::string holder;
    HEADSCOPE_TRY(auto lock, tryTake(place, holder));
    if (lock)
        return std::move(*lock);
    return Error{
        ErrorCode::Resource,
        fmt::format("is already being written by {}: wait until it has finished, or choose another name", holder),
        target.string(),
        {}};
}

std::optional<std::string> OutputLock::holder(const fs::path& target)
{
    const auto place = placeBehindLinks(target);
    if (!place)
        return std::nullopt;
    const int descriptor = ::open(nameBeside(*place, ".", ".lock").c_str(), O_RDONLY | O_NOFOLLOW | O_CLOEXEC);
    if (descriptor < 0)
        return std::nullopt;
    const Holder found = holderIn(descriptor);
    ::close(descriptor);
    return ownerOf(found.tag) == TagOwner::Gone ? std::nullopt : std::optional(found.words);
}

Result<OutputLock> OutputLock::wait(const fs::path& target, JobContext& job)
{
    HEADSCOPE_TRY(const fs::path place, placeBehindLinks(target));
    for (;;)
    {
        std::string holder;
        HEADSCOPE_TRY(auto lock, tryTake(place, holder));
        if (lock)
            return std::move(*lock);
        job.report(fmt::format("waiting for {}, which writes the same file", holder), 0, 0);
        HEADSCOPE_CHECK(job.checkStop());
        std::this_thread::sleep_for(kPace);
    }
}

} // namespace headscope
