// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "model/base/hash.h"
#include "model/base/job_context.h"
#include "model/base/result.h"
#include "model/io/hdf5/hdf5_objects.h"

#include <map>
#include <span>
#include <string>
#include <vector>

namespace headscope
{

/// Digests by dataset path or "PATH@" (see cache_schema.h for what they are taken over).
using ChecksumTable = std::map<std::string, std::string>;

/// The digest of strings in their order, added piece by piece.
class StringsDigest
{
public:
    void add(std::span<const std::string> values);
    [[nodiscard]] std::string hex() const { return m_hash.hex(); }

private:
    Xxh3 m_hash;
};

/// The digest of strings in their order.
[[nodiscard]] std::string digestOfStrings(std::span<const std::string> values);

/// The digest of an object's known attributes.
[[nodiscard]] std::string digestOfAttributes(const Hdf5Objects& file, const std::string& object);

/// The error of a digest that is not the one of the table.
[[nodiscard]] Error checksumMismatch(const Hdf5Objects& file, const std::string& name);

/// Seals a part file of this process but for the numbers of its larger datasets: whoever reads those has checksums of
/// them, in the file or elsewhere.
/// @errors those of Hdf5Reader and sealFile
[[nodiscard]] Status sealAroundNumbers(const std::filesystem::path& part, JobContext& job);

/// Every name of the file that a table lists: datasets (but /checksums itself) and attribute sets.
[[nodiscard]] std::vector<std::string> checkedNames(const Hdf5Objects& file);

} // namespace headscope
