// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "model/base/result.h"

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>

namespace headscope
{

/// Bytes that may still be written where a file or folder is or would be; nothing where the system does not say.
[[nodiscard]] std::optional<std::uint64_t> freeSpaceBeside(const std::filesystem::path& target);

/// "12.3 MB": three digits, or bytes below 1000.
[[nodiscard]] std::string spaceText(std::uint64_t bytes);

/// "disk full: 12.3 MB needed, 412 kB free": in three digits, or in bytes where these are the same.
[[nodiscard]] std::string diskFullText(std::uint64_t needed, std::uint64_t available);

/// Refuses to start when the file system has less than `bytes` + 10% left for `target`.
/// @errors Resource (diskFullText)
[[nodiscard]] Status checkFreeSpace(const std::filesystem::path& target, std::uint64_t bytes);

} // namespace headscope
