// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/analysis/tsne/tsne_forces.h"

#include "model/base/parallel.h"
#include "model/base/size_of.h"
#include "model/kernels/exponentials.h"
#include "model/kernels/student.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace headscope
{
namespace
{

constexpr std::int64_t kDenseBlock = 32;
constexpr std::int64_t kParallelPoints = 800; // fewer are summed before a second thread has begun

bool stopped(const JobContext* job)
{
    return job != nullptr && job->stopRequested();
}

double sum(const std::vector<double>& values)
{
    return std::accumulate(values.begin(), values.end(), 0.0);
}

} // namespace

TsneForces::TsneForces(const MatrixD& affinities, double degrees)
    : m_points(affinities.rows()), m_degrees(degrees), m_dense(affinities.rows(), affinities.cols())
{
    for (std::size_t i = 0; i < affinities.values().size(); ++i)
    {
        const auto p = static_cast<float>(affinities.values()[i]);
        m_dense.values()[i] = p;
        m_total += static_cast<double>(p);
    }
    m_entropy = entropySum(m_dense.data(), static_cast<std::int64_t>(m_dense.values().size()));
}

TsneForces::TsneForces(const SparseAffinities& affinities, std::span<const std::int32_t> order, bool exactRepulsion,
                       int numThreads, double degrees)
    : m_points(affinities.points()), m_exact(exactRepulsion), m_degrees(degrees), m_mesh(degrees)
{
    std::vector<std::int32_t> position(order.size()); // point -> position
    for (std::size_t at = 0; at < order.size(); ++at)
        position[sizeOf(order[at])] = static_cast<std::int32_t>(at);
    const auto rowOf = [&](std::int64_t at, std::vector<JointEdge<float>>& into) {
        const auto point = sizeOf(order.empty() ? at : order[sizeOf(at)]);
        into.clear();
        for (auto e = sizeOf(affinities.rowStart[point]); e < sizeOf(affinities.rowStart[point + 1]); ++e)
        {
            const std::int32_t column = affinities.columns[e];
            into.push_back(
                {order.empty() ? column : position[sizeOf(column)], static_cast<float>(affinities.values[e])});
        }
    };
    JobContext unwatched;
    m_edges = EdgeBlocks::make(m_points, rowOf, exactRepulsion ? EdgePrecision::Full : EdgePrecision::Half, numThreads,
                               unwatched)
                  .value();
    m_total = m_edges.total();
    m_entropy = m_edges.entropy();
    m_repulsion.resize(sizeOf(2 * m_points));
}

Result<TsneForces> TsneForces::onMesh(const JointRows<float>& rows, double degrees, int numThreads, JobContext& job)
{
    TsneForces forces;
    forces.m_points = rows.points();
    forces.m_exact = false;
    forces.m_degrees = degrees;
    forces.m_mesh = RepulsionMesh(degrees);
    HEADSCOPE_TRY(forces.m_edges, EdgeBlocks::make(rows, EdgePrecision::Half, numThreads, job));
    forces.m_total = forces.m_edges.total();
    forces.m_entropy = forces.m_edges.entropy();
    forces.m_repulsion.resize(sizeOf(2 * forces.m_points));
    return forces;
}

TsneForces::Sums TsneForces::evaluate(std::span<const float> xy, double exaggeration, bool withKl, int numThreads,
                                      std::span<float> gradient, const JobContext* job)
{
    HEADSCOPE_ASSERT(xy.size() == sizeOf(2 * m_points) && gradient.size() == xy.size());
    return m_edges.empty() ? evaluateDense(xy, exaggeration, withKl, numThreads, gradient, job)
                           : evaluateSparse(xy, exaggeration, withKl, numThreads, gradient, job);
}

/// KL = sum P ln P - sum P ln q = sum P ln P + a sum P ln(1 + d^2 / a) + ln Z sum P.
double TsneForces::divergence(double logSum, double z) const
{
    return m_entropy + m_degrees * logSum + m_total * std::log(z);
}

TsneForces::Sums TsneForces::evaluateDense(std::span<const float> xy, double exaggeration, bool withKl, int numThreads,
                                           std::span<float> gradient, const JobContext* job)
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
        if (stopped(job))
            return;
        for (std::int64_t i = begin; i < end; ++i)
        {
            sums[sizeOf(i)] = studentSums(x.data(), y.data(), m_points, x[sizeOf(i)], y[sizeOf(i)],
                                          m_dense.row(i).data(), withKl, m_degrees);
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
                                            std::span<float> gradient, const JobContext* job)
{
    Sums result;
    result.z = m_exact ? exactRepulsion(xy, numThreads, m_repulsion, {}, m_degrees, job)
                       : m_mesh.apply(xy, numThreads, m_repulsion, {}, job);
    const auto factor = static_cast<float>(exaggeration);
    const auto inverse = static_cast<float>(result.z > 0 ? 1.0 / result.z : 0.0);
    const auto inverseDegrees = static_cast<float>(1.0 / m_degrees);
    std::vector<double> logSums(sizeOf(blockCount(m_points, EdgeBlocks::kRows)));
    parallelForBlocks(numThreads, m_points, EdgeBlocks::kRows, [&](const Block& block, int) {
        if (stopped(job))
            return;
        float* to = gradient.data() + 2 * block.begin;
        const float* repulsion = m_repulsion.data() + 2 * block.begin;
        m_edges.forces(block.index, xy.data(), inverseDegrees, to, withKl ? &logSums[sizeOf(block.index)] : nullptr);
        for (std::int64_t i = 0; i < 2 * (block.end - block.begin); ++i)
            to[i] = factor * to[i] - repulsion[i] * inverse;
    });
    result.kl = withKl ? divergence(sum(logSums), result.z) : 0;
    return result;
}

} // namespace headscope
