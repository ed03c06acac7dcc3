// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/base/output/disk_space.h"

#include "model/base/file.h"
#include "model/base/output/folder_of.h"

#include <fmt/format.h>

#include <sys/statvfs.h>

#include <array>
#include <cerrno>
#include <string_view>

namespace headscope
{

std::optional<std::uint64_t> freeSpaceBeside(const std::filesystem::path& target)
{
    struct statvfs info = {};
    if (::statvfs(target.c_str(), &info) != 0 && ::statvfs(folderOf(target).c_str(), &info) != 0)
        return std::nullopt;
    return std::uint64_t{info.f_bavail} * std::uint64_t{info.f_frsize};
}

std::string spaceText(std::uint64_t bytes)
{
    constexpr std::array<std::string_view, 4> kUnits = {"kB", "MB", "GB", "TB"};
    if (bytes < 1000)
        return fmt::format("{} bytes", bytes);
    double value = static_cast<double>(bytes) / 1000;
    std::size_t unit = 0;
    for (; value >= 999.5 && unit + 1 < kUnits.size(); ++unit)
        value /= 1000;
    return fmt::format("{:.{}f} {}", value, value < 9.995 ? 2 : value < 99.95 ? 1 : 0, kUnits[unit]);
}

std::string diskFullText(std::uint64_t needed, std::uint64_t available)
{
    if (spaceText(needed) == spaceText(available)) // too near for three digits
        return fmt::format("disk full: {} bytes needed, {} bytes free", needed, available);
    return fmt::format("disk full: {} needed, {} free", spaceText(needed), spaceText(available));
}

Status checkFreeSpace(const std::filesystem::path& target, std::uint64_t bytes)
{
    const auto available = freeSpaceBeside(target);
    if (!available)
        return systemError(errno, folderOf(target), "checking free space");
    const std::uint64_t needed = bytes + bytes / 10;
    if (*available < needed)
        return Error{ErrorCode::Resource, diskFullText(needed, *available), target.string(), {}};
    return {};
}

} // namespace headscope
