// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "model/base/result.h"
#include "model/net/forward/layer.h"
#include "model/net/forward/model_edit.h"
#include "model/net/forward/pass_memory.h"
#include "model/net/forward/rotary.h"
#include "model/net/weights/weights.h"

#include <cstdint>
#include <optional>
#include <span>
#include <stop_token>
#include <vector>

namespace headscope
{

/// A model on a backend's device, ready to run; shared by all workers of that backend.
struct Network
{
    const Weights* weights = nullptr;     ///< outlives the network: embeddings are read from it
    std::vector<LayerTensors> layers;     ///< the loaded ones
    Linear embedNorm;                     ///< where the family has one
    Linear finalNorm;                     ///< likewise
    std::optional<Rotary> rotary;         ///< of rotary positions
    std::optional<Rotary> windowedRotary; ///< of the layers with a window, where the family has another for these
    std::shared_ptr<const MatrixF> distanceBias; ///< as AttentionShape::distanceBias, in host memory; null: none
    /// Layers before it are those of the model's files; set where heads are off or regrouped.
    std::optional<std::int64_t> firstEdited;

    [[nodiscard]] const ModelConfig& config() const { return weights->config(); }
};

/// Puts the weights on the device of `ops`.
/// @errors those of ops.guarded()
[[nodiscard]] Result<Network> makeNetwork(Operations& ops, const Weights& weights);

/// The network with heads off or regrouped. Both share all that does not change.
/// @param plain  without an edit, for the device of `ops`
/// @errors those of checkEdit and of ops.guarded()
[[nodiscard]] Result<Network> editedNetwork(Operations& ops, const Network& plain, const ModelEdit& edit);

/// One layer's weights on the device of `ops`; they live as long as `weights`.
/// @param edit  is checked (checkEdit)
/// @errors those of ops.guarded()
[[nodiscard]] Result<LayerTensors> makeLayerTensors(Operations& ops, const Weights& weights, LayerIndex layer,
                                                    const ModelEdit& edit = {});

/// Some whole documents, packed one after another. None is empty.
struct StepInput
{
    std::vector<std::int32_t> ids;      ///< [T]
    std::vector<std::int64_t> offsets;  ///< [S + 1]
    std::vector<std::int64_t> meanFrom; ///< [S] tokens at the start that a mean leaves out, or empty
};

/// Which taps of which layers; nothing beyond the last layer with a tap is computed.
struct TapPlan
{
    std::vector<LayerTaps> layers; ///< [L]
    Pooling pooling = Pooling::Last;

    /// The deepest layer with a tap, or -1.
    [[nodiscard]] std::int64_t lastLayer() const;
};

/// What of the attention of some layers is looked at, and the residual stream.
struct StepWatch
{
    std::vector<std::int64_t> probabilityLayers; ///< whose probabilities are handed out
    std::vector<std::int64_t> vectorLayers;      ///< whose queries, keys, values and outputs are
    std::function<void(LayerIndex, DocumentIndex, HeadIndex, TokenIndex first, ConstMatrixView)> probabilities;
    std::function<void(LayerIndex, const AttentionVectors&)> vectors;
    /// Of every layer that runs, where it is set; x [T, Dm] is changed behind the call.
    std::function<void(LayerIndex, StreamPoint, const Tensor& x)> stream;

    /// The first and the deepest layer that is looked at; -1: none.
    [[nodiscard]] std::int64_t firstLayer() const;
    [[nodiscard]] std::int64_t lastLayer() const;
    /// What is looked at in one layer.
    [[nodiscard]] AttentionWatch of(LayerIndex layer) const;
};

/// What a pass may have beside its taps.
struct PassExtras
{
    const StepWatch* watch = nullptr; ///< in the layers that it names every token is computed
    PassMemory* memory = nullptr;     ///< what earlier passes over the same step have computed is used again
};

/// The forward pass of one step: embeds, runs the layers, hands the taps to the sink as they come.
///
/// @param stop  looked at after every layer
/// @errors InvalidArgument (a token id or a length the model does not have), Cancelled, those of
///         ops.guarded()
[[nodiscard]] Status runStep(Operations& ops, const Network& network, const StepInput& input, const TapPlan& plan,
                             const TapSink& sink, const PassExtras& extras, const std::stop_token& stop);

/// The residual stream of a step before the first layer, [T, Dm], in host memory.
/// @errors as runStep; those of Weights::embeddingRow
[[nodiscard]] Result<MatrixF> embedStep(Operations& ops, const Network& network, const StepInput& input);

/// One layer of a step whose residual stream waits in host memory: all layers in turn give the bits
/// of runStep. The layers of `network` are not used.
///
/// @param weights  of this layer
/// @param x        [T, Dm] before the layer, and after it; as it was after the last layer with a tap
/// @errors as runStep
[[nodiscard]] Status runStepLayer(Operations& ops, const Network& network, const LayerTensors& weights,
                                  LayerIndex layer, const StepInput& input, const TapPlan& plan, const TapSink& sink,
                                  MatrixF& x, const std::stop_token& stop);

/// Attention probabilities of one text: [L, H, T, T], row = query, column = key, masked entries 0.
/// @errors as runStep; OutOfMemory (4 L H T^2 bytes)
[[nodiscard]] Result<std::vector<float>> attentionProbabilities(Operations& ops, const Network& network,
                                                                std::span<const std::int32_t> ids,
                                                                const std::stop_token& stop);

} // namespace headscope
