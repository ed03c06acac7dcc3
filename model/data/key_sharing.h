// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "model/data/model_info.h"
#include "model/data/stage.h"

#include <optional>
#include <string>

namespace headscope
{

/// How the heads of a model share keys and values.
enum class KeySharing
{
    Unknown, ///< the cache does not say
    Own,     ///< every head has its own
    Groups,  ///< several heads share one, in groups
    One,     ///< all heads share one
};

[[nodiscard]] KeySharing keySharing(const ModelInfo& info);

/// Whether rows of this stage fall into KV groups: true heads (segments belong to none) of a model in
/// which some of them, and not all, share keys and values.
[[nodiscard]] bool hasKvGroups(const ModelInfo& info, Stage stage);

/// The model with the grouping of this stage's rows: where they fall into no KV groups, every row is a group of its
/// own (groupSize() is 1). Colours, and what a removal saves, use the model itself instead.
[[nodiscard]] ModelInfo groupedAt(const ModelInfo& info, Stage stage);

/// Whether the model keeps keys and values from token to token: an encoder reads a text at once.
[[nodiscard]] bool keepsCache(const ModelInfo& info);

/// Whether queries, keys and values have biases; none: the cache does not say it, as the family leaves it to the model.
[[nodiscard]] std::optional<bool> hasAttentionBiases(const ModelInfo& info);
/// Whether queries and keys are rotated by the position of their token (RoPE); none: the cache does not say the family.
[[nodiscard]] std::optional<bool> rotatesByPosition(const ModelInfo& info);

/// "9 heads in 3 KV groups", "12 heads, each with keys and values of its own", "8 heads, all with the
/// same keys and values"; "12 heads" where the cache does not say.
[[nodiscard]] std::string headsAndGroups(const ModelInfo& info);

} // namespace headscope
