// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "model/analysis/circuits/residual_model.h"
#include "model/base/job_context.h"
#include "model/base/result.h"
#include "model/data/circuits/composition_results.h"
#include "model/data/matrix.h"

#include <array>
#include <cstdint>
#include <span>
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
    int threads = 1;

    /// Bytes that a run holds at most, without the weights of its layer.
    [[nodiscard]] double bytes() const;
};

/// Composition of all pairs of heads, layer after layer, so that only one layer's weights need to be in memory.
///
/// With W_OV1 = W_O1 V1 of an earlier head, W_QK2 = Q2^T K2 of a later one, all gains folded in, a score is the norm
/// that survives the product: |W_QK2 W_OV1| / (|W_QK2| |W_OV1|) for K, W_QK2^T for Q, W_OV2 for V. No matrix of
/// Dm x Dm is made: |A X B| = |S_A X S_B| with S_A = (A^T A)^(1/2), S_B = (B B^T)^(1/2) of Dh x Dh.
/// Rotary positions, biases, divisors of norms and MLPs between are left out. Behind norms in the stream, what a head
/// writes is carried through those between.
/// @source  Elhage et al. 2021, A Mathematical Framework for Transformer Circuits
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
    [[nodiscard]] Status measureLayer(const CompositionLayer& layer, Factors& factors, JobContext& job);
    void compare(std::int64_t earlier, std::int64_t firstHead, std::int64_t numHeads, const Factors& factors);
    void carryWritten(const CompositionLayer& layer);
    [[nodiscard]] double& score(CompositionKind kind, std::int64_t earlier, std::int64_t from, std::int64_t to);

    CompositionOptions m_options;
    std::int64_t m_layer = 0;       ///< to be added next
    std::vector<MatrixF> m_written; ///< [layers so far][Dm, H Dh] W_O S_V of every head, carried as far as the layer
    CompositionScores m_scores;
};

} // namespace headscope
