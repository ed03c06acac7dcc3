// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "model/base/strong_index.h"
#include "model/data/attention/attention_run.h"
#include "model/data/model_info.h"

#include <cstdint>
#include <span>

namespace headscope::viz
{

/// How much one token reads of another in one head, step by step. Sums are in double.
struct CellNumbers
{
    double dot = 0;          ///< <q, k>, after norms and rotation
    double scaled = 0;       ///< divided by sqrt(Dh), or what the model does in its place
    double bias = 0;         ///< added to that by the distance of key and query
    bool mayRead = true;     ///< false: masked, because the token comes later or lies outside of the window
    std::int64_t over = 0;   ///< tokens that the softmax runs over
    double weight = 0;       ///< share of the row: softmax
    double computed = 0;     ///< the same from q and k alone
    double first = 0;        ///< what the first token has of the row
    double withoutFirst = 0; ///< weight / what the first leaves; NaN: it is the first, or nothing is left
    double valueLength = 0;  ///< |v|
    double share = 0;        ///< <weight v, z> / |z|^2: of the head's output at the reading token; a row sums to 1
    double outputLength = 0; ///< |z|
};

/// @param vectors  of the layer: q, z [T, H Dh], k, v [T, KV Dh]
/// @param model    heads, KV heads and head size
/// @param row      [T] weights of the reading token as the model has them; empty: those that q and k give
/// @param scores   of the run: what dot products become before the softmax
/// @cost  O(T Dh)
/// @source  Vaswani et al. 2017 (arXiv:1706.03762), eq. 1; shared keys and values: Ainslie et al. 2023
/// (arXiv:2305.13245)
[[nodiscard]] CellNumbers cellNumbers(const LayerVectors& vectors, const ModelInfo& model, HeadIndex head,
                                      TokenIndex reading, TokenIndex read, bool causal, std::span<const float> row = {},
                                      const ScoreRule& scores = {});

} // namespace headscope::viz
