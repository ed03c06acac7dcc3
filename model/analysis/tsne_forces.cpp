// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/analysis/tsne_forces.h"

#include "model/base/parallel.h"
#include "model/kernels/student.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace headscope
{
namespace
{

constexpr std::int64_t kDenseBlock = 32;
constexpr std::int64_t kSparseBlock = 512;
constexpr std::int64_t kParallelPoints = 800; // fewer are summed before a second thread has begun

std::size_t sizeOf(std::int64_t count)
{
    return static_cast<std::size_t>(count);
}

double entropyTerm(float p)
{
    return p > 0 ? static_cast<double>(p) * std::log(static_cast<double>(p)) : 0.0;
}

double sum(const std::vector<double>& values)
{
    return std::accumulate(values.begin(), values.end(), 0.0);
}

} // namespace

TsneForces::TsneForces(const MatrixD& affinities)
    : m_points(affinities.rows()), m_dense(affinities.rows(), affinities.cols())
{
    for (std::size_t i = 0; i < affinities.values().size(); ++i)
    {
        const auto p = static_cast<float>(affinities.values()[i]);
        m_dense.values()[i] = p;
        m_total += static_cast<double>(p);
        m_entropy += entropyTerm(p);
    }
}

TsneForces::TsneForces(const SparseAffinities& affinities, std::span<const std::int32_t> order, bool exactRepulsion,
                       int numThreads)
    : m_points(affinities.points()), m_exact(exactRepulsion)
{
    std::vector<std::int32_t> position(order.size()); // point -> position
    for (std::size_t at = 0; at < order.size(); ++at)
        position[sizeOf(order[at])] = static_cast<std::int32_t>(at);
    const auto pointAt = [&](std::int64_t at) { return order.empty() ? at : order[sizeOf(at)]; };
    m_rowStart.assign(sizeOf(m_points + 1), 0);
    for (std::int64_t at = 0; at < m_points; ++at)
    {
        const auto point = sizeOf(pointAt(at));
        const std::int64_t edges = affinities.rowStart[point + 1] - affinities.rowStart[point];
        m_rowStart[sizeOf(at) + 1] = m_rowStart[sizeOf(at)] + blockCount(edges, kEdgePadding) * kEdgePadding;
    }
    m_columns.resize(sizeOf(m_rowStart.back()));
    m_values.resize(m_columns.size());
    std::vector<double> totals(sizeOf(blockCount(m_points, kSparseBlock)));
    std::vector<double> entropies(totals.size());
    parallelForBlocks(numThreads, m_points, kSparseBlock, [&](const Block& block, int) {
        for (std::int64_t at = block.begin; at < block.end; ++at)
        {
            const auto point = sizeOf(pointAt(at));
            auto to = sizeOf(m_rowStart[sizeOf(at)]);
            for (auto e = sizeOf(affinities.rowStart[point]); e < sizeOf(affinities.rowStart[point + 1]); ++e, ++to)
            {
                const std::int32_t column = affinities.columns[e];
                m_columns[to] = order.empty() ? column : position[sizeOf(column)];
                m_values[to] = static_cast<float>(affinities.values[e]);
                totals[sizeOf(block.index)] += static_cast<double>(m_values[to]);
                entropies[sizeOf(block.index)] += entropyTerm(m_values[to]);
            }
            for (; to < sizeOf(m_rowStart[sizeOf(at) + 1]); ++to)
                m_columns[to] = static_cast<std::int32_t>(at); // padding: no pull, and a place already loaded
        }
    });
    m_total = sum(totals);
    m_entropy = sum(entropies);
    m_repulsion.resize(sizeOf(2 * m_points));
}

TsneForces::Sums TsneForces::evaluate(std::span<const float> xy, double exaggeration, bool withKl, int numThreads,
                                      std::span<float> gradient)
{
    HEADSCOPE_ASSERT(xy.size() == sizeOf(2 * m_points) && gradient.size() == xy.size());
    return m_dense.empty() ? evaluateSparse(xy, exaggeration, withKl, numThreads, gradient)
                           : evaluateDense(xy, exaggeration, withKl, numThreads, gradient);
}

/// KL = sum P ln P - sum P ln q = sum P ln P + sum P ln(1 + d^2) + ln Z sum P.
double TsneForces::divergence(double logSum, double z) const
{
    return m_entropy + logSum + m_total * std::log(z);
}

TsneForces::Sums TsneForces::evaluateDense(std::span<const float> xy, double exaggeration, bool withKl, int numThreads,
                                           std::span<float> gradient)
{
    std::vector<float> x(sizeOf(m_points));
    std::vector<float> y(sizeOf(m_points));
    for (std::size_t i = 0; i < x.size(); ++i)
    {
        x[i] = xy[2 * i];
        y[i] = xy[2 * i + 1];
    }
    std::vector<StudentSums> sums(sizeOf(m_points));
    if (m_points < kParallelPoints)
        numThreads = 1;
    parallelFor(numThreads, m_points, kDenseBlock, [&](std::int64_t begin, std::int64_t end) {
        for (std::int64_t i = begin; i < end; ++i)
        {
            sums[sizeOf(i)] =
                studentSums(x.data(), y.data(), m_points, x[sizeOf(i)], y[sizeOf(i)], m_dense.row(i).data(), withKl);
        }
    });
    Sums result;
    double logSum = 0;
    for (const StudentSums& s : sums)
    {
        result.z += s.potential - 1; // a point is no pair with itself
        logSum += s.logSum;
    }
    const double inverse = result.z > 0 ? 1.0 / result.z : 0.0;
    for (std::size_t i = 0; i < sums.size(); ++i)
    {
        gradient[2 * i] = static_cast<float>(exaggeration * sums[i].attractionX - sums[i].forceX * inverse);
        gradient[2 * i + 1] = static_cast<float>(exaggeration * sums[i].attractionY - sums[i].forceY * inverse);
    }
    result.kl = withKl ? divergence(logSum, result.z) : 0;
    return result;
}

TsneForces::Sums TsneForces::evaluateSparse(std::span<const float> xy, double exaggeration, bool withKl, int numThreads,
                                            std::span<float> gradient)
{
    Sums result;
    result.z = m_exact ? exactRepulsion(xy, numThreads, m_repulsion) : m_mesh.apply(xy, numThreads, m_repulsion);
    const double inverse = result.z > 0 ? 1.0 / result.z : 0.0;
    std::vector<double> logSums(sizeOf(blockCount(m_points, kSparseBlock)));
    parallelForBlocks(numThreads, m_points, kSparseBlock, [&](const Block& block, int) {
        for (std::int64_t i = block.begin; i < block.end; ++i)
        {
            const std::int64_t begin = m_rowStart[sizeOf(i)];
            const StudentSums sums = edgeSums(xy.data(), i, m_columns.data() + begin, m_values.data() + begin,
                                              m_rowStart[sizeOf(i) + 1] - begin, withKl);
            const auto at = sizeOf(2 * i);
            gradient[at] =
                static_cast<float>(exaggeration * sums.attractionX - static_cast<double>(m_repulsion[at]) * inverse);
            gradient[at + 1] = static_cast<float>(exaggeration * sums.attractionY -
                                                  static_cast<double>(m_repulsion[at + 1]) * inverse);
            logSums[sizeOf(block.index)] += sums.logSum;
        }
    });
    result.kl = withKl ? divergence(sum(logSums), result.z) : 0;
    return result;
}

} // namespace headscope
