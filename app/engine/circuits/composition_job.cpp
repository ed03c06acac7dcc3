// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/engine/circuits/composition_job.h"

#include "app/engine/circuits/residual_weights.h"
#include "model/base/free_memory.h"
#include "model/net/weights/weights.h"

#include <fmt/format.h>

namespace headscope::engine
{
namespace
{

CompositionLayer layerOf(const Weights& weights, std::int64_t layer)
{
    using enum TensorRole;
    const FamilyTraits& traits = weights.config().traits();
    const auto vectorOf = [&](TensorRole role) { return weightVector(weights, {role, layer}); };
    CompositionLayer own{.query = weights.matrix({Q, layer}),
                         .key = weights.matrix({K, layer}),
                         .value = weights.matrix({V, layer}),
                         .output = weights.matrix({O, layer}),
                         .inputGain = {},
                         .queryNorm = traits.queryKeyNorm ? vectorOf(QNorm) : std::span<const float>(),
                         .keyNorm = traits.queryKeyNorm ? vectorOf(KNorm) : std::span<const float>(),
                         .behind = {}};
    if (traits.normPlacement == NormPlacement::Pre)
        own.inputGain = vectorOf(AttentionNorm);
    else
        own.behind = {weightNorm(weights, AttentionNorm, layer), weightNorm(weights, MlpNorm, layer)};
    return own;
}

} // namespace

Result<CompositionScores> measureComposition(const ModelFiles& files, const std::vector<CompositionKind>& kinds,
                                             int threads, JobContext& job,
                                             std::optional<std::pair<std::int64_t, std::int64_t>> pairLayers)
{
    const ModelConfig& config = files.config;
    HEADSCOPE_CHECK(checkResidualFamily(config));
    if (pairLayers && pairLayers->second >= config.layers)
        return Error{
            ErrorCode::WrongUse,
            fmt::format("expected layers of the model (0-{}), found {}", config.layers - 1, pairLayers->second),
            {},
            "--directions"};
    const CompositionOptions options{.layers = config.layers,
                                     .heads = config.heads,
                                     .kvHeads = config.kvHeads,
                                     .headDim = config.headDim,
                                     .modelDim = config.modelDim,
                                     .kinds = kinds,
                                     .pairLayers = pairLayers,
                                     .threads = threads};
    const double layerBytes = 8 * static_cast<double>((config.heads + config.kvHeads) * config.headDim) *
                              static_cast<double>(config.modelDim);
    HEADSCOPE_CHECK(headscope::checkMemory({options.bytes() + layerBytes,
                                            fmt::format("the composition of all heads of {} layers", config.layers),
                                            "use fewer --kinds or --threads"}));
    HEADSCOPE_TRY(const auto opened, WeightFiles::open(files));
    CompositionRun run(options);
    const auto layers = static_cast<std::uint64_t>(config.layers);
    const std::uint64_t pairs = layers * (layers - 1) / 2; // of layers, which take the time
    for (std::int64_t layer = 0; layer < config.layers; ++layer)
    {
        const auto done = static_cast<std::uint64_t>(layer);
        job.report("comparing heads", done * (done - (done > 0 ? 1 : 0)) / 2, pairs, "pairs of layers");
        JobContext reading(job.stopToken()); // progress is that of the pairs
        HEADSCOPE_TRY(const Weights weights, Weights::load(files,
                                                           {.lastLayer = layer,
                                                            .threads = threads,
                                                            .firstLayer = layer,
                                                            .outsideLayers = false,
                                                            .withMlp = false,
                                                            .opened = opened},
                                                           reading));
        HEADSCOPE_CHECK(run.add(layerOf(weights, layer), job));
    }
    return run.take();
}

} // namespace headscope::engine
