// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "model/net/config/model_config.h"

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace headscope
{

/// What a tensor is for, whatever its file calls it.
enum class TensorRole
{
    EmbedTokens,
    EmbedPositions, ///< BERT
    EmbedTypes,     ///< BERT
    EmbedNorm,      ///< BERT
    FinalNorm,
    RopeFactors, ///< GGUF: llama3 scaling as [Dh / 2] divisors of the frequencies
    Q,
    K,
    V,
    O,
    QNorm,
    KNorm,
    AttentionNorm,
    MlpNorm,
    Gate,
    Up,
    Down,
};

/// Tables of which a run needs single rows: they stay on disk.
[[nodiscard]] constexpr bool isEmbeddingTable(TensorRole role)
{
    return role == TensorRole::EmbedTokens || role == TensorRole::EmbedPositions || role == TensorRole::EmbedTypes;
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

/// The tensor that a name in a file stands for; nothing when this family has none of that name.
/// The prefix that some Hugging Face checkpoints carry ("model.", "bert.") may be there or not.
[[nodiscard]] std::optional<TensorKey> tensorKey(std::string_view name, ModelFamily family, TensorNaming naming);

/// The name such a tensor has, without prefix.
[[nodiscard]] std::string tensorName(const TensorKey& key, ModelFamily family, TensorNaming naming);

/// Whether a tensor is known to be of no use here: output heads, poolers, old position buffers.
[[nodiscard]] bool isIgnoredTensor(std::string_view name, ModelFamily family, TensorNaming naming);

/// The roles whose weight every model of this family has: once, and in every layer.
[[nodiscard]] std::span<const TensorRole> modelRoles(ModelFamily family);
[[nodiscard]] std::span<const TensorRole> layerRoles(ModelFamily family);

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
