// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/net/forward/encoder.h"

namespace headscope
{

void runEncoderLayer(Operations& ops, const LayerRun& run, StepState& state)
{
    const LayerTensors& w = run.weights;
    const auto eps = static_cast<float>(run.config.normEps);
    const std::int64_t width = run.config.heads * run.config.headDim; // H = KV
    const AttentionShape shape = attentionShape(run.config, run.layer);
    const bool pickedOnly = run.last && !state.packing.picked.empty() && !run.probabilities;

    Tensor z; // [R, H Dh]
    if (pickedOnly)
    {
        const Tensor kv = ops.linear(state.x, {w.k, w.v});       // [T, 2 H Dh]
        state.x = ops.selectRows(state.x, state.packing.picked); // [S, Dm]
        state.reduced = true;
        z = ops.attention(ops.linear(state.x, {w.q}), ops.columns(kv, 0, width), ops.columns(kv, width, width),
                          state.packing, Queries::Picked, shape, {});
    }
    else
    {
        const Tensor qkv = ops.linear(state.x, {w.q, w.k, w.v}); // [T, 3 H Dh]
        z = ops.attention(ops.columns(qkv, 0, width), ops.columns(qkv, width, width),
                          ops.columns(qkv, 2 * width, width), state.packing, Queries::All, shape, run.probabilities);
    }
    const Tensor o = projectHeads(ops, run, state, z); // [R, Dm]
    if (o.empty())
        return;
    ops.add(state.x, o);
    state.x = ops.layerNorm(state.x, w.attentionNorm.weight, w.attentionNorm.bias, eps); // [R, Dm]

    Tensor inner = ops.linear(state.x, {w.up}); // [R, F]
    ops.gelu(inner);
    ops.linearAdd(inner, w.down, state.x);
    state.x = ops.layerNorm(state.x, w.mlpNorm.weight, w.mlpNorm.bias, eps); // [R, Dm]
}

} // namespace headscope
