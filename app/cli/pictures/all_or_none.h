// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <filesystem>
#include <system_error>
#include <utility>
#include <vector>

namespace headscope::cli
{

/// Removes what was written unless all of it was. What replaced another file stays: that cannot come back.
struct AllOrNone
{
    std::vector<std::filesystem::path> written; ///< the figure first
    bool isUndone;

    AllOrNone(std::vector<std::filesystem::path> paths, bool undone) : written(std::move(paths)), isUndone(undone) {}
    ~AllOrNone()
    {
        std::error_code ignored;
        for (const std::filesystem::path& path : written)
            if (isUndone)
                std::filesystem::remove(path, ignored);
    }
    AllOrNone(const AllOrNone&) = delete;
    AllOrNone& operator=(const AllOrNone&) = delete;
};

} // namespace headscope::cli
