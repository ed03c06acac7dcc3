// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace headscope
{

/// The architectures that can be computed.
enum class ModelFamily
{
    Mistral,
    Llama,
    Qwen2,
    Qwen3,
    Bert,
};

/// Whether a family's linear layers of one kind have biases.
enum class BiasRule
{
    Never,
    Always,
    AsConfigured, ///< as config.json says; where it is silent, as the tensors are
};

/// Which layers of a family look at a window of the tokens before.
enum class WindowRule
{
    None,
    AllLayers,   ///< config.json: sliding_window, 4096 when it is missing
    ListedLayers ///< config.json: use_sliding_window, max_window_layers, layer_types
};

/// What a family does differently from the others. Everything that depends on the family is asked here:
/// a new family is a new row.
struct FamilyTraits
{
    ModelFamily family;
    std::string_view name;        ///< model_type of config.json
    std::string_view classPrefix; ///< transformers' classes begin with it
    std::string_view gguf;        ///< general.architecture of GGUF files; "": there are none, or under another's name
    bool encoder = false;         ///< BERT's layers: attention in both directions, layer norms behind, GELU
    std::optional<std::int64_t> headDim = {}; ///< when config.json is silent; none: model size / heads
    BiasRule attentionBias = BiasRule::Never; ///< of q, k and v
    BiasRule outputBias = BiasRule::Never;    ///< of o
    BiasRule mlpBias = BiasRule::Never;
    bool queryKeyNorm = false; ///< an RMS norm on each head's q and k
    WindowRule window = WindowRule::None;
    bool ggufInterleaved = false;     ///< GGUF files store the rows of q and k interleaved
    bool ggufWindowInEvery = false;   ///< a window in a GGUF file is that of every layer
    bool windowNeedsCausality = true; ///< a window is an error where attention is bidirectional, else only not used
};

/// All families, in the order in which messages name them.
[[nodiscard]] std::span<const FamilyTraits> modelFamilies();
[[nodiscard]] const FamilyTraits& traitsOf(ModelFamily family);
/// By its name; null: none of them.
[[nodiscard]] const FamilyTraits* familyNamed(std::string_view name);
/// "mistral", "llama", ... as config.json's model_type names it.
[[nodiscard]] std::string_view familyName(ModelFamily family);
/// "a, b or c", for messages.
[[nodiscard]] std::string namesOr(std::span<const std::string_view> names);

} // namespace headscope
