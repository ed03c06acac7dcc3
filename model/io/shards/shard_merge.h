// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "model/base/job_context.h"
#include "model/base/result.h"
#include "model/data/documents/document_set.h"
#include "model/data/topic_vectors.h"
#include "model/io/cache/cache_draft.h"
#include "model/io/cache/cache_info.h"

#include <cstdint>
#include <filesystem>
#include <optional>
#include <vector>

namespace headscope
{

/// What a merge counted, as `extract --json` prints it.
struct MergeSummary
{
    std::int64_t documents = 0;
    std::int64_t tokens = 0;
    std::int64_t empty = 0;
    std::int64_t truncated = 0;
    std::int64_t nonFinite = 0;
};

[[nodiscard]] MergeSummary summaryOf(const DocumentSet& documents);

/// Verifies every shard of a folder against its checksums and merges them into one cache, documents
/// in the order of `documents`, published by rename.
///
/// @param header     its `truncated` is counted here
/// @param documents  ids, texts and labels of all N documents; flags, where given, are kept beside
///                   those of the shards; tokens come from the shards
/// @param topics     topic vectors, any number of columns, layers and stages
/// @param draft      what the ShardWriter of this run has filled (takeDraft): it becomes the cache, and vectors that
///                   are in it are not written again; none, or one of another number of documents: all are written
///                   again
/// @errors BadFormat (a damaged or missing shard, by name; a document without vectors), Resource, Cancelled
/// @cost   each shard is read twice; what of the cache is not in `draft` is written once; the cache is read once
[[nodiscard]] Result<MergeSummary> mergeShards(const std::filesystem::path& folder, const std::filesystem::path& target,
                                               CacheHeader header, DocumentSet documents,
                                               const std::vector<TopicVectors>& topics, JobContext& job,
                                               std::optional<CacheDraft> draft = std::nullopt);

} // namespace headscope
