// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/net/config/embedding_steps.h"

#include "model/formats/safetensors.h"
#include "model/net/config/known_keys.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

namespace headscope
{
namespace
{

namespace fs = std::filesystem;

struct ActivationName
{
    std::string_view torch; ///< the class, without its module
    std::string_view word;
    DenseActivation activation;
};

constexpr std::array kActivations = {
    ActivationName{"Identity", "", DenseActivation::Identity},
    ActivationName{"Tanh", "tanh", DenseActivation::Tanh},
    ActivationName{"ReLU", "relu", DenseActivation::Relu},
    ActivationName{"GELU", "gelu", DenseActivation::Gelu},
    ActivationName{"Sigmoid", "sigmoid", DenseActivation::Sigmoid},
    ActivationName{"SiLU", "silu", DenseActivation::Silu},
};

Error unsupported(std::string why)
{
    return {ErrorCode::Unsupported, std::move(why), {}, {}};
}

Error contradiction(std::string why)
{
    return {ErrorCode::BadFormat, std::move(why), {}, {}};
}

/// A member that is a number from 1 on, or 0.
std::int64_t sizeOf(JsonView object, std::string_view key)
{
    const auto member = object.find(key);
    return member ? std::max<std::int64_t>(0, member->asInt().value_or(0)) : 0;
}

std::string_view textOf(JsonView object, std::string_view key, std::string_view otherwise)
{
    const auto member = object.find(key);
    return member ? member->asString().value_or(otherwise) : otherwise;
}

/// A tensor of the module, which must have this shape.
Result<StepTensor> tensorOf(const TensorDirectory& directory, std::string_view name,
                            const std::vector<std::int64_t>& shape)
{
    const TensorInfo* info = directory.find(name);
    if (info == nullptr)
        return contradiction(fmt::format("its file has no tensor {}", name));
    if (info->shape != shape)
        return contradiction(fmt::format("its {} is {}, expected {}", name, shapeText(info->shape), shapeText(shape)));
    return StepTensor{directory.files.at(static_cast<std::size_t>(info->file)).path, *info};
}

Result<TensorDirectory> weightsIn(const fs::path& folder)
{
    const fs::path path = folder / "model.safetensors";
    std::error_code ignored;
    if (!fs::exists(path, ignored))
        return unsupported(fs::exists(folder / "pytorch_model.bin", ignored)
                               ? "its weights are in pytorch_model.bin, which may contain program code"
                               : "it has no model.safetensors");
    auto directory = openSafetensors(path);
    if (!directory)
        return contradiction(directory.error().sentence());
    return directory;
}

Result<EmbeddingStep> readDense(JsonView config, const fs::path& folder)
{
    EmbeddingStep step;
    step.kind = EmbeddingStepKind::Dense;
    for (const char* key : {"module_input_name", "module_output_name"})
        if (const auto name = textOf(config, key, "sentence_embedding"); name != "sentence_embedding")
            return unsupported(fmt::format("its {} is {}", key, printableName(name)));
    const std::string_view type = textOf(config, "activation_function", "torch.nn.modules.activation.Tanh");
    const auto known = std::ranges::find(kActivations, type.substr(type.rfind('.') + 1), &ActivationName::torch);
    if (known == kActivations.end() || !type.starts_with("torch.nn."))
        return unsupported(fmt::format("its activation {} is not supported", printableName(type)));
    step.activation = known->activation;
    step.in = sizeOf(config, "in_features");
    step.out = sizeOf(config, "out_features");
    HEADSCOPE_TRY(const TensorDirectory weights, weightsIn(folder));
    HEADSCOPE_TRY(step.weight, tensorOf(weights, "linear.weight", {step.out, step.in}));
    const auto flag = config.find("bias");
    if (!flag || flag->asBool().value_or(true))
    {
        HEADSCOPE_TRY(step.bias, tensorOf(weights, "linear.bias", {step.out}));
    }
    return step;
}

Result<EmbeddingStep> readLayerNorm(JsonView config, const fs::path& folder)
{
    EmbeddingStep step;
    step.kind = EmbeddingStepKind::LayerNorm;
    step.in = step.out = sizeOf(config, "dimension");
    HEADSCOPE_TRY(const TensorDirectory weights, weightsIn(folder));
    HEADSCOPE_TRY(step.weight, tensorOf(weights, "norm.weight", {step.in}));
    HEADSCOPE_TRY(step.bias, tensorOf(weights, "norm.bias", {step.in}));
    return step;
}

} // namespace

std::string EmbeddingStep::words() const
{
    switch (kind)
    {
    case EmbeddingStepKind::Dense:
        break;
    case EmbeddingStepKind::LayerNorm:
        return "LayerNorm";
    case EmbeddingStepKind::Normalize:
        return "Normalize";
    }
    const auto name = std::ranges::find(kActivations, activation, &ActivationName::activation);
    return fmt::format("Dense ({} to {}{}{})", in, out, name->word.empty() ? "" : ", ", name->word);
}

std::int64_t EmbeddingPlan::dims(std::int64_t modelDim) const
{
    std::int64_t dims = modelDim;
    for (const EmbeddingStep& step : steps)
        dims = step.kind == EmbeddingStepKind::Dense ? step.out : dims;
    return truncateDim > 0 ? std::min(truncateDim, dims) : dims;
}

std::string EmbeddingPlan::words() const
{
    std::string text;
    for (const EmbeddingStep& step : steps)
        text += (text.empty() ? "" : ", ") + step.words();
    if (truncateDim > 0)
        text += fmt::format("{}the first {} numbers", text.empty() ? "" : ", ", truncateDim);
    return text;
}

Result<std::optional<EmbeddingStep>> readEmbeddingStep(std::string_view kind, const fs::path& folder, std::int64_t in,
                                                       std::vector<std::string>& notices)
{
    if (kind == "Normalize")
        return std::optional(EmbeddingStep{.in = in, .out = in});
    if (kind == "Dropout") // acts in training alone
        return std::optional<EmbeddingStep>();
    if (kind != "Dense" && kind != "LayerNorm")
        return unsupported("modules of this kind are not supported");
    const fs::path path = folder / "config.json";
    const auto document = JsonDocument::parseFile(path);
    if (!document)
        return contradiction(document.error().sentence());
    const auto said = keyNotices(KeyTable::Step, document->root(), (folder.filename() / path.filename()).string());
    notices.insert(notices.end(), said.begin(), said.end());
    HEADSCOPE_TRY(EmbeddingStep step,
                  kind == "Dense" ? readDense(document->root(), folder) : readLayerNorm(document->root(), folder));
    if (in > 0 && step.in != in)
        return contradiction(
            fmt::format("it takes vectors of {} numbers, but the module before it outputs {}", step.in, in));
    return std::optional(std::move(step));
}

} // namespace headscope
