// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/io/hdf5/hdf5_open.h"

#include "model/base/file.h"
#include "model/io/hdf5/error_stack.h"
#include "model/io/hdf5/hdf5_guard.h"

#include <hdf5.h>

#include <array>
#include <atomic>
#include <cerrno>
#include <cstddef>
#include <cstring>
#include <new>
#include <string_view>

namespace headscope
{
namespace
{

Hdf5Id makeAccess(bool locked)
{
    const Hdf5Id properties = H5Pcreate(H5P_FILE_ACCESS);
    return H5Pset_file_locking(properties, locked, true) < 0 ? -1 : properties;
}

/// How a file is opened. Kept for good: closing them would make HDF5 forget why a file was not opened.
Hdf5Id access(bool locked)
{
    static const Hdf5Id withLock = makeAccess(true);
    static const Hdf5Id withoutLock = makeAccess(false);
    return locked ? withLock : withoutLock;
}

/// HDF5 crashes where it cannot have the table of its cache of metadata (H5AC_create): without the memory that opening
/// a file takes, nothing is opened.
/// @throws std::bad_alloc
void needRoomToOpen()
{
    constexpr std::size_t kRoom = std::size_t{4} << 20; // the table has 0.6 MB, in HDF5 1.10
    ::operator delete(::operator new(kRoom));
}

/// Calls `open` with a lock, and again without where the file system has none: a network disk, as a rule. A file that
/// is open without a lock can only be opened so again, which HDF5 says in other words.
template <class Open>
Hdf5Handle openLocked(const Open& open)
{
    static std::atomic<bool> someHaveNoLocks = false;
    needRoomToOpen();
    Hdf5Handle file(open(access(true)), H5Fclose);
    if (file.valid())
        return file;
    const int number = readErrorStack().systemNumber;
    if (number == ENOLCK || number == ENOSYS || number == EOPNOTSUPP)
        someHaveNoLocks = true;
    else if (!someHaveNoLocks || number != 0)
        return file;
    return {open(access(false)), H5Fclose};
}

/// Whether the words with which an HDF5 file begins stand where they may: at 0, 512, 1024, 2048, ...
Result<bool> hasSignature(const File& file)
{
    constexpr std::string_view kSignature = "\x89HDF\r\n\x1a\n";
    constexpr std::uint64_t kFirst = 512;
    std::array<char, kSignature.size()> found{};
    for (std::uint64_t at = 0; at + kSignature.size() <= file.size(); at = at == 0 ? kFirst : 2 * at)
    {
        HEADSCOPE_CHECK(file.readAt(at, std::as_writable_bytes(std::span(found))));
        if (std::string_view(found.data(), found.size()) == kSignature)
            return true;
    }
    return false;
}

Error openingError(const std::filesystem::path& path)
{
    Error error = hdf5Error(path, {}, "opening");
    if (error.code == ErrorCode::BadFormat)
        error.message = "the file is damaged or truncated: " + error.message;
    return error;
}

Result<OpenHdf5> openForReading(const std::filesystem::path& path, std::uint64_t bytes, CheckedSeal seal)
{
    const Hdf5Guard guard;
    Hdf5Handle file = openLocked([&](Hdf5Id properties) { return H5Fopen(path.c_str(), H5F_ACC_RDONLY, properties); });
    if (!file.valid())
        return openingError(path);
    return OpenHdf5{std::move(file), bytes, std::move(seal)};
}

} // namespace

Result<CheckedHdf5> checkHdf5(const std::filesystem::path& path, JobContext& job)
{
    CheckedHdf5 checked;
    HEADSCOPE_TRY(checked.stamp, diskStampOf(path));
    {
        // A plain opening first: it tells of a missing permission and of a file of another kind.
        HEADSCOPE_TRY(const File plain, File::openForReading(path));
        HEADSCOPE_TRY(const bool isHdf5, hasSignature(plain));
        if (!isHdf5)
            return Error{ErrorCode::BadFormat,
                         plain.size() == 0 ? "expected an HDF5 file, found an empty file"
                                           : "expected an HDF5 file, found a file of another kind (or a damaged one)",
                         path.string(),
                         {}};
    }
    HEADSCOPE_TRY(checked.seal, checkSeal(path, job));
    HEADSCOPE_CHECK(checkElsewhere(path, checked.stamp, job));
    return checked;
}

Result<OpenHdf5> openHdf5ForReading(const std::filesystem::path& path, JobContext& job)
{
    HEADSCOPE_TRY(const CheckedHdf5 checked, checkHdf5(path, job));
    HEADSCOPE_TRY(OpenHdf5 open, openForReading(path, checked.stamp.size, checked.seal));
    if (Status same = checkUnchanged(path, checked.stamp); !same)
    {
        const Hdf5Guard guard;
        open.file.close();
        return std::move(same).error();
    }
    return open;
}

Result<OpenHdf5> openOwnPart(const std::filesystem::path& part)
{
    HEADSCOPE_TRY(const DiskStamp stamp, diskStampOf(part));
    return openForReading(part, stamp.size, {});
}

Hdf5Handle openOwnPartForWriting(const std::filesystem::path& part, OwnPart how)
{
    const Hdf5Guard guard;
    return openLocked([&](Hdf5Id properties) {
        return how == OwnPart::Create ? H5Fcreate(part.c_str(), H5F_ACC_TRUNC, H5P_DEFAULT, properties)
                                      : H5Fopen(part.c_str(), H5F_ACC_RDWR, properties);
    });
}

} // namespace headscope
