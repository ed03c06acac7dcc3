// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "model/base/job_context.h"
#include "model/base/result.h"
#include "model/data/documents/document_set.h"
#include "model/data/extraction.h"
#include "model/data/origin.h"
#include "model/data/topic_vectors.h"
#include "model/io/cache/cache_info.h"
#include "model/io/shards/shard_merge.h"

#include <cstdint>
#include <filesystem>
#include <memory>
#include <vector>

namespace headscope
{

/// A cache that something is added to.
struct AppendTarget
{
    std::filesystem::path path; ///< behind links
    CacheInfo info;
    Origin origin;
    std::shared_ptr<const DocumentSet> documents; ///< with texts, tokens and flags
};

/// Opens a cache as `extract` writes one: with texts, tokens and checksums of everything, under a seal.
/// @errors those of CacheReader::open; BadFormat (another program wrote or changed it; a part of a run; damaged
///         documents), Cancelled
/// @cost   reads ids, texts and labels, no vector
[[nodiscard]] Result<AppendTarget> openGrowingCache(const std::filesystem::path& path, JobContext& job);

/// Reads everything that the cache holds, and compares it with its checksums: before hours of work are put into one
/// that is damaged.
/// @errors BadFormat (naming what is damaged), Resource, Cancelled
[[nodiscard]] Status verifyGrowingCache(const AppendTarget& cache, JobContext& job);

/// Shards of documents of the cache that comes to be.
struct GrowthShards
{
    std::filesystem::path folder;
    std::int64_t begin = 0; ///< the document that is number 0 of the shards; all behind it are in them
};

/// What becomes of a cache.
struct CacheGrowth
{
    CacheHeader header;                  ///< its `truncated` is counted
    DocumentSet documents;               ///< first those of the cache, in their order; tokens and flags of these
    std::vector<ExtractionBlock> blocks; ///< all, those of the cache too, by layer, then by stage
    /// What was computed; rows of documents that the cache has, too, take the place of its own.
    std::vector<GrowthShards> shards;
    std::vector<TopicVectors> topics; ///< that were computed; the others are those of the cache
    bool keepsMaps = true;            ///< maps are of documents: where some were added, they are of others
};

/// Rewrites the cache with what is added, published by rename in place of the old one. Every number of the old one
/// is verified as it is copied.
/// @errors BadFormat (the cache was changed meanwhile, or is damaged; a damaged or missing shard, by name), Resource,
///         Cancelled
/// @cost   the old vectors are read once, the shards twice, the cache is written and read once, in pieces of some
///         8 MB or a shard; memory: ids, texts and labels of all documents, and the topic vectors
[[nodiscard]] Result<MergeSummary> growCache(const AppendTarget& cache, CacheGrowth growth, JobContext& job);

} // namespace headscope
