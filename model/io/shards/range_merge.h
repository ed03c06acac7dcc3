// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "model/base/job_context.h"
#include "model/base/result.h"
#include "model/io/shards/range_parts.h"
#include "model/io/shards/shard_merge.h"

#include <cstdint>
#include <filesystem>
#include <string>

namespace headscope
{

/// Bytes that the cache of all parts takes: vectors, texts and labels, topics once.
[[nodiscard]] std::uint64_t mergedBytes(const RangeParts& parts);

/// Puts the caches of all ranges of a run into one, published by rename: but for the time in it the bytes that one
/// run over all documents writes. Every dataset is verified against its checksum as it is read.
/// @param parts    of openRangeParts, with nothing missing
/// @param command  that the cache says made it
/// @errors BadFormat (a part that is damaged or was changed since it was opened, by name; label columns that
///         differ), those of CacheReader and CacheWriter, Resource, Cancelled
/// @cost   vectors are read once and written once, in pieces of some 8 MB; memory: ids, texts and labels of all
///         documents, and the topic vectors
[[nodiscard]] Result<MergeSummary> mergeRanges(const RangeParts& parts, const std::filesystem::path& target,
                                               const std::string& command, JobContext& job);

} // namespace headscope
