// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "model/base/strong_index.h"
#include "model/data/model_info.h"
#include "model/data/stage.h"

#include <string>
#include <string_view>

namespace headscope
{

/// Whether the model norms the output of its last layer once more: with pre-norm it does, with post-norm it ends with
/// the layer. A family that is not known counts as pre-norm, which is what the cache file says of it.
[[nodiscard]] bool hasFinalNorm(const ModelInfo& model);

/// Whether these vectors stand after the model's final norm. Only stage 3 of the last layer may, and does unless it was
/// extracted raw: then the last point of a curve over layers is no step like those before it.
[[nodiscard]] bool afterFinalNorm(const ModelInfo& model, LayerIndex layer, Stage stage);

/// "after the final norm" or "before the final norm" of stage 3 of a last layer that has one, else "".
[[nodiscard]] std::string_view finalNormNote(const ModelInfo& model, LayerIndex layer, Stage stage);

/// What the full vector is, for people: "final hidden state" and how it became one vector. It is not called an
/// embedding: chat models have one as well and were never trained to embed.
/// @param pooling  "last", "mean", "first"; "" where it is not known
[[nodiscard]] std::string finalHiddenState(const ModelInfo& model, std::string_view pooling);

} // namespace headscope
