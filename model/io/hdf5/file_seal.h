// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "model/base/job_context.h"
#include "model/base/result.h"

#include <cstdint>
#include <filesystem>
#include <vector>

namespace headscope
{

/// Bytes [offset, offset + size) of a file.
struct FileRegion
{
    std::uint64_t offset = 0;
    std::uint64_t size = 0;
};

enum class SealState
{
    None, ///< never sealed, or changed and closed by another program, which cuts the seal off
    Good,
};

/// A seal that was verified, or none.
struct CheckedSeal
{
    SealState state = SealState::None;
    std::vector<FileRegion> uncovered; ///< what it says nothing of
};

/// Appends a seal to a finished HDF5 file: the digest of all its bytes but the given regions.
///
/// HDF5 1.10 follows damaged references inside a file without a check: it may crash on them or read
/// the wrong place. With the seal a damaged byte outside of the large data sets is found before HDF5
/// parses the file; those sets have checksums of their own, verified when they are first read. HDF5
/// ignores what follows its own end of the file, and drops it when it changes the file.
///
/// Layout: the bytes "size=S regions=O+L,...  digest=HEX\n" and a footer of 64 bytes, "HSSEAL1 ", the
/// length of the former in 8 digits, a blank, its XXH3 in 32 hexadecimal digits, blanks and a newline.
/// @param uncovered  ascending, without overlap, inside the file
/// @errors Resource
[[nodiscard]] Status sealFile(const std::filesystem::path& path, const std::vector<FileRegion>& uncovered,
                              JobContext& job);

/// Verifies the seal, where there is one.
/// @errors BadFormat (the file is damaged), Resource, Cancelled
/// @cost   one read of what the seal covers, some GB/s from memory
[[nodiscard]] Result<CheckedSeal> checkSeal(const std::filesystem::path& path, JobContext& job);

/// Size of the file without its seal; all of it where there is none.
[[nodiscard]] Result<std::uint64_t> sizeWithoutSeal(const std::filesystem::path& path);

} // namespace headscope
