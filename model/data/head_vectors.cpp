// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/data/head_vectors.h"

#include "model/base/numbers/all_finite.h"
#include "model/base/parallel.h"

#include <algorithm>
#include <numeric>
#include <utility>

namespace headscope
{

HeadVectors::HeadVectors(Stage stage, LayerIndex layer, std::int64_t documents, std::int64_t heads, std::int64_t dims,
                         std::vector<float> values, std::string_view finalNorm)
    : HeadVectors(stage, layer, documents, heads, SharedRows(std::move(values), documents * heads, dims), finalNorm)
{}

HeadVectors::HeadVectors(Stage stage, LayerIndex layer, std::int64_t documents, std::int64_t heads, SharedRows rows,
                         std::string_view finalNorm)
    : m_stage(stage), m_layer(layer), m_documents(documents), m_heads(heads), m_rows(std::move(rows)),
      m_finalNorm(finalNorm)
{
    HEADSCOPE_ASSERT(m_rows.rows() == documents * heads);
}

std::span<const float> HeadVectors::vector(DocumentIndex document, HeadIndex head) const
{
    HEADSCOPE_ASSERT(document.value() >= 0 && document.value() < m_documents && head.value() >= 0 &&
                     head.value() < m_heads);
    return {m_rows.data() + (document.value() * m_heads + head.value()) * dims(), static_cast<std::size_t>(dims())};
}

std::span<const float> HeadVectors::full(DocumentIndex document) const
{
    HEADSCOPE_ASSERT(document.value() >= 0 && document.value() < m_documents);
    return {m_rows.data() + document.value() * m_heads * dims(), static_cast<std::size_t>(m_heads * dims())};
}

ConstMatrixView HeadVectors::head(HeadIndex head) const
{
    return {m_rows.data() + head.value() * dims(), m_documents, dims(), m_heads * dims()};
}

namespace
{

/// Whether `chosen` is 0, 1, ... count - 1.
bool isAll(std::span<const std::int64_t> chosen, std::int64_t count)
{
    return std::ssize(chosen) == count &&
           std::ranges::adjacent_find(chosen, [](std::int64_t a, std::int64_t b) { return b != a + 1; }) ==
               chosen.end() &&
           (count == 0 || chosen.front() == 0);
}

/// Which of these documents have finite vectors of all these heads, by place.
std::vector<char> finiteAt(const HeadVectors& vectors, std::span<const std::int64_t> documents,
                           std::span<const std::int64_t> heads, int numThreads)
{
    constexpr std::int64_t kDocuments = 64;
    const bool allHeads = isAll(heads, vectors.heads());
    const auto isFinite = [&](DocumentIndex document) {
        return allHeads ? allFinite(vectors.full(document)) : std::ranges::all_of(heads, [&](std::int64_t head) {
            return allFinite(vectors.vector(document, HeadIndex(head)));
        });
    };
    std::vector<char> areFinite(documents.size());
    parallelFor(numThreads, std::ssize(documents), kDocuments, [&](std::int64_t begin, std::int64_t end) {
        for (auto place = static_cast<std::size_t>(begin); place < static_cast<std::size_t>(end); ++place)
            areFinite[place] = isFinite(DocumentIndex(documents[place])) ? 1 : 0;
    });
    return areFinite;
}

} // namespace

HeadPoints gatherPoints(const HeadVectors& vectors, std::span<const std::int64_t> documents,
                        std::span<const std::int64_t> heads, int numThreads)
{
    HeadPoints points;
    const std::vector<char> areFinite = finiteAt(vectors, documents, heads, numThreads);
    const std::size_t most = documents.size() * heads.size();
    points.ids.document.reserve(most);
    points.ids.head.reserve(most);
    points.leftOutByHead.resize(heads.size());
    for (std::size_t d = 0; d < documents.size(); ++d)
    {
        const std::int64_t document = documents[d];
        for (std::size_t h = 0; h < heads.size(); ++h)
        {
            const std::int64_t head = heads[h];
            if (areFinite[d] == 0 && !allFinite(vectors.vector(DocumentIndex(document), HeadIndex(head))))
            {
                ++points.leftOut;
                ++points.leftOutByHead[h];
                continue;
            }
            points.ids.document.push_back(static_cast<std::int32_t>(document));
            points.ids.head.push_back(static_cast<std::int32_t>(head));
        }
    }
    if (points.leftOut == 0 && isAll(documents, vectors.documents()) && isAll(heads, vectors.heads()))
    {
        points.vectors = vectors.sharedRows();
        return points;
    }
    std::vector<float> values;
    values.reserve(static_cast<std::size_t>(points.ids.count() * vectors.dims()));
    for (std::int64_t i = 0; i < points.ids.count(); ++i)
    {
        const auto row = vectors.vector(points.ids.documentOf(i), points.ids.headOf(i));
        values.insert(values.end(), row.begin(), row.end());
    }
    points.vectors = SharedRows(std::move(values), points.ids.count(), vectors.dims());
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
