// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/io/shards/placed_vectors.h"

#include "model/base/hash.h"
#include "model/io/shards/row_runs.h"

#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <utility>

namespace headscope
{
namespace
{

/// Told of the shard: it is what is taken out of the manifest.
Error unusable(const std::filesystem::path& folder, const ShardRecord& record, std::string_view found,
               std::size_t block = 0)
{
    return {ErrorCode::BadFormat,
            fmt::format("expected the vectors of this part in {}, found {}", record.placed->file, found),
            (folder / record.file).string(), shardBlockName(block)};
}

} // namespace

Result<File> openPlaced(const std::filesystem::path& folder, const ShardRecord& record, const ShardManifest& manifest)
{
    const PlacedVectors& placed = *record.placed;
    auto file = File::openForReading(folder / placed.file);
    if (!file)
        return file.error().code == ErrorCode::FileNotFound ? unusable(folder, record, "no such file")
                                                            : std::move(file).error();
    if (placed.offsets.size() != manifest.blocks.size())
        return unusable(folder, record, fmt::format("positions for {} layers and stages", placed.offsets.size()));
    for (std::size_t b = 0; b < manifest.blocks.size(); ++b)
    {
        const ExtractionBlock& block = manifest.blocks[b];
        const auto numbers = static_cast<std::uint64_t>(std::max<std::int64_t>(1, block.heads * block.dims));
        const std::uint64_t rowBytes = numbers * numberBytes(manifest.store);
        const std::uint64_t behind = file->size() - std::min(file->size(), placed.offsets[b]);
        if (placed.documents < 0 || static_cast<std::uint64_t>(placed.documents) > behind / rowBytes)
            return unusable(folder, record, "a file that is too short", b);
    }
    return file;
}

Result<std::vector<std::byte>> readPlaced(const File& file, const std::filesystem::path& folder,
                                          const ShardRecord& record, const ShardManifest& manifest, std::size_t block,
                                          std::span<const std::int64_t> index)
{
    const PlacedVectors& placed = *record.placed;
    const auto outside = [&placed](std::int64_t document) { return document < 0 || document >= placed.documents; };
    if (std::any_of(index.begin(), index.end(), outside))
        return unusable(folder, record, fmt::format("room for only documents 0 to {}", placed.documents - 1), block);
    const ExtractionBlock& shape = manifest.blocks[block];
    const std::size_t rowBytes = static_cast<std::size_t>(shape.heads * shape.dims) * numberBytes(manifest.store);
    std::vector<std::byte> raw(index.size() * rowBytes);
    std::vector<std::byte> rows;
    const RowRuns order(index);
    for (const RowRun& run : order.runs())
    {
        rows.resize(run.rows.size() * rowBytes);
        HEADSCOPE_CHECK(file.readAt(placed.offsets[block] + static_cast<std::uint64_t>(run.first) * rowBytes, rows));
        RowRuns::scatter(run, rows, rowBytes, raw);
    }
    const auto digest = record.xxh3.find(shardBlockName(block));
    if (digest == record.xxh3.end() || digest->second != xxh3Hex(raw))
        return unusable(folder, record, "data that does not match its checksum: the file is damaged", block);
    return raw;
}

} // namespace headscope
