// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/data/model_family.h"

#include <algorithm>
#include <array>

namespace headscope
{
namespace
{

constexpr std::array kLlamaTensors = {
    TensorName{TensorRole::EmbedTokens, "embed_tokens", "token_embd"},
    TensorName{TensorRole::FinalNorm, "norm", "output_norm"},
    TensorName{TensorRole::RopeFactors, "", "rope_freqs"},
    TensorName{TensorRole::AttentionNorm, "layers.N.input_layernorm", "blk.N.attn_norm"},
    TensorName{TensorRole::Q, "layers.N.self_attn.q_proj", "blk.N.attn_q"},
    TensorName{TensorRole::K, "layers.N.self_attn.k_proj", "blk.N.attn_k"},
    TensorName{TensorRole::V, "layers.N.self_attn.v_proj", "blk.N.attn_v"},
    TensorName{TensorRole::O, "layers.N.self_attn.o_proj", "blk.N.attn_output"},
    TensorName{TensorRole::MlpNorm, "layers.N.post_attention_layernorm", "blk.N.ffn_norm"},
    TensorName{TensorRole::Gate, "layers.N.mlp.gate_proj", "blk.N.ffn_gate"},
    TensorName{TensorRole::Up, "layers.N.mlp.up_proj", "blk.N.ffn_up"},
    TensorName{TensorRole::Down, "layers.N.mlp.down_proj", "blk.N.ffn_down"},
    TensorName{TensorRole::QNorm, "layers.N.self_attn.q_norm", "blk.N.attn_q_norm"},
    TensorName{TensorRole::KNorm, "layers.N.self_attn.k_norm", "blk.N.attn_k_norm"},
};
constexpr std::array<std::string_view, 3> kLlamaUnused = {"lm_head.*", "*.rotary_emb.inv_freq", "rotary_emb.inv_freq"};

constexpr std::array kBertTensors = {
    TensorName{TensorRole::EmbedTokens, "embeddings.word_embeddings", ""},
    TensorName{TensorRole::EmbedPositions, "embeddings.position_embeddings", ""},
    TensorName{TensorRole::EmbedTypes, "embeddings.token_type_embeddings", ""},
    TensorName{TensorRole::EmbedNorm, "embeddings.LayerNorm", ""},
    TensorName{TensorRole::Q, "encoder.layer.N.attention.self.query", ""},
    TensorName{TensorRole::K, "encoder.layer.N.attention.self.key", ""},
    TensorName{TensorRole::V, "encoder.layer.N.attention.self.value", ""},
    TensorName{TensorRole::O, "encoder.layer.N.attention.output.dense", ""},
    TensorName{TensorRole::Up, "encoder.layer.N.intermediate.dense", ""},
    TensorName{TensorRole::Down, "encoder.layer.N.output.dense", ""},
    TensorName{TensorRole::MlpNorm, "encoder.layer.N.output.LayerNorm", ""},
    TensorName{TensorRole::AttentionNorm, "encoder.layer.N.attention.output.LayerNorm", ""},
};
constexpr std::array<std::string_view, 4> kBertUnused = {"pooler.*", "cls.*", "embeddings.position_ids",
                                                         "embeddings.token_type_ids"};

constexpr std::array kFamilies = {
    FamilyTraits{.family = ModelFamily::Mistral,
                 .name = "mistral",
                 .classPrefix = "Mistral",
                 .gguf = "", // they call themselves llama
                 .tensorPrefix = "model.",
                 .tensors = kLlamaTensors,
                 .unused = kLlamaUnused,
                 .window = WindowRule::AllLayers,
                 .windowNeedsCausality = false},
    FamilyTraits{.family = ModelFamily::Llama,
                 .name = "llama",
                 .classPrefix = "Llama",
                 .gguf = "llama",
                 .tensorPrefix = "model.",
                 .tensors = kLlamaTensors,
                 .unused = kLlamaUnused,
                 .attentionBias = BiasRule::AsConfigured,
                 .outputBias = BiasRule::AsConfigured,
                 .mlpBias = BiasRule::AsConfigured,
                 .ggufInterleaved = true,
                 .ggufWindowInEvery = true},
    FamilyTraits{.family = ModelFamily::Qwen2,
                 .name = "qwen2",
                 .classPrefix = "Qwen2",
                 .gguf = "qwen2",
                 .tensorPrefix = "model.",
                 .tensors = kLlamaTensors,
                 .unused = kLlamaUnused,
                 .window = WindowRule::ListedLayers,
                 .attentionBias = BiasRule::Always},
    FamilyTraits{.family = ModelFamily::Qwen3,
                 .name = "qwen3",
                 .classPrefix = "Qwen3",
                 .gguf = "qwen3",
                 .tensorPrefix = "model.",
                 .tensors = kLlamaTensors,
                 .unused = kLlamaUnused,
                 .window = WindowRule::ListedLayers,
                 .headDim = 128,
                 .attentionBias = BiasRule::AsConfigured,
                 .outputBias = BiasRule::AsConfigured,
                 .queryKeyNorm = true},
    FamilyTraits{.family = ModelFamily::Bert,
                 .name = "bert",
                 .classPrefix = "Bert",
                 .gguf = "",
                 .tensorPrefix = "bert.",
                 .tensors = kBertTensors,
                 .unused = kBertUnused,
                 .normPlacement = NormPlacement::Post,
                 .normKind = NormKind::Layer,
                 .normEpsKey = "layer_norm_eps",
                 .normEps = 1e-12,
                 .embeddingNorm = true,
                 .positions = PositionScheme::Learned,
                 .tokenTypes = true,
                 .direction = Direction::Bidirectional,
                 .headShapeKeys = false,
                 .attentionBias = BiasRule::Always,
                 .outputBias = BiasRule::Always,
                 .mlp = MlpKind::Gelu,
                 .mlpBias = BiasRule::Always,
                 .pooling = Pooling::Mean},
};

constexpr bool inOrderOfTheirNumbers()
{
    for (std::size_t i = 0; i < kFamilies.size(); ++i)
        if (static_cast<std::size_t>(kFamilies[i].family) != i)
            return false;
    return true;
}
static_assert(inOrderOfTheirNumbers(), "traitsOf() looks rows up by number");

} // namespace

std::span<const FamilyTraits> modelFamilies()
{
    return kFamilies;
}

const FamilyTraits& traitsOf(ModelFamily family)
{
    return kFamilies[static_cast<std::size_t>(family)];
}

const FamilyTraits* familyNamed(std::string_view name)
{
    const auto* const found =
        std::ranges::find_if(kFamilies, [name](const FamilyTraits& traits) { return traits.name == name; });
    return found == kFamilies.end() ? nullptr : found;
}

std::string_view familyName(ModelFamily family)
{
    return traitsOf(family).name;
}

std::string_view poolingName(Pooling pooling)
{
    constexpr std::array<std::string_view, 3> kNames = {"last", "first", "mean"};
    return kNames[static_cast<std::size_t>(pooling)];
}

std::string_view positionsName(PositionScheme positions)
{
    constexpr std::array<std::string_view, 2> kNames = {"rotary", "learned"};
    return kNames[static_cast<std::size_t>(positions)];
}

std::string namesOr(std::span<const std::string_view> names)
{
    std::string text;
    for (std::size_t i = 0; i < names.size(); ++i)
        text += (i == 0 ? "" : i + 1 == names.size() ? " or " : ", ") + std::string(names[i]);
    return text;
}

} // namespace headscope
