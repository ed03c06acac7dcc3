// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "model/data/matrix.h"
#include "model/net/forward/operations.h"

#include <cstdint>
#include <stop_token>
#include <vector>

namespace headscope
{

/// The queries, keys and values of one document and the place of its results.
struct AttentionTask
{
    ConstMatrixView q;                 ///< [Q, H Dh]
    ConstMatrixView k;                 ///< [T, KV Dh]
    ConstMatrixView v;                 ///< [T, KV Dh]
    MatrixView<float> z;               ///< [Q, H Dh]
    std::int64_t firstPosition = 0;    ///< position of the first query; the others follow it
    ConstMatrixView distanceBias = {}; ///< as AttentionShape::distanceBias; without data: none
};

/// Attention of one document, head by head, in tiles of queries that see only the keys they may.
/// @param scratch  grows as needed, kept between calls
/// @param document its number, for the sink
/// @param stop     polled once a tile; the rest is left out once it is requested
/// @cost  4 Q T Dh H FLOP, half of it where causal; memory: a tile of 64 x T floats
void attendDocument(const AttentionTask& task, const AttentionShape& shape, DocumentIndex document,
                    const ProbabilitySink& probabilities, std::vector<float>& scratch, const std::stop_token& stop);

} // namespace headscope
