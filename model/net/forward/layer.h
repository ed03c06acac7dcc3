// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "model/base/strong_index.h"
#include "model/data/matrix.h"
#include "model/net/config/model_config.h"
#include "model/net/forward/operations.h"

#include <array>
#include <functional>
#include <memory>
#include <optional>
#include <vector>

namespace headscope
{

/// A head whose output is the same at every token.
struct SetHead
{
    HeadIndex head;
    Tensor value; ///< [1, Dh]
};

/// Weights of one layer on a backend's device, by role. What a family does not have is empty.
struct LayerTensors
{
    std::array<Linear, kNumTensorRoles> byRole = {};
    std::vector<SetHead> set = {};      ///< heads that are off
    std::optional<HeadIndex> only = {}; ///< Q, K and V are those of this head alone: nothing but it can be looked at
    std::vector<std::shared_ptr<const MatrixF>> own = {}; ///< host memory of what is not in the model's files

    [[nodiscard]] Linear& operator[](TensorRole role) { return byRole[static_cast<std::size_t>(role)]; }
    [[nodiscard]] const Linear& operator[](TensorRole role) const { return byRole[static_cast<std::size_t>(role)]; }
};

/// What can be taken out of a layer.
enum class Tap
{
    HeadOutput,   ///< stage 1, [S, H Dh]
    Projected,    ///< stage 2, [S, Dm]
    Output,       ///< stage 3, [S, Dm]; of the last layer after the final norm
    PreNorm,      ///< the last layer's output before the final norm, [S, Dm]
    Contribution, ///< what each head adds to stage 2, [S, H Dm]
};

/// The taps wanted of one layer.
struct LayerTaps
{
    bool headOutput = false;
    bool projected = false;
    bool output = false;
    bool preNorm = false;
    bool contribution = false;

    [[nodiscard]] bool any() const { return headOutput || projected || output || preNorm || contribution; }
    [[nodiscard]] bool needsMlp() const { return output || preNorm; }
};

/// Takes the pooled rows of one tap, one a document.
using TapSink = std::function<void(LayerIndex layer, Tap tap, const Tensor& pooled)>;

/// What attention works with, of every token.
struct AttentionVectors
{
    Tensor q; ///< [T, H Dh], after norms and rotation
    Tensor k; ///< [T, KV Dh], likewise
    Tensor v; ///< [T, KV Dh]
    Tensor z; ///< [T, H Dh] stage 1
};

/// Where the residual stream is looked at.
enum class StreamPoint
{
    Start,     ///< before the first layer
    Attention, ///< with what a layer's attention adds, before a norm behind the sum
    Mlp,       ///< with what its MLP adds, likewise
};

/// What of a layer is looked at beside its taps, of every token; what is null is not.
struct AttentionWatch
{
    ProbabilitySink probabilities;
    std::function<void(const AttentionVectors& vectors)> vectors;
    std::function<void(StreamPoint point, const Tensor& x)> stream; ///< x [T, Dm] is changed behind the call

    [[nodiscard]] bool any() const { return probabilities != nullptr || vectors != nullptr || stream != nullptr; }
};

/// Cosines and sines of every token of a step, [T, D / 2] each, D of Dh numbers of a head being rotated.
struct RotaryTables
{
    Tensor cosines;
    Tensor sines;
};

/// One step (some whole documents) on its way through the layers.
struct StepState
{
    Packing packing;
    std::vector<std::int64_t> meanFrom; ///< [S] first row of the mean; used when nothing is picked
    Tensor x;                           ///< [T, Dm] residual stream; [S, Dm] once reduced
    bool reduced = false;               ///< x holds the picked rows alone
    RotaryTables rotary;                ///< of rotary positions
    RotaryTables windowedRotary;        ///< of the layers with a window, where the family has others for these
    Tensor distanceBias;                ///< as AttentionShape::distanceBias, of all layers

    /// One row a document of x or of anything with its rows: the picked ones, or the mean.
    [[nodiscard]] Tensor pooled(Operations& ops, const Tensor& rows) const;
};

/// What running one layer takes.
struct LayerRun
{
    const ModelConfig& config;
    const LayerTensors& weights;
    LayerIndex layer;
    LayerTaps taps;
    bool last = false; ///< nothing after this layer is needed: only what the taps ask for is computed
    const TapSink& sink;
    const AttentionWatch& watch;

    /// H of this layer: that of the model, or 1.
    [[nodiscard]] std::int64_t heads() const { return weights.only ? 1 : config.heads; }
    /// KV of this layer: that of the model, or what it was brought to (model_edit.h).
    [[nodiscard]] std::int64_t kvHeads() const { return weights[TensorRole::K].weight.rows() / config.headDim; }
    /// Whether the picked rows alone are computed.
    [[nodiscard]] bool pickedOnly(const StepState& state) const
    {
        return last && !state.packing.picked.empty() && !watch.any();
    }
};

/// A layer's weights with one head alone: of the layer, nothing but this head's vectors and weights are computed, as
/// head 0 of one.
/// @param config  of the model
[[nodiscard]] LayerTensors tensorsOfHead(Operations& ops, const ModelConfig& config, const LayerTensors& layer,
                                         HeadIndex head);

/// Norms each row as the family does.
[[nodiscard]] Tensor normed(Operations& ops, const ModelConfig& config, const Tensor& x, const Linear& norm);

/// One layer of a transformer as its family's traits have it. Pre-norm: x = x + o_proj(attention(norm(x))),
/// x = x + mlp(norm(x)); post-norm: x = norm(x + o_proj(attention(x))), x = norm(x + mlp(x)); both: as pre-norm, with
/// norm(o_proj(...)) and norm(mlp(...)) in the sums; with a parallel residual
/// x = x + o_proj(attention(norm(x))) + mlp(norm(x)).
///
/// In the last needed layer everything but k and v is computed for the picked tokens alone.
/// @source  Vaswani et al. 2017 (arXiv 1706.03762), BERT (1810.04805), Llama (2302.13971), Mistral (2310.06825),
///          Qwen2 (2407.10671), Qwen3 (2505.09388), Gemma 2 (2408.00118), Gemma 3 (2503.19786), Phi-3 (2404.14219),
///          GPT-2 (Radford et al. 2019), GPT-NeoX (2204.06745); details as transformers computes them
void runTransformerLayer(Operations& ops, const LayerRun& run, StepState& state);

} // namespace headscope
