// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "model/net/forward/network.h"

namespace headscope
{

/// What the position scheme of a family (PositionScheme) does in a forward pass, in the order in which it is done.

inline constexpr std::int64_t kFarthestDistance = 128; ///< D below

/// The relative bias by the distance of key and query: [H, 2 D + 1] of a table [32, H], D being where all farther keys
/// count as one. The first 16 rows are of the token itself and the keys before it: one row each up to 7 tokens away,
/// then rows of growing width, up to 128 tokens; the other 16 are of the keys behind it.
/// @source  Raffel et al. 2020 (arXiv 1910.10683), section 2.1, in both directions; used so by MPNet (2004.09297)
[[nodiscard]] MatrixF biasByDistance(ConstMatrixView table);

/// Adds to the embedded tokens x [T, Dm] what is added to them below the first layer.
/// @errors InvalidArgument (a text that the model has no positions for), those of Weights::embeddingRow
[[nodiscard]] Status addPositions(const Network& network, const StepInput& input, MatrixF& x);

/// Computes what all layers need for the positions of a step.
void beginPositions(Operations& ops, const Network& network, StepState& state);

/// Turns the queries and keys of a layer to their positions, in place.
/// @param q  [R, H Dh] of all tokens or of the picked ones
/// @param k  [T, KV Dh]
void placeQueriesAndKeys(Operations& ops, const LayerRun& run, const StepState& state, Queries queries, Tensor& q,
                         Tensor& k);

} // namespace headscope
