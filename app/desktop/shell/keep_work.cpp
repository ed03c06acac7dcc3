// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/desktop/shell/keep_work.h"

#include "model/base/file.h"
#include "model/base/folder_entries.h"
#include "model/base/hash.h"
#include "model/io/cache/cache_identity.h"
#include "model/io/results/work_file.h"

#include <fmt/format.h>

#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <span>
#include <system_error>
#include <thread>
#include <utility>

namespace headscope::desktop
{
namespace
{

namespace fs = std::filesystem;

/// The only one who writes kept work into a folder, for a moment: a lock on the folder itself, which leaves no
/// file behind and goes with the process. File systems without such locks are used without.
class FolderLock
{
public:
    static Result<FolderLock> take(const fs::path& folder)
    {
        constexpr auto kPatience = std::chrono::seconds(3);
        constexpr auto kPace = std::chrono::milliseconds(10);
        const int descriptor = ::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
        if (descriptor < 0)
            return systemError(errno, folder, "opening the folder");
        FolderLock lock(descriptor);
        const auto start = std::chrono::steady_clock::now();
        while (::flock(descriptor, LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK)
        {
            if (std::chrono::steady_clock::now() - start > kPatience)
                return Error{ErrorCode::Resource, "another program is using this folder", folder.string(), {}};
            std::this_thread::sleep_for(kPace);
        }
        return lock;
    }
    FolderLock(FolderLock&& other) noexcept : m_descriptor(std::exchange(other.m_descriptor, -1)) {}
    FolderLock& operator=(FolderLock&&) = delete;
    ~FolderLock()
    {
        if (m_descriptor >= 0)
            ::close(m_descriptor);
    }

private:
    explicit FolderLock(int descriptor) : m_descriptor(descriptor) {}

    int m_descriptor = -1;
};

std::int64_t nowMs()
{
    return std::chrono::duration_cast<std::chrono::milliseconds>(std::chrono::system_clock::now().time_since_epoch())
        .count();
}

/// The file's own path, behind any links: windows that came by different names must meet.
fs::path ownPath(const fs::path& path)
{
    std::error_code failed;
    const fs::path own = fs::weakly_canonical(path, failed);
    return failed ? fs::absolute(path, failed) : own;
}

fs::path besideOf(const CacheReader& cache)
{
    return workPathBeside(ownPath(cache.path()));
}

/// By the cache's path too: a copy of it elsewhere has work of its own.
fs::path homeOf(const CacheReader& cache, const WorkPlaces& places)
{
    const std::string name = cache.info().identity + ownPath(cache.path()).string();
    return workPathBeside(places.home / xxh3Hex(std::as_bytes(std::span(name))));
}

std::vector<fs::path> filesOf(const CacheReader& cache, const WorkPlaces& places)
{
    std::vector<fs::path> files;
    if (places.beside)
        files.push_back(besideOf(cache));
    if (!places.home.empty())
        files.push_back(homeOf(cache, places));
    return files;
}

std::optional<WorkBook::Stamp> stampOf(const fs::path& file)
{
    const auto disk = diskStampOf(file);
    return disk ? std::optional(WorkBook::Stamp{file, *disk}) : std::nullopt;
}

/// The cache as its work belongs to it: by its contents, which are looked at once for a book.
Result<CacheInfo> infoOf(CacheReader& cache, WorkBook& book)
{
    if (book.identity.empty())
    {
        JobContext job;
        HEADSCOPE_TRY(const CacheInfo info, infoOfContents(cache, job));
        book.identity = info.identity;
    }
    CacheInfo info = cache.info();
    info.identity = book.identity;
    return info;
}

bool isAnothers(const Error& error)
{
    return error.code == ErrorCode::BadFormat || error.code == ErrorCode::InvalidArgument ||
           error.code == ErrorCode::ShapeMismatch;
}

/// Gives a file that is not this cache's work another name, and says so in the error; false: it has to stay.
bool setAside(const fs::path& file, Error& why)
{
    for (int number = 1;; ++number)
    {
        fs::path aside = file;
        aside += number == 1 ? ".aside" : fmt::format(".aside-{}", number);
        std::error_code failed;
        if (fs::exists(fs::symlink_status(aside, failed)))
            continue;
        fs::rename(file, aside, failed);
        why.message += failed
                           ? fmt::format("; the file was not used and could not be moved away ({})", failed.message())
                           : fmt::format("; the file was not used, and was renamed to {}", aside.filename().string());
        return !failed;
    }
}

/// Part files of a program that was killed while it wrote; the caller holds the folder.
void removeLeftovers(const fs::path& file)
{
    const std::string beginning = file.filename().string() + ".part-";
    std::error_code failed;
    for (const auto& entry : entriesOf(file.parent_path(), FolderDepth::Folder, failed))
    {
        std::error_code ignored;
        if (entry.path().filename().string().starts_with(beginning))
            fs::remove(entry.path(), ignored);
    }
}

Error removingFailed(const fs::path& file, const std::error_code& why)
{
    return {ErrorCode::Resource, fmt::format("removing it failed: {}", why.message()), file.string(), {}};
}

/// What stands in the file now; nothing where there is none, or where one was set aside.
Result<ResultStore> present(const fs::path& file, const CacheInfo& info, const Origin& origin, WorkBook& book)
{
    std::error_code ignored;
    if (fs::exists(file, ignored) && !fs::is_regular_file(file, ignored))
        return Error{ErrorCode::Resource, "expected a file, found a folder of this name", file.string(), {}};
    const auto stamp = stampOf(file);
    if (!stamp)
        return ResultStore();
    if (stamp == book.stamp)
        return book.content;
    auto read = readWorkFile(file, info, origin);
    if (read)
        return std::move(read->work);
    Error why = std::move(read).error();
    if (!isAnothers(why) || !setAside(file, why))
        return why;
    book.problems.push_back(std::move(why));
    return ResultStore();
}

Status keepAt(const fs::path& file, CacheReader& cache, const ResultStore& work, WorkBook& book)
{
    HEADSCOPE_TRY(const CacheInfo info, infoOf(cache, book));
    HEADSCOPE_TRY(const FolderLock lock, FolderLock::take(file.parent_path()));
    removeLeftovers(file);
    HEADSCOPE_TRY(const ResultStore theirs, present(file, info, cache.origin(), book));
    ResultStore merged = mergedWork(work, book.known, theirs);
    std::error_code failed;
    if (merged.isEmpty())
    {
        fs::remove(file, failed);
        if (failed)
            return removingFailed(file, failed);
    }
    else
    {
        HEADSCOPE_CHECK(writeWorkFile(file, {info.identity, ownPath(cache.path()).string(), nowMs(), merged}));
    }
    book.stamp = stampOf(file);
    book.content = std::move(merged);
    return {};
}

} // namespace

FoundWork findWork(CacheReader& cache, const WorkPlaces& places)
{
    FoundWork found;
    std::int64_t newest = -1;
    for (const fs::path& file : filesOf(cache, places))
    {
        const auto stamp = stampOf(file);
        if (!stamp)
            continue;
        const auto info = infoOf(cache, found.book);
        if (!info)
        {
            found.problems.push_back(info.error()); // whose the work is cannot be told: it stays where it is
            break;
        }
        auto read = readWorkFile(file, *info, cache.origin());
        if (read && read->savedMs > newest)
        {
            newest = read->savedMs;
            found.book.stamp = stamp;
            found.work = std::move(read->work);
            found.file = file;
        }
        if (read || read.error().code == ErrorCode::FileNotFound)
            continue;
        Error why = std::move(read).error();
        if (isAnothers(why))
        {
            const auto lock = FolderLock::take(file.parent_path());
            setAside(file, why);
        }
        found.problems.push_back(std::move(why));
    }
    found.book.known = digestsOf(found.work);
    found.book.content = found.work;
    return found;
}

Result<fs::path> keepWork(CacheReader& cache, const ResultStore& work, const WorkPlaces& places, WorkBook& book)
{
    WorkDigests digests = digestsOf(work);
    if (book.stamp && digests == book.known && stampOf(book.stamp->file) == book.stamp)
        return book.stamp->file;
    Error last{ErrorCode::Resource, "no place to save the analyses was given", cache.path().string(), {}};
    const auto files = filesOf(cache, places);
    for (std::size_t i = 0; i < files.size(); ++i)
    {
        std::error_code failed;
        if (files[i] == homeOf(cache, places))
            fs::create_directories(places.home, failed);
        if (failed)
        {
            last = {ErrorCode::Resource,
                    fmt::format("making the folder failed: {}", failed.message()),
                    places.home.string(),
                    {}};
            continue;
        }
        if (const Status kept = keepAt(files[i], cache, work, book); !kept)
        {
            last = kept.error();
            continue;
        }
        // What stood at the other places is in this one now. Where nothing is to be kept, none may be left: it
        // would come back.
        for (std::size_t other = 0; other < files.size(); ++other)
        {
            if (!fs::is_regular_file(files[other], failed) || other == i)
                continue;
            if (other > i && fs::remove(files[other], failed) && !failed)
                continue;
            if (!book.stamp)
                return other < i ? last : removingFailed(files[other], failed);
        }
        book.known = std::move(digests);
        book.besideFailed = i > 0 ? std::optional(std::move(last)) : std::nullopt;
        return book.stamp ? files[i] : fs::path();
    }
    return last;
}

} // namespace headscope::desktop
