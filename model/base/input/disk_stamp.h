// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "model/base/result.h"

#include <compare>
#include <cstdint>
#include <filesystem>

namespace headscope
{

/// Which file lies under a name, and in which state. Two equal stamps are of the same contents: what puts size and
/// modification time back as they were, as copying and unpacking do, is another inode or changes its entry.
struct DiskStamp
{
    std::uint64_t device = 0;
    std::uint64_t inode = 0;
    std::uint64_t size = 0;
    std::int64_t modifiedNs = 0;
    std::int64_t changedNs = 0; ///< of its entry in the file system

    auto operator<=>(const DiskStamp&) const = default;
};

/// @errors FileNotFound, Resource, BadFormat (a folder, a pipe, a device)
[[nodiscard]] Result<DiskStamp> diskStampOf(const std::filesystem::path& path);

/// Fails where the file is no longer what it was.
/// @errors Resource (it changed), and those of diskStampOf
[[nodiscard]] Status checkUnchanged(const std::filesystem::path& path, const DiskStamp& stamp);

} // namespace headscope
