// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "model/data/model_info.h"
#include "model/data/origin.h"
#include "model/data/results/cluster_tree.h"
#include "model/data/results/topic_results.h"

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

namespace headscope
{

/// One stage of a heatmap view: the cells, the statistics of its rows, and the tree of its heads. Immutable once
/// published.
struct HeatmapPanel
{
    std::shared_ptr<const Heatmap> heatmap;
    HeatmapStatistics statistics;
    ClusterTree heads; ///< leaf h is head h: rows of cells by average linkage
    Origin origin{};
    HeatmapNull null{};        ///< of the rows; without contrasts: not measured
    std::string vectorsText{}; ///< what the topics are
};

/// The order of a heatmap's heads, from the top. The full row always stands first.
enum class HeatmapRows
{
    Index,       ///< as the model counts them, KV groups together
    GroupMean,   ///< KV groups together, the group with the largest mean cosine first
    FollowsFull, ///< by Spearman's correlation with the full row inside the topics, from the largest
    Selectivity, ///< by the share of variance between topics (eta squared), from the largest
    Clusters,    ///< similar rows together (the tree's leaves)
};

/// Rows of the heatmap (1 + head) in that order; heads without the number come last, ties by index.
/// @param heads  those that have a row, 0-based, ascending; empty: all
[[nodiscard]] std::vector<std::int64_t> heatmapRows(const HeatmapPanel& panel, const ModelInfo& info, HeatmapRows order,
                                                    std::span<const std::int64_t> heads = {});

/// What a head x topic table shows.
enum class TopicMeans
{
    Mean,        ///< mean cosine of the topic's documents
    AgainstRest, ///< that mean minus the mean over the documents of all other topics shown
    AgainstFull, ///< that mean minus the full row's mean in the same topic
};

/// [1 + H, T] rows full, heads in index order; NaN where a part has no value.
[[nodiscard]] MatrixD topicMeans(const HeatmapPanel& panel, TopicMeans what);

/// Match in the top k with 95% intervals, of one stage.
struct TopicMatch
{
    Stage stage = Stage::HeadOutput;
    LayerIndex layer;
    MatchResult result;
    MatrixD low;  ///< [1 + H, K] by Wilson; [0, 1] where nothing was measured
    MatrixD high; ///< [1 + H, K]
    Origin origin{};
    MatrixD q{};               ///< [1 + H, K] of the p values over all heads, NaN for the full row; empty without them
    std::string vectorsText{}; ///< what the topics are
    /// The heads were chosen by these labels on these documents: nothing tells how well they do, and they have neither
    /// interval nor q.
    bool headsAreChosen = false;
    /// Share of the commonest label where it is clearly above chance: what always naming it gets; 0: it is not.
    double unequalMajority = 0;
};

} // namespace headscope
