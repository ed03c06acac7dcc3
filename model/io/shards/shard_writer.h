// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "model/data/extraction.h"
#include "model/io/hdf5/checksums.h"
#include "model/io/hdf5/number_type.h"
#include "model/io/shards/shard_folder.h"

#include <cstdint>
#include <filesystem>
#include <memory>
#include <span>
#include <string>
#include <vector>

namespace headscope
{

struct ShardOptions
{
    std::filesystem::path folder; ///< made when missing; shards of an earlier run in it are removed first
    std::vector<ExtractionBlock> blocks;
    NumberType store = NumberType::F32;                 ///< F32, F16 or Bf16
    std::uint64_t shardBytes = std::uint64_t{64} << 20; ///< a shard is written when it holds this much
    std::string run;                                    ///< the command line, as the manifest records it
};

/// One line of the manifest: a shard that is whole.
struct ShardRecord
{
    std::string file;
    std::int64_t rows = 0;
    ChecksumTable xxh3; ///< by dataset
};

/// What a folder of shards holds, as its manifest.jsonl says.
struct ShardManifest
{
    std::string run;
    NumberType store = NumberType::F32;
    std::vector<ExtractionBlock> blocks;
    std::vector<ShardRecord> shards;
};

/// @errors FileNotFound, BadFormat (naming the line; a last line without its end is not counted)
[[nodiscard]] Result<ShardManifest> readManifest(const std::filesystem::path& folder);

/// Name of a block's dataset inside a shard: "/block_0", ...
[[nodiscard]] std::string shardBlockName(std::size_t block);

/// Takes the vectors of finished documents and writes them as shards: a part file is filled, closed,
/// synced and renamed, then one line is added to the manifest and synced. A kill at any moment loses
/// at most the documents of the shard in flight. A document whose vectors overflow the store type is
/// flagged NonFinite.
/// @threads add() one at a time
class ShardWriter : public HeadVectorSink
{
public:
    /// @errors Resource, also that of checkShardFolder
    [[nodiscard]] static Result<std::unique_ptr<ShardWriter>> create(ShardOptions options);
    ~ShardWriter() override;

    /// @errors ShapeMismatch (values that are not the blocks), Resource; the first error is kept
    [[nodiscard]] Status add(std::span<const ExtractedDocument> documents) override;
    /// Writes the documents that wait for a full shard. Nothing may be added afterwards.
    [[nodiscard]] Status finish();
    /// Documents taken so far.
    [[nodiscard]] std::int64_t documents() const;

private:
    struct State;
    explicit ShardWriter(std::unique_ptr<State> state);
    std::unique_ptr<State> m_state;
};

} // namespace headscope
