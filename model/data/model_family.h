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

/// Where the norms of a layer stand.
enum class NormPlacement
{
    Pre,  ///< beside the residual stream, before attention and MLP, and once in the stream behind the last layer
    Post, ///< in the residual stream, behind the sums with attention and MLP
};

enum class NormKind
{
    Rms,   ///< Zhang & Sennrich 2019 (arXiv 1910.07467), without bias
    Layer, ///< Ba et al. 2016 (arXiv 1607.06450), with bias
};

/// Activation and gating of the MLP.
enum class MlpKind
{
    SwiGlu, ///< silu(gate) * up; Shazeer 2020 (arXiv 2002.05202)
    Gelu,   ///< gelu(up) in its erf form, no gate; Hendrycks & Gimpel 2016 (arXiv 1606.08415)
};

/// How the position of a token is told.
enum class PositionScheme
{
    Rotary,  ///< queries and keys are rotated, scaled as configured; Su et al. 2021 (arXiv 2104.09864)
    Learned, ///< a row a position is added to the tokens below the first layer
};

/// Which tokens a token sees.
enum class Direction
{
    Causal,        ///< itself and those before, unless the configuration says all
    Bidirectional, ///< all of its text
};

/// How a document's tokens become one vector.
enum class Pooling
{
    Last,  ///< the last token
    First, ///< the first token ([CLS])
    Mean,  ///< the mean over all tokens, those of an instruction left out
};

/// What a tensor is for, whatever its file calls it. Those that are multiplied side by side follow each other, so that
/// they lie one after another in memory and are one product.
enum class TensorRole
{
    EmbedTokens,    ///< [V, Dm]
    EmbedPositions, ///< [positions, Dm]
    EmbedTypes,     ///< [token types, Dm]
    EmbedNorm,
    FinalNorm,
    RopeFactors, ///< GGUF: llama3 scaling as [Dh / 2] divisors of the frequencies
    Q,           ///< [H Dh, Dm], the first of a layer's
    K,           ///< [KV Dh, Dm]
    V,           ///< [KV Dh, Dm]
    O,           ///< [Dm, H Dh]
    Gate,        ///< [F, Dm]
    Up,          ///< [F, Dm]
    Down,        ///< [Dm, F]
    AttentionNorm,
    MlpNorm,
    QNorm, ///< [1, Dh]
    KNorm, ///< [1, Dh], the last role
};
constexpr std::size_t kNumTensorRoles = static_cast<std::size_t>(TensorRole::KNorm) + 1;

/// How Hugging Face and GGUF files call the tensors of a role, with N for the layer and without the final ".weight" or
/// ".bias". "" = it has none.
struct TensorName
{
    TensorRole role;
    std::string_view huggingFace;
    std::string_view gguf;
};

/// What a family computes and how its files spell it, in the terms of the field; what a row leaves out is as in Llama.
/// Everything that depends on the family is asked here: a new family is a new row.
struct FamilyTraits
{
    ModelFamily family;
    std::string_view name;        ///< model_type of config.json
    std::string_view classPrefix; ///< transformers' classes begin with it
    std::string_view gguf;        ///< general.architecture of GGUF files; "": there are none, or under another's name

    std::string_view tensorPrefix;            ///< of the tensors of some Hugging Face checkpoints
    std::span<const TensorName> tensors;      ///< those of the model, then those of each layer
    std::span<const std::string_view> unused; ///< Hugging Face tensors without use here; "a.*", "*.a": begin or end so

    NormPlacement normPlacement = NormPlacement::Pre;
    NormKind normKind = NormKind::Rms;
    std::string_view normEpsKey = "rms_norm_eps"; ///< of config.json
    double normEps = 1e-6;                        ///< when config.json is silent
    bool embeddingNorm = false;                   ///< a norm below the first layer

    PositionScheme positions = PositionScheme::Rotary;
    bool tokenTypes = false; ///< a row for the text of a pair that a token is of is added to it (here always the first)

    Direction direction = Direction::Causal;
    WindowRule window = WindowRule::None;
    bool windowNeedsCausality = true; ///< a window is an error where attention is bidirectional, else only not used

    /// config.json may say fewer key and value heads (grouped queries) and another head size than model size / heads.
    bool headShapeKeys = true;
    std::optional<std::int64_t> headDim = {}; ///< when config.json is silent; none: model size / heads
    BiasRule attentionBias = BiasRule::Never; ///< of q, k and v
    BiasRule outputBias = BiasRule::Never;    ///< of o
    bool queryKeyNorm = false;                ///< an RMS norm on each head's q and k

    MlpKind mlp = MlpKind::SwiGlu;
    BiasRule mlpBias = BiasRule::Never;

    Pooling pooling = Pooling::Last; ///< where the model's files do not say

    bool ggufInterleaved = false;   ///< GGUF files store the rows of q and k interleaved
    bool ggufWindowInEvery = false; ///< a window in a GGUF file is that of every layer

    [[nodiscard]] constexpr bool hasFinalNorm() const { return normPlacement != NormPlacement::Post; }
    [[nodiscard]] constexpr bool hasGate() const { return mlp == MlpKind::SwiGlu; }
};

/// All families, in the order in which messages name them.
[[nodiscard]] std::span<const FamilyTraits> modelFamilies();
[[nodiscard]] const FamilyTraits& traitsOf(ModelFamily family);
/// By its name; null: none of them.
[[nodiscard]] const FamilyTraits* familyNamed(std::string_view name);
/// "mistral", "llama", ... as config.json's model_type names it.
[[nodiscard]] std::string_view familyName(ModelFamily family);
/// "last", "first", "mean"
[[nodiscard]] std::string_view poolingName(Pooling pooling);
/// "rotary", "learned"
[[nodiscard]] std::string_view positionsName(PositionScheme positions);
/// "a, b or c", for messages.
[[nodiscard]] std::string namesOr(std::span<const std::string_view> names);

} // namespace headscope
