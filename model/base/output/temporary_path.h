// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "model/base/result.h"

#include <filesystem>
#include <string_view>

namespace headscope
{

/// A file or folder of our own that goes with this object, and also when the process is ended by force
/// (removeTemporaryPaths). Moves, does not copy.
/// @threads any
class TemporaryPath
{
public:
    TemporaryPath() = default;
    /// Takes over what lies there, or will.
    explicit TemporaryPath(std::filesystem::path path);
    /// Makes an empty folder of a new name, for the user alone, below the folder of temporary files. Folders
    /// of the same prefix that processes left which were killed are removed.
    /// @errors Resource
    [[nodiscard]] static Result<TemporaryPath> makeFolder(std::string_view prefix);
    TemporaryPath(TemporaryPath&& other) noexcept;
    TemporaryPath& operator=(TemporaryPath&& other) noexcept;
    ~TemporaryPath();

    [[nodiscard]] const std::filesystem::path& path() const { return m_path; }
    /// Removes it now, with everything in it.
    void remove();
    /// It stays from here on: it was put into place.
    void release();

private:
    std::filesystem::path m_path;
};

/// Removes every TemporaryPath there is: for who ends the process without unwinding.
/// @threads any, also while others work
void removeTemporaryPaths();

/// A descriptor of an empty file for reading and writing that has no name, and goes with the descriptor.
/// @errors Resource
[[nodiscard]] Result<int> openUnnamedFile();

} // namespace headscope
