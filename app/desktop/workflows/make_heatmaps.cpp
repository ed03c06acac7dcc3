// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/desktop/workflows/make_heatmaps.h"

#include "model/analysis/topics.h"

#include <fmt/format.h>

#include <utility>

namespace headscope::desktop
{

Result<std::vector<std::shared_ptr<const Heatmap>>>
makeHeatmaps(CacheReader& reader, LayerIndex layer, const std::vector<Stage>& stages, const HeatmapLabels& from,
             const HeatmapOptions& options, int numThreads, JobContext& job)
{
    const LabelColumn* labels = from.documents->label(from.column);
    std::vector<std::shared_ptr<const Heatmap>> heatmaps;
    for (const Stage stage : stages)
    {
        if (labels == nullptr || !reader.hasTopics(from.topicColumn, layer, stage))
            continue;
        job.report(fmt::format("stage {}", stageName(stage)), 0, 0);
        HEADSCOPE_TRY(const auto vectors, reader.load(layer, stage, {}, job));
        HEADSCOPE_TRY(TopicVectors topics, reader.topics(from.topicColumn, layer, stage, job));
        HEADSCOPE_TRY(FullPair full, fullVectors(reader, layer, stage, from.topicColumn, job));
        if (!from.topicRows.empty())
        {
            topics.vectors = takeRows(topics.vectors, from.topicRows);
            full.topics.vectors = takeRows(full.topics.vectors, from.topicRows);
        }
        const TopicInput input{vectors.get(), topics.vectors.get(), full.documents.matrix(), full.topics.matrix(),
                               labels,        full.documents.source};
        HEADSCOPE_TRY(Heatmap heatmap, makeHeatmap(input, options, numThreads, job));
        heatmaps.push_back(std::make_shared<const Heatmap>(std::move(heatmap)));
    }
    if (heatmaps.empty())
        return Error{ErrorCode::InvalidArgument,
                     fmt::format("a heatmap needs topic vectors of \"{}\" for layer {}, and the cache holds none",
                                 from.topicColumn, layer.value()),
                     reader.path().string(),
                     {}};
    return heatmaps;
}

} // namespace headscope::desktop
