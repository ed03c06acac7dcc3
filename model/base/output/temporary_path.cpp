// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/base/output/temporary_path.h"

#include "model/base/file.h"
#include "model/base/folder_entries.h"
#include "model/base/output/process_tag.h"

#include <fmt/format.h>

#include <fcntl.h>
#include <stdlib.h>
#include <unistd.h>

#include <cerrno>
#include <mutex>
#include <set>
#include <string>
#include <system_error>
#include <utility>

namespace headscope
{
namespace
{

namespace fs = std::filesystem;

struct Registry
{
    std::mutex mutex;
    std::set<fs::path> paths;
};

/// Never destroyed: who ends the process may come after everything else has gone.
Registry& registry()
{
    static auto* const paths = new Registry;
    return *paths;
}

fs::path folderOfTemporaries()
{
    std::error_code failed;
    const fs::path folder = fs::temp_directory_path(failed);
    return failed ? fs::path("/tmp") : folder;
}

/// Folders "PREFIX-TAG-XXXXXX" of processes that have ended.
void removeLeftFolders(const fs::path& parent, const std::string& prefix)
{
    std::error_code failed;
    for (const auto& entry : entriesOf(parent, FolderDepth::Folder, failed))
    {
        const std::string name = entry.path().filename().string();
        const auto last = name.rfind('-');
        if (!name.starts_with(prefix) || last == std::string::npos || last < prefix.size())
            continue;
        std::error_code ignored;
        if (ownerOf(std::string_view(name).substr(prefix.size(), last - prefix.size())) == TagOwner::Gone)
            fs::remove_all(entry.path(), ignored); // of another user: it stays
    }
}

} // namespace

TemporaryPath::TemporaryPath(fs::path path) : m_path(std::move(path))
{
    const std::lock_guard lock(registry().mutex);
    registry().paths.insert(m_path);
}

Result<TemporaryPath> TemporaryPath::makeFolder(std::string_view prefix)
{
    const fs::path parent = folderOfTemporaries();
    const std::string beginning = fmt::format("{}-", prefix);
    removeLeftFolders(parent, beginning);
    std::string name = (parent / fmt::format("{}{}-XXXXXX", beginning, processTag())).string();
    if (::mkdtemp(name.data()) == nullptr)
    {
        const int number = errno;
        Error error = systemError(number, parent, "making a temporary folder");
        error.code = number == ENOMEM ? ErrorCode::OutOfMemory : ErrorCode::Resource;
        return error;
    }
    return TemporaryPath(name);
}

TemporaryPath::TemporaryPath(TemporaryPath&& other) noexcept : m_path(std::exchange(other.m_path, {})) {}

TemporaryPath& TemporaryPath::operator=(TemporaryPath&& other) noexcept
{
    std::swap(m_path, other.m_path);
    return *this;
}

TemporaryPath::~TemporaryPath()
{
    remove();
}

void TemporaryPath::remove()
{
    if (m_path.empty())
        return;
    std::error_code ignored;
    fs::remove_all(m_path, ignored);
    release();
}

void TemporaryPath::release()
{
    const std::lock_guard lock(registry().mutex);
    registry().paths.erase(std::exchange(m_path, {}));
}

void removeTemporaryPaths()
{
    const std::lock_guard lock(registry().mutex);
    std::error_code ignored;
    for (const fs::path& path : registry().paths)
        fs::remove_all(path, ignored);
}

Result<int> openUnnamedFile()
{
    const fs::path folder = folderOfTemporaries();
    int descriptor = ::open(folder.c_str(), O_TMPFILE | O_RDWR | O_CLOEXEC, 0600);
    if (descriptor >= 0)
        return descriptor;
    // Not every file system has files without a name.
    std::string name = (folder / "headscope-XXXXXX").string();
    descriptor = ::mkostemp(name.data(), O_CLOEXEC);
    if (descriptor < 0)
    {
        Error error = systemError(errno, folder, "making a temporary file");
        error.code = ErrorCode::Resource;
        return error;
    }
    ::unlink(name.c_str());
    return descriptor;
}

} // namespace headscope
