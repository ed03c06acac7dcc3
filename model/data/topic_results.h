// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "model/base/strong_index.h"
#include "model/data/matrix.h"
#include "model/data/stage.h"

#include <cstdint>
#include <string>
#include <vector>

namespace headscope
{

enum class HeatmapChoice
{
    First,  ///< the first documents of a topic by index
    Best,   ///< those nearest to the topic by the full vectors
    Sample, ///< seeded sample
};

struct HeatmapOptions
{
    std::vector<std::int32_t> topics; ///< category codes in column order; empty = the 8 most frequent, in label order
    std::int64_t perTopic = 120;
    HeatmapChoice choice = HeatmapChoice::First;
    /// Row that orders the columns inside a topic: -1 the full vector, h a head, -2 leaves index order,
    /// -3 puts columns that are alike together (clusters).
    std::int64_t sortBy = -1;
    std::uint64_t seed = 1;
};

/// Rows full, head 1, ..., head H; columns the documents by topic; a cell is the cosine of the
/// document's vector with that of its own topic. Immutable once published.
struct Heatmap
{
    Stage stage = Stage::HeadOutput;
    LayerIndex layer;
    HeatmapOptions options;
    MatrixF values;                       ///< [1 + H, M]; NaN where a vector is zero or not finite
    std::vector<std::int32_t> document;   ///< [M]
    std::vector<std::int32_t> topic;      ///< [M] category code
    std::vector<std::int32_t> topicOrder; ///< [T] codes in column order
    std::vector<std::string> topicNames;  ///< [T]
    std::vector<std::int64_t> topicStart; ///< [T + 1] first column of each topic
    std::string fullSource;               ///< what the full row is: the model's embedding, or heads concatenated
    std::string inputHash;
};

/// Cosines between the full vectors of topics.
struct TopicSimilarity
{
    std::vector<std::string> names; ///< [T]
    MatrixD values;                 ///< [T, T]
    std::string inputHash;          ///< of the topics' vectors
};

/// How often a document's own topic is among the k nearest.
struct MatchResult
{
    std::int64_t documents = 0;         ///< labelled ones
    std::vector<std::int64_t> measured; ///< [1 + H] of them, those whose vector is finite in this row
    std::int64_t topics = 0;
    std::vector<std::int64_t> k; ///< as asked
    Matrix<std::int64_t> hits;   ///< [1 + H, K] rows full, heads
    MatrixD share;               ///< hits / measured
    std::string fullSource;
    std::string inputHash; ///< of documents, topics and labels
};

} // namespace headscope
