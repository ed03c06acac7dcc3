// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/net/config/known_keys.h"

#include "model/formats/tensor_info.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>

namespace headscope
{
namespace
{

using enum KeyUse;

constexpr auto kConfigKeys = std::to_array<KnownKey>({
    {"model_type", Read},
    {"architectures", Read},
    {"auto_map", Read},
    {"num_hidden_layers", Read},
    {"num_attention_heads", Read},
    {"num_key_value_heads", Read},
    {"head_dim", Read},
    {"hidden_size", Read},
    {"intermediate_size", Read},
    {"vocab_size", Read},
    {"max_position_embeddings", Read},
    {"type_vocab_size", Read},
    {"n_layer", Read},
    {"n_head", Read},
    {"n_embd", Read},
    {"n_inner", Read},
    {"n_positions", Read},
    {"n_layers", Read},
    {"n_heads", Read},
    {"dim", Read},
    {"hidden_dim", Read},
    {"pad_token_id", Read},
    {"text_config", Read},
    {"pooling", Read},
    {"is_mask_instruction", Read},
    {"mask_type", Read},
    {"add_eos", Read},
    {"rms_norm_eps", Read},
    {"layer_norm_eps", Read},
    {"layer_norm_epsilon", Read},
    {"norm_eps", Read},
    {"norm_bias", Read},
    {"layer_norm_type", Read},
    {"use_rms_norm", Read},
    {"prenorm", Read},
    {"parallel_block", Read},
    {"moe_every_n_layers", Read},
    {"activation", Read},
    {"hidden_act", Read},
    {"hidden_activation", Read},
    {"activation_function", Read},
    {"attention_bias", Read},
    {"mlp_bias", Read},
    {"rope_theta", Read},
    {"rope_scaling", Read},
    {"rope_parameters", Read},
    {"rope_local_base_freq", Read},
    {"global_rope_theta", Read},
    {"local_rope_theta", Read},
    {"rotary_emb_base", Read},
    {"rotary_emb_fraction", Read},
    {"rotary_emb_interleaved", Read},
    {"rotary_emb_scale_base", Read},
    {"rotary_scaling_factor", Read},
    {"rotary_pct", Read},
    {"use_parallel_residual", Read},
    {"sinusoidal_pos_embds", Read},
    {"relative_attention_num_buckets", Read},
    {"partial_rotary_factor", Read},
    {"original_max_position_embeddings", Read},
    {"sliding_window", Read},
    {"use_sliding_window", Read},
    {"max_window_layers", Read},
    {"layer_types", Read},
    {"sliding_window_pattern", Read},
    {"local_attention", Read},
    {"global_attn_every_n_layers", Read},
    {"causal", Read},
    {"pack_qkv", Read},
    {"logn_attention_scale", Read},
    {"is_causal", Read},
    {"use_bidirectional_attention", Read},
    {"is_decoder", Read},
    {"add_cross_attention", Read},
    {"position_embedding_type", Read},
    {"quantization_config", Read},
    {"query_pre_attn_scalar", Read},
    {"attn_logit_softcapping", Read},
    {"logit_softcapping", Read},
    {"attention_chunk_size", Read},
    {"scale_attn_weights", Read},
    {"scale_attn_by_inverse_layer_idx", Read},
    {"latent_attention_config", NotApplied},
    {"is_encoder_decoder", NotApplied},
    {"pruned_heads", NotApplied},
    // of training
    {"attention_dropout", Irrelevant},
    {"attention_probs_dropout_prob", Irrelevant},
    {"hidden_dropout", Irrelevant},
    {"hidden_dropout_prob", Irrelevant},
    {"attn_pdrop", Irrelevant},
    {"dropout", Irrelevant},
    {"embedding_dropout", Irrelevant},
    {"mlp_dropout", Irrelevant},
    {"qa_dropout", Irrelevant},
    {"seq_classif_dropout", Irrelevant},
    {"sparse_prediction", Irrelevant},
    {"sparse_pred_ignore_index", Irrelevant},
    {"embd_pdrop", Irrelevant},
    {"resid_pdrop", Irrelevant},
    {"classifier_dropout", Irrelevant},
    {"initializer_range", Irrelevant},
    {"gradient_checkpointing", Irrelevant},
    {"finetuning_task", Irrelevant},
    {"problem_type", Irrelevant},
    {"task_specific_params", Irrelevant},
    {"pretraining_tp", Irrelevant},
    // of biases, which the tensors say
    {"qkv_proj_bias", Irrelevant},
    {"mlp_fc1_bias", Irrelevant},
    {"mlp_fc2_bias", Irrelevant},
    // of output heads
    {"classifier_activation", Irrelevant},
    {"classifier_bias", Irrelevant},
    {"classifier_pooling", Irrelevant},
    {"decoder_bias", Irrelevant},
    {"dense_seq_output", Irrelevant},
    {"tie_weights_", Irrelevant},
    {"final_logit_softcapping", Irrelevant},
    {"summary_activation", Irrelevant},
    {"summary_first_dropout", Irrelevant},
    {"summary_proj_to_labels", Irrelevant},
    {"summary_type", Irrelevant},
    {"summary_use_proj", Irrelevant},
    {"id2label", Irrelevant},
    {"label2id", Irrelevant},
    {"num_labels", Irrelevant},
    {"tie_word_embeddings", Irrelevant},
    {"tie_encoder_decoder", Irrelevant},
    {"directionality", Irrelevant},
    {"pooler_fc_size", Irrelevant},
    {"pooler_num_attention_heads", Irrelevant},
    {"pooler_num_fc_layers", Irrelevant},
    {"pooler_size_per_head", Irrelevant},
    {"pooler_type", Irrelevant},
    {"sentence_transformers", Irrelevant},
    // of tokens, which the tokenizer's files say
    {"bos_token_id", Irrelevant},
    {"eos_token_id", Irrelevant},
    {"cls_token_id", Irrelevant},
    {"sep_token_id", Irrelevant},
    {"unk_token_id", Irrelevant},
    {"decoder_start_token_id", Irrelevant},
    {"tokenizer_class", Irrelevant},
    {"prefix", Irrelevant},
    {"add_pad_token", Irrelevant},
    {"padding_side", Irrelevant},
    // beside a key that says it, or of arithmetic alone
    {"_sliding_window_pattern", Irrelevant},
    {"n_ctx", Irrelevant},
    {"reorder_and_upcast_attn", Irrelevant},
    // of programs
    {"cache_implementation", Irrelevant},
    {"_name_or_path", Irrelevant},
    {"name_or_path", Irrelevant},
    {"_attn_implementation_autoset", Irrelevant},
    {"_attn_implementation", Irrelevant},
    {"attn_implementation", Irrelevant},
    {"_commit_hash", Irrelevant},
    {"transformers_version", Irrelevant},
    {"unsloth_version", Irrelevant},
    {"torch_dtype", Irrelevant},
    {"dtype", Irrelevant},
    {"use_cache", Irrelevant},
    {"output_past", Irrelevant},
    {"fused_bias_fc", Irrelevant},
    {"fused_dropout_add_ln", Irrelevant},
    {"use_flash_attn", Irrelevant},
    {"use_xentropy", Irrelevant},
    {"deterministic_flash_attn", Irrelevant},
    {"reference_compile", Irrelevant},
    {"repad_logits_with_grad", Irrelevant},
    {"unpad_inputs", Irrelevant},
    {"use_memory_efficient_attention", Irrelevant},
    {"pad_vocab_size_multiple", Irrelevant},
    {"logn_attention_clip1", Irrelevant},  // of logn_attention_scale
    {"max_trained_positions", Irrelevant}, // of rotary_scaling_factor
    {"use_bfloat16", Irrelevant},
    {"torchscript", Irrelevant},
    {"return_dict", Irrelevant},
    {"output_attentions", Irrelevant},
    {"output_hidden_states", Irrelevant},
    {"chunk_size_feed_forward", Irrelevant},
    {"cross_attention_hidden_size", Irrelevant},
    {"tf_legacy_loss", Irrelevant},
    // of text generation
    {"max_length", Irrelevant},
    {"min_length", Irrelevant},
    {"do_sample", Irrelevant},
    {"early_stopping", Irrelevant},
    {"num_beams", Irrelevant},
    {"num_beam_groups", Irrelevant},
    {"num_return_sequences", Irrelevant},
    {"diversity_penalty", Irrelevant},
    {"repetition_penalty", Irrelevant},
    {"length_penalty", Irrelevant},
    {"exponential_decay_length_penalty", Irrelevant},
    {"no_repeat_ngram_size", Irrelevant},
    {"encoder_no_repeat_ngram_size", Irrelevant},
    {"temperature", Irrelevant},
    {"top_k", Irrelevant},
    {"top_p", Irrelevant},
    {"typical_p", Irrelevant},
    {"bad_words_ids", Irrelevant},
    {"suppress_tokens", Irrelevant},
    {"begin_suppress_tokens", Irrelevant},
    {"forced_bos_token_id", Irrelevant},
    {"forced_eos_token_id", Irrelevant},
    {"output_scores", Irrelevant},
    {"return_dict_in_generate", Irrelevant},
    {"remove_invalid_values", Irrelevant},
});

constexpr auto kRopeKeys = std::to_array<KnownKey>({
    {"rope_type", Read},
    {"type", Read},
    {"rope_theta", Read},
    {"factor", Read},
    {"partial_rotary_factor", Read},
    {"low_freq_factor", Read},
    {"high_freq_factor", Read},
    {"original_max_position_embeddings", Read},
    {"beta_fast", Read},
    {"beta_slow", Read},
    {"truncate", Read},
    {"mscale", Read},
    {"mscale_all_dim", Read},
    {"attention_factor", Read},
    {"mixed_b", Read},
    {"short_factor", Read},
    {"long_factor", Read},
    {"short_mscale", Read},
    {"long_mscale", Read},
});

constexpr auto kTokenizerKeys = std::to_array<KnownKey>({
    {"tokenizer_class", Read},
    {"auto_map", Read},
    {"add_bos_token", Read},
    {"add_eos_token", Read},
    {"bos_token", Read},
    {"eos_token", Read},
    {"unk_token", Read},
    {"sep_token", Read},
    {"pad_token", Read},
    {"cls_token", Read},
    {"mask_token", Read},
    {"additional_special_tokens", Read},
    {"extra_special_tokens", Read},
    {"added_tokens_decoder", Read},
    {"do_lower_case", Read},
    {"tokenize_chinese_chars", Read},
    {"strip_accents", Read},
    {"truncation_side", Read},
    {"model_max_length", Read},
    {"split_special_tokens", NotApplied},
    // of classes without tokenizer.json, or said by it
    {"add_prefix_space", Irrelevant},
    {"legacy", Irrelevant},
    {"sp_model_kwargs", Irrelevant},
    {"do_basic_tokenize", Irrelevant},
    {"never_split", Irrelevant},
    {"trim_offsets", Irrelevant},
    {"keep_accents", Irrelevant},
    {"remove_space", Irrelevant},
    {"from_slow", Irrelevant},
    {"errors", Irrelevant},
    {"max_length", Irrelevant},
    {"max_len", Irrelevant},
    {"stride", Irrelevant},
    {"truncation_strategy", Irrelevant},
    // of padding, batches, text generation and files
    {"padding_side", Irrelevant},
    {"pad_to_multiple_of", Irrelevant},
    {"pad_token_type_id", Irrelevant},
    {"clean_up_tokenization_spaces", Irrelevant},
    {"spaces_between_special_tokens", Irrelevant},
    {"use_default_system_prompt", Irrelevant},
    {"chat_template", Irrelevant},
    {"model_input_names", Irrelevant},
    {"name_or_path", Irrelevant},
    {"special_tokens_map_file", Irrelevant},
    {"tokenizer_file", Irrelevant},
    {"vocab_file", Irrelevant},
    {"processor_class", Irrelevant},
    {"backend", Irrelevant},
    {"is_local", Irrelevant},
    {"local_files_only", Irrelevant},
});

constexpr auto kSentenceKeys = std::to_array<KnownKey>({
    {"max_seq_length", Read},
    {"do_lower_case", NotApplied},
});

constexpr auto kPromptsKeys = std::to_array<KnownKey>({
    {"prompts", Read},
    {"default_prompt_name", Read},
    {"truncate_dim", Read},
    {"similarity_fn_name", Irrelevant},
    {"model_type", Irrelevant},
    {"__version__", Irrelevant},
});

constexpr auto kPoolingKeys = std::to_array<KnownKey>({
    {"pooling_mode", Read},
    {"pooling_mode_cls_token", Read},
    {"pooling_mode_mean_tokens", Read},
    {"pooling_mode_lasttoken", Read},
    {"pooling_mode_max_tokens", Read},
    {"pooling_mode_mean_sqrt_len_tokens", Read},
    {"pooling_mode_weightedmean_tokens", Read},
    {"include_prompt", Read},
    {"word_embedding_dimension", Irrelevant},
    {"embedding_dimension", Irrelevant},
});

constexpr auto kModuleKeys = std::to_array<KnownKey>({
    {"type", Read},
    {"path", Read},
    {"idx", Irrelevant},
    {"name", Irrelevant},
    {"kwargs", Irrelevant},
});

constexpr auto kStepKeys = std::to_array<KnownKey>({
    {"in_features", Read},
    {"out_features", Read},
    {"bias", Read},
    {"activation_function", Read},
    {"module_input_name", Read},
    {"module_output_name", Read},
    {"dimension", Read},
});

constexpr auto kAdapterKeys = std::to_array<KnownKey>({
    {"peft_type", Read},
    {"r", Read},
    {"lora_alpha", Read},
    {"use_rslora", Read},
    {"base_model_name_or_path", Read},
    {"init_lora_weights", Read},
    {"use_dora", Read},
    {"modules_to_save", Read},
    {"bias", Read},
    {"lora_bias", Read},
    {"fan_in_fan_out", Read},
    {"rank_pattern", Read},
    {"alpha_pattern", Read},
    {"layer_replication", Read},
    {"use_qalora", Read},
    {"trainable_token_indices", Read},
    {"target_parameters", Read},
    {"alora_invocation_tokens", Read},
    // said by the tensors
    {"target_modules", Irrelevant},
    {"exclude_modules", Irrelevant},
    {"layers_to_transform", Irrelevant},
    {"layers_pattern", Irrelevant},
    // of training and of programs
    {"lora_dropout", Irrelevant},
    {"inference_mode", Irrelevant},
    {"task_type", Irrelevant},
    {"auto_mapping", Irrelevant},
    {"revision", Irrelevant},
    {"peft_version", Irrelevant},
    {"loftq_config", Irrelevant},
    {"eva_config", Irrelevant},
    {"corda_config", Irrelevant},
    {"arrow_config", Irrelevant},
    {"megatron_config", Irrelevant},
    {"megatron_core", Irrelevant},
    {"qalora_group_size", Irrelevant},
    {"runtime_config", Irrelevant},
    {"ensure_weight_tying", Irrelevant},
});

} // namespace

bool asksFor(const JsonView& value, std::string_view harmless)
{
    switch (value.kind())
    {
    case JsonKind::Null:
        return false;
    case JsonKind::Bool:
        return value.asBool().value_or(true);
    case JsonKind::String:
        return !value.asString().value_or("").empty() && value.asString().value_or("") != harmless;
    case JsonKind::Array:
    case JsonKind::Object:
        return value.size() > 0;
    default:
        return value.asDouble().value_or(1) != 0;
    }
}

std::span<const KnownKey> knownKeys(KeyTable table)
{
    switch (table)
    {
    case KeyTable::Config:
        return kConfigKeys;
    case KeyTable::Rope:
        return kRopeKeys;
    case KeyTable::Tokenizer:
        return kTokenizerKeys;
    case KeyTable::Sentence:
        return kSentenceKeys;
    case KeyTable::Prompts:
        return kPromptsKeys;
    case KeyTable::Pooling:
        return kPoolingKeys;
    case KeyTable::Module:
        return kModuleKeys;
    case KeyTable::Step:
        return kStepKeys;
    case KeyTable::Adapter:
        break;
    }
    return kAdapterKeys;
}

bool isReadKey(KeyTable table, std::string_view key)
{
    const auto known = std::ranges::find(knownKeys(table), key, &KnownKey::key);
    return known != knownKeys(table).end() && known->use == KeyUse::Read;
}

std::vector<std::string> keyNotices(KeyTable table, JsonView object, std::string_view file)
{
    std::vector<std::string> notices;
    if (!object.isObject())
        return notices;
    std::vector<std::string> unknown;
    for (const auto& [name, value] : object.members())
    {
        const auto known = std::ranges::find(knownKeys(table), name, &KnownKey::key);
        if (known == knownKeys(table).end())
            unknown.push_back(printableName(name));
        else if (known->use == KeyUse::NotApplied && asksFor(value))
            notices.push_back(fmt::format("{}: {} is not applied", file, name));
    }
    if (!unknown.empty())
        notices.push_back(fmt::format("{}: {}: unknown, and not used", file, fmt::join(unknown, ", ")));
    return notices;
}

} // namespace headscope
