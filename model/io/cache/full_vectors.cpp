// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/io/cache/full_vectors.h"

#include "model/data/last_layer.h"

#include <fmt/format.h>

#include <utility>

namespace headscope
{

Result<FullPair> fullVectors(CacheReader& cache, LayerIndex layer, Stage stage,
                             const std::optional<std::string>& topicColumn, JobContext& job)
{
    const LayerIndex last(cache.info().header.model.layers - 1);
    const bool lastStage3 = cache.find(last, Stage::OutputSegment) != nullptr &&
                            (!topicColumn || cache.hasTopics(*topicColumn, last, Stage::OutputSegment));
    const LayerIndex fromLayer = lastStage3 ? last : layer;
    const Stage fromStage = lastStage3 ? Stage::OutputSegment : stage;
    const std::string source =
        lastStage3 ? fmt::format("the {} (full stage 3 of layer {})",
                                 finalHiddenState(cache.info().header.model, cache.info().header.pooling), last.value())
                   : fmt::format("the concatenated {}s of layer {} stage {} (no stage 3 of the last layer here)",
                                 unitName(stage), layer.value(), stageName(stage));
    FullPair pair;
    HEADSCOPE_TRY(pair.documents.vectors, cache.load(fromLayer, fromStage, {}, job));
    pair.documents.source = source;
    if (topicColumn)
    {
        HEADSCOPE_TRY(auto topics, cache.topics(*topicColumn, fromLayer, fromStage, job));
        pair.topics.vectors = std::move(topics.vectors);
        pair.topics.source = source;
    }
    return pair;
}

} // namespace headscope
