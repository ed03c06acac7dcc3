// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "model/net/config/model_config.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace headscope
{

/// Rows of the relative bias: distances in one direction and in the other.
/// @source  Raffel et al. 2020 (arXiv 1910.10683), section 2.1; 32 in all models
inline constexpr std::int64_t kRelativeBuckets = 32;

/// Tables of which a run needs single rows: they stay on disk.
[[nodiscard]] constexpr bool isEmbeddingTable(TensorRole role)
{
    return role <= TensorRole::EmbedTypes;
}
/// Whether every layer has a tensor of its own.
[[nodiscard]] constexpr bool isLayerRole(TensorRole role)
{
    return role >= TensorRole::Q;
}
/// Norms and factors of the model, in memory beside its layers.
[[nodiscard]] constexpr bool isOutsideLayers(TensorRole role)
{
    return !isEmbeddingTable(role) && !isLayerRole(role);
}

/// Whether it scales what a norm has brought to unit size.
[[nodiscard]] constexpr bool isNorm(TensorRole role)
{
    using enum TensorRole;
    return role == EmbedNorm || role == FinalNorm || role == AttentionNorm || role == MlpNorm || role == QNorm ||
           role == KNorm || role == AttentionOutNorm || role == MlpOutNorm;
}

/// One tensor of a model: its role, its layer (0 where it belongs to none), weight or bias.
struct TensorKey
{
    TensorRole role = TensorRole::EmbedTokens;
    std::int64_t layer = 0;
    bool bias = false;

    auto operator<=>(const TensorKey&) const = default;
};

/// How a kind of file names its tensors.
enum class TensorNaming
{
    HuggingFace,
    Gguf,
};

/// The tensor that a name in a file stands for, the first one where it stands for several (tensorParts); nothing when
/// this family has none of that name.
/// The prefix that some Hugging Face checkpoints carry ("model.", "bert.") may be there or not.
[[nodiscard]] std::optional<TensorKey> tensorKey(std::string_view name, ModelFamily family, TensorNaming naming);

/// Itself, or where one tensor holds several: all that it holds, in the order of its rows.
[[nodiscard]] std::vector<TensorKey> tensorParts(const TensorKey& key, ModelFamily family, TensorNaming naming);

/// Whether a name without meaning begins as those of a layer's tensors: what it holds would take part in the
/// computation.
[[nodiscard]] bool isInLayer(std::string_view name, ModelFamily family, TensorNaming naming);

/// The name such a tensor has, without prefix.
[[nodiscard]] std::string tensorName(const TensorKey& key, ModelFamily family, TensorNaming naming);

/// Whether a tensor is known to be of no use here: output heads, poolers, old position buffers.
[[nodiscard]] bool isIgnoredTensor(std::string_view name, ModelFamily family, TensorNaming naming);

/// [rows, cols] of a matrix, [cols] of a vector; 0 = any.
struct TensorShape
{
    std::int64_t rows = 0; ///< 1 for vectors
    std::int64_t cols = 0;
    bool vector = false;
};
/// The shape that the configuration demands of a tensor.
[[nodiscard]] TensorShape expectedShape(const TensorKey& key, const ModelConfig& config);

} // namespace headscope
