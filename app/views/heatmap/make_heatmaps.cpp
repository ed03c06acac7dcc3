// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/views/heatmap/make_heatmaps.h"

#include "app/results/label_presence.h"
#include "model/analysis/statistics/permutations.h"
#include "model/analysis/topics/cluster_order.h"
#include "model/analysis/topics/match_intervals.h"
#include "model/analysis/topics/propose_merge.h"
#include "model/analysis/topics/topics.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <optional>
#include <utility>

namespace headscope::desktop
{
namespace
{

/// Whether the full vectors are the final hidden state, which is the same for all stages.
bool isEmbedding(const FullPair& full, Stage stage)
{
    return full.documents.vectors != nullptr && full.documents.vectors->stage() == Stage::OutputSegment &&
           stage != Stage::OutputSegment;
}

TopicInput inputOf(const HeatmapInputs& inputs, const HeatmapInputs::StageData& stage)
{
    TopicInput input = topicInput(*stage.documents, *stage.topics, stage.full, inputs.labels.codes(), stage.members);
    input.topicSource = inputs.vectorsText;
    return input;
}

} // namespace

const LabelColumn* HeatmapLabels::codes() const
{
    return part != nullptr ? part.get() : documents->label(column);
}

TopicChoice HeatmapLabels::topicChoice() const
{
    TopicChoice choice{.column = topicColumn, .fewAreTaken = true, .kind = vectors.kind};
    if (!topicRows.empty())
        choice.merged = MergedTopics{topicRows, documents->label(column)->categories};
    return choice;
}

HeatmapLabels topicLabels(const OpenedCache& cache, const std::string& column)
{
    HeatmapLabels labels{cache.overview->documents, column, column, {}, nullptr, {}};
    if (const auto merged = cache.merged.find(column); merged != cache.merged.end())
    {
        labels.topicColumn = merged->second.source;
        labels.topicRows = merged->second.topicRows;
    }
    return labels;
}

const HeatmapInputs::StageData* HeatmapInputs::find(Stage stage) const
{
    const auto at = std::find_if(stages.begin(), stages.end(),
                                 [stage](const StageData& each) { return each.documents->stage() == stage; });
    return at == stages.end() ? nullptr : &*at;
}

std::size_t HeatmapInputs::bytes() const
{
    std::size_t count = 0;
    for (const StageData& stage : stages)
        count += stage.documents->values().size_bytes() + stage.full.documents.vectors->values().size_bytes();
    return count;
}

Result<std::shared_ptr<const HeatmapInputs>> loadHeatmapInputs(CacheReader& reader, LayerIndex layer,
                                                               const std::vector<Stage>& stages,
                                                               const HeatmapLabels& labels, int numThreads,
                                                               JobContext& job)
{
    auto inputs = std::make_shared<HeatmapInputs>();
    inputs->labels = labels;
    inputs->vectorsText = topicVectorsText(labels.vectors, reader.info().header.topicTemplate);
    inputs->origin = reader.origin();
    if (labels.documents->label(labels.column) == nullptr)
        return Error{ErrorCode::InvalidArgument,
                     fmt::format("the cache has no label column \"{}\"", labels.column),
                     reader.path().string(),
                     {}};
    const TopicChoice choice = labels.topicChoice();
    std::optional<FullPair> embedding;
    for (const Stage stage : stages)
    {
        if (labels.vectors.kind == TopicVectorKind::Names && !reader.hasTopics(labels.topicColumn, layer, stage))
            continue;
        job.report(fmt::format("reading stage {}", stageName(stage)), 0, 0);
        HeatmapInputs::StageData data;
        HEADSCOPE_TRY(data.documents, reader.load(layer, stage, {}, job));
        HEADSCOPE_TRY(LoadedTopics loaded, loadTopics(reader, layer, stage, choice, job,
                                                      embedding && stage != Stage::Embedding ? &*embedding : nullptr));
        if (!embedding && isEmbedding(loaded.full, stage))
            embedding = loaded.full; // as it was read
        if (labels.vectors.kind == TopicVectorKind::Names && inputs->stages.empty())
            inputs->fault = topicFaultNotice(*data.documents, *loaded.topics.vectors, *labels.codes());
        HEADSCOPE_CHECK(
            prepareLoaded(loaded, data.documents, data.members, *labels.codes(), labels.vectors, numThreads, job));
        data.topics = std::move(loaded.topics.vectors);
        data.full = std::move(loaded.full);
        inputs->stages.push_back(std::move(data));
    }
    if (inputs->stages.empty())
        return Error{ErrorCode::InvalidArgument,
                     fmt::format("a heatmap needs topic vectors of \"{}\" for layer {}, and the cache holds none",
                                 labels.topicColumn, layer.value()),
                     reader.path().string(),
                     {}};
    return std::shared_ptr<const HeatmapInputs>(std::move(inputs));
}

Result<std::vector<std::shared_ptr<const HeatmapPanel>>> makeHeatmapPanels(const HeatmapInputs& inputs, Stage reference,
                                                                           const HeatmapOptions& options,
                                                                           int numThreads, JobContext& job)
{
    const HeatmapInputs::StageData* leading = inputs.find(reference);
    if (leading == nullptr)
        leading = &inputs.stages.front();
    job.report("choosing columns", 0, 0);
    HEADSCOPE_TRY(Heatmap chosen, makeHeatmap(inputOf(inputs, *leading), options, numThreads, job));
    const auto first = std::make_shared<const Heatmap>(std::move(chosen));
    std::vector<std::shared_ptr<const HeatmapPanel>> panels;
    for (const HeatmapInputs::StageData& stage : inputs.stages)
    {
        job.report(fmt::format("stage {}", stageName(stage.documents->stage())), 0, 0);
        const TopicInput input = inputOf(inputs, stage);
        auto panel = std::make_shared<HeatmapPanel>();
        panel->heatmap = first;
        panel->origin = inputs.origin;
        if (&stage != leading)
        {
            HEADSCOPE_TRY(Heatmap locked, makeHeatmapLike(input, *first, numThreads, job));
            panel->heatmap = std::make_shared<const Heatmap>(std::move(locked));
        }
        HEADSCOPE_TRY(panel->statistics, heatmapStatistics(input, *panel->heatmap, numThreads, job));
        HEADSCOPE_TRY(panel->null, heatmapNull(input, *panel->heatmap, NullOptions(), numThreads, job));
        panel->vectorsText = inputs.vectorsText;
        panel->heads = headTree(*panel->heatmap);
        panels.push_back(std::move(panel));
        HEADSCOPE_CHECK(job.checkStop());
    }
    return panels;
}

Result<std::shared_ptr<const TopicMatch>> makeTopicMatch(const HeatmapInputs& inputs, Stage stage, int numThreads,
                                                         JobContext& job)
{
    const HeatmapInputs::StageData* data = inputs.find(stage);
    if (data == nullptr)
        data = &inputs.stages.front();
    auto match = std::make_shared<TopicMatch>();
    match->stage = data->documents->stage();
    match->layer = data->documents->layer();
    match->origin = inputs.origin;
    HEADSCOPE_CHECK(expectTopics(static_cast<std::size_t>(data->topics->documents()), inputs.labels.column));
    HEADSCOPE_TRY(match->result, matchTopics(inputOf(inputs, *data), MatchOptions().k, numThreads, job));
    HEADSCOPE_TRY(match->result.null, matchNull(inputOf(inputs, *data), match->result, NullOptions(), numThreads, job));
    const MatchResult& result = match->result;
    match->vectorsText = inputs.vectorsText;
    if (const LabelColumn* column = inputs.labels.codes(); column != nullptr)
    {
        const LabelPresence labels = labelPresence(*column);
        match->unequalMajority = labels.isUnequal() ? labels.majority() : 0;
    }
    setMatchIntervals(*match);
    match->q = MatrixD(result.hits.rows(), result.hits.cols());
    for (std::int64_t k = 0; k < result.hits.cols(); ++k)
    {
        std::vector<double> p = {std::numeric_limits<double>::quiet_NaN()}; // the full row is no head
        for (std::int64_t row = 1; row < result.hits.rows(); ++row)
            p.push_back(result.null(row, k).p);
        const auto q = benjaminiHochberg(p);
        for (std::int64_t row = 0; row < result.hits.rows(); ++row)
            match->q(row, k) = q[static_cast<std::size_t>(row)];
    }
    return std::shared_ptr<const TopicMatch>(std::move(match));
}

Result<std::shared_ptr<const TopicMergePath>> makeMergePath(CacheReader& reader, LayerIndex layer, Stage stage,
                                                            const std::string& topicColumn, int numThreads,
                                                            JobContext& job)
{
    job.report("comparing topics", 0, 0);
    HEADSCOPE_TRY(const LoadedTopics loaded, loadTopics(reader, layer, stage, {topicColumn}, job));
    const FullVectors& topics = loaded.full.topics;
    HEADSCOPE_TRY(const TopicSimilarity similarity, topicSimilarity(topics.matrix(), loaded.topics.names, numThreads));
    auto path = std::make_shared<TopicMergePath>(mergePath(similarity));
    path->source = topics.source;
    path->origin = reader.origin();
    return std::shared_ptr<const TopicMergePath>(std::move(path));
}

} // namespace headscope::desktop
