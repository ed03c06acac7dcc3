// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "model/data/extraction.h"
#include "model/data/head_vectors.h"

#include <cstdint>
#include <memory>
#include <vector>

namespace headscope
{

/// Keeps the vectors of a few documents (topic names, a query) in memory, one HeadVectors a block.
/// @threads add() one at a time
class CollectingSink : public HeadVectorSink
{
public:
    CollectingSink(std::vector<ExtractionBlock> blocks, std::int64_t documents);

    /// @errors ShapeMismatch (values that are not the blocks, an index that is out of range)
    [[nodiscard]] Status add(std::span<const ExtractedDocument> documents) override;

    /// The vectors of every block, [documents, heads, dims]; rows never added are NaN. Once.
    [[nodiscard]] std::vector<std::shared_ptr<const HeadVectors>> take();

private:
    std::vector<ExtractionBlock> m_blocks;
    std::int64_t m_documents = 0;
    std::vector<std::vector<float>> m_values; ///< [block][documents * heads * dims]
};

} // namespace headscope
