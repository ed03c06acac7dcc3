// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "model/data/model_info.h"
#include "model/data/stage.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace headscope
{

/// What a layer's attention loses with the heads that are not kept; a number is missing where there is nothing to
/// lose, or the cache does not say how much: savingsNote() tells.
struct HeadSavings
{
    std::optional<std::int64_t> parameters; ///< weights, and biases where the family always has them
    std::optional<std::int64_t> kvBytes;    ///< per token at 2 bytes a value
};
/// A query head costs its rows of q_proj (and their biases) and columns of o_proj (whose bias belongs to no head);
/// keys, values and their cache go only when no head of the group is left.
/// @param kept  [H]
/// @param stage  of the vectors: segments (stages 2 and 3) are no part of the model
[[nodiscard]] HeadSavings savingsWithout(const std::vector<bool>& kept, const ModelInfo& model, Stage stage);

/// Sentences that say which numbers of savings are missing or incomplete, and why; "" where all are there.
[[nodiscard]] std::string savingsNote(const ModelInfo& model, Stage stage);

} // namespace headscope
