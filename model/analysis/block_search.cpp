// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/analysis/block_search.h"

#include "model/base/parallel.h"
#include "model/kernels/distances.h"
#include "model/kernels/gemm.h"

#include <algorithm>
#include <limits>

namespace headscope
{
namespace
{

constexpr std::int64_t kCandidates = 1024; // of one product: 256 x 1024 float32 stay in the second-level cache
constexpr std::int64_t kRowBlock = 1024;

std::size_t sizeOf(std::int64_t count)
{
    return static_cast<std::size_t>(count);
}

/// Column means, summed in double per fixed block and added in block order.
std::vector<double> columnMeans(ConstMatrixView rows, int numThreads)
{
    const std::int64_t dims = rows.cols();
    const std::int64_t blocks = blockCount(rows.rows(), kRowBlock);
    MatrixD partial(blocks, dims);
    parallelForBlocks(numThreads, rows.rows(), kRowBlock, [&](const Block& block, int) {
        for (std::int64_t i = block.begin; i < block.end; ++i)
        {
            for (std::int64_t k = 0; k < dims; ++k)
                partial(block.index, k) += static_cast<double>(rows(i, k));
        }
    });
    std::vector<double> means(sizeOf(dims));
    for (std::int64_t b = 0; b < blocks; ++b)
    {
        for (std::int64_t k = 0; k < dims; ++k)
            means[sizeOf(k)] += partial(b, k);
    }
    for (double& mean : means)
        mean /= static_cast<double>(std::max<std::int64_t>(1, rows.rows()));
    return means;
}

} // namespace

SearchPoints::SearchPoints(ConstMatrixView rows, std::span<const double> scales, std::span<const std::int32_t> order,
                           int numThreads)
    : m_rows(rows), m_scales(scales), m_order(order.begin(), order.end()), m_vectors(sizeOf(rows.rows() * rows.cols())),
      m_norms(sizeOf(rows.rows())), m_bias(sizeOf(rows.rows())),
      m_bound(static_cast<float>(rows.cols() + 16) * 0x1.0p-24F)
{
    const bool unit = !scales.empty();
    const std::vector<double> means = unit ? std::vector<double>(sizeOf(rows.cols())) : columnMeans(rows, numThreads);
    parallelFor(numThreads, rows.rows(), kRowBlock, [&](std::int64_t begin, std::int64_t end) {
        for (std::int64_t position = begin; position < end; ++position)
        {
            const std::int64_t r = row(position);
            const double scale = unit ? scales[sizeOf(r)] : 1.0;
            float* to = m_vectors.data() + position * dims();
            for (std::int64_t k = 0; k < dims(); ++k)
                to[k] = static_cast<float>((static_cast<double>(rows(r, k)) - means[sizeOf(k)]) * scale);
            // A zero vector has cosine distance 1 to all; with norm 1 and product 0 that comes out.
            const float norm = unit ? 1.0F : static_cast<float>(squaredNorm(to, dims()));
            m_norms[sizeOf(position)] = norm;
            m_bias[sizeOf(position)] = norm * (1.0F - 2.0F * m_bound);
        }
    });
}

double SearchPoints::exactDistance(std::int64_t positionA, std::int64_t positionB) const
{
    const std::int64_t a = row(positionA);
    const std::int32_t b = row(positionB);
    const bool unit = !m_scales.empty();
    if (unit && (m_scales[sizeOf(a)] == 0.0 || m_scales[sizeOf(b)] == 0.0))
        return 2.0;
    double distance = 0;
    squaredDistances(m_rows.data() + a * m_rows.stride(), unit ? m_scales[sizeOf(a)] : 1.0, m_rows.data(),
                     m_rows.stride(), unit ? m_scales.data() : nullptr, &b, 1, dims(), &distance);
    return distance;
}

BlockSearch::BlockSearch(const SearchPoints& points, std::int64_t k)
    : m_points(points), m_k(k), m_room(4 * k + 4 * kScanSlack), m_queries(sizeOf(kQueries)),
      m_products(sizeOf(kQueries * kCandidates)), m_values(sizeOf(kQueries * m_room)),
      m_positions(sizeOf(kQueries * m_room)), m_upper(sizeOf(m_room))
{}

void BlockSearch::start(std::int64_t begin, std::int64_t end)
{
    HEADSCOPE_ASSERT(end - begin <= kQueries);
    m_begin = begin;
    m_end = end;
    for (std::int64_t q = begin; q < end; ++q)
    {
        m_queries[sizeOf(q - begin)] = {std::numeric_limits<float>::max(),
                                        m_points.m_bound * m_points.m_norms[sizeOf(q)], 0};
    }
}

void BlockSearch::scan(std::int64_t begin, std::int64_t end)
{
    const std::int64_t dims = m_points.dims();
    for (std::int64_t from = begin; from < end; from += kCandidates)
    {
        const std::int64_t count = std::min(kCandidates, end - from);
        gemmNT(m_end - m_begin, count, dims, -2.0F, m_points.vector(m_begin), dims, m_points.vector(from), dims, 0.0F,
               m_products.data(), kCandidates);
        for (std::int64_t q = 0; q < m_end - m_begin; ++q)
        {
            Query& query = m_queries[sizeOf(q)];
            const float* products = m_products.data() + q * kCandidates;
            for (std::int64_t done = 0; done < count;)
            {
                const std::int64_t at = q * m_room + query.count;
                const ScanStep step = scanBelow(products + done, m_points.m_bias.data() + from + done, count - done,
                                                query.threshold, static_cast<std::int32_t>(from + done),
                                                m_values.data() + at, m_positions.data() + at, m_room - query.count);
                query.count += step.appended;
                done += step.consumed;
                if (done < count)
                    compact(q);
            }
        }
    }
}

/// Lowers the threshold to what the kept ones allow, and drops what is above it.
void BlockSearch::compact(std::int64_t q)
{
    Query& query = m_queries[sizeOf(q)];
    const std::int64_t wanted = m_k + 1; // the query may be among them
    if (query.count <= wanted)
        return;
    float* values = m_values.data() + q * m_room;
    std::int32_t* positions = m_positions.data() + q * m_room;
    for (std::int64_t i = 0; i < query.count; ++i)
    {
        m_upper[sizeOf(i)] =
            values[i] + 4.0F * m_points.m_bound * m_points.m_norms[sizeOf(positions[i])] + 2.0F * query.slack;
    }
    std::nth_element(m_upper.begin(), m_upper.begin() + wanted - 1, m_upper.begin() + query.count);
    query.threshold = std::min(query.threshold, m_upper[sizeOf(wanted - 1)] + query.slack);
    std::int64_t kept = 0;
    for (std::int64_t i = 0; i < query.count; ++i)
    {
        if (values[i] <= query.threshold)
        {
            values[kept] = values[i];
            positions[kept++] = positions[i];
        }
    }
    query.count = kept;
    if (query.count > m_room - 2 * kScanSlack) // many equal ones: only exact distances can part them
    {
        rankExactly(q);
        query.count = std::min(wanted, query.count);
        const double norm = static_cast<double>(m_points.m_norms[sizeOf(m_begin + q)]);
        for (std::int64_t i = 0; i < query.count; ++i)
        {
            const auto& [distance, position] = m_ranked[sizeOf(i)];
            values[i] = static_cast<float>(distance - norm);
            positions[i] = position;
        }
    }
}

/// Fills m_ranked with the kept (exact squared distance, position), best first.
void BlockSearch::rankExactly(std::int64_t q)
{
    const std::int64_t count = m_queries[sizeOf(q)].count;
    const std::int32_t* positions = m_positions.data() + q * m_room;
    m_ranked.clear();
    for (std::int64_t i = 0; i < count; ++i)
        m_ranked.emplace_back(m_points.exactDistance(m_begin + q, positions[i]), positions[i]);
    std::sort(m_ranked.begin(), m_ranked.end(), [this](const auto& a, const auto& b) {
        return a.first != b.first ? a.first < b.first : m_points.row(a.second) < m_points.row(b.second);
    });
}

std::span<const std::pair<double, std::int32_t>> BlockSearch::finish(std::int64_t query)
{
    const std::int64_t q = query - m_begin;
    compact(q);
    rankExactly(q);
    std::erase_if(m_ranked, [query](const auto& entry) { return entry.second == query; });
    if (static_cast<std::int64_t>(m_ranked.size()) > m_k)
        m_ranked.resize(sizeOf(m_k));
    for (auto& [distance, position] : m_ranked)
        position = m_points.row(position);
    return m_ranked;
}

} // namespace headscope
