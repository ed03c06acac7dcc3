// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "model/formats/json.h"
#include "model/formats/tensor_info.h"

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace headscope
{

/// What a module of sentence-transformers behind the pooling does to a text's vector.
enum class EmbeddingStepKind
{
    Dense,     ///< activation(W x + b)
    LayerNorm, ///< with weight and bias, epsilon 1e-5
    Normalize, ///< to unit length
};

/// Of a Dense module.
enum class DenseActivation
{
    Identity,
    Tanh,
    Relu,
    Gelu, ///< by the error function
    Sigmoid,
    Silu,
};

/// A tensor of a module, in the module's file.
struct StepTensor
{
    std::filesystem::path file;
    TensorInfo info;
};

/// One module behind the pooling.
struct EmbeddingStep
{
    EmbeddingStepKind kind = EmbeddingStepKind::Normalize;
    std::int64_t in = 0;  ///< numbers of the vector it takes
    std::int64_t out = 0; ///< numbers of the vector it gives
    DenseActivation activation = DenseActivation::Identity;
    std::optional<StepTensor> weight{}; ///< [out, in]; of a LayerNorm [in]
    std::optional<StepTensor> bias{};   ///< [out]

    /// "Dense (768 to 256, tanh)"
    [[nodiscard]] std::string words() const;
};

/// How the sentence embedding is made of the pooled final hidden state.
struct EmbeddingPlan
{
    std::vector<EmbeddingStep> steps{};
    std::int64_t truncateDim = 0; ///< numbers that are kept of the last step's; 0 = all
    std::string notDone{}; ///< why there is no such embedding, a sentence's end; "" = there is, or none is asked for

    /// Whether the embedding is another vector than the pooled final hidden state, and can be had.
    [[nodiscard]] bool any() const { return notDone.empty() && (!steps.empty() || truncateDim > 0); }
    /// Numbers of the embedding. @param modelDim  of the hidden state
    [[nodiscard]] std::int64_t dims(std::int64_t modelDim) const;
    /// "Dense (768 to 256, tanh), Normalize, the first 128 numbers"
    [[nodiscard]] std::string words() const;
};

/// Reads a module behind the pooling: its config.json and the header of its model.safetensors.
/// @param kind    the last part of its type: "Dense"
/// @param folder  of the module
/// @param in      numbers of the vector that it takes; 0 = not known
/// @param notices  takes what its config.json asks for and is not known
/// @return  nothing for a module that changes nothing (Dropout)
/// @errors  Unsupported (a kind, an activation or an input that is not applied; no weights in safetensors), BadFormat
///          (its files contradict each other): the message is a sentence's end that says why
[[nodiscard]] Result<std::optional<EmbeddingStep>> readEmbeddingStep(std::string_view kind,
                                                                     const std::filesystem::path& folder,
                                                                     std::int64_t in,
                                                                     std::vector<std::string>& notices);

} // namespace headscope
