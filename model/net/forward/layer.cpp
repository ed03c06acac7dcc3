// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/net/forward/layer.h"

#include <cmath>

namespace headscope
{

Tensor StepState::pooled(Operations& ops, const Tensor& rows) const
{
    if (reduced)
        return rows;
    if (!packing.picked.empty())
        return ops.selectRows(rows, packing.picked);
    return ops.meanRows(rows, meanFrom, std::span(packing.offsets).subspan(1));
}

Tensor projectHeads(Operations& ops, const LayerRun& run, const StepState& state, const Tensor& z)
{
    if (run.taps.headOutput)
        run.sink(run.layer, Tap::HeadOutput, state.pooled(ops, z));
    if (run.taps.contribution)
        run.sink(run.layer, Tap::Contribution,
                 ops.contributions(state.pooled(ops, z), run.weights.o.weight, run.config.heads));
    if (run.last && !run.taps.projected && !run.taps.needsMlp())
        return {};
    Tensor o = ops.linear(z, {run.weights.o}); // [R, Dm]
    if (run.taps.projected)
        run.sink(run.layer, Tap::Projected, state.pooled(ops, o));
    if (run.last && !run.taps.needsMlp())
        return {};
    return o;
}

void finishHeads(Operations& ops, const LayerRun& run, AttentionVectors& vectors)
{
    for (const SetHead& each : run.weights.set)
        ops.setColumns(vectors.z, each.head.value() * run.config.headDim, each.value);
    if (run.watch.vectors)
        run.watch.vectors(vectors);
}

AttentionShape LayerRun::attentionShape() const
{
    return {.heads = config.heads,
            .kvHeads = kvHeads(),
            .headDim = config.headDim,
            .causal = config.causal,
            .window = config.windows[layer.index()],
            .scale = static_cast<float>(1.0 / std::sqrt(static_cast<double>(config.headDim)))};
}

} // namespace headscope
