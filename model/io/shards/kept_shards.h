// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "model/base/job_context.h"
#include "model/base/result.h"
#include "model/io/shards/shard_manifest.h"
#include "model/io/shards/shard_writer.h"

#include <cstdint>
#include <string>
#include <vector>

namespace headscope
{

/// What of the shards of an earlier run a run goes on with.
struct KeptShards
{
    std::vector<ShardRecord> shards;
    std::int64_t next = 0; ///< number of the next shard
    KeptDocuments documents;
    std::vector<std::string> notices; ///< of shards that cannot be used
};

/// Looks through the folder of a run. Shards whose small columns cannot be read, or whose vectors lie in a part file
/// and are not those that were written, are left out with a notice; vectors that lie in shards are checked when these
/// are merged.
/// @errors Resource (the shards of a run with other settings: it says which), Cancelled
/// @cost   opens every shard, and reads 28 bytes a document; reads vectors that lie in part files
[[nodiscard]] Result<KeptShards> findKeptShards(const ShardOptions& options, JobContext& job);

} // namespace headscope
