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

Tensor normed(Operations& ops, const ModelConfig& config, const Tensor& x, const Linear& norm)
{
    const auto eps = static_cast<float>(config.normEps);
    return config.traits().normKind == NormKind::Rms ? ops.rmsNorm(x, norm.weight, eps)
                                                     : ops.layerNorm(x, norm.weight, norm.bias, eps);
}

} // namespace headscope
