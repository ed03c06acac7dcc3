// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "model/base/strong_index.h"
#include "model/data/documents/column_order.h"
#include "model/data/matrix.h"
#include "model/data/results/cluster_tree.h"
#include "model/data/results/interval.h"
#include "model/data/stage.h"

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace headscope
{

class Fields;

enum class HeatmapChoice
{
    First,  ///< the first documents of a topic by index
    Best,   ///< those nearest to the topic by the full vectors
    Sample, ///< seeded sample
};
/// "first", "best" or "sample".
[[nodiscard]] std::string_view choiceName(HeatmapChoice choice);

struct HeatmapOptions
{
    std::vector<std::int32_t> topics; ///< category codes in column order; empty = the 8 most frequent, in label order
    std::int64_t perTopic = 120;
    HeatmapChoice choice = HeatmapChoice::First;
    ColumnOrder order; ///< of the columns inside a topic
    std::uint64_t seed = 1;

    friend bool operator==(const HeatmapOptions&, const HeatmapOptions&) = default;
};

/// Declares the options of the columns that ask nothing of the data.
void fields(Fields& f, HeatmapOptions& o);

/// Labels shuffled among documents, so many times.
struct NullOptions
{
    std::int64_t permutations = kDefaultPermutations; ///< 0: none
    std::uint64_t seed = 1;

    friend bool operator==(const NullOptions&, const NullOptions&) = default;
};

/// Declares how often labels are shuffled.
void fields(Fields& f, NullOptions& o);

/// How a match with topics is counted.
struct MatchOptions
{
    std::vector<std::int64_t> k = {1, 5, 10}; ///< among so many nearest topics the own one is to be

    friend bool operator==(const MatchOptions&, const MatchOptions&) = default;
};

/// Declares how a match is counted.
void fields(Fields& f, MatchOptions& o);

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
    std::string fullSource;               ///< what the full row is: the final hidden state, or heads concatenated
    std::string inputHash;
    /// [T] where columns stand by clusters, else empty: leaf i is the topic's i-th document by index.
    std::vector<ClusterTree> columnTrees;
    std::string topicSource{}; ///< what the topics are: names, names in a template, centroids
};

/// Statistics of the rows of a heatmap, from its cells in double.
struct HeatmapStatistics
{
    std::vector<double> mean; ///< [1 + H] over the columns
    std::vector<double> sd;   ///< [1 + H] population standard deviation
    std::vector<double> eta2; ///< [1 + H] share of the variance that lies between topics
    std::vector<std::int32_t>
        topTopic;                ///< [1 + H] code of the topic with the largest mean, ties: the first shown; -1: none
    std::vector<double> topMean; ///< [1 + H] that mean
    /// [1 + H] (sum c)^2 / (n sum c^2) over all n cells c, negative ones counting as 0: 1 when every document takes an
    /// equal part, 1/n when one document takes it all.
    std::vector<double> evenness;
    MatrixD spearman;                 ///< [H, C] by topic code: head against full row inside the topic
    std::vector<double> spearmanMean; ///< [H] plain mean over the topics shown
    MatrixD topicMean;                ///< [1 + H, T] over the documents of each topic shown; NaN: none has a value
    Matrix<std::int64_t> topicCount;  ///< [1 + H, T] documents with a value
};

/// What the rows of a heatmap would be if labels said nothing: labels shuffled among the documents drawn (with
/// centroids: among all documents of the topics shown, and the centroids recomputed).
struct HeatmapNull
{
    /// [1 + H] mean over the documents drawn of the cosine with their own topic minus the mean cosine with the other
    /// topics shown. A topic that is near to everything adds nothing to it.
    std::vector<double> contrast;
    /// [1 + H] of the contrast: documents left out one after another, of centroids too; NaN where the documents drawn
    /// are the nearest to their topics, and with fewer than ten of them.
    std::vector<Interval> contrastCi95;
    std::vector<PermutationNull> ofContrast; ///< [1 + H]
    std::vector<PermutationNull> ofEta2;     ///< [1 + H] of HeatmapStatistics::eta2
    std::vector<double> topTopicKept;        ///< [1 + H] share of shuffles with the same top topic
    std::string leftOut;                     ///< why there is no null; empty: there is one
};

/// Cosines between the full vectors of topics.
struct TopicSimilarity
{
    std::vector<std::string> names; ///< [T]
    MatrixD values;                 ///< [T, T]
    std::string inputHash;          ///< of the topics' vectors
};

/// Whether these words for topic vectors, as results carry them, mean centroids of the documents that are compared.
[[nodiscard]] inline bool areCentroids(std::string_view vectorsText)
{
    return vectorsText.starts_with("centroids");
}

/// How often a document's own topic is among the k nearest.
struct MatchResult
{
    std::int64_t documents = 0;         ///< labelled ones
    std::vector<std::int64_t> measured; ///< [1 + H] of them, those whose vector is finite in this row
    std::int64_t topics = 0;            ///< with a vector: of centroids those that have documents
    std::int64_t alone = 0;             ///< with centroids: documents without another one of their topic, left out
    std::vector<std::int64_t> k;        ///< as asked
    Matrix<std::int64_t> hits;          ///< [1 + H, K] rows full, heads
    MatrixD share;                      ///< hits / measured
    std::string fullSource;
    std::string inputHash; ///< of documents, topics and labels
    /// [1 + H, K] of the shares, over labels shuffled among the documents; empty: not asked for.
    Matrix<PermutationNull> null;

    /// Share that a row without any relation to the topics has where topics have equally many documents.
    [[nodiscard]] double chance(std::int64_t nearest) const
    {
        return topics > 0 ? static_cast<double>(nearest < topics ? nearest : topics) / static_cast<double>(topics) : 0;
    }
};

} // namespace headscope
