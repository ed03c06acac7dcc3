// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "model/analysis/circuits/head_lens.h"
#include "model/analysis/circuits/residual_model.h"
#include "model/base/result.h"
#include "model/net/weights/weights.h"

#include <cstdint>
#include <span>

namespace headscope::engine
{

/// Whether parts of a vector can be told for models of this family.
/// @errors Unsupported: neither RMS norms in front of the blocks nor LayerNorms behind them
[[nodiscard]] Status checkResidualFamily(const ModelConfig& config);

/// A vector of the weights; empty where the model has none.
[[nodiscard]] std::span<const float> weightVector(const Weights& weights, const TensorKey& key);

/// A norm of the residual stream.
[[nodiscard]] FrozenNorm weightNorm(const Weights& weights, TensorRole role, std::int64_t layer);

/// The weights of a layer of a decoder that its lens needs, as they lie in memory.
/// @param weights  of this layer, and outside of the layers
[[nodiscard]] LensLayer lensLayer(const Weights& weights, std::int64_t layer);

/// The weights of a model that its contributions need, as they lie in memory.
/// @param weights  of all layers
/// @errors those of checkResidualFamily
[[nodiscard]] Result<ResidualModel> residualModel(const Weights& weights);

} // namespace headscope::engine
