// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/net/config/tensor_names.h"

#include <algorithm>
#include <array>
#include <charconv>

namespace headscope
{
namespace
{

/// One row: how each naming calls the tensors of a role, with N for the layer and without the
/// final ".weight" or ".bias". "" = it has none.
struct NameRow
{
    TensorRole role;
    std::string_view huggingFace;
    std::string_view gguf;
};

constexpr std::array kDecoderNames = {
    NameRow{TensorRole::EmbedTokens, "embed_tokens", "token_embd"},
    NameRow{TensorRole::FinalNorm, "norm", "output_norm"},
    NameRow{TensorRole::RopeFactors, "", "rope_freqs"},
    NameRow{TensorRole::AttentionNorm, "layers.N.input_layernorm", "blk.N.attn_norm"},
    NameRow{TensorRole::Q, "layers.N.self_attn.q_proj", "blk.N.attn_q"},
    NameRow{TensorRole::K, "layers.N.self_attn.k_proj", "blk.N.attn_k"},
    NameRow{TensorRole::V, "layers.N.self_attn.v_proj", "blk.N.attn_v"},
    NameRow{TensorRole::O, "layers.N.self_attn.o_proj", "blk.N.attn_output"},
    NameRow{TensorRole::QNorm, "layers.N.self_attn.q_norm", "blk.N.attn_q_norm"},
    NameRow{TensorRole::KNorm, "layers.N.self_attn.k_norm", "blk.N.attn_k_norm"},
    NameRow{TensorRole::MlpNorm, "layers.N.post_attention_layernorm", "blk.N.ffn_norm"},
    NameRow{TensorRole::Gate, "layers.N.mlp.gate_proj", "blk.N.ffn_gate"},
    NameRow{TensorRole::Up, "layers.N.mlp.up_proj", "blk.N.ffn_up"},
    NameRow{TensorRole::Down, "layers.N.mlp.down_proj", "blk.N.ffn_down"},
};

constexpr std::array kEncoderNames = {
    NameRow{TensorRole::EmbedTokens, "embeddings.word_embeddings", ""},
    NameRow{TensorRole::EmbedPositions, "embeddings.position_embeddings", ""},
    NameRow{TensorRole::EmbedTypes, "embeddings.token_type_embeddings", ""},
    NameRow{TensorRole::EmbedNorm, "embeddings.LayerNorm", ""},
    NameRow{TensorRole::Q, "encoder.layer.N.attention.self.query", ""},
    NameRow{TensorRole::K, "encoder.layer.N.attention.self.key", ""},
    NameRow{TensorRole::V, "encoder.layer.N.attention.self.value", ""},
    NameRow{TensorRole::O, "encoder.layer.N.attention.output.dense", ""},
    NameRow{TensorRole::AttentionNorm, "encoder.layer.N.attention.output.LayerNorm", ""},
    NameRow{TensorRole::Up, "encoder.layer.N.intermediate.dense", ""},
    NameRow{TensorRole::Down, "encoder.layer.N.output.dense", ""},
    NameRow{TensorRole::MlpNorm, "encoder.layer.N.output.LayerNorm", ""},
};

constexpr std::array kDecoderModelRoles = {TensorRole::EmbedTokens, TensorRole::FinalNorm};
constexpr std::array kDecoderLayerRoles = {
    TensorRole::AttentionNorm, TensorRole::Q,    TensorRole::K,  TensorRole::V,   TensorRole::O,
    TensorRole::MlpNorm,       TensorRole::Gate, TensorRole::Up, TensorRole::Down};
constexpr std::array kEncoderModelRoles = {TensorRole::EmbedTokens, TensorRole::EmbedPositions, TensorRole::EmbedTypes,
                                           TensorRole::EmbedNorm};
constexpr std::array kEncoderLayerRoles = {
    TensorRole::Q,  TensorRole::K,    TensorRole::V,       TensorRole::O,
    TensorRole::Up, TensorRole::Down, TensorRole::MlpNorm, TensorRole::AttentionNorm};

std::span<const NameRow> namesOf(ModelFamily family)
{
    if (traitsOf(family).encoder)
        return kEncoderNames;
    return kDecoderNames;
}

std::string_view withoutPrefix(std::string_view name, ModelFamily family, TensorNaming naming)
{
    const std::string_view prefix = traitsOf(family).encoder ? "bert." : "model.";
    if (naming == TensorNaming::HuggingFace && name.starts_with(prefix))
        name.remove_prefix(prefix.size());
    return name;
}

/// Splits "layers.12.mlp" into "layers.N.mlp" and 12. Names without a number are left as they are.
std::string patternOf(std::string_view name, std::int64_t& layer)
{
    layer = 0;
    for (std::size_t dot = name.find('.'); dot != std::string_view::npos; dot = name.find('.', dot + 1))
    {
        const std::size_t end = std::min(name.find('.', dot + 1), name.size());
        const std::string_view piece = name.substr(dot + 1, end - dot - 1);
        const auto read = std::from_chars(piece.data(), piece.data() + piece.size(), layer);
        const bool canonical = piece == "0" || !piece.starts_with('0');
        if (!piece.empty() && read.ec == std::errc() && read.ptr == piece.data() + piece.size() && layer >= 0 &&
            canonical)
            return std::string(name.substr(0, dot + 1)).append("N").append(name.substr(end));
        layer = 0;
    }
    return std::string(name);
}

} // namespace

std::optional<TensorKey> tensorKey(std::string_view name, ModelFamily family, TensorNaming naming)
{
    name = withoutPrefix(name, family, naming);
    const std::size_t dot = name.rfind('.');
    if (dot == std::string_view::npos)
        return std::nullopt;
    const std::string_view kind = name.substr(dot + 1);
    TensorKey key;
    // Very old BERT checkpoints call the weight and bias of a layer norm gamma and beta.
    const bool oldNorm = traitsOf(family).encoder && name.substr(0, dot).ends_with("LayerNorm");
    if (kind == "bias" || (oldNorm && kind == "beta"))
        key.bias = true;
    else if (kind != "weight" && !(oldNorm && kind == "gamma"))
        return std::nullopt;
    const std::string pattern = patternOf(name.substr(0, dot), key.layer);
    for (const NameRow& row : namesOf(family))
    {
        const std::string_view known = naming == TensorNaming::Gguf ? row.gguf : row.huggingFace;
        if (!known.empty() && known == pattern)
        {
            key.role = row.role;
            return key;
        }
    }
    return std::nullopt;
}

std::string tensorName(const TensorKey& key, ModelFamily family, TensorNaming naming)
{
    std::string name;
    for (const NameRow& row : namesOf(family))
        if (row.role == key.role)
            name = naming == TensorNaming::Gguf ? row.gguf : row.huggingFace;
    if (const std::size_t at = name.find(".N."); at != std::string::npos)
        name.replace(at + 1, 1, std::to_string(key.layer));
    return name + (key.bias ? ".bias" : ".weight");
}

bool isIgnoredTensor(std::string_view name, ModelFamily family, TensorNaming naming)
{
    if (naming == TensorNaming::Gguf)
        return name == "output.weight" || name == "output.bias";
    name = withoutPrefix(name, family, naming);
    if (traitsOf(family).encoder)
        return name.starts_with("pooler.") || name.starts_with("cls.") || name == "embeddings.position_ids" ||
               name == "embeddings.token_type_ids";
    return name.starts_with("lm_head.") || name.ends_with(".rotary_emb.inv_freq") || name == "rotary_emb.inv_freq";
}

std::span<const TensorRole> modelRoles(ModelFamily family)
{
    if (traitsOf(family).encoder)
        return kEncoderModelRoles;
    return kDecoderModelRoles;
}

std::span<const TensorRole> layerRoles(ModelFamily family)
{
    if (traitsOf(family).encoder)
        return kEncoderLayerRoles;
    return kDecoderLayerRoles;
}

TensorShape expectedShape(const TensorKey& key, const ModelConfig& config)
{
    const std::int64_t qWidth = config.heads * config.headDim;
    const std::int64_t kvWidth = config.kvHeads * config.headDim;
    TensorShape shape;
    switch (key.role)
    {
    case TensorRole::EmbedTokens:
        shape = {config.vocabulary, config.modelDim};
        break;
    case TensorRole::EmbedPositions:
        shape = {config.maxPositions, config.modelDim};
        break;
    case TensorRole::EmbedTypes:
        shape = {config.tokenTypes, config.modelDim};
        break;
    case TensorRole::EmbedNorm:
    case TensorRole::FinalNorm:
    case TensorRole::AttentionNorm:
    case TensorRole::MlpNorm:
        shape = {1, config.modelDim, true};
        break;
    case TensorRole::RopeFactors:
        shape = {1, config.headDim / 2, true};
        break;
    case TensorRole::QNorm:
    case TensorRole::KNorm:
        shape = {1, config.headDim, true};
        break;
    case TensorRole::Q:
        shape = {qWidth, config.modelDim};
        break;
    case TensorRole::K:
    case TensorRole::V:
        shape = {kvWidth, config.modelDim};
        break;
    case TensorRole::O:
        shape = {config.modelDim, qWidth};
        break;
    case TensorRole::Gate:
    case TensorRole::Up:
        shape = {config.mlpDim, config.modelDim};
        break;
    case TensorRole::Down:
        shape = {config.modelDim, config.mlpDim};
        break;
    }
    if (key.bias && !shape.vector)
        shape = {1, shape.rows, true};
    return shape;
}

} // namespace headscope
