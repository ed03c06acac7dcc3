// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/results/cache_input.h"
#include "model/data/results/topic_results.h"

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace headscope::cli
{

enum class PoolingKind
{
    Concat, ///< the heads, concatenated
    Mean,   ///< their mean
    Score,  ///< their mean weighted by the head scores (mean strength x spread) of the documents
    Best,   ///< the heads that match most, concatenated
    Groups, ///< the mean of each key/value group, concatenated
};

/// How the heads of a document become one vector.
struct HeadPooling
{
    PoolingKind kind = PoolingKind::Concat;
    std::int64_t best = 0; ///< heads that Best keeps
};

/// "concat", "mean", "score", "best:K" or "groups".
/// @errors WrongUse
[[nodiscard]] Result<HeadPooling> poolingFromText(const std::string& text);

/// Documents and topics as one vector each, [N, 1, D'] and [C, 1, D'].
struct PooledPair
{
    std::shared_ptr<const HeadVectors> documents;
    std::shared_ptr<const HeadVectors> topics;
    std::vector<std::int64_t> heads; ///< the heads used, 0-based, ascending
};

/// Pools the chosen heads of documents and topics alike.
/// @param heads  chosen heads, 0-based, ascending
/// @param match  of every head, for Best: its first k decides, ties by the lower head
/// @param rows   documents that head scores are taken over
/// @errors InvalidArgument (fewer heads than Best asks for; groups of a stage kept uncut), Cancelled
[[nodiscard]] Result<PooledPair> poolHeads(const HeadPooling& pooling, const TopicData& data, const ModelInfo& model,
                                           const std::vector<std::int64_t>& heads, const MatchResult& match,
                                           const std::vector<std::int64_t>& rows, int numThreads, JobContext& job);

} // namespace headscope::cli
