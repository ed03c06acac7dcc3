// SPDX-License-Identifier: GPL-3.0-or-later
// The layer that layer.h declares.
#include "model/net/forward/layer.h"
#include "model/net/forward/positions.h"

namespace headscope
{
namespace
{

/// The norm of what attention or MLP multiplies next, and nobody keeps.
Tensor inputNorm(Operations& ops, const LayerRun& run, const Tensor& x, TensorRole role)
{
    const Linear& norm = run.weights[role];
    if (norm.weight.empty()) // the first layer of some families has none
        return x;
    if (run.config.traits().normKind == NormKind::Rms)
        return ops.rmsNormForProducts(x, norm.weight, static_cast<float>(run.config.normEps));
    return normed(ops, run.config, x, norm);
}

AttentionShape attentionShape(Operations& ops, const LayerRun& run, const StepState& state)
{
    const std::optional<HeadIndex>& only = run.weights.only;
    return {.heads = run.heads(),
            .kvHeads = run.kvHeads(),
            .headDim = run.config.headDim,
            .causal = run.config.causal,
            .window = run.config.windows[run.layer.index()],
            .scale = static_cast<float>(run.config.scoreScale()),
            .softcap = static_cast<float>(run.config.softcap),
            .distanceBias = only && !state.distanceBias.empty() ? ops.rows(state.distanceBias, only->value(), 1)
                                                                : state.distanceBias};
}

/// Sets the heads that are off, and hands to the watch what it asked for.
void finishHeads(Operations& ops, const LayerRun& run, AttentionVectors& vectors)
{
    const std::optional<HeadIndex>& only = run.weights.only;
    for (const SetHead& each : run.weights.set)
        if (!only || *only == each.head)
            ops.setColumns(vectors.z, only ? 0 : each.head.value() * run.config.headDim, each.value);
    if (run.watch.vectors)
        run.watch.vectors(vectors);
}

/// The heads' outputs of all tokens, or of the picked ones: [R, H Dh].
/// @param x  [T, Dm]
Tensor attention(Operations& ops, const LayerRun& run, const StepState& state, const Tensor& x, Queries queries)
{
    using enum TensorRole;
    const LayerTensors& w = run.weights;
    const std::int64_t qWidth = run.heads() * run.config.headDim;
    const std::int64_t kvWidth = run.kvHeads() * run.config.headDim;

    AttentionVectors vectors;
    auto& [q, k, v, z] = vectors;
    if (queries == Queries::All)
    {
        const Tensor qkv = ops.linear(x, {w[Q], w[K], w[V]}); // [T, (H + 2 KV) Dh]
        q = ops.columns(qkv, 0, qWidth);                      // [T, H Dh]
        k = ops.columns(qkv, qWidth, kvWidth);                // [T, KV Dh]
        v = ops.columns(qkv, qWidth + kvWidth, kvWidth);      // [T, KV Dh]
    }
    else
    {
        const Tensor kv = ops.linear(x, {w[K], w[V]});                   // [T, 2 KV Dh]
        q = ops.linear(ops.selectRows(x, state.packing.picked), {w[Q]}); // [S, H Dh]
        k = ops.columns(kv, 0, kvWidth);                                 // [T, KV Dh]
        v = ops.columns(kv, kvWidth, kvWidth);                           // [T, KV Dh]
    }
    if (run.config.traits().queryKeyNorm)
    {
        ops.headNorm(q, w[QNorm].weight, static_cast<float>(run.config.normEps));
        ops.headNorm(k, w[KNorm].weight, static_cast<float>(run.config.normEps));
    }
    placeQueriesAndKeys(ops, run, state, queries, q, k);
    z = ops.attention(q, k, v, state.packing, queries, attentionShape(ops, run, state), run.watch.probabilities);
    finishHeads(ops, run, vectors);
    return z;
}

/// Hands stage 1, stage 2 and the contributions of a layer to the sink; returns o_proj's output
/// [rows of z, Dm], or nothing when neither it nor anything after it is needed.
Tensor projectHeads(Operations& ops, const LayerRun& run, const StepState& state, const Tensor& z)
{
    if (run.taps.headOutput)
        run.sink(run.layer, Tap::HeadOutput, state.pooled(ops, z));
    if (run.taps.contribution)
        run.sink(run.layer, Tap::Contribution,
                 ops.contributions(state.pooled(ops, z), run.weights[TensorRole::O].weight, run.config.heads));
    if (run.last && !run.taps.projected && !run.taps.needsMlp())
        return {};
    Tensor o = ops.linear(z, {run.weights[TensorRole::O]}); // [R, Dm]
    if (run.taps.projected)
        run.sink(run.layer, Tap::Projected, state.pooled(ops, o));
    if (run.last && !run.taps.needsMlp())
        return {};
    return o;
}

/// What goes into the down projection: [R, F].
Tensor mlpInner(Operations& ops, const LayerRun& run, const Tensor& x)
{
    using enum TensorRole;
    const LayerTensors& w = run.weights;
    if (run.config.traits().hasGate())
        return ops.gated(ops.linear(x, {w[Gate], w[Up]}), run.config.activation);
    Tensor inner = ops.linear(x, {w[Up]});
    ops.activate(inner, run.config.activation);
    return inner;
}

} // namespace

void runTransformerLayer(Operations& ops, const LayerRun& run, StepState& state)
{
    using enum TensorRole;
    const LayerTensors& w = run.weights;
    const FamilyTraits& traits = run.config.traits();
    const Queries queries = run.pickedOnly(state) ? Queries::Picked : Queries::All;
    const auto blockInput = [&](TensorRole norm) {
        return traits.hasNormsBefore() ? inputNorm(ops, run, state.x, norm) : state.x;
    };
    const auto normSum = [&](TensorRole norm) {
        if (!traits.hasNormsBefore())
            state.x = normed(ops, run.config, state.x, w[norm]);
    };

    const Tensor z = attention(ops, run, state, blockInput(AttentionNorm), queries); // [R, H Dh]
    if (queries == Queries::Picked)
    {
        state.x = ops.selectRows(state.x, state.packing.picked); // [S, Dm]
        state.reduced = true;
    }
    const Tensor o = projectHeads(ops, run, state, z); // [R, Dm]
    if (o.empty())
        return;
    const Tensor early = run.config.parallelResidual ? blockInput(MlpNorm) : Tensor(); // [R, Dm]
    ops.add(state.x, traits.hasOutNorms() ? normed(ops, run.config, o, w[AttentionOutNorm]) : o);
    if (run.watch.stream)
        run.watch.stream(StreamPoint::Attention, state.x);
    normSum(AttentionNorm);

    const Tensor inner = mlpInner(ops, run, run.config.parallelResidual ? early : blockInput(MlpNorm)); // [R, F]
    if (traits.hasOutNorms())
        ops.add(state.x, normed(ops, run.config, ops.linear(inner, {w[Down]}), w[MlpOutNorm]));
    else
        ops.linearAdd(inner, w[Down], state.x);
    if (run.watch.stream)
        run.watch.stream(StreamPoint::Mlp, state.x);
    normSum(MlpNorm);
}

} // namespace headscope
