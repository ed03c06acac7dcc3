// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <filesystem>

namespace headscope
{

/// The folder that a file lies in, or will; "." for a name alone.
[[nodiscard]] inline std::filesystem::path folderOf(const std::filesystem::path& path)
{
    return path.has_parent_path() ? path.parent_path() : std::filesystem::path(".");
}

} // namespace headscope
