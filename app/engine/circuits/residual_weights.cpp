// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/engine/circuits/residual_weights.h"

#include <fmt/format.h>

namespace headscope::engine
{
std::span<const float> weightVector(const Weights& weights, const TensorKey& key)
{
    const ConstMatrixView found = weights.matrix(key);
    return found.data() == nullptr ? std::span<const float>() : found.row(0);
}

FrozenNorm weightNorm(const Weights& weights, TensorRole role, std::int64_t layer)
{
    return {weightVector(weights, {role, layer, false}), weightVector(weights, {role, layer, true}),
            weights.config().normEps, weights.config().traits().normKind == NormKind::Layer};
}

Status checkResidualFamily(const ModelConfig& config)
{
    const FamilyTraits& traits = config.traits();
    const bool decoder = traits.normPlacement == NormPlacement::Pre && traits.normKind == NormKind::Rms;
    const bool encoder = traits.normPlacement == NormPlacement::Post && traits.normKind == NormKind::Layer;
    if (decoder || encoder)
        return {};
    return Error{ErrorCode::Unsupported,
                 fmt::format("splitting vectors into parts is not supported for {}; it needs a decoder with RMS norms "
                             "before the blocks, or an encoder with LayerNorms after the blocks",
                             traits.name),
                 {},
                 {}};
}

Result<ResidualModel> residualModel(const Weights& weights)
{
    const ModelConfig& config = weights.config();
    HEADSCOPE_CHECK(checkResidualFamily(config));
    ResidualModel model{config.heads, config.headDim, config.modelDim, {}, {}};
    const bool behind = config.traits().normPlacement == NormPlacement::Post;
    for (std::int64_t layer = 0; layer < config.layers; ++layer)
    {
        model.layers.push_back(
            {weights.matrix({TensorRole::O, layer}), weightVector(weights, {TensorRole::O, layer, true})});
        if (!behind)
            continue;
        model.norms.push_back(weightNorm(weights, TensorRole::AttentionNorm, layer));
        model.norms.push_back(weightNorm(weights, TensorRole::MlpNorm, layer));
    }
    if (!behind)
        model.norms.push_back(weightNorm(weights, TensorRole::FinalNorm, 0));
    return model;
}

LensLayer lensLayer(const Weights& weights, std::int64_t layer)
{
    using enum TensorRole;
    const ModelConfig& config = weights.config();
    const auto vectorOf = [&](TensorRole role) { return weightVector(weights, {role, layer}); };
    const bool normed = config.traits().queryKeyNorm;
    return {.heads = config.heads,
            .kvHeads = config.kvHeads,
            .headDim = config.headDim,
            .query = weights.matrix({Q, layer}),
            .key = weights.matrix({K, layer}),
            .value = weights.matrix({V, layer}),
            .output = weights.matrix({O, layer}),
            .inputGain = vectorOf(AttentionNorm),
            .finalGain = weightVector(weights, {FinalNorm}),
            .queryNorm = normed ? vectorOf(QNorm) : std::span<const float>(),
            .keyNorm = normed ? vectorOf(KNorm) : std::span<const float>(),
            .eps = config.normEps};
}

} // namespace headscope::engine
