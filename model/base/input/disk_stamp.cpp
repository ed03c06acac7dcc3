// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/base/input/disk_stamp.h"

#include "model/base/file.h"
#include "model/base/file_kind.h"

#include <sys/stat.h>

#include <cerrno>

namespace headscope
{
namespace
{

std::int64_t inNs(const timespec& time)
{
    return std::int64_t{time.tv_sec} * 1'000'000'000 + time.tv_nsec;
}

} // namespace

Result<DiskStamp> diskStampOf(const std::filesystem::path& path)
{
    struct stat info = {};
    if (::stat(path.c_str(), &info) != 0)
        return systemError(errno, path, "opening");
    HEADSCOPE_CHECK(checkIsRegular(info.st_mode, path));
    return DiskStamp{info.st_dev, info.st_ino, static_cast<std::uint64_t>(info.st_size), inNs(info.st_mtim),
                     inNs(info.st_ctim)};
}

Status checkUnchanged(const std::filesystem::path& path, const DiskStamp& stamp)
{
    HEADSCOPE_TRY(const DiskStamp now, diskStampOf(path));
    if (now == stamp)
        return {};
    return Error{ErrorCode::Resource,
                 "the file changed while it was opened; try again when no other program writes to it",
                 path.string(),
                 {}};
}

} // namespace headscope
