// SPDX-License-Identifier: GPL-3.0-or-later
// Vectors of shards that lie in the file that becomes the cache, not in the shard; for the other files of this folder
// alone.
#pragma once

#include "model/base/file.h"
#include "model/base/result.h"
#include "model/io/shards/shard_manifest.h"

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <span>
#include <vector>

namespace headscope
{

/// Where a shard's vectors lie, open for reading.
/// @errors those of File; BadFormat (it says of the part file what is wrong, naming the shard)
[[nodiscard]] Result<File> openPlaced(const std::filesystem::path& folder, const ShardRecord& record,
                                      const ShardManifest& manifest);

/// Reads the rows of a block and compares them with the manifest.
/// @param file   of openPlaced
/// @param index  document of each row of the shard
/// @return  [rows, heads, dims] as they are stored, in the shard's order
/// @errors BadFormat (another checksum, documents out of range: naming the shard), Resource
[[nodiscard]] Result<std::vector<std::byte>> readPlaced(const File& file, const std::filesystem::path& folder,
                                                        const ShardRecord& record, const ShardManifest& manifest,
                                                        std::size_t block, std::span<const std::int64_t> index);

} // namespace headscope
