// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/data/attention/attention_run.h"

#include "model/base/hash.h"

#include <algorithm>
#include <array>

namespace headscope
{

double LayerVectors::biasAt(HeadIndex head, TokenIndex query, TokenIndex key) const
{
    if (bias.cols() == 0)
        return 0;
    const std::int64_t farthest = bias.cols() / 2;
    const std::int64_t distance = std::clamp(key.value() - query.value(), -farthest, farthest);
    return static_cast<double>(bias(head.value(), distance + farthest));
}

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

Origin attentionOrigin(const ModelInfo& model, std::span<const std::int32_t> ids)
{
    Xxh3 hash;
    const auto addText = [&hash](const std::string& text) { // with its length: what follows cannot be taken for it
        const auto size = static_cast<std::uint64_t>(text.size());
        hash.update(std::as_bytes(std::span(&size, 1)));
        hash.update(std::as_bytes(std::span(text)));
    };
    auto digests = model.sha256;
    std::sort(digests.begin(), digests.end());
    for (const auto& [file, digest] : digests)
    {
        addText(file);
        addText(digest);
    }
    const std::array sizes = {model.layers, model.heads, model.kvHeads, model.changes.regroupedFrom};
    hash.update(std::as_bytes(std::span(sizes)));
    for (const std::string* each :
         {&model.name, &model.changes.ablated, &model.changes.ablation, &model.changes.reference})
        addText(*each);
    hash.update(std::as_bytes(ids));
    return {"attention-" + hash.hex()};
}

} // namespace headscope
