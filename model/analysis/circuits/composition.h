// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "model/analysis/circuits/residual_model.h"
#include "model/base/job_context.h"
#include "model/base/result.h"
#include "model/data/circuits/composition_results.h"
#include "model/data/matrix.h"

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <utility>
#include <vector>

namespace headscope
{

/// What composition needs of one layer. Views of weights.
struct CompositionLayer
{
    ConstMatrixView query;            ///< [H Dh, Dm]
    ConstMatrixView key;              ///< [KV Dh, Dm]
    ConstMatrixView value;            ///< [KV Dh, Dm]
    ConstMatrixView output;           ///< [Dm, H Dh]
    std::span<const float> inputGain; ///< [Dm] of the norm in front of attention; empty: there is none
    std::span<const float> queryNorm; ///< [Dh] gain of the norm of every query; empty: there is none
    std::span<const float> keyNorm;   ///< [Dh] likewise
    std::vector<FrozenNorm> behind;   ///< norms in the stream behind attention and MLP, or none
};

/// The sizes of a model, and what is asked of it.
struct CompositionOptions
{
    std::int64_t layers = 0;
    std::int64_t heads = 0;
    std::int64_t kvHeads = 0;
    std::int64_t headDim = 0;
    std::int64_t modelDim = 0;
    std::vector<CompositionKind> kinds = {CompositionKind::Q, CompositionKind::K, CompositionKind::V};
    /// Layers, the earlier first, whose directions are compared with each other; nothing: none are.
    std::optional<std::pair<std::int64_t, std::int64_t>> pairLayers{};
    int threads = 1;

    /// Bytes that a run holds at most, without the weights of its layer.
    [[nodiscard]] double bytes() const;
};

/// Composition of all pairs of heads, layer after layer, so that only one layer's weights need to be in memory.
///
/// With W_OV1 = W_O1 V1 of an earlier head, W_QK2 = Q2^T K2 of a later one, all gains folded in, a score is the norm
/// that survives the product: |W_QK2 W_OV1| / (|W_QK2| |W_OV1|) for K, W_QK2^T for Q, W_OV2 for V. No matrix of
/// Dm x Dm is made: |A X B| = |S_A X S_B| with S_A = (A^T A)^(1/2), S_B = (B B^T)^(1/2) of Dh x Dh. The singular
/// directions of W_OV are those of the small S_O S_V = A D B^T: W_O S_V b is written, V^T S_O a is read.
/// Rotary positions, biases, divisors of norms and MLPs between are left out. Behind norms in the stream, what a head
/// writes is carried through those between.
/// @source  Elhage et al. 2021, A Mathematical Framework for Transformer Circuits; of directions Merullo, Eickhoff,
///          Pavlick 2024, Talking Heads (arXiv 2406.09519)
/// @threads one; products on the options' threads, of which no result depends
/// @cost    L (L - 1) / 2 times 2 (H + 2 KV) Dh Dm H Dh operations, and those layers' outputs in float32
class CompositionRun
{
public:
    explicit CompositionRun(const CompositionOptions& options);

    /// Takes the next layer, from the first on.
    /// @errors Cancelled; InvalidArgument (weights that are not finite)
    [[nodiscard]] Status add(const CompositionLayer& layer, JobContext& job);
    /// Once all layers were added.
    [[nodiscard]] CompositionScores take() { return std::move(m_scores); }

private:
    struct Factors;
    struct Columns;
    [[nodiscard]] Status checkFinite(const Factors& factors) const;
    [[nodiscard]] Status measureLayer(const CompositionLayer& layer, Factors& factors, JobContext& job);
    /// Of the layer that is added; as unit vectors of any sign.
    void keepDirection(std::int64_t column, const std::vector<double>& write, const std::vector<double>& read);
    void compare(const Columns& columns, const Factors& factors);
    void compareDirections(std::int64_t earlier, const Factors& factors);
    /// The directions of the earlier layer of the pair with those that the layer that is added reads.
    void comparePairs(const Factors& factors);
    void carryWritten(const CompositionLayer& layer);

    CompositionOptions m_options;
    std::int64_t m_layer = 0;          ///< to be added next
    std::vector<MatrixF> m_written;    ///< [layers so far][Dm, H Dh] W_O S_V of every head, carried as far as the layer
    std::vector<MatrixF> m_directions; ///< [layers so far][Dm, H C] what directions have become by then
    CompositionScores m_scores;
};

} // namespace headscope
