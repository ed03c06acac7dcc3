// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/io/cache/full_vectors.h"

#include "model/data/last_layer.h"

#include <fmt/format.h>

#include <utility>

namespace headscope
{

namespace
{

/// @param ofLast  whether it is what the last layer gives, or heads of some layer
std::string sourceOf(const CacheHeader& header, LayerIndex layer, Stage stage, bool ofLast)
{
    if (!ofLast)
        return fmt::format("the concatenated {}s of layer {} stage {} (stage 3 of the last layer is not stored)",
                           unitName(stage), layer.value(), stageName(stage));
    if (stage != Stage::Embedding)
        return fmt::format("the {} (full stage 3 of layer {})", finalHiddenState(header.model, header.pooling),
                           layer.value());
    ModelInfo normed = header.model; // modules take the output of the final norm, whatever stage 3 is
    normed.lastLayerRaw = false;
    return fmt::format("the sentence embedding ({}: {})", finalHiddenState(normed, header.pooling),
                       header.embedding.modules.empty() ? "unknown modules" : header.embedding.modules);
}

} // namespace

Result<FullPair> fullVectors(CacheReader& cache, LayerIndex layer, Stage stage,
                             const std::optional<std::string>& topicColumn, JobContext& job)
{
    const LayerIndex last(cache.info().header.model.layers - 1);
    const bool embedding = stage == Stage::Embedding;
    const bool lastStage3 = cache.find(last, Stage::OutputSegment) != nullptr &&
                            (!topicColumn || cache.hasTopics(*topicColumn, last, Stage::OutputSegment));
    const bool ofLast = embedding || lastStage3;
    const LayerIndex fromLayer = ofLast ? last : layer;
    const Stage fromStage = ofLast && !embedding ? Stage::OutputSegment : stage;
    const std::string source = sourceOf(cache.info().header, fromLayer, fromStage, ofLast);
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
