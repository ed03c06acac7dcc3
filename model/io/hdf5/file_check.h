// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "model/base/input/disk_stamp.h"
#include "model/base/job_context.h"
#include "model/base/result.h"

#include <filesystem>
#include <optional>

namespace headscope
{

/// Where headscope-hdf5-check is: where HEADSCOPE_HDF5_CHECK says, else the first place that has it of beside this
/// program and ../libexec/headscope. Nothing: it is missing.
[[nodiscard]] std::optional<std::filesystem::path> findFileCheck();

/// Reads an HDF5 file in another process, headscope-hdf5-check, in every way in which this one may.
///
/// A byte out of place can make HDF5 1.10 crash, or read for ever: that ends the other process, by a signal or by its
/// limits (memory: 3 GiB and twice the file; processor time: 2 s for each object and piece, in all 5 s and 1 s for each
/// 20 MB). The answer is kept for as
/// long as the process lives and the file stays as it is: same device and inode, size and times. What this process
/// wrote (trustWritten) is not asked for. Who asks while another thread does waits for its answer.
/// @errors  BadFormat (damaged), Resource (the disk; the other program is missing), OutOfMemory, Cancelled
/// @threads any
/// @cost    some 10 ms, and the reading of texts and of what is compressed
[[nodiscard]] Status checkElsewhere(const std::filesystem::path& path, const DiskStamp& stamp, JobContext& job);

/// Takes a file that HDF5 wrote in this process, and that was published by a rename, for one that it can read.
/// @param part  of the file before the rename: another in its place is not mistaken for it
void trustWritten(const std::filesystem::path& published, const DiskStamp& part);

} // namespace headscope
