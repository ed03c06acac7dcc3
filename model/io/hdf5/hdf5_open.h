// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "model/base/job_context.h"
#include "model/base/result.h"
#include "model/io/hdf5/file_check.h"
#include "model/io/hdf5/file_seal.h"
#include "model/io/hdf5/hdf5_handle.h"

#include <cstdint>
#include <filesystem>

namespace headscope
{

/// An HDF5 file that is open for reading.
struct OpenHdf5
{
    Hdf5Handle file; ///< let go under an Hdf5Guard
    std::uint64_t bytes = 0;
    CheckedSeal seal;
};

/// A file that HDF5 may see, as long as it stays as it is.
struct CheckedHdf5
{
    DiskStamp stamp;
    CheckedSeal seal;
};

/// What openHdf5ForReading does before it opens the file.
[[nodiscard]] Result<CheckedHdf5> checkHdf5(const std::filesystem::path& path, JobContext& job);

/// The one door for files to be read: nothing else may open them (tests/lint/check_hdf5.cmake).
///
/// A seal is verified first. It guards against accidents, and anybody can write one: HDF5 may still crash on the file,
/// or read for ever. So every file that this process has not written is read by another one before it is opened here
/// (checkElsewhere). Both hold for the file that is opened then: one that changes meanwhile is refused. Where the file
/// system has no locks it is opened without, unless HDF5_USE_FILE_LOCKING says otherwise. Links into other files are
/// never followed.
/// @errors FileNotFound, BadFormat (not HDF5, damaged), Resource (no permission, the disk, somebody writes it),
///         OutOfMemory, Cancelled
/// @cost   one read of what the seal covers, and that of checkElsewhere
[[nodiscard]] Result<OpenHdf5> openHdf5ForReading(const std::filesystem::path& path, JobContext& job);

/// A part file that this process has written and nobody else knows: as it is, without the above.
[[nodiscard]] Result<OpenHdf5> openOwnPart(const std::filesystem::path& part);

/// A part file of this process for writing: created, or (change) opened as it is. Invalid where it fails;
/// hdf5Error says why.
enum class OwnPart
{
    Create,
    Change,
};
[[nodiscard]] Hdf5Handle openOwnPartForWriting(const std::filesystem::path& part, OwnPart how);

} // namespace headscope
