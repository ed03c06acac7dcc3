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
    LlamaBidirectional, ///< llama-embed-nemotron and its like
    Qwen3Bidirectional, ///< pplx-embed
    NvEmbed,            ///< NV-Embed: Mistral without its mask
    Gemma2,
    Gemma3,
    Phi3,
    Gpt2,
    GptNeoX,
    Bert,
    XlmRoberta,
    Roberta,
    Camembert, ///< RoBERTa by another name
    DistilBert,
    Mpnet,
    ModernBert,
    NomicBert,
    Gte,    ///< Alibaba's "new" encoder
    GteNew, ///< the same as some copies of it name it
};

/// Whether a family's linear layers of one kind have biases.
enum class BiasRule
{
    Never,
    Always,
    AsConfigured, ///< as config.json says; where it is silent, as the tensors are
};

/// Which layers of a family look at a window of the tokens around.
enum class WindowRule
{
    None,
    AllLayers,    ///< config.json: sliding_window
    ListedLayers, ///< config.json: use_sliding_window, max_window_layers, layer_types
    EveryNth,     ///< config.json: layer_types, else all but every n-th, by sliding_window_pattern
};

/// What a window is where the configuration makes attention bidirectional.
enum class WideWindow
{
    Unsupported, ///< an error
    None,        ///< not used
    Halved,      ///< half of it lies to either side
};

/// Where the norms of a layer stand.
enum class NormPlacement
{
    Pre,  ///< beside the residual stream, before attention and MLP, and once in the stream behind the last layer
    Post, ///< in the residual stream, behind the sums with attention and MLP
    Both, ///< as Pre, and behind attention and MLP as well, in front of the sums
};

enum class NormKind
{
    Rms,   ///< Zhang & Sennrich 2019 (arXiv 1910.07467), without bias
    Layer, ///< Ba et al. 2016 (arXiv 1607.06450), with bias
};

/// What an MLP bends its numbers by.
enum class Activation
{
    Silu,     ///< x / (1 + exp(-x))
    Gelu,     ///< in its erf form; Hendrycks & Gimpel 2016 (arXiv 1606.08415)
    GeluTanh, ///< in its tanh form, of the same paper
};

enum class MlpKind
{
    Gated, ///< activation(gate) * up; Shazeer 2020 (arXiv 2002.05202)
    Plain, ///< activation(up)
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
    RopeFactors,      ///< GGUF: llama3 scaling as [D / 2] divisors of the frequencies, D of Dh being rotated
    RopeShortFactors, ///< GGUF: those of longrope for short texts
    RopeLongFactors,  ///< GGUF: and for long ones
    RelativeBias,     ///< [32, H], what is added to scores by the distance of query and key
    Q,                ///< [H Dh, Dm], the first of a layer's
    K,                ///< [KV Dh, Dm]
    V,                ///< [KV Dh, Dm]
    O,                ///< [Dm, H Dh]
    Gate,             ///< [F, Dm]
    Up,               ///< [F, Dm]
    Down,             ///< [Dm, F]
    AttentionNorm,
    MlpNorm,
    QNorm,            ///< [1, Dh]
    KNorm,            ///< [1, Dh]
    AttentionOutNorm, ///< behind attention, in front of the sum
    MlpOutNorm,       ///< behind the MLP, likewise; the last role
};
constexpr std::size_t kNumTensorRoles = static_cast<std::size_t>(TensorRole::MlpOutNorm) + 1;

/// How Hugging Face and GGUF files call the tensors of a role, with N for the layer and without the final ".weight" or
/// ".bias". "" = it has none. Roles that follow each other under one name are parts of one tensor, which holds their
/// rows one after another.
struct TensorName
{
    TensorRole role;
    std::string_view huggingFace;
    std::string_view gguf;
};

/// How config.json calls what every family has.
struct ConfigKeys
{
    std::string_view layers = "num_hidden_layers";
    std::string_view heads = "num_attention_heads";
    std::string_view modelDim = "hidden_size";
    std::string_view mlpDim = "intermediate_size";
    std::string_view maxPositions = "max_position_embeddings";
    std::string_view normEps = "rms_norm_eps";  ///< "": none says it
    std::string_view activation = "hidden_act"; ///< "": none says it
    std::string_view theta = "rope_theta";
    std::string_view partial = "partial_rotary_factor";
    std::string_view windowedTheta = {}; ///< of the layers with a window; "": rotated as the others
    std::string_view window = "sliding_window";
    std::string_view windowPattern = "sliding_window_pattern";
    std::string_view padding = {}; ///< the padding token, of which learned positions are counted; "": none says it
    std::string_view pooling = {}; ///< "avg", "cls", "last"; "": config.json does not say
};

/// A key of config.json that a family has and only one value of which is computed.
struct DemandedValue
{
    std::string_view key;
    std::string_view value; ///< "true", "false", or a word; it is taken for it where the key is missing
};

/// What a family computes and how its files spell it, in the terms of the field; what a row leaves out is as in Llama.
/// Everything that depends on the family is asked here: a new family is a new row.
struct FamilyTraits
{
    ModelFamily family;
    std::string_view name;            ///< model_type of config.json
    std::string_view classPrefix;     ///< transformers' classes begin with it
    std::string_view modelClass = {}; ///< the one of the network alone; "": classPrefix and "Model"
    std::string_view gguf; ///< general.architecture of GGUF files; "": there are none, or under another's name
    std::string_view ggufBidirectional = {}; ///< the same of those whose attention is bidirectional, where it differs

    std::string_view tensorPrefix;            ///< of the tensors of some Hugging Face checkpoints
    std::span<const TensorName> tensors;      ///< those of the model, then those of each layer
    std::span<const std::string_view> unused; ///< Hugging Face tensors without use here; "a.*", "*.a": begin or end so
    bool transposed = false;                  ///< Hugging Face files store matrices of the layers [in, out]
    bool fusedByHead = false; ///< Hugging Face files hold q, k and v in one tensor head by head: [H, 3, Dh] rows

    ConfigKeys keys = {};
    std::string_view configObject = {}; ///< the object of config.json that holds these keys; "": it is itself
    std::span<const DemandedValue> demands = {};
    std::int64_t mlpTimes = 0; ///< mlpDim when config.json is silent, in modelDim; 0: it must say

    NormPlacement normPlacement = NormPlacement::Pre;
    NormKind normKind = NormKind::Rms;
    double normEps = 1e-6;                ///< when config.json is silent
    bool normWeightsFromOne = false;      ///< Hugging Face files store weights of norms as what they exceed 1 by
    BiasRule normBias = BiasRule::Always; ///< of norms of the kind Layer
    bool embeddingNorm = false;           ///< a norm below the first layer
    bool firstNormLacking = false;        ///< Pre: the first layer has none in front of its attention
    bool parallelResidual = false; ///< Pre: the MLP's norm, too, is of the layer's input, unless config.json denies it

    bool embeddingScaled = false; ///< rows of the embedding times sqrt(Dm)

    PositionScheme positions = PositionScheme::Rotary;
    double theta = 10000;         ///< when config.json is silent
    double windowedTheta = 10000; ///< likewise
    bool partialRotary = false;   ///< partial_rotary_factor may leave some of a head's numbers as they are
    double rotaryShare = 1;       ///< partial_rotary_factor when config.json is silent
    bool ntkScaling = false;      ///< rope_scaling may be of the type ntk, which transformers does not know
    bool tokenTypes = false; ///< a row for the text of a pair that a token is of is added to it (here always the first)
    std::int64_t tokenTypeRows = 2;  ///< when config.json is silent
    bool tokenTypesOptional = false; ///< config.json may say that there are none
    /// Learned: the id of the padding token when config.json is silent. That token has the position of this number and
    /// does not count, the others those from the next number on; none: all are counted from 0.
    std::optional<std::int64_t> paddingPosition = {};
    bool relativeBias = false; ///< a number by the distance of query and key is added to their score

    Direction direction = Direction::Causal;
    WindowRule window = WindowRule::None;
    std::int64_t windowTokens = 4096; ///< when config.json is silent; 0: none
    std::int64_t windowPattern = 0;   ///< EveryNth: the n when config.json is silent
    bool windowPatternFirst = false;  ///< EveryNth: without a window is the first of every n layers, else the last
    WideWindow wideWindow = WideWindow::Unsupported;

    /// config.json may say fewer key and value heads (grouped queries) and another head size than model size / heads.
    bool headShapeKeys = true;
    std::optional<std::int64_t> headDim = {}; ///< when config.json is silent; none: model size / heads
    BiasRule attentionBias = BiasRule::Never; ///< of q, k and v
    BiasRule outputBias = BiasRule::Never;    ///< of o
    bool queryKeyNorm = false;                ///< an RMS norm on each head's q and k
    /// query_pre_attn_scalar, by whose root scores are divided, when config.json is silent; none: always Dh.
    std::optional<double> queryScalar = {};
    std::int64_t wideQueryLayers = 0; ///< GGUF files do not say it: Dm / H in the model of so many layers, else Dh
    /// attn_logit_softcapping when config.json is silent, 0 = not capped; none: the family has no such option.
    std::optional<double> softcap = {};

    MlpKind mlp = MlpKind::Gated;
    Activation activation = Activation::Silu; ///< when config.json is silent
    BiasRule mlpBias = BiasRule::Never;
    std::optional<BiasRule> downBias = {}; ///< of the matrix behind the activation, where its rule is another

    Pooling pooling = Pooling::Last;    ///< where the model's files do not say
    std::string_view otherPooling = {}; ///< what its own code pools by where that is not offered; "" as a rule

    bool ggufInterleaved = false;   ///< GGUF files store the rows of q and k interleaved
    bool ggufWindowInEvery = false; ///< a window in a GGUF file is that of every layer

    [[nodiscard]] constexpr bool hasFinalNorm() const { return normPlacement != NormPlacement::Post; }
    [[nodiscard]] constexpr bool hasGate() const { return mlp == MlpKind::Gated; }
    /// Norms in front of attention and MLP.
    [[nodiscard]] constexpr bool hasNormsBefore() const { return normPlacement != NormPlacement::Post; }
    /// Norms of what attention and MLP give, in front of the sums.
    [[nodiscard]] constexpr bool hasOutNorms() const { return normPlacement == NormPlacement::Both; }
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
/// "silu", "gelu", "gelu_pytorch_tanh", as config.json names it.
[[nodiscard]] std::string_view activationName(Activation activation);
/// "rotary", "learned"
[[nodiscard]] std::string_view positionsName(PositionScheme positions);
/// "a, b or c", for messages.
[[nodiscard]] std::string namesOr(std::span<const std::string_view> names);

} // namespace headscope
