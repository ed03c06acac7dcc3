// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "model/data/attention/attention_run.h"

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace headscope::test
{

/// What a made-up run of attention is to be like.
struct AttentionRunShape
{
    std::int64_t tokens = 17;
    std::int64_t layers = 6;
    std::int64_t heads = 9;
    std::int64_t kvHeads = 3;
    std::int64_t headDim = 8;
    std::int64_t thumbnailSide = 64; ///< at most
    bool causal = true;
    /// Heads whose weights are held, as places layer * heads + head; empty: all.
    std::vector<std::int64_t> held{};
    /// Layers with queries, keys, values and outputs that give the weights exactly.
    std::vector<std::int64_t> vectorLayers{};
};

/// A run whose heads look at different places (the first token, the one before, all alike, the same place again); the
/// same every time. Weights of layers with vectors are softmax(q k / sqrt(Dh)), and z is what they make of v.
[[nodiscard]] std::shared_ptr<AttentionRun> makeAttentionRun(const AttentionRunShape& shape = {});
/// The weights of one head of such a run, [T, T].
[[nodiscard]] MatrixF attentionPattern(const AttentionRunShape& shape, std::int64_t layer, std::int64_t head);

} // namespace headscope::test
