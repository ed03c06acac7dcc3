// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/net/forward/embedding_modules.h"

#include "model/base/assert.h"
#include "model/base/file.h"
#include "model/base/hash.h"
#include "model/kernels/dequantise.h"
#include "model/kernels/gemm.h"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <optional>
#include <utility>

namespace headscope
{
namespace
{

Result<std::vector<float>> numbersOf(const std::optional<StepTensor>& tensor)
{
    if (!tensor)
        return std::vector<float>();
    HEADSCOPE_TRY(const File file, File::openForReading(tensor->file));
    std::vector<std::byte> raw(tensor->info.bytes);
    HEADSCOPE_CHECK(file.readAt(tensor->info.offset, raw));
    std::vector<float> values(tensor->info.elements());
    HEADSCOPE_CHECK(dequantise(tensor->info.type, raw, values));
    return values;
}

float activated(DenseActivation activation, float x)
{
    switch (activation)
    {
    case DenseActivation::Identity:
        break;
    case DenseActivation::Tanh:
        return std::tanh(x);
    case DenseActivation::Relu:
        return std::max(x, 0.0F);
    case DenseActivation::Gelu:
        return static_cast<float>(0.5 * x * (1 + std::erf(x / std::numbers::sqrt2)));
    case DenseActivation::Sigmoid:
        return static_cast<float>(1 / (1 + std::exp(-static_cast<double>(x))));
    case DenseActivation::Silu:
        return static_cast<float>(x / (1 + std::exp(-static_cast<double>(x))));
    }
    return x;
}

/// In float64, as the sums are long and the vectors few.
void normLayer(std::span<const float> weight, std::span<const float> bias, std::vector<float>& vector)
{
    constexpr double kEpsilon = 1e-5; // torch.nn.LayerNorm's, which the module keeps
    const auto count = static_cast<double>(vector.size());
    double mean = 0;
    for (const float value : vector)
        mean += value;
    mean /= count;
    double variance = 0;
    for (const float value : vector)
        variance += (value - mean) * (value - mean);
    const double scale = 1 / std::sqrt(variance / count + kEpsilon);
    for (std::size_t i = 0; i < vector.size(); ++i)
        vector[i] = static_cast<float>((vector[i] - mean) * scale * weight[i] + bias[i]);
}

void normalise(std::vector<float>& vector)
{
    constexpr double kLeast = 1e-12; // torch.nn.functional.normalize
    double squares = 0;
    for (const float value : vector)
        squares += static_cast<double>(value) * value;
    const double scale = 1 / std::max(std::sqrt(squares), kLeast);
    for (float& value : vector)
        value = static_cast<float>(value * scale);
}

} // namespace

Result<std::shared_ptr<const EmbeddingModules>> EmbeddingModules::load(const EmbeddingPlan& plan, std::int64_t modelDim)
{
    auto modules = std::shared_ptr<EmbeddingModules>(new EmbeddingModules());
    modules->m_dims = plan.dims(modelDim);
    modules->m_words = plan.words();
    Xxh3 hash;
    hash.update(std::as_bytes(std::span(modules->m_words)));
    for (const EmbeddingStep& step : plan.steps)
    {
        Step loaded{step, {}, {}};
        HEADSCOPE_TRY(loaded.weight, numbersOf(step.weight));
        HEADSCOPE_TRY(loaded.bias, numbersOf(step.bias));
        hash.update(std::as_bytes(std::span(loaded.weight)));
        hash.update(std::as_bytes(std::span(loaded.bias)));
        modules->m_steps.push_back(std::move(loaded));
    }
    modules->m_digest = hash.hex();
    return std::shared_ptr<const EmbeddingModules>(std::move(modules));
}

void EmbeddingModules::applyStep(const Step& step, std::vector<float>& vector)
{
    switch (step.what.kind)
    {
    case EmbeddingStepKind::Normalize:
        return normalise(vector);
    case EmbeddingStepKind::LayerNorm:
        return normLayer(step.weight, step.bias, vector);
    case EmbeddingStepKind::Dense:
        break;
    }
    const std::int64_t in = step.what.in;
    const std::int64_t out = step.what.out;
    HEADSCOPE_ASSERT(std::ssize(vector) == in);
    std::vector<float> result(static_cast<std::size_t>(out), 0.0F);
    gemmNT(1, out, in, 1.0F, vector.data(), in, step.weight.data(), in, 0.0F, result.data(), out);
    for (std::size_t i = 0; i < result.size(); ++i)
        result[i] = activated(step.what.activation, result[i] + (step.bias.empty() ? 0.0F : step.bias[i]));
    vector = std::move(result);
}

MatrixF EmbeddingModules::apply(ConstMatrixView pooled) const
{
    MatrixF embeddings(pooled.rows(), m_dims);
    for (std::int64_t row = 0; row < pooled.rows(); ++row)
    {
        const auto from = pooled.row(row);
        std::vector<float> vector(from.begin(), from.end());
        for (const Step& step : m_steps)
            applyStep(step, vector);
        std::copy_n(vector.begin(), m_dims, embeddings.row(row).begin());
    }
    return embeddings;
}

} // namespace headscope
