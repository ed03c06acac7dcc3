// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/data/head_vectors.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

namespace headscope
{

HeadVectors::HeadVectors(Stage stage, LayerIndex layer, std::int64_t documents, std::int64_t heads, std::int64_t dims,
                         std::vector<float> values, std::string_view finalNorm)
    : m_stage(stage), m_layer(layer), m_documents(documents), m_heads(heads), m_dims(dims), m_values(std::move(values)),
      m_finalNorm(finalNorm)
{
    HEADSCOPE_ASSERT(m_values.size() == static_cast<std::size_t>(documents * heads * dims));
}

std::span<const float> HeadVectors::vector(DocumentIndex document, HeadIndex head) const
{
    HEADSCOPE_ASSERT(document.value() >= 0 && document.value() < m_documents && head.value() >= 0 &&
                     head.value() < m_heads);
    return {m_values.data() + (document.value() * m_heads + head.value()) * m_dims, static_cast<std::size_t>(m_dims)};
}

std::span<const float> HeadVectors::full(DocumentIndex document) const
{
    HEADSCOPE_ASSERT(document.value() >= 0 && document.value() < m_documents);
    return {m_values.data() + document.value() * m_heads * m_dims, static_cast<std::size_t>(m_heads * m_dims)};
}

ConstMatrixView HeadVectors::head(HeadIndex head) const
{
    return {m_values.data() + head.value() * m_dims, m_documents, m_dims, m_heads * m_dims};
}

ConstMatrixView HeadVectors::rows() const
{
    return {m_values.data(), m_documents * m_heads, m_dims};
}

HeadPoints gatherPoints(const HeadVectors& vectors, std::span<const std::int64_t> documents,
                        std::span<const std::int64_t> heads)
{
    HeadPoints points;
    std::vector<float> values;
    values.reserve(documents.size() * heads.size() * static_cast<std::size_t>(vectors.dims()));
    points.leftOutByHead.resize(heads.size());
    for (const std::int64_t document : documents)
    {
        for (std::size_t h = 0; h < heads.size(); ++h)
        {
            const std::int64_t head = heads[h];
            const auto row = vectors.vector(DocumentIndex(document), HeadIndex(head));
            if (!std::all_of(row.begin(), row.end(), [](float value) { return std::isfinite(value); }))
            {
                ++points.leftOut;
                ++points.leftOutByHead[h];
                continue;
            }
            values.insert(values.end(), row.begin(), row.end());
            points.ids.document.push_back(static_cast<std::int32_t>(document));
            points.ids.head.push_back(static_cast<std::int32_t>(head));
        }
    }
    points.vectors = MatrixF(points.ids.count(), vectors.dims(), std::move(values));
    return points;
}

std::vector<std::int64_t> allIndices(std::int64_t count)
{
    std::vector<std::int64_t> indices(static_cast<std::size_t>(count));
    std::iota(indices.begin(), indices.end(), 0);
    return indices;
}

std::shared_ptr<const HeadVectors> takeRows(const std::shared_ptr<const HeadVectors>& all,
                                            const std::vector<std::int64_t>& rows)
{
    if (rows == allIndices(all->documents()))
        return all;
    std::vector<float> values;
    values.reserve(rows.size() * static_cast<std::size_t>(all->heads() * all->dims()));
    for (const std::int64_t row : rows)
    {
        const auto full = all->full(DocumentIndex(row));
        values.insert(values.end(), full.begin(), full.end());
    }
    return std::make_shared<const HeadVectors>(all->stage(), all->layer(), static_cast<std::int64_t>(rows.size()),
                                               all->heads(), all->dims(), std::move(values), all->finalNorm());
}

std::shared_ptr<const HeadVectors> takeHeads(const std::shared_ptr<const HeadVectors>& all,
                                             const std::vector<std::int64_t>& heads)
{
    if (heads == allIndices(all->heads()))
        return all;
    std::vector<float> values;
    values.reserve(static_cast<std::size_t>(all->documents() * all->dims()) * heads.size());
    for (std::int64_t row = 0; row < all->documents(); ++row)
    {
        for (const std::int64_t head : heads)
        {
            const auto vector = all->vector(DocumentIndex(row), HeadIndex(head));
            values.insert(values.end(), vector.begin(), vector.end());
        }
    }
    return std::make_shared<const HeadVectors>(all->stage(), all->layer(), all->documents(),
                                               static_cast<std::int64_t>(heads.size()), all->dims(), std::move(values),
                                               all->finalNorm());
}

} // namespace headscope
