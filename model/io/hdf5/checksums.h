// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "model/base/job_context.h"
#include "model/base/result.h"
#include "model/io/hdf5/hdf5_reader.h"

#include <functional>
#include <map>
#include <span>
#include <string>
#include <vector>

namespace headscope
{

/// Digests by dataset path or "PATH@" (see cache_schema.h for what they are taken over).
using ChecksumTable = std::map<std::string, std::string>;

/// The table a cache carries; empty when it has none.
/// @errors BadFormat (its two columns do not fit together)
[[nodiscard]] Result<ChecksumTable> readChecksums(const Hdf5Reader& file);

/// Receives rows of a dataset in order, as raw numbers.
using RowVisitor = std::function<Status(std::int64_t begin, std::int64_t count, std::span<const std::byte> raw)>;

/// Reads a dataset of numbers once, in pieces of some 8 MB, and returns its digest; `visit` (may be
/// empty) sees each piece, but must not show its numbers before the digest is compared.
/// @errors BadFormat, Resource, Cancelled, and those of visit
[[nodiscard]] Result<std::string> digestOfNumbers(const Hdf5Reader& file, const std::string& dataset,
                                                  const RowVisitor& visit, JobContext& job);

/// The digest of strings in their order.
[[nodiscard]] std::string digestOfStrings(std::span<const std::string> values);

/// The digest of an object's known attributes.
[[nodiscard]] std::string digestOfAttributes(const Hdf5Reader& file, const std::string& object);

/// The digest of any dataset, or of attributes for a name that ends in '@'.
[[nodiscard]] Result<std::string> digestOf(const Hdf5Reader& file, const std::string& name, JobContext& job);

/// The error of a digest that is not the one of the table.
[[nodiscard]] Error checksumMismatch(const Hdf5Reader& file, const std::string& name);

/// Verifies one dataset, or the attributes of a name that ends in '@', where the file has a checksum of it.
/// @errors BadFormat (other data, damaged), Resource, Cancelled
/// @cost   one read of the dataset
[[nodiscard]] Status verifyChecksum(const Hdf5Reader& file, const std::string& name, JobContext& job);

/// Seals a part file of this process but for the numbers of its larger datasets: whoever reads those has checksums of
/// them, in the file or elsewhere.
/// @errors those of Hdf5Reader and sealFile
[[nodiscard]] Status sealAroundNumbers(const std::filesystem::path& part, JobContext& job);

/// Every name of the file that a table lists: datasets (but /checksums itself) and attribute sets.
[[nodiscard]] std::vector<std::string> checkedNames(const Hdf5Reader& file);

} // namespace headscope
