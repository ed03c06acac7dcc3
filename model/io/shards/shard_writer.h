// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "model/base/job_context.h"
#include "model/base/result.h"
#include "model/data/extraction.h"
#include "model/io/cache/cache_draft.h"
#include "model/io/hdf5/number_type.h"
#include "model/io/shards/shard_manifest.h"

#include <cstdint>
#include <filesystem>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

namespace headscope
{

struct ShardOptions
{
    std::filesystem::path folder; ///< made when missing
    /// Goes on with the shards of an earlier run with the same settings, blocks and store; else they are removed first.
    bool resume = false;
    std::vector<ExtractionBlock> blocks;
    NumberType store = NumberType::F32;                 ///< F32, F16 or Bf16
    std::uint64_t shardBytes = std::uint64_t{64} << 20; ///< a shard is written when it holds this much
    std::string run;                                    ///< the command line, as the manifest records it
    std::map<std::string, std::string> settings;        ///< what the vectors depend on beside the texts
    ShardedDocuments documents; ///< as the manifest records them; index 0 is their first, others are passed over
    /// The cache that the shards become: vectors are written once, to their places in a part file of it (takeDraft),
    /// and a shard holds what else there is of its documents. `documents` says how many there are. Empty, or on another
    /// file system than the folder: shards hold their vectors.
    std::filesystem::path cache;
};

/// The documents whose vectors lie in whole shards: their places in the input, and TokenizedDocument::digest.
using KeptDocuments = std::unordered_map<std::int64_t, std::uint64_t>;

/// Takes the vectors of finished documents and writes them as shards: a part file is filled, closed,
/// synced and renamed, then one line is added to the manifest and synced. A kill at any moment loses
/// at most the documents of the shard in flight, which is written when it is full, and after a minute. A
/// document whose vectors overflow the store type is flagged NonFinite.
///
/// With ShardOptions::cache the vectors go to the part file of the cache first, and are synced. No process writes
/// into the part file of another: one that goes on makes its own, into which the merge copies what the others hold.
/// @threads add() one at a time
class ShardWriter : public HeadVectorSink
{
public:
    /// @errors Resource, also that of checkShardFolder, and where the shards are another run's (it says what
    ///         differs); Cancelled
    /// @cost   reads the small columns of the shards that are there, and vectors that lie in part files
    [[nodiscard]] static Result<std::unique_ptr<ShardWriter>> create(ShardOptions options, JobContext& job);
    ~ShardWriter() override;

    /// @errors ShapeMismatch (values that are not the blocks), Resource; the first error is kept
    [[nodiscard]] Status add(std::span<const ExtractedDocument> documents) override;
    /// Writes the documents that wait for a full shard: at the end, or before a run is given up.
    [[nodiscard]] Status finish();
    /// The part file of the cache, with the vectors of all shards that this writer wrote: at the end, once. Nothing
    /// where shards hold them.
    [[nodiscard]] std::optional<CacheDraft> takeDraft();
    /// Documents in whole shards so far, without those of an earlier run.
    [[nodiscard]] std::int64_t stored() const;
    /// Documents that were there when it was made; add() passes over them.
    [[nodiscard]] const KeptDocuments& kept() const;
    /// What of an earlier run could not be used, and why.
    [[nodiscard]] const std::vector<std::string>& notices() const;

private:
    struct State;
    explicit ShardWriter(std::unique_ptr<State> state);
    std::unique_ptr<State> m_state;
};

} // namespace headscope
