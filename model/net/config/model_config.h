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
};

/// Rotary position embedding, as config.json's rope_theta + rope_scaling or rope_parameters say it.
struct RopeConfig
{
    double theta = 10000;
    RopeScaling scaling = RopeScaling::None;
    double factor = 1;
    double lowFrequencyFactor = 1;  ///< llama3
    double highFrequencyFactor = 4; ///< llama3
    double originalPositions = 0;   ///< llama3, yarn: the length the model was trained for
    double betaFast = 32;           ///< yarn
    double betaSlow = 1;            ///< yarn
    bool truncate = true;           ///< yarn: whether the borders of the ramp are whole numbers
    double attentionFactor = 1;     ///< yarn: cosines and sines are multiplied by it
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
    std::int64_t tokenTypes = 0; ///< rows of their table, where the family has one
    double normEps = 0;
    bool causal = true;
    std::vector<std::int64_t> windows; ///< [L] tokens a query sees, itself included; 0 = all
    RopeConfig rope;
    std::optional<bool> attentionBias; ///< what the configuration says of biases; the tensors decide
    std::optional<bool> mlpBias;
    bool permutedHeads = false; ///< q and k rows are interleaved, as GGUF files of "llama" store them
    std::vector<std::string> warnings;

    [[nodiscard]] const FamilyTraits& traits() const { return traitsOf(family); }
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

/// Checks what config.json and GGUF metadata have in common: ranges, divisibility, finite numbers.
/// Appends one error a problem, its place named by `fieldOf`, which turns our word for a field
/// ("heads") into the file's.
void checkModelConfig(const ModelConfig& config, const std::function<std::string(std::string_view)>& fieldOf,
                      std::vector<Error>& problems);

} // namespace headscope
