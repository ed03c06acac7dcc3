// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "model/base/result.h"
#include "model/data/matrix.h"
#include "model/net/config/embedding_steps.h"

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

namespace headscope
{

/// The modules behind the pooling with their weights: they make the sentence embedding of the final hidden state.
/// @threads everything const from any number of threads
class EmbeddingModules
{
public:
    /// Reads the weights, as float32.
    /// @param plan      any()
    /// @param modelDim  Dm, numbers of the pooled hidden state
    /// @errors BadFormat (the files changed since the plan was made), Resource
    [[nodiscard]] static Result<std::shared_ptr<const EmbeddingModules>> load(const EmbeddingPlan& plan,
                                                                              std::int64_t modelDim);

    /// D, numbers of the embedding.
    [[nodiscard]] std::int64_t dims() const { return m_dims; }
    /// EmbeddingPlan::words().
    [[nodiscard]] const std::string& words() const { return m_words; }
    /// XXH3-128 of the words and of all weights.
    [[nodiscard]] const std::string& digest() const { return m_digest; }

    /// Applies all modules. Each row is computed by itself: its bits do not depend on the others.
    /// @param pooled  [S, Dm], pooled as the model's files say, after the final norm
    /// @return  [S, D]
    /// @errors  std::bad_alloc, std::runtime_error of gemmNT
    /// @source  sentence-transformers: models/Dense, LayerNorm, Normalize; truncate_dim of its encode
    [[nodiscard]] MatrixF apply(ConstMatrixView pooled) const;

private:
    struct Step
    {
        EmbeddingStep what;
        std::vector<float> weight; ///< [out, in]; of a LayerNorm [in]
        std::vector<float> bias;   ///< [out]; empty = none
    };

    EmbeddingModules() = default;
    static void applyStep(const Step& step, std::vector<float>& vector);

    std::vector<Step> m_steps;
    std::int64_t m_dims = 0;
    std::string m_words;
    std::string m_digest;
};

} // namespace headscope
