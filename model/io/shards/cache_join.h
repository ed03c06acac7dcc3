// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "model/base/job_context.h"
#include "model/base/result.h"
#include "model/io/shards/cache_growth.h"
#include "model/io/shards/shard_merge.h"

#include <filesystem>
#include <string>
#include <vector>

namespace headscope
{

/// Whole caches of one model that become one.
struct JoinedCaches
{
    std::vector<AppendTarget> caches; ///< in the order in which they were named
    /// Whether they have the same documents, and layers and stages that differ; else documents that differ, and the
    /// same layers and stages.
    bool sameDocuments = false;
    std::vector<std::string> notices; ///< what of them is left out
};

/// Opens caches and checks that they can be joined.
/// @param paths  two or more
/// @errors those of openGrowingCache; BadFormat: another model or other settings, by name; documents and layers that
///         differ both, an id that two have, a layer and stage that two have
[[nodiscard]] Result<JoinedCaches> openCachesToJoin(const std::vector<std::filesystem::path>& paths, JobContext& job);

/// Whether a file is the cache of a whole run, not that of a range.
/// @errors those of CacheReader::open
[[nodiscard]] Result<bool> isWholeCache(const std::filesystem::path& path, JobContext& job);

/// Puts them into one, published by rename: documents one cache after another, or the layers and stages of all. Every
/// dataset is verified as it is read.
/// @param command  that the cache says made it
/// @errors BadFormat (a cache that is damaged or was changed since it was opened, by name; a label column without
///         topic vectors in one of them), Resource, Cancelled
/// @cost   vectors are read once and written once, in pieces of some 8 MB; memory: ids, texts and labels of all
///         documents, and the topic vectors of a layer and stage
[[nodiscard]] Result<MergeSummary> joinCaches(const JoinedCaches& joined, const std::filesystem::path& target,
                                              const std::string& command, JobContext& job);

} // namespace headscope
