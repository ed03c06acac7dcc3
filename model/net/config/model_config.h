// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "model/base/result.h"
#include "model/data/model_family.h"

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace headscope
{

struct GgufFile;
class JsonView;

/// How the frequencies of the rotary embedding are stretched for longer texts.
enum class RopeScaling
{
    None,
    Linear,
    Dynamic,
    Llama3,
    Yarn,
    LongRope,
    Ntk, ///< another theta for every length
};

/// Rotary position embedding, as config.json's rope_theta + rope_scaling or rope_parameters say it.
struct RopeConfig
{
    double theta = 10000;
    RopeScaling scaling = RopeScaling::None;
    double factor = 1;
    double lowFrequencyFactor = 1;         ///< llama3
    double highFrequencyFactor = 4;        ///< llama3
    double originalPositions = 0;          ///< llama3, yarn, longrope: the length the model was trained for
    double betaFast = 32;                  ///< yarn
    double betaSlow = 1;                   ///< yarn
    bool truncate = true;                  ///< yarn: whether the borders of the ramp are whole numbers
    double attentionFactor = 1;            ///< yarn, longrope: cosines and sines are multiplied by it
    double partial = 1;                    ///< share of a head's numbers that is rotated: the first ones
    std::vector<double> shortFactors = {}; ///< longrope: divisors of the frequencies, one a pair
    std::vector<double> longFactors = {};  ///< longrope: of texts beyond originalPositions
    bool factorsInTensors = false;         ///< longrope: the model's tensors hold both, as in GGUF files
};

/// What config.json itself says of how one vector is made of a text.
struct EmbeddingHints
{
    std::optional<Pooling> pooling;
    std::string otherPooling;  ///< where it is not offered: "latent attention"; "" as a rule
    bool includePrompt = true; ///< whether a mean takes the tokens of the instruction, too
    bool endToken = false;     ///< the model's own code appends an end token
};

/// Everything about a model that is not a weight. Every field was checked.
struct ModelConfig
{
    ModelFamily family = ModelFamily::Llama;
    std::int64_t layers = 0;     ///< L
    std::int64_t heads = 0;      ///< H
    std::int64_t kvHeads = 0;    ///< KV, divides H
    std::int64_t headDim = 0;    ///< Dh; H Dh need not be Dm
    std::int64_t modelDim = 0;   ///< Dm
    std::int64_t mlpDim = 0;     ///< width between the two matrices of the MLP
    std::int64_t vocabulary = 0; ///< 0 = as many as the embedding has rows
    std::int64_t maxPositions = 0;
    std::int64_t tokenTypes = 0; ///< rows of their table, where the family has one; 0 = this model has none
    /// As FamilyTraits::paddingPosition, where positions are counted so.
    std::optional<std::int64_t> paddingPosition;
    double normEps = 0;
    bool parallelResidual = false; ///< the MLP's norm is of the layer's input, not of the sum with attention
    bool causal = true;
    /// [L] tokens a query sees, itself included; where attention is bidirectional, half of it to either side and the
    /// token itself; 0 = all.
    std::vector<std::int64_t> windows;
    RopeConfig rope;
    std::optional<RopeConfig> windowedRope; ///< of the layers with a window; none: rope
    double queryScalar = 0;                 ///< scores are divided by its root; Dh as a rule
    double softcap = 0;                     ///< scores are bent to c tanh(score / c); 0 = not
    Activation activation = Activation::Silu;
    EmbeddingHints embedding;
    std::optional<bool> attentionBias; ///< what the configuration says of biases; the tensors decide
    std::optional<bool> mlpBias;
    std::optional<bool> normBias;
    bool permutedHeads = false;      ///< q and k rows are interleaved, as GGUF files of "llama" store them
    bool normWeightsFromOne = false; ///< weights of norms are stored as what they exceed 1 by
    std::vector<std::string> warnings;

    [[nodiscard]] const FamilyTraits& traits() const { return traitsOf(family); }
    /// Numbers of a head that are rotated.
    [[nodiscard]] std::int64_t rotaryDim(const RopeConfig& of) const
    {
        return static_cast<std::int64_t>(static_cast<double>(headDim) * of.partial);
    }
    /// Most tokens that the model has positions for: the rows of the table of learned ones, less those that no token
    /// of a text has.
    [[nodiscard]] std::int64_t maxTokens() const { return maxPositions - paddingPosition.value_or(-1) - 1; }
    /// What scores are multiplied by before the softmax.
    [[nodiscard]] double scoreScale() const;
};

/// Reads config.json.
///
/// @param file      its name, for the messages
/// @param problems  takes everything that is wrong, each with its field, what was expected and what
///                  was found: BadFormat (fields missing, of a wrong kind, out of range, at odds
///                  with each other), Unsupported (what would be computed wrongly, by its name)
/// @return  to be used only when problems stays empty
[[nodiscard]] ModelConfig modelConfigFromJson(const JsonView& root, std::string_view file,
                                              std::vector<Error>& problems);

/// The same from a GGUF file's metadata.
[[nodiscard]] ModelConfig modelConfigFromGguf(const GgufFile& gguf, std::vector<Error>& problems);

/// What transformers means by the name of an activation; nothing for one that is not computed.
[[nodiscard]] std::optional<Activation> activationFromName(std::string_view name);

/// Checks what config.json and GGUF metadata have in common: ranges, divisibility, finite numbers.
/// Appends one error a problem, its place named by `fieldOf`, which turns our word for a field
/// ("heads") into the file's.
void checkModelConfig(const ModelConfig& config, const std::function<std::string(std::string_view)>& fieldOf,
                      std::vector<Error>& problems);

} // namespace headscope
