// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "model/base/result.h"
#include "model/data/extraction.h"
#include "model/io/hdf5/checksums.h"
#include "model/io/hdf5/number_type.h"

#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace headscope
{

/// Which documents the shards of a folder will hold in the end: those of the whole run or of a range of it.
struct ShardedDocuments
{
    std::int64_t begin = 0;
    std::int64_t end = 0; ///< behind the last; 0: not known
    std::int64_t all = 0; ///< of the whole run
};

/// Where the vectors of a shard lie that are not in it: in a file that becomes the cache, in their places there.
struct PlacedVectors
{
    std::string file;                   ///< its name, in the same folder
    std::int64_t documents = 0;         ///< rows that each block has room for
    std::vector<std::uint64_t> offsets; ///< [blocks] bytes at which document 0 lies
};

/// One line of the manifest: a shard that is whole.
struct ShardRecord
{
    std::string file;
    std::int64_t rows = 0;
    double seconds = 0; ///< since the shard before it, or since its run began; 0: not known
    ChecksumTable xxh3; ///< by dataset; of vectors in the order of the shard's rows, wherever they lie
    std::optional<PlacedVectors> placed;
};

/// What a folder of shards holds, as its manifest.jsonl says.
struct ShardManifest
{
    std::string run; ///< the command line
    /// What the vectors depend on beside the texts, by name: only a run with the same ones goes on with them.
    std::map<std::string, std::string> settings;
    NumberType store = NumberType::F32;
    std::vector<ExtractionBlock> blocks;
    ShardedDocuments documents;
    std::vector<ShardRecord> shards;
};

class RecordFields;

/// The first line of a manifest, a line for each shard, and their parts.
void fields(RecordFields& record, ShardManifest& manifest);
void fields(RecordFields& record, ShardedDocuments& documents);
void fields(RecordFields& record, ExtractionBlock& block);
void fields(RecordFields& record, ShardRecord& shard);
void fields(RecordFields& record, PlacedVectors& placed);

/// Its first line, which describes the shards.
[[nodiscard]] std::string manifestHead(const ShardManifest& manifest);
/// The line of a shard.
[[nodiscard]] std::string manifestLine(const ShardRecord& record);
/// Puts a manifest into its place, whole.
/// @errors Resource
[[nodiscard]] Status writeManifest(const std::filesystem::path& folder, const ShardManifest& manifest);

/// @errors FileNotFound, BadFormat (naming the line; a last line without its end is not counted)
[[nodiscard]] Result<ShardManifest> readManifest(const std::filesystem::path& folder);

/// Takes a shard that turned out to be damaged out of the manifest: its documents are then computed again.
/// @param shard  its path
/// @return whether it was in there, and is not any more
[[nodiscard]] bool forgetShard(const std::filesystem::path& folder, const std::filesystem::path& shard);

/// Name of a block's dataset inside a shard: "/block_0", ...
[[nodiscard]] std::string shardBlockName(std::size_t block);

} // namespace headscope
