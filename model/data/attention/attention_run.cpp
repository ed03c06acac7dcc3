// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/data/attention/attention_run.h"

#include <algorithm>

namespace headscope
{

std::optional<std::size_t> AttentionRun::placeOf(LayerIndex layer) const
{
    const auto found = std::lower_bound(layers.begin(), layers.end(), layer);
    if (found == layers.end() || *found != layer)
        return std::nullopt;
    return static_cast<std::size_t>(found - layers.begin());
}

const MatrixF* AttentionRun::weightsOf(LayerIndex layer, HeadIndex head) const
{
    const auto found = std::find_if(weights.begin(), weights.end(),
                                    [&](const HeadWeights& each) { return each.layer == layer && each.head == head; });
    return found != weights.end() ? found->rows.get() : nullptr;
}

ConstMatrixView AttentionRun::thumbnail(LayerIndex layer, HeadIndex head) const
{
    const std::optional<std::size_t> place = placeOf(layer);
    HEADSCOPE_ASSERT(place && head.value() >= 0 && head.value() < model.heads);
    const std::int64_t row = static_cast<std::int64_t>(*place) * model.heads + head.value();
    return {thumbnails.row(row).data(), thumbnailSide, thumbnailSide};
}

const LayerVectors* AttentionRun::vectorsOf(LayerIndex layer) const
{
    const auto found =
        std::find_if(vectors.begin(), vectors.end(),
                     [&](const std::shared_ptr<const LayerVectors>& each) { return each->layer == layer; });
    return found != vectors.end() ? found->get() : nullptr;
}

} // namespace headscope
