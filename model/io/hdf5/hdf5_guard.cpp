// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/io/hdf5/hdf5_guard.h"

#include "model/base/file.h"

#include <fmt/format.h>
#include <hdf5.h>

#include <cerrno>
#include <charconv>
#include <cstdlib>
#include <string>

namespace headscope
{
namespace
{

constexpr hid_t kDefaultStack = 0; // H5E_DEFAULT, whose macro holds an old-style cast

std::recursive_mutex& hdf5Mutex()
{
    static std::recursive_mutex mutex;
    return mutex;
}

/// What is gathered while walking HDF5's error stack.
struct Findings
{
    std::string innermost;
    int systemNumber = 0;
};

herr_t note(unsigned, const H5E_error2_t* entry, void* data)
{
    auto& findings = *static_cast<Findings*>(data);
    const std::string text = entry->desc != nullptr ? entry->desc : "";
    if (findings.innermost.empty())
        findings.innermost = text;
    // The file drivers put the system's own number into their text.
    if (const auto at = text.find("errno = "); at != std::string::npos && findings.systemNumber == 0)
        std::from_chars(text.data() + at + 8, text.data() + text.size(), findings.systemNumber);
    return 0;
}

} // namespace

Hdf5Guard::Hdf5Guard() : m_lock(hdf5Mutex())
{
    static const bool prepared = [] {
        // Network file systems without locks would refuse to open files otherwise; a user's own
        // choice stands.
        ::setenv("HDF5_USE_FILE_LOCKING", "BEST_EFFORT", 0);
        // At exit HDF5 would close what is open and crash on a file whose closing failed before (disk
        // full); everything of ours is closed by its owner.
        H5dont_atexit();
        return H5open() >= 0;
    }();
    static_cast<void>(prepared);
    H5Eset_auto2(kDefaultStack, nullptr, nullptr); // error stacks belong to threads: once for each guard
    H5Eclear2(kDefaultStack);
}

Error hdf5Error(const std::filesystem::path& path, std::string_view place, std::string_view doing)
{
    Findings findings;
    H5Ewalk2(kDefaultStack, H5E_WALK_UPWARD, note, &findings);
    const int number = findings.systemNumber;
    if (number == ENOENT || number == EACCES || number == EPERM || number == ENOSPC || number == EDQUOT ||
        number == EFBIG || number == EIO || number == EROFS || number == EISDIR || number == EMFILE)
    {
        Error error = systemError(number, path, doing);
        error.place = place;
        return error;
    }
    const std::string reason = findings.innermost.empty() ? "HDF5 gives no reason" : findings.innermost;
    return {ErrorCode::BadFormat, fmt::format("{} failed: {}", doing, reason), path.string(), std::string(place)};
}

} // namespace headscope
