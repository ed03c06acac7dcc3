// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/net/forward/encoder.h"

namespace headscope
{
namespace
{

/// The heads' outputs of all tokens, or of the picked ones, which then are all that is left of x: [R, H Dh].
Tensor encoderAttention(Operations& ops, const LayerRun& run, StepState& state)
{
    const LayerTensors& w = run.weights;
    const std::int64_t qWidth = run.config.heads * run.config.headDim;
    const std::int64_t kvWidth = run.kvHeads() * run.config.headDim;
    const AttentionShape shape = run.attentionShape();
    AttentionVectors vectors;
    auto& [q, k, v, z] = vectors;
    if (run.pickedOnly(state))
    {
        const Tensor kv = ops.linear(state.x, {w.k, w.v});       // [T, 2 KV Dh]
        state.x = ops.selectRows(state.x, state.packing.picked); // [S, Dm]
        state.reduced = true;
        q = ops.linear(state.x, {w.q}); // [S, H Dh]
        k = ops.columns(kv, 0, kvWidth);
        v = ops.columns(kv, kvWidth, kvWidth);
        z = ops.attention(q, k, v, state.packing, Queries::Picked, shape, {});
    }
    else
    {
        const Tensor qkv = ops.linear(state.x, {w.q, w.k, w.v}); // [T, (H + 2 KV) Dh]
        q = ops.columns(qkv, 0, qWidth);
        k = ops.columns(qkv, qWidth, kvWidth);
        v = ops.columns(qkv, qWidth + kvWidth, kvWidth);
        z = ops.attention(q, k, v, state.packing, Queries::All, shape, run.watch.probabilities);
    }
    finishHeads(ops, run, vectors);
    return z;
}

} // namespace

void runEncoderLayer(Operations& ops, const LayerRun& run, StepState& state)
{
    const LayerTensors& w = run.weights;
    const auto eps = static_cast<float>(run.config.normEps);
    const Tensor z = encoderAttention(ops, run, state); // [R, H Dh]
    const Tensor o = projectHeads(ops, run, state, z);  // [R, Dm]
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
