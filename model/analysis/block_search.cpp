// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/analysis/block_search.h"

#include "model/base/parallel.h"
#include "model/base/random.h"
#include "model/kernels/distances.h"
#include "model/kernels/gemm.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace headscope
{
namespace
{

constexpr std::int64_t kCandidates = 1024; // of one product
constexpr std::int64_t kRowBlock = 1024;
constexpr std::int64_t kCentreSample = 511;

std::size_t sizeOf(std::int64_t count)
{
    return static_cast<std::size_t>(count);
}

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

CandidateRanker::CandidateRanker(const SearchPoints& points, std::int64_t k) : m_points(points), m_k(k) {}

std::int64_t CandidateRanker::keepBelow(std::int64_t query, std::span<Candidate> list, std::int64_t count, float& limit)
{
    const std::int64_t wanted = m_k + 1; // the query may be among them
    if (count <= wanted)
        return count;
    const float bound = m_points.roundingBound();
    const float slack = bound * m_points.norm(query);
    m_upper.resize(sizeOf(count));
    for (std::size_t i = 0; i < m_upper.size(); ++i)
        m_upper[i] = list[i].value + 4.0F * bound * m_points.norm(list[i].position) + 2.0F * slack;
    const auto last = m_upper.begin() + (wanted - 1);
    std::nth_element(m_upper.begin(), last, m_upper.end());
    limit = std::min(limit, *last + slack);
    const auto end = std::remove_if(list.begin(), list.begin() + count,
                                    [limit](const Candidate& candidate) { return !(candidate.value <= limit); });
    return end - list.begin();
}

std::int64_t CandidateRanker::compact(std::int64_t query, std::span<Candidate> list, std::int64_t count, float& limit)
{
    const std::int64_t kept = keepBelow(query, list, count, limit);
    const std::int64_t wanted = m_k + 1;
    const auto room = static_cast<std::int64_t>(list.size());
    if (kept <= wanted + (room - wanted) / 2)
        return kept;
    // Many nearly equal ones: only exact distances can part them.
    rankExactly(query, list.first(sizeOf(kept)));
    const auto norm = static_cast<double>(m_points.norm(query));
    for (std::size_t i = 0; i < sizeOf(wanted); ++i)
    {
        const auto& [distance, position] = m_ranked[i];
        list[i] = {static_cast<float>(distance * m_points.squaredScale() - norm), position};
    }
    return wanted;
}

/// Fills m_ranked with (exact squared distance, position), best first.
void CandidateRanker::rankExactly(std::int64_t query, std::span<const Candidate> list)
{
    m_ranked.clear();
    for (const Candidate& candidate : list)
        m_ranked.emplace_back(m_points.exactDistance(query, candidate.position), candidate.position);
    std::sort(m_ranked.begin(), m_ranked.end(), [this](const auto& a, const auto& b) {
        return a.first != b.first ? a.first < b.first : m_points.row(a.second) < m_points.row(b.second);
    });
}

std::span<const RankedNeighbor> CandidateRanker::rank(std::int64_t query, std::span<Candidate> list, std::int64_t count,
                                                      float limit)
{
    rankExactly(query, list.first(sizeOf(keepBelow(query, list, count, limit))));
    std::erase_if(m_ranked, [query](const auto& entry) { return entry.second == query; });
    if (static_cast<std::int64_t>(m_ranked.size()) > m_k)
        m_ranked.resize(sizeOf(m_k));
    for (auto& [distance, position] : m_ranked)
        position = m_points.row(position);
    return m_ranked;
}

BlockSearch::BlockSearch(const SearchPoints& points, std::int64_t k)
    : m_points(points), m_ranker(points, k), m_room(4 * k + 256), m_vectors(sizeOf(kQueries * points.dims())),
      m_products(sizeOf(kQueries * kCandidates)), m_limits(sizeOf(kQueries)), m_counts(sizeOf(kQueries)),
      m_lists(sizeOf(kQueries * m_room)), m_values(sizeOf(kCandidates + kScanSlack)), m_ids(m_values.size())
{}

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
            const auto list = std::span(m_lists).subspan(sizeOf(q * m_room), sizeOf(m_room));
            const ScanStep step = scanBelow(m_products.data() + q * kCandidates, m_points.bias(from), count, limit,
                                            static_cast<std::int32_t>(from), m_values.data(), m_ids.data(),
                                            static_cast<std::int64_t>(m_values.size()));
            for (std::size_t i = 0; i < sizeOf(step.appended); ++i)
            {
                if (!(m_values[i] <= limit))
                    continue;
                if (held == m_room)
                    held = m_ranker.compact(m_positions[sizeOf(q)], list, held, limit);
                list[sizeOf(held++)] = {m_values[i], m_ids[i]};
            }
        }
    }
}

std::span<const RankedNeighbor> BlockSearch::finish(std::int64_t query)
{
    const auto list = std::span(m_lists).subspan(sizeOf(query * m_room), sizeOf(m_room));
    return m_ranker.rank(m_positions[sizeOf(query)], list, m_counts[sizeOf(query)], m_limits[sizeOf(query)]);
}

} // namespace headscope
