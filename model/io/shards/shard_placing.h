// SPDX-License-Identifier: GPL-3.0-or-later
// Takes what shards hold into a cache; for the other files of this folder alone.
#pragma once

#include "model/base/job_context.h"
#include "model/base/result.h"
#include "model/data/documents/document_set.h"
#include "model/io/cache/cache_draft.h"
#include "model/io/shards/shard_manifest.h"

#include <cstdint>
#include <filesystem>
#include <vector>

namespace headscope
{

/// Puts the tokens that the shards of a folder hold in place of those of the documents, and adds their flags.
/// @param begin      the document that is number 0 of the shards
/// @param documents  tokens and flags have their size
/// @errors BadFormat (a damaged shard, a document from `begin` on that none has), Cancelled
[[nodiscard]] Status mergeColumns(const std::filesystem::path& folder, const ShardManifest& manifest,
                                  std::int64_t begin, DocumentSet& documents, JobContext& job);

/// The layers and stages of shards, with room for so many documents.
[[nodiscard]] std::vector<VectorsInfo> vectorPlaces(const ShardManifest& manifest, std::int64_t documents);

/// Writes all vectors of the shards of a folder into a cache that comes to be. Those that lie in it already are
/// verified there, and no other shard's rows are put over them.
/// @param draft  with room for the documents from `begin` on
/// @errors BadFormat (a damaged shard, or damaged vectors of one, by the shard's name), Resource, Cancelled
/// @cost   a block of a shard in memory
[[nodiscard]] Status mergeBlocks(const std::filesystem::path& folder, const ShardManifest& manifest, std::int64_t begin,
                                 CacheDraft& draft, JobContext& job);

} // namespace headscope
