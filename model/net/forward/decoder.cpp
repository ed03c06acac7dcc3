// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/net/forward/decoder.h"

namespace headscope
{
namespace
{

/// The heads' outputs of all tokens, or of the picked ones: [R, H Dh].
Tensor decoderAttention(Operations& ops, const LayerRun& run, const StepState& state, const Tensor& normed,
                        Queries queries)
{
    const LayerTensors& w = run.weights;
    const std::int64_t qWidth = run.config.heads * run.config.headDim;
    const std::int64_t kvWidth = run.kvHeads() * run.config.headDim;
    const auto eps = static_cast<float>(run.config.normEps);

    AttentionVectors vectors;
    auto& [q, k, v, z] = vectors;
    if (queries == Queries::All)
    {
        const Tensor qkv = ops.linear(normed, {w.q, w.k, w.v}); // [T, (H + 2 KV) Dh]
        q = ops.columns(qkv, 0, qWidth);                        // [T, H Dh]
        k = ops.columns(qkv, qWidth, kvWidth);                  // [T, KV Dh]
        v = ops.columns(qkv, qWidth + kvWidth, kvWidth);        // [T, KV Dh]
    }
    else
    {
        const Tensor kv = ops.linear(normed, {w.k, w.v});                    // [T, 2 KV Dh]
        q = ops.linear(ops.selectRows(normed, state.packing.picked), {w.q}); // [S, H Dh]
        k = ops.columns(kv, 0, kvWidth);                                     // [T, KV Dh]
        v = ops.columns(kv, kvWidth, kvWidth);                               // [T, KV Dh]
    }
    if (!w.qNorm.empty())
        ops.headNorm(q, w.qNorm, eps);
    if (!w.kNorm.empty())
        ops.headNorm(k, w.kNorm, eps);
    if (queries == Queries::All)
        ops.rotate(q, state.cosines, state.sines);
    else
        ops.rotate(q, ops.selectRows(state.cosines, state.packing.picked),
                   ops.selectRows(state.sines, state.packing.picked));
    ops.rotate(k, state.cosines, state.sines);
    z = ops.attention(q, k, v, state.packing, queries, run.attentionShape(), run.watch.probabilities);
    finishHeads(ops, run, vectors);
    return z;
}

} // namespace

void runDecoderLayer(Operations& ops, const LayerRun& run, StepState& state)
{
    const LayerTensors& w = run.weights;
    const auto eps = static_cast<float>(run.config.normEps);
    const bool pickedOnly = run.pickedOnly(state);

    const Tensor normed = ops.rmsNormForProducts(state.x, w.attentionNorm.weight, eps); // [T, Dm]
    const Tensor z = decoderAttention(ops, run, state, normed, pickedOnly ? Queries::Picked : Queries::All);
    if (pickedOnly)
    {
        state.x = ops.selectRows(state.x, state.packing.picked); // [S, Dm]
        state.reduced = true;
    }
    const Tensor o = projectHeads(ops, run, state, z); // [R, Dm]
    if (o.empty())
        return;
    ops.add(state.x, o);

    const Tensor inner = ops.rmsNormForProducts(state.x, w.mlpNorm.weight, eps);      // [R, Dm]
    const Tensor gated = ops.gatedSilu(ops.linear(inner, {w.gate, w.up})); // [R, F]
    ops.linearAdd(gated, w.down, state.x);
}

} // namespace headscope
