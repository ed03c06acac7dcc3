// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <filesystem>
#include <system_error>
#include <vector>

namespace headscope
{

enum class FolderDepth
{
    Folder,  ///< what lies in it
    Subtree, ///< and in the folders below; links to folders are not followed
};

/// What lies in a folder, in no order. Where reading fails, `failed` says why and what was read so far is returned.
///
/// In place of the standard's directory iterators: those of libstdc++ that report by an error code end the program
/// where they get no memory.
/// @throws std::bad_alloc
/// @threads any
[[nodiscard]] std::vector<std::filesystem::directory_entry> entriesOf(const std::filesystem::path& folder,
                                                                      FolderDepth depth, std::error_code& failed);

} // namespace headscope
