// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/analysis/neighbors/block_search.h"

#include "model/base/parallel.h"
#include "model/base/random.h"
#include "model/base/size_of.h"
#include "model/kernels/candidate_list.h"
#include "model/kernels/distances.h"
#include "model/kernels/gemm.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <tuple>

namespace headscope
{
namespace
{

constexpr std::int64_t kCandidates = 1024; // of one product
constexpr std::int64_t kRowBlock = 1024;
constexpr std::int64_t kCentreSample = 511;

/// Median of each column over a seeded sample of the rows.
std::vector<double> columnMedians(ConstMatrixView rows)
{
    const CounterRandom random(1, 0x6d65);
    const std::int64_t count = std::min(rows.rows(), kCentreSample);
    std::vector<double> medians(sizeOf(rows.cols()));
    if (count == 0)
        return medians;
    std::vector<std::int64_t> chosen(sizeOf(count));
    for (std::int64_t i = 0; i < count; ++i)
        chosen[sizeOf(i)] = count == rows.rows()
                                ? i
                                : static_cast<std::int64_t>(random.below(static_cast<std::uint64_t>(i),
                                                                         static_cast<std::uint64_t>(rows.rows())));
    std::vector<float> column(chosen.size());
    for (std::int64_t k = 0; k < rows.cols(); ++k)
    {
        std::transform(chosen.begin(), chosen.end(), column.begin(), [&](std::int64_t i) { return rows(i, k); });
        const auto middle = column.begin() + count / 2;
        std::nth_element(column.begin(), middle, column.end());
        medians[sizeOf(k)] = static_cast<double>(*middle);
    }
    return medians;
}

/// Largest distance of a number from its column's centre.
double largestOffset(ConstMatrixView rows, const std::vector<double>& centre, int numThreads, const JobContext& job)
{
    std::vector<double> largest(sizeOf(blockCount(rows.rows(), kRowBlock)));
    parallelForBlocks(numThreads, rows.rows(), kRowBlock, [&](const Block& block, int) {
        if (job.stopRequested())
            return;
        double most = 0;
        for (std::int64_t i = block.begin; i < block.end; ++i)
        {
            for (std::int64_t k = 0; k < rows.cols(); ++k)
                most = std::max(most, std::abs(static_cast<double>(rows(i, k)) - centre[sizeOf(k)]));
        }
        largest[sizeOf(block.index)] = most;
    });
    return largest.empty() ? 0 : *std::max_element(largest.begin(), largest.end());
}

/// The power of two that keeps squares within float32: 1 for numbers of any usual size.
double safeScale(double largest, std::int64_t dims)
{
    const double length = largest * std::sqrt(static_cast<double>(dims));
    if (length == 0 || (length > 0x1p-30 && length < 0x1p60))
        return 1.0;
    return std::ldexp(1.0, -std::ilogb(length));
}

} // namespace

SearchPoints::SearchPoints(ConstMatrixView rows, std::span<const double> scales, std::span<const std::int32_t> order,
                           int numThreads, const JobContext& job)
    : m_rows(rows), m_scales(scales), m_order(order), m_vectors(sizeOf(rows.rows() * rows.cols())),
      m_norms(sizeOf(rows.rows())), m_bias(sizeOf(rows.rows() + kScanSlack)),
      m_bound(static_cast<float>(rows.cols() + 16) * 0x1.0p-24F)
{
    const bool unit = !scales.empty();
    const std::vector<double> centre = unit ? std::vector<double>(sizeOf(rows.cols())) : columnMedians(rows);
    const double common = unit ? 1.0 : safeScale(largestOffset(rows, centre, numThreads, job), rows.cols());
    m_squaredScale = common * common;
    parallelFor(numThreads, rows.rows(), kRowBlock, [&](std::int64_t begin, std::int64_t end) {
        if (job.stopRequested())
            return;
        for (std::int64_t position = begin; position < end; ++position)
        {
            const std::int64_t r = row(position);
            const double scale = unit ? scales[sizeOf(r)] : common;
            const float* from = rows.data() + r * rows.stride();
            float* to = m_vectors.data() + position * dims();
            for (std::int64_t k = 0; k < dims(); ++k)
                to[k] = static_cast<float>((static_cast<double>(from[k]) - centre[sizeOf(k)]) * scale);
            // A zero vector has cosine distance 1 to all; with norm 1 and product 0 that comes out.
            const float norm = unit ? 1.0F : static_cast<float>(squaredNorm(to, dims()));
            m_norms[sizeOf(position)] = norm;
            m_bias[sizeOf(position)] = norm * (1.0F - 2.0F * m_bound);
        }
    });
}

void SearchPoints::exactDistances(std::int64_t position, std::span<const std::int32_t> others,
                                  std::vector<std::int32_t>& rows, std::vector<double>& squared) const
{
    const std::int64_t own = row(position);
    const bool unit = !m_scales.empty();
    const double scale = unit ? m_scales[sizeOf(own)] : 1.0;
    rows.resize(others.size());
    squared.resize(others.size());
    std::transform(others.begin(), others.end(), rows.begin(), [this](std::int32_t other) { return row(other); });
    squaredDistances(m_rows.data() + own * m_rows.stride(), scale, m_rows.data(), m_rows.stride(),
                     unit ? m_scales.data() : nullptr, rows.data(), std::ssize(others), dims(), squared.data());
    for (std::size_t i = 0; unit && i < rows.size(); ++i)
    {
        if (scale == 0.0 || m_scales[sizeOf(rows[i])] == 0.0)
            squared[i] = 2.0; // a zero vector has no direction
    }
}

std::int64_t leastRoom(std::int64_t k)
{
    return (k + 32 + kCandidatePadding - 1) / kCandidatePadding * kCandidatePadding;
}

std::int64_t bestRoom(std::int64_t k)
{
    return (5 * k / 2 + 96) / kCandidatePadding * kCandidatePadding;
}

CandidateRanker::CandidateRanker(const SearchPoints& points, std::int64_t k) : m_points(points), m_k(k) {}

std::int64_t CandidateRanker::keepNearest(std::int64_t query, const CandidateList& list, std::int64_t count,
                                          std::int64_t wanted, float& limit)
{
    if (count <= wanted)
        return count;
    m_upper.resize(list.values.size());
    const float bound = m_points.roundingBound();
    const float slack = bound * m_points.norm(query);
    return keepSmallest(list.values.data(), list.positions.data(), count, wanted,
                        {m_points.norms(), 4.0F * bound, 2.0F * slack}, slack, limit, m_upper.data());
}

std::int64_t CandidateRanker::compact(std::int64_t query, const CandidateList& list, float& limit)
{
    const auto room = static_cast<std::int64_t>(list.values.size());
    const std::int64_t wanted = m_k + 1; // the query may be among them
    const std::int64_t kept = keepNearest(query, list, room, wanted, limit);
    if (kept <= wanted + (room - wanted) / 2)
        return kept;
    // Many nearly equal ones: only exact distances can part them.
    m_points.exactDistances(query, list.positions.first(sizeOf(kept)), m_rows, m_squared);
    std::vector<std::tuple<double, std::int32_t, std::int32_t>> exact; // distance, row, position
    for (std::size_t i = 0; i < sizeOf(kept); ++i)
        exact.emplace_back(m_squared[i], m_rows[i], list.positions[i]);
    std::sort(exact.begin(), exact.end());
    const auto norm = static_cast<double>(m_points.norm(query));
    for (std::size_t i = 0; i < sizeOf(wanted); ++i)
    {
        list.values[i] = static_cast<float>(std::get<0>(exact[i]) * m_points.squaredScale() - norm);
        list.positions[i] = std::get<2>(exact[i]);
    }
    return wanted;
}

std::span<const RankedNeighbor> CandidateRanker::rank(std::int64_t query, const CandidateList& list, std::int64_t count,
                                                      float& limit)
{
    const std::int64_t kept = keepNearest(query, list, count, m_k + 1, limit);
    m_points.exactDistances(query, list.positions.first(sizeOf(kept)), m_rows, m_squared);
    const std::int32_t own = m_points.row(query);
    m_ranked.clear();
    for (std::size_t i = 0; i < m_rows.size(); ++i)
    {
        if (m_rows[i] != own)
            m_ranked.emplace_back(m_squared[i], m_rows[i]);
    }
    std::sort(m_ranked.begin(), m_ranked.end()); // by distance, then by row
    if (std::ssize(m_ranked) > m_k)
        m_ranked.resize(sizeOf(m_k));
    return m_ranked;
}

BlockSearch::BlockSearch(const SearchPoints& points, std::int64_t k)
    : m_points(points), m_ranker(points, k), m_room(bestRoom(k)), m_vectors(sizeOf(kQueries * points.dims())),
      m_products(sizeOf(kQueries * kCandidates)), m_limits(sizeOf(kQueries)), m_counts(sizeOf(kQueries)),
      m_listValues(sizeOf(kQueries * m_room)), m_listPositions(m_listValues.size()),
      m_values(sizeOf(kCandidates + kScanSlack)), m_ids(m_values.size())
{}

CandidateList BlockSearch::listOf(std::int64_t query)
{
    return {std::span(m_listValues).subspan(sizeOf(query * m_room), sizeOf(m_room)),
            std::span(m_listPositions).subspan(sizeOf(query * m_room), sizeOf(m_room))};
}

void BlockSearch::start(std::span<const std::int64_t> positions)
{
    HEADSCOPE_ASSERT(static_cast<std::int64_t>(positions.size()) <= kQueries);
    m_positions.assign(positions.begin(), positions.end());
    for (std::size_t q = 0; q < positions.size(); ++q)
        std::copy_n(m_points.vector(positions[q]), m_points.dims(),
                    m_vectors.begin() + std::ptrdiff_t(q) * m_points.dims());
    std::fill(m_limits.begin(), m_limits.end(), std::numeric_limits<float>::max());
    std::fill(m_counts.begin(), m_counts.end(), 0);
}

void BlockSearch::scan(std::int64_t begin, std::int64_t end)
{
    const std::int64_t dims = m_points.dims();
    const auto queries = static_cast<std::int64_t>(m_positions.size());
    for (std::int64_t from = begin; from < end; from += kCandidates)
    {
        const std::int64_t count = std::min(kCandidates, end - from);
        gemmNT(queries, count, dims, -2.0F, m_vectors.data(), dims, m_points.vector(from), dims, 0.0F,
               m_products.data(), kCandidates);
        for (std::int64_t q = 0; q < queries; ++q)
        {
            float& limit = m_limits[sizeOf(q)];
            std::int64_t& held = m_counts[sizeOf(q)];
            const CandidateList list = listOf(q);
            const ScanStep step = scanBelow(m_products.data() + q * kCandidates, m_points.bias(from), count, limit,
                                            static_cast<std::int32_t>(from), m_values.data(), m_ids.data(),
                                            static_cast<std::int64_t>(m_values.size()));
            const float* value = m_values.data();
            const std::int32_t* id = m_ids.data();
            for (const float* last = value + step.appended; value != last; ++value, ++id)
            {
                if (!(*value <= limit))
                    continue;
                if (held == m_room)
                    held = m_ranker.compact(m_positions[sizeOf(q)], list, limit);
                list.values[sizeOf(held)] = *value;
                list.positions[sizeOf(held++)] = *id;
            }
        }
    }
}

std::span<const RankedNeighbor> BlockSearch::finish(std::int64_t query)
{
    return m_ranker.rank(m_positions[sizeOf(query)], listOf(query), m_counts[sizeOf(query)], m_limits[sizeOf(query)]);
}

} // namespace headscope
