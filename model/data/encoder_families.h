// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "model/data/model_family.h"

#include <array>
#include <string_view>

/// The rows of the encoders in the table of families. Only model_family.cpp takes them; all others ask traitsOf().
namespace headscope::encoders
{

inline constexpr std::array kBertTensors = {
    TensorName{TensorRole::EmbedTokens, "embeddings.word_embeddings", "token_embd"},
    TensorName{TensorRole::EmbedPositions, "embeddings.position_embeddings", "position_embd"},
    TensorName{TensorRole::EmbedTypes, "embeddings.token_type_embeddings", "token_types"},
    TensorName{TensorRole::EmbedNorm, "embeddings.LayerNorm", "token_embd_norm"},
    TensorName{TensorRole::Q, "encoder.layer.N.attention.self.query", "blk.N.attn_q"},
    TensorName{TensorRole::K, "encoder.layer.N.attention.self.key", "blk.N.attn_k"},
    TensorName{TensorRole::V, "encoder.layer.N.attention.self.value", "blk.N.attn_v"},
    TensorName{TensorRole::O, "encoder.layer.N.attention.output.dense", "blk.N.attn_output"},
    TensorName{TensorRole::Up, "encoder.layer.N.intermediate.dense", "blk.N.ffn_up"},
    TensorName{TensorRole::Down, "encoder.layer.N.output.dense", "blk.N.ffn_down"},
    TensorName{TensorRole::MlpNorm, "encoder.layer.N.output.LayerNorm", "blk.N.layer_output_norm"},
    TensorName{TensorRole::AttentionNorm, "encoder.layer.N.attention.output.LayerNorm", "blk.N.attn_output_norm"},
};
inline constexpr std::array<std::string_view, 5> kBertUnused = {"pooler.*", "cls.*", "lm_head.*",
                                                                "embeddings.position_ids", "embeddings.token_type_ids"};

inline constexpr std::array kDistilBertTensors = {
    TensorName{TensorRole::EmbedTokens, "embeddings.word_embeddings", ""},
    TensorName{TensorRole::EmbedPositions, "embeddings.position_embeddings", ""},
    TensorName{TensorRole::EmbedNorm, "embeddings.LayerNorm", ""},
    TensorName{TensorRole::Q, "transformer.layer.N.attention.q_lin", ""},
    TensorName{TensorRole::K, "transformer.layer.N.attention.k_lin", ""},
    TensorName{TensorRole::V, "transformer.layer.N.attention.v_lin", ""},
    TensorName{TensorRole::O, "transformer.layer.N.attention.out_lin", ""},
    TensorName{TensorRole::Up, "transformer.layer.N.ffn.lin1", ""},
    TensorName{TensorRole::Down, "transformer.layer.N.ffn.lin2", ""},
    TensorName{TensorRole::MlpNorm, "transformer.layer.N.output_layer_norm", ""},
    TensorName{TensorRole::AttentionNorm, "transformer.layer.N.sa_layer_norm", ""},
};
inline constexpr std::array<std::string_view, 4> kDistilBertUnused = {"vocab_transform.*", "vocab_layer_norm.*",
                                                                      "vocab_projector.*", "embeddings.position_ids"};
inline constexpr std::array kDistilBertDemands = {DemandedValue{"sinusoidal_pos_embds", "false"}};

inline constexpr std::array kMpnetTensors = {
    TensorName{TensorRole::EmbedTokens, "embeddings.word_embeddings", ""},
    TensorName{TensorRole::EmbedPositions, "embeddings.position_embeddings", ""},
    TensorName{TensorRole::EmbedNorm, "embeddings.LayerNorm", ""},
    TensorName{TensorRole::RelativeBias, "encoder.relative_attention_bias", ""},
    TensorName{TensorRole::Q, "encoder.layer.N.attention.attn.q", ""},
    TensorName{TensorRole::K, "encoder.layer.N.attention.attn.k", ""},
    TensorName{TensorRole::V, "encoder.layer.N.attention.attn.v", ""},
    TensorName{TensorRole::O, "encoder.layer.N.attention.attn.o", ""},
    TensorName{TensorRole::Up, "encoder.layer.N.intermediate.dense", ""},
    TensorName{TensorRole::Down, "encoder.layer.N.output.dense", ""},
    TensorName{TensorRole::MlpNorm, "encoder.layer.N.output.LayerNorm", ""},
    TensorName{TensorRole::AttentionNorm, "encoder.layer.N.attention.LayerNorm", ""},
};
inline constexpr std::array kMpnetDemands = {DemandedValue{"relative_attention_num_buckets", "32"}};

inline constexpr std::array kModernBertTensors = {
    TensorName{TensorRole::EmbedTokens, "embeddings.tok_embeddings", "token_embd"},
    TensorName{TensorRole::EmbedNorm, "embeddings.norm", "token_embd_norm"},
    TensorName{TensorRole::FinalNorm, "final_norm", "output_norm"},
    TensorName{TensorRole::AttentionNorm, "layers.N.attn_norm", "blk.N.attn_norm"},
    TensorName{TensorRole::Q, "layers.N.attn.Wqkv", "blk.N.attn_qkv"},
    TensorName{TensorRole::K, "layers.N.attn.Wqkv", "blk.N.attn_qkv"},
    TensorName{TensorRole::V, "layers.N.attn.Wqkv", "blk.N.attn_qkv"},
    TensorName{TensorRole::O, "layers.N.attn.Wo", "blk.N.attn_output"},
    TensorName{TensorRole::MlpNorm, "layers.N.mlp_norm", "blk.N.ffn_norm"},
    TensorName{TensorRole::Gate, "layers.N.mlp.Wi", "blk.N.ffn_up"},
    TensorName{TensorRole::Up, "layers.N.mlp.Wi", "blk.N.ffn_up"},
    TensorName{TensorRole::Down, "layers.N.mlp.Wo", "blk.N.ffn_down"},
};
inline constexpr std::array<std::string_view, 3> kModernBertUnused = {"head.*", "decoder.*", "classifier.*"};

inline constexpr std::array kNomicTensors = {
    TensorName{TensorRole::EmbedTokens, "embeddings.word_embeddings", "token_embd"},
    TensorName{TensorRole::EmbedTypes, "embeddings.token_type_embeddings", "token_types"},
    TensorName{TensorRole::EmbedNorm, "emb_ln", "token_embd_norm"},
    TensorName{TensorRole::Q, "encoder.layers.N.attn.Wqkv", "blk.N.attn_qkv"},
    TensorName{TensorRole::K, "encoder.layers.N.attn.Wqkv", "blk.N.attn_qkv"},
    TensorName{TensorRole::V, "encoder.layers.N.attn.Wqkv", "blk.N.attn_qkv"},
    TensorName{TensorRole::O, "encoder.layers.N.attn.out_proj", "blk.N.attn_output"},
    TensorName{TensorRole::Gate, "encoder.layers.N.mlp.fc12", "blk.N.ffn_gate"},
    TensorName{TensorRole::Up, "encoder.layers.N.mlp.fc11", "blk.N.ffn_up"},
    TensorName{TensorRole::Down, "encoder.layers.N.mlp.fc2", "blk.N.ffn_down"},
    TensorName{TensorRole::AttentionNorm, "encoder.layers.N.norm1", "blk.N.attn_output_norm"},
    TensorName{TensorRole::MlpNorm, "encoder.layers.N.norm2", "blk.N.layer_output_norm"},
};
/// rotary_scaling_factor stretches positions beyond max_trained_positions; v2 is a mixture of experts.
inline constexpr std::array kNomicDemands = {
    DemandedValue{"prenorm", "false"},
    DemandedValue{"use_rms_norm", "false"},
    DemandedValue{"parallel_block", "false"},
    DemandedValue{"causal", "false"},
    DemandedValue{"rotary_emb_fraction", "1"},
    DemandedValue{"rotary_emb_interleaved", "false"},
    DemandedValue{"rotary_emb_scale_base", "null"},
    DemandedValue{"rotary_scaling_factor", "null"},
    DemandedValue{"activation_function", "swiglu"},
    DemandedValue{"moe_every_n_layers", "0"},
};

inline constexpr std::array kGteTensors = {
    TensorName{TensorRole::EmbedTokens, "embeddings.word_embeddings", ""},
    TensorName{TensorRole::EmbedTypes, "embeddings.token_type_embeddings", ""},
    TensorName{TensorRole::EmbedNorm, "embeddings.LayerNorm", ""},
    TensorName{TensorRole::Q, "encoder.layer.N.attention.qkv_proj", ""},
    TensorName{TensorRole::K, "encoder.layer.N.attention.qkv_proj", ""},
    TensorName{TensorRole::V, "encoder.layer.N.attention.qkv_proj", ""},
    TensorName{TensorRole::O, "encoder.layer.N.attention.o_proj", ""},
    TensorName{TensorRole::Up, "encoder.layer.N.mlp.up_gate_proj", ""},
    TensorName{TensorRole::Gate, "encoder.layer.N.mlp.up_gate_proj", ""},
    TensorName{TensorRole::Down, "encoder.layer.N.mlp.down_proj", ""},
    TensorName{TensorRole::AttentionNorm, "encoder.layer.N.attn_ln", ""},
    TensorName{TensorRole::MlpNorm, "encoder.layer.N.mlp_ln", ""},
};
inline constexpr std::array kGteDemands = {
    DemandedValue{"layer_norm_type", "layer_norm"}, DemandedValue{"logn_attention_scale", "false"},
    DemandedValue{"pack_qkv", "true"}, DemandedValue{"position_embedding_type", "rope"}};

/// The encoders after BERT: LayerNorm in the residual stream, learned positions, biases everywhere.
inline constexpr FamilyTraits kBert = {.family = ModelFamily::Bert,
                                       .name = "bert",
                                       .classPrefix = "Bert",
                                       .gguf = "bert",
                                       .tensorPrefix = "bert.",
                                       .tensors = kBertTensors,
                                       .unused = kBertUnused,
                                       .keys = {.normEps = "layer_norm_eps"},
                                       .normPlacement = NormPlacement::Post,
                                       .normKind = NormKind::Layer,
                                       .normEps = 1e-12,
                                       .embeddingNorm = true,
                                       .positions = PositionScheme::Learned,
                                       .tokenTypes = true,
                                       .direction = Direction::Bidirectional,
                                       .headShapeKeys = false,
                                       .attentionBias = BiasRule::Always,
                                       .outputBias = BiasRule::Always,
                                       .mlp = MlpKind::Plain,
                                       .activation = Activation::Gelu,
                                       .mlpBias = BiasRule::Always,
                                       .pooling = Pooling::Mean};

/// RoBERTa: BERT whose positions begin behind the padding token.
constexpr FamilyTraits robertaNamed(ModelFamily family, std::string_view name, std::string_view classPrefix)
{
    FamilyTraits traits = kBert;
    traits.family = family;
    traits.name = name;
    traits.classPrefix = classPrefix;
    traits.gguf = ""; // they call themselves bert
    traits.tensorPrefix = "roberta.";
    traits.keys.padding = "pad_token_id";
    traits.paddingPosition = 1;
    return traits;
}

constexpr FamilyTraits distilBert()
{
    FamilyTraits traits = kBert;
    traits.family = ModelFamily::DistilBert;
    traits.name = "distilbert";
    traits.classPrefix = "DistilBert";
    traits.gguf = ""; // likewise
    traits.tensorPrefix = "distilbert.";
    traits.tensors = kDistilBertTensors;
    traits.unused = kDistilBertUnused;
    traits.keys = {.layers = "n_layers",
                   .heads = "n_heads",
                   .modelDim = "dim",
                   .mlpDim = "hidden_dim",
                   .normEps = "",
                   .activation = "activation"};
    traits.demands = kDistilBertDemands;
    traits.tokenTypes = false;
    return traits;
}

constexpr FamilyTraits mpnet()
{
    FamilyTraits traits = kBert;
    traits.family = ModelFamily::Mpnet;
    traits.name = "mpnet";
    traits.classPrefix = "MPNet";
    traits.gguf = "";
    traits.tensorPrefix = "mpnet.";
    traits.tensors = kMpnetTensors;
    traits.demands = kMpnetDemands;
    traits.tokenTypes = false;
    traits.paddingPosition = 1; // whatever config.json says
    traits.relativeBias = true;
    return traits;
}

constexpr FamilyTraits nomicBert()
{
    FamilyTraits traits = kBert;
    traits.family = ModelFamily::NomicBert;
    traits.name = "nomic_bert";
    traits.classPrefix = "NomicBert";
    traits.gguf = "nomic-bert";
    traits.tensors = kNomicTensors;
    traits.keys = {.layers = "n_layer",
                   .heads = "n_head",
                   .modelDim = "n_embd",
                   .mlpDim = "n_inner",
                   .maxPositions = "n_positions",
                   .normEps = "layer_norm_epsilon",
                   .activation = "", // one of kNomicDemands
                   .theta = "rotary_emb_base"};
    traits.demands = kNomicDemands;
    traits.positions = PositionScheme::Rotary;
    traits.tokenTypesOptional = true;
    traits.attentionBias = BiasRule::AsConfigured;
    traits.outputBias = BiasRule::AsConfigured;
    traits.mlp = MlpKind::Gated;
    traits.activation = Activation::Silu;
    traits.mlpBias = BiasRule::AsConfigured;
    return traits;
}

constexpr FamilyTraits gteNamed(ModelFamily family, std::string_view name, std::string_view classPrefix)
{
    FamilyTraits traits = kBert;
    traits.family = family;
    traits.name = name;
    traits.classPrefix = classPrefix;
    traits.modelClass = "NewModel";
    traits.gguf = "";
    traits.tensorPrefix = "new.";
    traits.tensors = kGteTensors;
    traits.demands = kGteDemands;
    traits.positions = PositionScheme::Rotary;
    traits.ntkScaling = true;
    traits.tokenTypeRows = 1;
    traits.tokenTypesOptional = true;
    traits.mlp = MlpKind::Gated;
    traits.mlpBias = BiasRule::Never;
    traits.downBias = BiasRule::Always;
    traits.pooling = Pooling::First;
    return traits;
}

inline constexpr FamilyTraits kModernBert = {.family = ModelFamily::ModernBert,
                                             .name = "modernbert",
                                             .classPrefix = "ModernBert",
                                             .gguf = "modern-bert",
                                             .tensorPrefix = "model.",
                                             .tensors = kModernBertTensors,
                                             .unused = kModernBertUnused,
                                             .keys = {.normEps = "norm_eps",
                                                      .activation = "hidden_activation",
                                                      .theta = "global_rope_theta",
                                                      .windowedTheta = "local_rope_theta",
                                                      .window = "local_attention",
                                                      .windowPattern = "global_attn_every_n_layers"},
                                             .normKind = NormKind::Layer,
                                             .normEps = 1e-5,
                                             .normBias = BiasRule::AsConfigured,
                                             .embeddingNorm = true,
                                             .firstNormLacking = true,
                                             .theta = 160000,
                                             .direction = Direction::Bidirectional,
                                             .window = WindowRule::EveryNth,
                                             .windowTokens = 128,
                                             .windowPattern = 3,
                                             .windowPatternFirst = true,
                                             .wideWindow = WideWindow::Halved,
                                             .headShapeKeys = false,
                                             .attentionBias = BiasRule::AsConfigured,
                                             .outputBias = BiasRule::AsConfigured,
                                             .activation = Activation::Gelu,
                                             .mlpBias = BiasRule::AsConfigured,
                                             .pooling = Pooling::Mean};

/// In the order of ModelFamily.
inline constexpr std::array kAll = {
    kBert,
    robertaNamed(ModelFamily::XlmRoberta, "xlm-roberta", "XLMRoberta"),
    robertaNamed(ModelFamily::Roberta, "roberta", "Roberta"),
    robertaNamed(ModelFamily::Camembert, "camembert", "Camembert"),
    distilBert(),
    mpnet(),
    kModernBert,
    nomicBert(),
    gteNamed(ModelFamily::Gte, "new", "New"),
    gteNamed(ModelFamily::GteNew, "gte", "Gte"),
};

} // namespace headscope::encoders
