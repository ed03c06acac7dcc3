// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/base/folder_entries.h"

namespace headscope
{
namespace
{

namespace fs = std::filesystem;

template <class Iterator>
void addEntries(const fs::path& folder, std::vector<fs::directory_entry>& entries)
{
    for (const fs::directory_entry& entry : Iterator(folder))
        entries.push_back(entry);
}

} // namespace

std::vector<fs::directory_entry> entriesOf(const fs::path& folder, FolderDepth depth, std::error_code& failed)
{
    std::vector<fs::directory_entry> entries;
    failed.clear();
    try
    {
        if (depth == FolderDepth::Subtree)
            addEntries<fs::recursive_directory_iterator>(folder, entries);
        else
            addEntries<fs::directory_iterator>(folder, entries);
    }
    catch (const fs::filesystem_error& error)
    {
        failed = error.code();
    }
    return entries;
}

} // namespace headscope
