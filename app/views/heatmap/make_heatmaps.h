// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/desktop/shell/open_cache.h"
#include "app/results/topic_loading.h"
#include "model/data/documents/topic_merge.h"
#include "model/data/results/heatmap_panel.h"
#include "model/data/results/topic_results.h"
#include "model/io/cache/cache_reader.h"
#include "model/io/cache/full_vectors.h"

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace headscope::desktop
{

/// The labels of a heatmap and where their topic vectors are.
struct HeatmapLabels
{
    std::shared_ptr<const DocumentSet> documents;
    std::string column;                  ///< of the documents
    std::string topicColumn;             ///< of the cache's topic vectors
    std::vector<std::int64_t> topicRows; ///< of each category; empty: as they are
    /// The column restricted to the documents shown (the others have code -1); null: the whole column is used.
    std::shared_ptr<const LabelColumn> part = nullptr;
    TopicVectorChoice vectors{}; ///< what stands for the topics

    /// The column to use: `part` where it is set. Null: the documents have no such column.
    [[nodiscard]] const LabelColumn* codes() const;
    /// The topic vectors of its categories. The documents have such a column.
    [[nodiscard]] TopicChoice topicChoice() const;
};

/// Of a column of the open cache, also of one that was merged there; the cache may hold no topic vectors.
[[nodiscard]] HeatmapLabels topicLabels(const OpenedCache& cache, const std::string& column);

/// What the heatmaps of one layer and label column are made of, read once and used for every change of
/// their options. Immutable once published.
struct HeatmapInputs
{
    struct StageData
    {
        std::shared_ptr<const HeadVectors> documents;
        std::shared_ptr<const HeadVectors> topics;
        FullPair full;
        Matrix<std::int64_t> members; ///< as TopicVectorSet::members
    };
    HeatmapLabels labels;
    std::string vectorsText;       ///< what the topics are, and what is wrong with them
    std::string fault;             ///< topicFaultNotice of the first stage; may be empty
    std::vector<StageData> stages; ///< those that have topic vectors, in their order
    Origin origin{};               ///< of the vectors

    [[nodiscard]] const StageData* find(Stage stage) const;
    /// Bytes of all vectors.
    [[nodiscard]] std::size_t bytes() const;
};

/// Reads the vectors of the stages of one layer, and makes them ready as the labels' choice of topic vectors says.
/// @param stages  those of the layer; stages without topic vectors are left out
/// @errors InvalidArgument (no such labels, no topic vectors for this column and layer), those of CacheReader
/// @threads to be called on a worker
[[nodiscard]] Result<std::shared_ptr<const HeatmapInputs>> loadHeatmapInputs(CacheReader& reader, LayerIndex layer,
                                                                             const std::vector<Stage>& stages,
                                                                             const HeatmapLabels& labels,
                                                                             int numThreads, JobContext& job);

/// The heatmaps of all stages with the columns of one of them, what their rows say, and the trees of their
/// heads.
/// @param reference  whose cells choose and order the columns; the first stage where it is not there
/// @errors those of makeHeatmap
/// @threads to be called on a worker
[[nodiscard]] Result<std::vector<std::shared_ptr<const HeatmapPanel>>>
makeHeatmapPanels(const HeatmapInputs& inputs, Stage reference, const HeatmapOptions& options, int numThreads,
                  JobContext& job);

/// Match at 1, 5 and 10 with intervals and the null of shuffled labels (seed 1), as `headscope match` prints them.
/// @errors those of matchTopics
[[nodiscard]] Result<std::shared_ptr<const TopicMatch>> makeTopicMatch(const HeatmapInputs& inputs, Stage stage,
                                                                       int numThreads, JobContext& job);

/// Similarity of the topics of a column stored in the cache, by their full vectors, and every step of merging them.
/// @errors those of CacheReader::topics
[[nodiscard]] Result<std::shared_ptr<const TopicMergePath>> makeMergePath(CacheReader& reader, LayerIndex layer,
                                                                          Stage stage, const std::string& topicColumn,
                                                                          int numThreads, JobContext& job);

} // namespace headscope::desktop
