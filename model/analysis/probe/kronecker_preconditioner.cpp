// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/analysis/probe/kronecker_preconditioner.h"

#include "model/base/parallel.h"
#include "model/base/size_of.h"
#include "model/kernels/skinny_gemm.h"

#include <Eigen/Eigenvalues>

#include <algorithm>
#include <functional>
#include <numeric>
#include <utility>

namespace headscope
{
namespace
{

using RowMajor = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
using MapD = Eigen::Map<RowMajor>;
using ConstMapD = Eigen::Map<const RowMajor>;

/// Columns of a group with the padding that products like.
std::int64_t padded(std::size_t classes)
{
    return blockCount(static_cast<std::int64_t>(classes), kNarrowColumns / 2) * (kNarrowColumns / 2);
}

std::vector<double> transposed(const std::vector<double>& square, std::int64_t n)
{
    std::vector<double> turned(square.size());
    MapD(turned.data(), n, n) = ConstMapD(square.data(), n, n).transpose();
    return turned;
}

/// Values and vectors of diag(values) - off-diagonal of `pairs`, in each group of classes alone; without
/// pairs (of too many classes: the vectors would cost more than they save), of diag(values), where no vectors stand for
/// those that turn nothing. The padding is not turned, so that it stays zero to the last bit.
void diagonalise(const std::vector<double>& pairs, const std::vector<std::vector<std::int64_t>>& groups,
                 std::int64_t stride, std::vector<double>& values, std::vector<double>& vectors,
                 std::vector<double>& back)
{
    if (pairs.empty())
        return;
    RowMajor turned = RowMajor::Identity(stride, stride);
    for (const auto& group : groups)
    {
        const auto count = static_cast<std::int64_t>(group.size());
        Eigen::MatrixXd a(count, count);
        for (std::int64_t k = 0; k < count; ++k)
        {
            for (std::int64_t l = 0; l < count; ++l)
                a(k, l) = -0.5 * (pairs[sizeOf(group[sizeOf(k)] * stride + group[sizeOf(l)])] +
                                  pairs[sizeOf(group[sizeOf(l)] * stride + group[sizeOf(k)])]);
            a(k, k) = values[sizeOf(group[sizeOf(k)])]; // sum_i p (1 - p): keeps its digits where p is nearly 1
        }
        const Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd> solver(a);
        for (std::int64_t k = 0; k < count; ++k)
        {
            values[sizeOf(group[sizeOf(k)])] = std::max(0.0, solver.eigenvalues()(k));
            for (std::int64_t l = 0; l < count; ++l)
                turned(group[sizeOf(l)], group[sizeOf(k)]) = solver.eigenvectors()(l, k);
        }
    }
    vectors.assign(turned.data(), turned.data() + turned.size());
    back = transposed(vectors, stride);
}

/// result = rows vectors, [m, n]; without vectors the rows as they are.
void turn(std::int64_t m, std::int64_t n, std::span<const double> rows, const std::vector<double>& vectors,
          std::span<double> result)
{
    if (vectors.empty())
    {
        std::ranges::copy(rows, result.begin());
        return;
    }
    std::ranges::fill(result, 0.0);
    addNarrowProduct(m, n, n, rows.data(), n, 1, vectors.data(), n, result.data(), n);
}

std::vector<std::vector<std::int64_t>> oneGroup(std::int64_t classes)
{
    std::vector<std::int64_t> all(sizeOf(classes));
    std::iota(all.begin(), all.end(), 0);
    return {all};
}

/// Classes that rows are uncertain between go together; pairs below this share of either class's uncertainty do not
/// count.
std::vector<std::vector<std::int64_t>> connected(const std::vector<double>& pairs, const std::vector<double>& undecided,
                                                 std::int64_t classes, std::int64_t stride)
{
    constexpr double kShare = 0.05;
    std::vector<std::int64_t> groupOf(sizeOf(classes));
    std::iota(groupOf.begin(), groupOf.end(), 0);
    for (std::int64_t k = 0; k < classes; ++k)
    {
        for (std::int64_t l = 0; l < k; ++l)
        {
            const double least = std::min(undecided[sizeOf(k)], undecided[sizeOf(l)]);
            if (pairs[sizeOf(k * stride + l)] > kShare * least)
                std::replace(groupOf.begin(), groupOf.end(), std::int64_t{groupOf[sizeOf(k)]},
                             std::int64_t{groupOf[sizeOf(l)]});
        }
    }
    std::vector<std::vector<std::int64_t>> groups(sizeOf(classes));
    for (std::int64_t k = 0; k < classes; ++k)
        groups[sizeOf(groupOf[sizeOf(k)])].push_back(k);
    std::erase_if(groups, [](const auto& group) { return group.empty(); });
    return groups;
}

} // namespace

KroneckerPreconditioner::KroneckerPreconditioner(const SoftmaxObjective& objective, bool grouped)
    : m_dims(objective.dims()), m_classes(objective.classes()), m_stride(objective.stride()), m_c(objective.c()),
      m_numThreads(objective.numThreads()), m_moments(objective)
{
    auto groups = oneGroup(objective.classes());
    if (grouped && m_dims > kFullDims && !m_moments.overlap.empty())
        groups = connected(m_moments.overlap, m_moments.undecided, objective.classes(), m_stride);
    for (auto& classes : groups)
    {
        auto scatter = m_dims <= kFullDims ? fullScatter(objective, m_moments, std::move(classes))
                                           : leadingScatter(objective, m_moments, std::move(classes));
        m_groups.push_back({std::move(scatter), {}});
    }
    diagonaliseCompetition();
}

void KroneckerPreconditioner::follow(const SoftmaxObjective& objective)
{
    m_moments.follow(objective);
    diagonaliseCompetition();
}

/// A = U a U^T, which falls apart into the same groups as S; of the intercepts, over all classes.
void KroneckerPreconditioner::diagonaliseCompetition()
{
    std::vector<std::vector<std::int64_t>> groups;
    for (const Group& group : m_groups)
        groups.push_back(group.scatter.classes);
    m_interceptCompetition = m_moments.undecided;
    m_competition = m_moments.strength;
    diagonalise(m_moments.overlap, oneGroup(m_classes), m_stride, m_interceptCompetition, m_interceptVectors,
                m_interceptVectorsBack);
    diagonalise(m_moments.strongOverlap, groups, m_stride, m_competition, m_classVectors, m_classVectorsBack);
    setDenominators();
}

void KroneckerPreconditioner::setDenominators()
{
    m_restInverse.assign(sizeOf(m_stride), 1.0);
    m_interceptInverse.resize(sizeOf(m_stride));
    for (Group& group : m_groups)
    {
        const ClassScatter& scatter = group.scatter;
        const std::int64_t width = padded(scatter.classes.size());
        group.inverse.assign(sizeOf(scatter.rank * width), 0.0);
        for (std::size_t k = 0; k < scatter.classes.size(); ++k)
        {
            const double a = m_c * m_competition[sizeOf(scatter.classes[k])];
            const double rest = scatter.rank < m_dims ? 1 / (a * scatter.restVariance + 1) : 0.0;
            m_restInverse[sizeOf(scatter.classes[k])] = rest;
            for (std::int64_t j = 0; j < scatter.rank; ++j)
                group.inverse[sizeOf(j * width) + k] = 1 / (a * scatter.variances[sizeOf(j)] + 1) - rest;
        }
    }
    const double most = *std::max_element(m_interceptCompetition.begin(), m_interceptCompetition.end());
    for (std::int64_t k = 0; k < m_stride; ++k) // the sum of all intercepts is free: its direction must not blow up
        m_interceptInverse[sizeOf(k)] =
            1 / std::max({m_c * m_interceptCompetition[sizeOf(k)], 1e-6 * m_c * most, 1e-12});
}

/// solved += V (1 / (C s a + 1) - rest) V^T turned, in the columns of the group.
void KroneckerPreconditioner::addInner(const Group& group, const std::vector<double>& turned,
                                       std::vector<double>& solved) const
{
    const ClassScatter& scatter = group.scatter;
    const std::int64_t width = padded(scatter.classes.size());
    std::vector<double> columns(sizeOf(m_dims * width));
    for (std::int64_t j = 0; j < m_dims; ++j)
    {
        const double* from = turned.data() + j * m_stride;
        double* to = columns.data() + j * width;
        for (const std::int64_t k : scatter.classes)
            *to++ = from[k];
    }
    std::vector<double> inner(sizeOf(scatter.rank * width));
    addNarrowProduct(scatter.rank, width, m_dims, scatter.vectors.data(), 1, scatter.rank, columns.data(), width,
                     inner.data(), width);
    std::ranges::transform(inner, group.inverse, inner.begin(), std::multiplies<>());
    std::fill(columns.begin(), columns.end(), 0.0);
    addNarrowProduct(m_dims, width, scatter.rank, scatter.vectors.data(), scatter.rank, 1, inner.data(), width,
                     columns.data(), width);
    for (std::int64_t j = 0; j < m_dims; ++j)
    {
        const double* from = columns.data() + j * width;
        double* to = solved.data() + j * m_stride;
        for (const std::int64_t k : scatter.classes)
            to[k] += *from++;
    }
}

void KroneckerPreconditioner::solve(std::span<const double> residual, std::span<double> solution) const
{
    const std::int64_t n = m_stride;
    const auto size = sizeOf(m_dims * n);
    const auto row = [n](std::span<const double> values) {
        return Eigen::Map<const Eigen::RowVectorXd>(values.data(), n);
    };
    const ConstMapD means(m_moments.means.data(), m_dims, n);
    // J^-T: what the intercepts' part of the residual says about the weights is taken off.
    std::vector<double> weights(residual.begin(), residual.begin() + static_cast<std::ptrdiff_t>(size));
    const auto intercepts = residual.subspan(size);
    MapD(weights.data(), m_dims, n).array() -= means.array().rowwise() * row(intercepts).array();
    std::vector<double> turned(size); // W U
    turn(m_dims, n, weights, m_classVectors, turned);
    std::vector<double> solved(size);
    MapD(solved.data(), m_dims, n) = ConstMapD(turned.data(), m_dims, n).array().rowwise() * row(m_restInverse).array();
    // Groups write to columns of their own.
    parallelForBlocks(m_numThreads, static_cast<std::int64_t>(m_groups.size()), 1,
                      [&](const Block& each, int) { addInner(m_groups[sizeOf(each.index)], turned, solved); });
    turn(m_dims, n, solved, m_classVectorsBack, solution.first(size));
    // Intercepts, then J^-1.
    std::vector<double> turnedIntercepts(sizeOf(n));
    turn(1, n, intercepts, m_interceptVectors, turnedIntercepts);
    std::ranges::transform(turnedIntercepts, m_interceptInverse, turnedIntercepts.begin(), std::multiplies<>());
    turn(1, n, turnedIntercepts, m_interceptVectorsBack, solution.subspan(size));
    const ConstMapD solvedWeights(solution.data(), m_dims, n);
    Eigen::Map<Eigen::RowVectorXd> left(solution.data() + size, n);
    for (std::int64_t j = 0; j < m_dims; ++j)
        left -= means.row(j).cwiseProduct(solvedWeights.row(j));
}

} // namespace headscope
