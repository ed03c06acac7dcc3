// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

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
    LeftOut, ///< taken away from every later row, the rest scaled to sum 1; a row without a rest keeps to itself
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

} // namespace headscope
