// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "model/base/strong_index.h"
#include "model/data/matrix.h"

#include <cstdint>
#include <span>
#include <vector>

namespace headscope
{

/// What becomes of the attention that goes to the first token, which in most models is a sink that says nothing.
enum class FirstToken
{
    Kept,
    /// Taken away from every later row of every head, the rest scaled to sum 1 head by head, so that a head that is
    /// nearly all on the first token counts as much as any other; a row without a rest keeps to itself.
    LeftOut,
};

/// How far apart the attention of heads is: Jensen-Shannon divergence in nats, summed over the rows, of a' = 0.999 a +
/// 0.001 / T.
/// @param weights  [n, T, T]
/// @return  [n, n], symmetric, 0 on the diagonal
/// @cost    O(n^2 T^2), with a logarithm each
[[nodiscard]] MatrixD attentionDistances(std::span<const float> weights, std::int64_t heads, std::int64_t tokens,
                                         int numThreads);

/// How one layer mixes its tokens: mean of the heads plus the residual stream, rows divided by their sums.
/// @param weights  [heads, T, T]
/// @return  [T, T]
[[nodiscard]] MatrixD mixedTokens(std::span<const float> weights, std::int64_t heads, std::int64_t tokens,
                                  FirstToken first);

/// Attention rollout: what of each token of the input is in each token behind a layer, were layers nothing but mixing.
/// @param mixed  mixedTokens() of layer 0 to l, in their order
/// @return  [T, T] behind layer l; rows sum to 1
/// @source  Abnar & Zuidema 2020, arXiv 2005.00928, section 3
/// @cost    O(l T^3)
[[nodiscard]] MatrixD attentionRollout(std::span<const MatrixD> mixed);

/// Attention flow: the largest flow from a token behind the last layer to each token of the input, with the mixing
/// weights as capacities.
/// @param mixed  as of attentionRollout
/// @return  [T]
/// @source  Abnar & Zuidema 2020, section 3; maximum flow by Dinic's method
/// @cost    T flows over l T^2 edges: for texts of some dozen tokens
[[nodiscard]] std::vector<double> attentionFlow(std::span<const MatrixD> mixed, std::int64_t token);

/// How alike the heads of a text are, and how its tokens reach each other over the layers.
struct AttentionPaths
{
    std::vector<MatrixD> distances; ///< of each layer, [H, H]
    MatrixD rollout;                ///< [T, T]
    MatrixD rolloutWithoutFirst;    ///< [T, T]
    std::int64_t flowOf = 0;        ///< the token that the flow leads to
    std::vector<double> flow;       ///< [T]; empty: the text is too long for it
};

/// Finds them from rows of all layers from the first on, that come in pieces. Holds T x T of all heads of one layer.
/// @threads one at a time; the result does not depend on `numThreads`
class PathMeasures
{
public:
    /// Tokens of a text whose flow is found: seconds at 30 layers.
    static constexpr std::int64_t kMaxOfFlow = 128;

    PathMeasures(std::int64_t heads, std::int64_t tokens, int numThreads);

    /// Adds rows [n, T] of a head of the layer that is not complete yet.
    void add(HeadIndex head, TokenIndex first, ConstMatrixView rows);
    /// Of the layers that are complete, at least one.
    /// @param flowOf  the token that the flow leads to
    [[nodiscard]] AttentionPaths take(std::int64_t flowOf) const;

private:
    std::int64_t m_heads;
    std::int64_t m_tokens;
    int m_numThreads;
    std::vector<float> m_layer; ///< [H, T, T]
    std::int64_t m_rows = 0;    ///< of it
    std::vector<MatrixD> m_distances;
    std::vector<MatrixD> m_mixed;
    std::vector<MatrixD> m_mixedWithoutFirst;
};

} // namespace headscope
