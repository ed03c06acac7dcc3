// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <algorithm>
#include <filesystem>
#include <span>
#include <system_error>
#include <utility>
#include <vector>

namespace headscope::cli
{

/// Those of these files that are there.
[[nodiscard]] inline std::vector<std::filesystem::path> filesThere(std::span<const std::filesystem::path> files)
{
    std::vector<std::filesystem::path> there;
    std::error_code ignored;
    for (const std::filesystem::path& file : files)
        if (std::filesystem::exists(file, ignored))
            there.push_back(file);
    return there;
}

/// Removes what was written unless all of it was. What replaced another file stays: that cannot come back.
struct FileTransaction
{
    std::vector<std::filesystem::path> written; ///< the figure first
    std::vector<std::filesystem::path> before;  ///< that were there
    bool isUndone = true;

    FileTransaction(std::vector<std::filesystem::path> paths, std::vector<std::filesystem::path> there)
        : written(std::move(paths)), before(std::move(there))
    {}
    ~FileTransaction()
    {
        std::error_code ignored;
        for (const std::filesystem::path& path : written)
            if (isUndone && std::ranges::find(before, path) == before.end())
                std::filesystem::remove(path, ignored);
    }
    FileTransaction(const FileTransaction&) = delete;
    FileTransaction& operator=(const FileTransaction&) = delete;
};

} // namespace headscope::cli
