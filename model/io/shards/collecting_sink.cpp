// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/io/shards/collecting_sink.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>

namespace headscope
{

CollectingSink::CollectingSink(std::vector<ExtractionBlock> blocks, std::int64_t documents)
    : m_blocks(std::move(blocks)), m_documents(documents)
{
    for (const ExtractionBlock& block : m_blocks)
        m_values.emplace_back(static_cast<std::size_t>(documents * block.heads * block.dims),
                              std::numeric_limits<float>::quiet_NaN());
}

Status CollectingSink::add(std::span<const ExtractedDocument> documents)
{
    std::size_t expected = 0;
    for (const ExtractionBlock& block : m_blocks)
        expected += static_cast<std::size_t>(block.heads * block.dims);
    for (const ExtractedDocument& document : documents)
    {
        if (document.values.size() != expected || document.index < 0 || document.index >= m_documents)
            return Error{ErrorCode::ShapeMismatch,
                         fmt::format("expected {} numbers for one of {} texts, found {} for text {}", expected,
                                     m_documents, document.values.size(), document.index),
                         {},
                         {}};
        const float* from = document.values.data();
        for (std::size_t b = 0; b < m_blocks.size(); ++b)
        {
            const std::int64_t size = m_blocks[b].heads * m_blocks[b].dims;
            std::copy_n(from, size, m_values[b].begin() + document.index * size);
            from += size;
        }
    }
    return {};
}

std::vector<std::shared_ptr<const HeadVectors>> CollectingSink::take()
{
    std::vector<std::shared_ptr<const HeadVectors>> vectors;
    for (std::size_t b = 0; b < m_blocks.size(); ++b)
    {
        const ExtractionBlock& block = m_blocks[b];
        vectors.push_back(std::make_shared<const HeadVectors>(block.stage, block.layer, m_documents, block.heads,
                                                              block.dims, std::move(m_values[b])));
    }
    m_values.clear();
    return vectors;
}

} // namespace headscope
