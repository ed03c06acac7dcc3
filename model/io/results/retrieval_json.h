// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "model/base/job_context.h"
#include "model/base/result.h"
#include "model/data/documents/document_set.h"
#include "model/data/head_vectors.h"
#include "model/io/cache/cache_info.h"

#include <filesystem>
#include <map>
#include <memory>
#include <string>
#include <vector>

namespace headscope
{

/// The list of a multi-head retrieval file that is read.
enum class RetrievalPart
{
    Articles,
    Queries,
};

/// One list of a multi-head retrieval file, as a cache holds it.
struct RetrievalContents
{
    CacheHeader header;
    DocumentSet documents;
    std::vector<std::shared_ptr<const HeadVectors>> embeddings; ///< by layer: stage 1; stage 3 of the last
    std::map<std::string, std::vector<std::string>> relevant;   ///< of queries: the ids of their documents
    std::vector<std::string> notices;
};

/// Whether a file looks like the JSON of multi-head retrieval: its first key is "articles" or "queries".
/// @cost one read of its first bytes
[[nodiscard]] bool isRetrievalJson(const std::filesystem::path& path);

/// Reads the JSON in which multi-head retrieval (arXiv 2406.05085) keeps its embeddings:
///
///     {"articles": [{"article": {"title", "text", "label"},
///                    "embeddings": {"standard": [Dm], "layers": {"31": {"attention_heads": [H][Dh]}}}}, ...],
///      "queries":  [{"query": {"topics": [titles], "text"}, "embeddings": ...}, ...]}
///
/// Titles become ids (queries: their number), labels a column "label", "standard" stage 3 of the last
/// layer, the heads stage 1 of their layers. What the file does not say is in the notices.
/// @errors FileNotFound, BadFormat naming the entry (not JSON, no such list, entries that differ in
///         shape), Cancelled
/// @cost   reads in pieces: memory is that of the vectors, the texts and one entry
[[nodiscard]] Result<RetrievalContents> readRetrievalJson(const std::filesystem::path& path, RetrievalPart part,
                                                          JobContext& job);

} // namespace headscope
