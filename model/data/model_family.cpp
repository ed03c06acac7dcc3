// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/data/model_family.h"

#include "model/data/encoder_families.h"

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

constexpr std::array<std::string_view, 4> kNvEmbedUnused = {"latent_attention_model.*", "lm_head.*",
                                                            "*.rotary_emb.inv_freq", "rotary_emb.inv_freq"};
/// mask_type b: bidirectional.
constexpr std::array kNvEmbedDemands = {DemandedValue{"mask_type", "b"}};

constexpr std::array kGemmaTensors = {
    TensorName{TensorRole::EmbedTokens, "embed_tokens", "token_embd"},
    TensorName{TensorRole::FinalNorm, "norm", "output_norm"},
    TensorName{TensorRole::AttentionNorm, "layers.N.input_layernorm", "blk.N.attn_norm"},
    TensorName{TensorRole::Q, "layers.N.self_attn.q_proj", "blk.N.attn_q"},
    TensorName{TensorRole::K, "layers.N.self_attn.k_proj", "blk.N.attn_k"},
    TensorName{TensorRole::V, "layers.N.self_attn.v_proj", "blk.N.attn_v"},
    TensorName{TensorRole::O, "layers.N.self_attn.o_proj", "blk.N.attn_output"},
    TensorName{TensorRole::AttentionOutNorm, "layers.N.post_attention_layernorm", "blk.N.post_attention_norm"},
    TensorName{TensorRole::MlpNorm, "layers.N.pre_feedforward_layernorm", "blk.N.ffn_norm"},
    TensorName{TensorRole::Gate, "layers.N.mlp.gate_proj", "blk.N.ffn_gate"},
    TensorName{TensorRole::Up, "layers.N.mlp.up_proj", "blk.N.ffn_up"},
    TensorName{TensorRole::Down, "layers.N.mlp.down_proj", "blk.N.ffn_down"},
    TensorName{TensorRole::MlpOutNorm, "layers.N.post_feedforward_layernorm", "blk.N.post_ffw_norm"},
    TensorName{TensorRole::QNorm, "layers.N.self_attn.q_norm", "blk.N.attn_q_norm"},
    TensorName{TensorRole::KNorm, "layers.N.self_attn.k_norm", "blk.N.attn_k_norm"},
};

constexpr std::array kPhi3Tensors = {
    TensorName{TensorRole::EmbedTokens, "embed_tokens", "token_embd"},
    TensorName{TensorRole::FinalNorm, "norm", "output_norm"},
    TensorName{TensorRole::RopeShortFactors, "", "rope_factors_short"},
    TensorName{TensorRole::RopeLongFactors, "", "rope_factors_long"},
    TensorName{TensorRole::AttentionNorm, "layers.N.input_layernorm", "blk.N.attn_norm"},
    TensorName{TensorRole::Q, "layers.N.self_attn.qkv_proj", "blk.N.attn_qkv"},
    TensorName{TensorRole::K, "layers.N.self_attn.qkv_proj", "blk.N.attn_qkv"},
    TensorName{TensorRole::V, "layers.N.self_attn.qkv_proj", "blk.N.attn_qkv"},
    TensorName{TensorRole::O, "layers.N.self_attn.o_proj", "blk.N.attn_output"},
    TensorName{TensorRole::MlpNorm, "layers.N.post_attention_layernorm", "blk.N.ffn_norm"},
    TensorName{TensorRole::Gate, "layers.N.mlp.gate_up_proj", "blk.N.ffn_up"},
    TensorName{TensorRole::Up, "layers.N.mlp.gate_up_proj", "blk.N.ffn_up"},
    TensorName{TensorRole::Down, "layers.N.mlp.down_proj", "blk.N.ffn_down"},
};

constexpr std::array kGpt2Tensors = {
    TensorName{TensorRole::EmbedTokens, "wte", "token_embd"},
    TensorName{TensorRole::EmbedPositions, "wpe", "position_embd"},
    TensorName{TensorRole::FinalNorm, "ln_f", "output_norm"},
    TensorName{TensorRole::AttentionNorm, "h.N.ln_1", "blk.N.attn_norm"},
    TensorName{TensorRole::Q, "h.N.attn.c_attn", "blk.N.attn_qkv"},
    TensorName{TensorRole::K, "h.N.attn.c_attn", "blk.N.attn_qkv"},
    TensorName{TensorRole::V, "h.N.attn.c_attn", "blk.N.attn_qkv"},
    TensorName{TensorRole::O, "h.N.attn.c_proj", "blk.N.attn_output"},
    TensorName{TensorRole::MlpNorm, "h.N.ln_2", "blk.N.ffn_norm"},
    TensorName{TensorRole::Up, "h.N.mlp.c_fc", "blk.N.ffn_up"},
    TensorName{TensorRole::Down, "h.N.mlp.c_proj", "blk.N.ffn_down"},
};
/// Masks of causal attention, which old checkpoints hold, and the output head.
constexpr std::array<std::string_view, 3> kGpt2Unused = {"lm_head.*", "*.attn.bias", "*.attn.masked_bias"};
constexpr std::array kGpt2Demands = {DemandedValue{"scale_attn_weights", "true"},
                                     DemandedValue{"scale_attn_by_inverse_layer_idx", "false"},
                                     DemandedValue{"add_cross_attention", "false"}};

constexpr std::array kGptNeoXTensors = {
    TensorName{TensorRole::EmbedTokens, "embed_in", "token_embd"},
    TensorName{TensorRole::FinalNorm, "final_layer_norm", "output_norm"},
    TensorName{TensorRole::AttentionNorm, "layers.N.input_layernorm", "blk.N.attn_norm"},
    TensorName{TensorRole::Q, "layers.N.attention.query_key_value", "blk.N.attn_qkv"},
    TensorName{TensorRole::K, "layers.N.attention.query_key_value", "blk.N.attn_qkv"},
    TensorName{TensorRole::V, "layers.N.attention.query_key_value", "blk.N.attn_qkv"},
    TensorName{TensorRole::O, "layers.N.attention.dense", "blk.N.attn_output"},
    TensorName{TensorRole::MlpNorm, "layers.N.post_attention_layernorm", "blk.N.ffn_norm"},
    TensorName{TensorRole::Up, "layers.N.mlp.dense_h_to_4h", "blk.N.ffn_up"},
    TensorName{TensorRole::Down, "layers.N.mlp.dense_4h_to_h", "blk.N.ffn_down"},
};
/// The output head, and masks and frequencies of old checkpoints.
constexpr std::array<std::string_view, 5> kGptNeoXUnused = {"embed_out.*", "lm_head.*", "*.attention.bias",
                                                            "*.attention.masked_bias", "*.rotary_emb.inv_freq"};

constexpr std::array kDecoders = {
    FamilyTraits{.family = ModelFamily::Mistral,
                 .name = "mistral",
                 .classPrefix = "Mistral",
                 .gguf = "", // they call themselves llama
                 .tensorPrefix = "model.",
                 .tensors = kLlamaTensors,
                 .unused = kLlamaUnused,
                 .window = WindowRule::AllLayers,
                 .wideWindow = WideWindow::None},
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
    FamilyTraits{.family = ModelFamily::LlamaBidirectional,
                 .name = "llama_bidirec",
                 .classPrefix = "LlamaBidirectional",
                 .gguf = "llama-embed",
                 .tensorPrefix = "model.",
                 .tensors = kLlamaTensors,
                 .unused = kLlamaUnused,
                 .keys = {.pooling = "pooling"},
                 .direction = Direction::Bidirectional,
                 .attentionBias = BiasRule::AsConfigured,
                 .outputBias = BiasRule::AsConfigured,
                 .mlpBias = BiasRule::AsConfigured,
                 .pooling = Pooling::Mean,
                 .ggufInterleaved = true},
    FamilyTraits{.family = ModelFamily::Qwen3Bidirectional,
                 .name = "bidirectional_pplx_qwen3",
                 .classPrefix = "PPLXQwen3",
                 .gguf = "",
                 .tensorPrefix = "model.",
                 .tensors = kLlamaTensors,
                 .unused = kLlamaUnused,
                 .direction = Direction::Bidirectional,
                 .window = WindowRule::ListedLayers,
                 .headDim = 128,
                 .attentionBias = BiasRule::AsConfigured,
                 .outputBias = BiasRule::AsConfigured,
                 .queryKeyNorm = true,
                 .pooling = Pooling::Mean},
    FamilyTraits{.family = ModelFamily::NvEmbed,
                 .name = "nvembed",
                 .classPrefix = "NVEmbed",
                 .gguf = "",
                 .tensorPrefix = "embedding_model.",
                 .tensors = kLlamaTensors,
                 .unused = kNvEmbedUnused,
                 .configObject = "text_config",
                 .demands = kNvEmbedDemands,
                 .direction = Direction::Bidirectional,
                 .window = WindowRule::AllLayers,
                 .wideWindow = WideWindow::None,
                 .pooling = Pooling::Mean,
                 .otherPooling = "latent attention"},
    FamilyTraits{.family = ModelFamily::Gemma2,
                 .name = "gemma2",
                 .classPrefix = "Gemma2",
                 .gguf = "gemma2",
                 .tensorPrefix = "model.",
                 .tensors = kGemmaTensors,
                 .unused = kLlamaUnused,
                 .keys = {.activation = "hidden_activation"},
                 .normPlacement = NormPlacement::Both,
                 .normWeightsFromOne = true,
                 .embeddingScaled = true,
                 .window = WindowRule::EveryNth,
                 .windowPattern = 2,
                 .headDim = 256,
                 .attentionBias = BiasRule::AsConfigured,
                 .outputBias = BiasRule::AsConfigured,
                 .queryScalar = 256,
                 .wideQueryLayers = 46,
                 .softcap = 50,
                 .activation = Activation::GeluTanh},
    FamilyTraits{.family = ModelFamily::Gemma3,
                 .name = "gemma3_text",
                 .classPrefix = "Gemma3",
                 .modelClass = "Gemma3TextModel",
                 .gguf = "gemma3",
                 .ggufBidirectional = "gemma-embedding",
                 .tensorPrefix = "model.",
                 .tensors = kGemmaTensors,
                 .unused = kLlamaUnused,
                 .keys = {.activation = "hidden_activation", .windowedTheta = "rope_local_base_freq"},
                 .normPlacement = NormPlacement::Both,
                 .normWeightsFromOne = true,
                 .embeddingScaled = true,
                 .theta = 1e6,
                 .window = WindowRule::EveryNth,
                 .windowPattern = 6,
                 .wideWindow = WideWindow::Halved,
                 .headDim = 256,
                 .attentionBias = BiasRule::AsConfigured,
                 .outputBias = BiasRule::AsConfigured,
                 .queryKeyNorm = true,
                 .queryScalar = 256,
                 .wideQueryLayers = 62,
                 .softcap = 0,
                 .activation = Activation::GeluTanh},
    FamilyTraits{.family = ModelFamily::Phi3,
                 .name = "phi3",
                 .classPrefix = "Phi3",
                 .gguf = "phi3",
                 .tensorPrefix = "model.",
                 .tensors = kPhi3Tensors,
                 .unused = kLlamaUnused,
                 .normEps = 1e-5,
                 .partialRotary = true,
                 .window = WindowRule::AllLayers,
                 .windowTokens = 0},
    FamilyTraits{.family = ModelFamily::Gpt2,
                 .name = "gpt2",
                 .classPrefix = "GPT2",
                 .gguf = "gpt2",
                 .tensorPrefix = "transformer.",
                 .tensors = kGpt2Tensors,
                 .unused = kGpt2Unused,
                 .transposed = true,
                 .keys = {.layers = "n_layer",
                          .heads = "n_head",
                          .modelDim = "n_embd",
                          .mlpDim = "n_inner",
                          .maxPositions = "n_positions",
                          .normEps = "layer_norm_epsilon",
                          .activation = "activation_function"},
                 .demands = kGpt2Demands,
                 .mlpTimes = 4,
                 .normKind = NormKind::Layer,
                 .normEps = 1e-5,
                 .positions = PositionScheme::Learned,
                 .headShapeKeys = false,
                 .attentionBias = BiasRule::Always,
                 .outputBias = BiasRule::Always,
                 .mlp = MlpKind::Plain,
                 .activation = Activation::GeluTanh,
                 .mlpBias = BiasRule::Always},
    FamilyTraits{.family = ModelFamily::GptNeoX,
                 .name = "gpt_neox",
                 .classPrefix = "GPTNeoX",
                 .gguf = "gptneox",
                 .tensorPrefix = "gpt_neox.",
                 .tensors = kGptNeoXTensors,
                 .unused = kGptNeoXUnused,
                 .fusedByHead = true,
                 .keys = {.normEps = "layer_norm_eps", .theta = "rotary_emb_base", .partial = "rotary_pct"},
                 .normKind = NormKind::Layer,
                 .normEps = 1e-5,
                 .parallelResidual = true,
                 .partialRotary = true,
                 .rotaryShare = 0.25,
                 .headShapeKeys = false,
                 .attentionBias = BiasRule::AsConfigured,
                 .outputBias = BiasRule::AsConfigured,
                 .mlp = MlpKind::Plain,
                 .activation = Activation::Gelu,
                 .mlpBias = BiasRule::Always},
};

/// Decoders, then encoders.
constexpr auto kFamilies = [] {
    std::array<FamilyTraits, kDecoders.size() + encoders::kAll.size()> all{};
    std::ranges::copy(kDecoders, all.begin());
    std::ranges::copy(encoders::kAll, all.begin() + kDecoders.size());
    return all;
}();

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

std::string_view activationName(Activation activation)
{
    constexpr std::array<std::string_view, 3> kNames = {"silu", "gelu", "gelu_pytorch_tanh"};
    return kNames[static_cast<std::size_t>(activation)];
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
