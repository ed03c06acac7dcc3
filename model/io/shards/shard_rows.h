// SPDX-License-Identifier: GPL-3.0-or-later
// Reads what a shard holds; for the other files of this folder alone.
#pragma once

#include "model/base/hash.h"
#include "model/io/hdf5/checksums.h"
#include "model/io/hdf5/hdf5_reader.h"
#include "model/io/shards/shard_manifest.h"

#include <fmt/format.h>

#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace headscope
{

/// Reads a dataset of a shard whole and compares it with the manifest.
/// @errors BadFormat (another shape, another checksum), those of Hdf5Reader
template <class T>
[[nodiscard]] Result<std::vector<T>> readChecked(const Hdf5Reader& file, const std::string& dataset,
                                                 const ShardRecord& record, std::int64_t expectedNumbers,
                                                 NumberType type)
{
    HEADSCOPE_TRY(const DatasetInfo info, file.describe(dataset));
    if (info.number != type || info.rows() != record.rows || info.rows() * info.rowSize() != expectedNumbers)
        return Error{ErrorCode::BadFormat,
                     fmt::format("expected {} numbers of {} in {} rows, found {}", expectedNumbers,
                                 numberTypeName(type), record.rows, info.describe()),
                     file.path().string(), dataset};
    std::vector<T> values(static_cast<std::size_t>(expectedNumbers) * numberBytes(type) / sizeof(T));
    HEADSCOPE_CHECK(file.readRows(dataset, 0, info.rows(), type, std::as_writable_bytes(std::span(values))));
    const auto digest = record.xxh3.find(dataset);
    if (digest == record.xxh3.end() || digest->second != xxh3Hex(std::as_bytes(std::span(values))))
        return checksumMismatch(file, dataset);
    return values;
}

} // namespace headscope
