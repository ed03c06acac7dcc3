// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/net/forward/layer.h"

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

LayerTensors tensorsOfHead(Operations& ops, const ModelConfig& config, const LayerTensors& layer, HeadIndex head)
{
    using enum TensorRole;
    const std::int64_t dims = config.headDim;
    const std::int64_t kvHeads = layer[K].weight.rows() / dims;
    const std::int64_t group = head.value() / (config.heads / kvHeads);
    LayerTensors tensors = layer;
    tensors.only = head;
    const auto keep = [&](TensorRole role, std::int64_t number) {
        Linear& matrix = tensors[role];
        matrix.weight = ops.rows(matrix.weight, number * dims, dims);
        if (!matrix.bias.empty())
            matrix.bias = ops.columns(matrix.bias, number * dims, dims);
    };
    keep(Q, head.value());
    keep(K, group);
    keep(V, group);
    return tensors;
}

Tensor normed(Operations& ops, const ModelConfig& config, const Tensor& x, const Linear& norm)
{
    const auto eps = static_cast<float>(config.normEps);
    return config.traits().normKind == NormKind::Rms ? ops.rmsNorm(x, norm.weight, eps)
                                                     : ops.layerNorm(x, norm.weight, norm.bias, eps);
}

} // namespace headscope
