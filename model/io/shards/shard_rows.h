// SPDX-License-Identifier: GPL-3.0-or-later
// Reads what a shard holds; for the other files of this folder alone.
#pragma once

#include "model/base/job_context.h"
#include "model/io/hdf5/checksums.h"
#include "model/io/hdf5/hdf5_reader.h"
#include "model/io/shards/shard_manifest.h"

#include <fmt/format.h>

#include <cstdint>
#include <filesystem>
#include <span>
#include <string>
#include <vector>

namespace headscope
{

/// Opens a shard, whose datasets have to be what the manifest says.
/// @errors those of Hdf5Reader::open
[[nodiscard]] inline Result<Hdf5Reader> openShard(const std::filesystem::path& folder, const ShardRecord& record,
                                                  JobContext& job)
{
    HEADSCOPE_TRY(Hdf5Reader file, Hdf5Reader::open(folder / record.file, job));
    file.expect(record.xxh3);
    return file;
}

/// Reads a dataset of a shard whole.
/// @param file  as openShard opens it
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
    if (!record.xxh3.contains(dataset))
        return checksumMismatch(file, dataset);
    HEADSCOPE_CHECK(file.readRows(dataset, 0, info.rows(), type, std::as_writable_bytes(std::span(values))));
    return values;
}

} // namespace headscope
