// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/io/hdf5/hdf5_guard.h"

#include "model/base/file.h"
#include "model/base/free_memory.h"
#include "model/io/hdf5/error_stack.h"
#include "model/io/hdf5/external_links.h"

#include <fmt/format.h>
#include <hdf5.h>

#include <cerrno>
#include <new>
#include <string>
#include <string_view>

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

/// What to do about a failure of the system, where there is something.
std::string_view advice(int number)
{
    switch (number)
    {
    case ENOLCK:
    case ENOSYS:
    case EOPNOTSUPP:
        return "; the file system has no locks: set HDF5_USE_FILE_LOCKING=FALSE, or copy the file to a local disk";
    case EAGAIN:
        return "; another program is writing to it: try again when it has finished";
    default:
        return "";
    }
}

} // namespace

Hdf5Guard::Hdf5Guard() : m_lock(hdf5Mutex())
{
    static const bool prepared = [] {
        // HDF5 does not look whether it got the memory of its own tables (1.10: some 130 KB).
        constexpr std::size_t kRoom = std::size_t{4} << 20;
        expectAddresses(kRoom);
        // At exit HDF5 would close what is open and crash on a file whose closing failed before (disk
        // full); everything of ours is closed by its owner.
        H5dont_atexit();
        return H5open() >= 0 && refuseExternalLinks();
    }();
    static_cast<void>(prepared);
    H5Eset_auto2(kDefaultStack, nullptr, nullptr); // error stacks belong to threads: once for each guard
    H5Eclear2(kDefaultStack);
}

Error hdf5Error(const std::filesystem::path& path, std::string_view place, std::string_view doing)
{
    const ErrorStack stack = readErrorStack();
    if (stack.systemNumber != 0)
    {
        Error error = systemError(stack.systemNumber, path, doing);
        error.message += advice(stack.systemNumber);
        error.place = place;
        return error;
    }
    const std::string reason = stack.innermost.empty() ? "HDF5 gives no reason" : stack.innermost;
    return {stack.outOfMemory ? ErrorCode::OutOfMemory : ErrorCode::BadFormat,
            fmt::format("{} failed: {}", doing, reason), path.string(), std::string(place)};
}

void expectAnswer(bool answered)
{
    if (!answered)
        throw std::bad_alloc();
}

} // namespace headscope
