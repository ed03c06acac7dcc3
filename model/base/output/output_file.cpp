// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/base/output/output_file.h"

#include "model/base/file.h"
#include "model/base/folder_entries.h"
#include "model/base/output/disk_space.h"
#include "model/base/output/folder_of.h"
#include "model/base/output/process_tag.h"

#include <fmt/format.h>

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <span>
#include <string>
#include <system_error>
#include <utility>

namespace headscope
{
namespace
{

namespace fs = std::filesystem;

constexpr mode_t kPermissions = 0777;
constexpr std::string_view kPart = ".part-";

/// A failure of the system at a file that is being written, with what is free where the disk is full.
Error writeError(int number, const fs::path& target, const fs::path& place, std::string_view doing,
                 std::uint64_t needed)
{
    const auto available = number == ENOSPC ? freeSpaceBeside(place) : std::nullopt;
    if (available)
        return {ErrorCode::Resource, diskFullText(needed, *available), target.string(), {}};
    Error error = systemError(number, target, doing);
    if (error.code == ErrorCode::FileNotFound) // its folder has gone
        error = {ErrorCode::Resource,
                 fmt::format("{} failed: {}", doing, std::system_category().message(number)),
                 target.string(),
                 {}};
    return error;
}

/// errno, or 0.
int writeAll(int descriptor, std::string_view bytes)
{
    while (!bytes.empty())
    {
        const ssize_t count = ::write(descriptor, bytes.data(), bytes.size());
        if (count < 0 && errno != EINTR)
            return errno;
        bytes.remove_prefix(count > 0 ? static_cast<std::size_t>(count) : 0);
    }
    return 0;
}

Status syncFolder(const fs::path& folder)
{
    const int descriptor = ::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (descriptor < 0)
        return systemError(errno, folder, "opening to sync");
    const int rc = ::fsync(descriptor);
    const int number = errno;
    ::close(descriptor);
    // Some file systems cannot sync a folder and say EINVAL: nothing more can be done there.
    if (rc != 0 && number != EINVAL)
        return systemError(number, folder, "syncing");
    return {};
}

/// Part files "NAME.part-TAG.N" of the same place whose processes have ended.
void removeLeftParts(const fs::path& place)
{
    const std::string beginning = nameBeside(place, {}, kPart).filename().string();
    std::error_code failed;
    for (const auto& entry : entriesOf(folderOf(place), FolderDepth::Folder, failed))
    {
        const std::string name = entry.path().filename().string();
        if (!name.starts_with(beginning))
            continue;
        const std::string_view tag = std::string_view(name).substr(beginning.size());
        std::error_code ignored;
        if (ownerOf(tag.substr(0, tag.find('.'))) == TagOwner::Gone &&
            fs::is_regular_file(entry.symlink_status(ignored)))
            fs::remove(entry.path(), ignored);
    }
}

/// The part file gets the permissions of the file it replaces, and its owner where that is allowed.
void takeOver(int descriptor, const struct stat& former)
{
    [[maybe_unused]] const int owned = ::fchown(descriptor, former.st_uid, former.st_gid);
    [[maybe_unused]] const int moded = ::fchmod(descriptor, former.st_mode & kPermissions);
}

} // namespace

OutputFile::OutputFile(fs::path target, fs::path place, fs::path part, int descriptor)
    : m_target(std::move(target)), m_place(std::move(place)), m_partPath(std::move(part)), m_descriptor(descriptor)
{}

OutputFile::OutputFile(OutputFile&& other) noexcept
    : m_target(std::move(other.m_target)), m_place(std::move(other.m_place)), m_partPath(std::move(other.m_partPath)),
      m_part(std::move(other.m_part)), m_descriptor(std::exchange(other.m_descriptor, -1))
{}

OutputFile::~OutputFile()
{
    discard();
}

Result<OutputFile> OutputFile::create(const fs::path& target)
{
    static std::atomic<unsigned> number = 0;
    HEADSCOPE_CHECK(checkOutputPath(target, true));
    HEADSCOPE_TRY(const fs::path place, placeBehindLinks(target));
    removeLeftParts(place);
    // With a number, because a process may write one file twice at a time.
    TemporaryPath part(nameBeside(place, {}, fmt::format("{}{}.{}", kPart, processTag(), number++)));
    auto file = createAt(target, part.path());
    if (file)
        file->m_part = std::move(part);
    else
        part.release(); // it is another's, or none
    return file;
}

Result<OutputFile> OutputFile::createAt(const fs::path& target, const fs::path& part)
{
    HEADSCOPE_CHECK(checkOutputPath(target, true));
    HEADSCOPE_TRY(fs::path place, placeBehindLinks(target));
    struct stat former = {};
    const bool replaces = ::stat(place.c_str(), &former) == 0;
    // Never readable for more people than the file it will replace.
    const mode_t mode = replaces ? (former.st_mode & kPermissions) | S_IRUSR | S_IWUSR : 0666;
    const int descriptor = ::open(part.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, mode);
    if (descriptor < 0)
    {
        const int why = errno;
        HEADSCOPE_CHECK(checkFolderOf(place));
        return writeError(why, target, place, "creating", 1);
    }
    return OutputFile(target, std::move(place), part, descriptor);
}

Status OutputFile::write(std::string_view bytes)
{
    const int number = writeAll(m_descriptor, bytes);
    if (number == 0)
        return {};
    // What is free is asked without what was written so far: all of it is needed.
    struct stat written = {};
    const auto before = ::fstat(m_descriptor, &written) == 0 ? static_cast<std::uint64_t>(written.st_size) : 0;
    [[maybe_unused]] const int emptied = ::ftruncate(m_descriptor, 0);
    return writeError(number, m_target, m_place, "writing", std::max<std::uint64_t>(before, bytes.size()));
}

Status OutputFile::writeCopyOf(const File& source, std::uint64_t bytes)
{
    constexpr std::uint64_t kPiece = std::uint64_t{4} << 20;
    std::string piece;
    for (std::uint64_t at = 0; at < bytes; at += piece.size())
    {
        piece.resize(static_cast<std::size_t>(std::min(kPiece, bytes - at)));
        HEADSCOPE_CHECK(source.readAt(at, std::as_writable_bytes(std::span(piece))));
        HEADSCOPE_CHECK(write(piece));
    }
    return {};
}

Status OutputFile::writeAt(std::uint64_t offset, std::span<const std::byte> bytes)
{
    while (!bytes.empty())
    {
        const ssize_t count = ::pwrite(m_descriptor, bytes.data(), bytes.size(), static_cast<off_t>(offset));
        if (count < 0 && errno != EINTR)
            return writeError(errno, m_target, m_place, "writing", bytes.size());
        const auto written = count > 0 ? static_cast<std::size_t>(count) : 0;
        bytes = bytes.subspan(written);
        offset += written;
    }
    return {};
}

Status OutputFile::sync()
{
    // Some network disks say only now that they are full.
    return ::fdatasync(m_descriptor) == 0 ? Status() : Status(writeError(errno, m_target, m_place, "syncing", 1));
}

Status OutputFile::publish()
{
    const Status put = putInPlace();
    discard();
    return put;
}

Status OutputFile::putInPlace()
{
    struct stat former = {};
    if (::stat(m_place.c_str(), &former) == 0)
    {
        HEADSCOPE_CHECK(checkRegular(former.st_mode, m_target)); // it may be another by now
        takeOver(m_descriptor, former);
    }
    struct stat written = {};
    const auto size = ::fstat(m_descriptor, &written) == 0 ? static_cast<std::uint64_t>(written.st_size) : 0;
    if (::fsync(m_descriptor) != 0)
        return writeError(errno, m_target, m_place, "syncing", size);
    if (::close(std::exchange(m_descriptor, -1)) != 0) // some network disks say only now that they are full
        return writeError(errno, m_target, m_place, "writing", size);
    if (::rename(m_partPath.c_str(), m_place.c_str()) != 0)
        return writeError(errno, m_target, m_place, "renaming into place", size);
    m_part.release();
    return syncFolder(folderOf(m_place));
}

void OutputFile::discard()
{
    if (m_descriptor >= 0)
        ::close(std::exchange(m_descriptor, -1));
    m_part.remove();
}

Status writeFileAtomically(const fs::path& target, std::string_view contents)
{
    HEADSCOPE_TRY(OutputFile file, OutputFile::create(target));
    HEADSCOPE_CHECK(file.write(contents));
    return file.publish();
}

Status appendToFile(const fs::path& path, std::string_view bytes, std::string_view doing)
{
    const int descriptor = ::open(path.c_str(), O_WRONLY | O_CREAT | O_APPEND | O_NOFOLLOW | O_CLOEXEC, 0666);
    if (descriptor < 0)
        return systemError(errno, path, "opening");
    const ssize_t written = ::write(descriptor, bytes.data(), bytes.size());
    int number = written == static_cast<ssize_t>(bytes.size()) ? 0 : written < 0 ? errno : ENOSPC;
    if (number == 0 && ::fsync(descriptor) != 0)
        number = errno;
    if (::close(descriptor) != 0 && number == 0) // some network disks say only now that they are full
        number = errno;
    return number == 0 ? Status{} : Status(writeError(number, path, path, doing, bytes.size()));
}

} // namespace headscope
