// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/net/forward/vocabulary_table.h"

#include "model/kernels/dequantise.h"
#include "model/net/config/model_files.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cstddef>
#include <vector>

namespace headscope
{

Result<VocabularyTable> VocabularyTable::embeddings(const ModelFiles& files)
{
    VocabularyTable table;
    table.m_info = *files.find({TensorRole::EmbedTokens});
    HEADSCOPE_TRY(table.m_files, WeightFiles::open(files));
    return table;
}

Result<VocabularyTable> VocabularyTable::unembedding(const ModelFiles& files)
{
    HEADSCOPE_TRY(VocabularyTable table, embeddings(files));
    const auto found = std::ranges::find(files.directory.tensors, files.isGguf() ? "output.weight" : "lm_head.weight",
                                         &TensorInfo::name);
    if (found == files.directory.tensors.end())
        return table;
    const std::vector<std::int64_t> expected = {files.config.vocabulary, files.config.modelDim};
    if (found->shape != expected)
        return Error{ErrorCode::ShapeMismatch,
                     fmt::format("expected an output head of shape {}, found {}", expected, found->shape),
                     files.path.string(), found->name};
    if (found->storedCols != 0)
        return Error{ErrorCode::Unsupported, "expected an output head that is not stored transposed",
                     files.path.string(), found->name};
    table.m_info = *found;
    table.m_isOutputHead = true;
    return table;
}

Result<MatrixF> VocabularyTable::read(std::int64_t first, std::int64_t count) const
{
    const std::uint64_t rowBytes = m_info.bytes / static_cast<std::uint64_t>(rows());
    std::vector<std::byte> bytes(static_cast<std::size_t>(rowBytes) * static_cast<std::size_t>(count));
    HEADSCOPE_CHECK(m_files->readAt(m_info.file, m_info.offset + rowBytes * static_cast<std::uint64_t>(first), bytes));
    MatrixF block(count, m_info.shape[1]);
    HEADSCOPE_CHECK(dequantise(m_info.type, bytes, block.values()));
    return block;
}

} // namespace headscope
