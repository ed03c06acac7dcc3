// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "model/base/result.h"
#include "model/data/matrix.h"
#include "model/formats/tensor_info.h"
#include "model/net/weights/weights.h"

#include <cstdint>
#include <memory>

namespace headscope
{

/// A table of a model with a row for each token, read from its file in blocks.
/// @threads any
class VocabularyTable
{
public:
    /// The token embeddings.
    [[nodiscard]] static Result<VocabularyTable> embeddings(const ModelFiles& files);
    /// What turns a vector into logits: the output head where the files have one (lm_head, in GGUF output), else the
    /// token embeddings.
    /// @errors ShapeMismatch (an output head of another shape), Unsupported (one that is stored transposed)
    [[nodiscard]] static Result<VocabularyTable> unembedding(const ModelFiles& files);

    [[nodiscard]] bool isOutputHead() const { return m_isOutputHead; }
    [[nodiscard]] std::int64_t rows() const { return m_info.shape[0]; }
    /// Some rows in float32, [count, Dm].
    /// @errors BadFormat ("the model changed while it was used"), Resource
    [[nodiscard]] Result<MatrixF> read(std::int64_t first, std::int64_t count) const;

private:
    TensorInfo m_info;
    bool m_isOutputHead = false;
    std::shared_ptr<const WeightFiles> m_files;
};

} // namespace headscope
