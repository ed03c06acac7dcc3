// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/analysis/probe/kronecker_preconditioner.h"

#include "model/analysis/probe/row_sums.h"
#include "model/base/parallel.h"
#include "model/kernels/narrow_product.h"

#include <Eigen/Eigenvalues>

#include <algorithm>
#include <cmath>
#include <numeric>

namespace headscope
{
namespace
{

using RowMajor = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
using MapD = Eigen::Map<RowMajor>;
using ConstMapD = Eigen::Map<const RowMajor>;

/// Above this many classes only the diagonal of A is used: its vectors would cost more than they save.
constexpr std::int64_t kMostCoupled = 256;

std::size_t sizeOf(std::int64_t count)
{
    return static_cast<std::size_t>(count);
}

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
/// pairs, of diag(values). The padding is not turned, so that it stays zero to the last bit.
void diagonalise(const std::vector<double>& pairs, const std::vector<std::vector<std::int64_t>>& groups,
                 std::int64_t stride, std::vector<double>& values, std::vector<double>& vectors,
                 std::vector<double>& back)
{
    RowMajor turned = RowMajor::Identity(stride, stride);
    for (const auto& group : groups)
    {
        if (pairs.empty())
            break;
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
    : m_dims(objective.dims()), m_stride(objective.stride()), m_c(objective.c()), m_numThreads(objective.numThreads())
{
    findEnergies(objective);
    follow(objective);
    auto groups = oneGroup(objective.classes());
    if (grouped && m_dims > kFullDims && !m_classOverlap.empty())
        groups = connected(m_classOverlap, m_undecided, objective.classes(), m_stride);
    for (auto& classes : groups)
    {
        Scatter& scatter = m_scatters.emplace_back();
        scatter.classes = std::move(classes);
        if (m_dims <= kFullDims)
            fullScatter(objective, scatter);
        else
            leadingScatter(objective, scatter);
    }
    if (m_scatters.size() > 1)
        follow(objective); // A falls apart as S does
    else
        setDenominators();
}

double KroneckerPreconditioner::energyOf(const Scatter& scatter) const
{
    double sum = 0;
    for (const std::int64_t k : scatter.classes)
        sum += m_strength[sizeOf(k)];
    return std::max(1e-300, sum);
}

/// Squared lengths of the rows about the mean, over their mean.
void KroneckerPreconditioner::findEnergies(const SoftmaxObjective& objective)
{
    const ConstMatrixView rows = objective.floatRows();
    const std::vector<float> shift(objective.floatShift().begin(), objective.floatShift().end());
    m_energy.resize(sizeOf(rows.rows()));
    parallelFor(objective.numThreads(), rows.rows(), kSumBlock, [&](std::int64_t begin, std::int64_t end) {
        for (std::int64_t i = begin; i < end; ++i)
        {
            const auto row = rows.row(i);
            double square = 0;
            for (std::size_t j = 0; j < row.size(); ++j)
            {
                const auto value = static_cast<double>(row[j] - shift[j]);
                square += value * value;
            }
            m_energy[sizeOf(i)] = static_cast<float>(square);
        }
    });
    const double sum = std::accumulate(m_energy.begin(), m_energy.end(), 0.0);
    const auto scale = static_cast<float>(sum > 0 ? static_cast<double>(rows.rows()) / sum : 0.0);
    for (float& energy : m_energy)
        energy = scale > 0 ? energy * scale : 1.0F;
}

void KroneckerPreconditioner::follow(const SoftmaxObjective& objective)
{
    const bool coupled = m_stride <= kMostCoupled;
    const std::size_t parts = sizeOf(kSumParts);
    std::vector<std::vector<double>> pairs(parts);       // sum_i p_ik p_il
    std::vector<std::vector<double>> strongPairs(parts); // sum_i e_i p_ik p_il
    std::vector<std::vector<double>> means(parts);       // sum_i q_ik x_ij, q = p (1 - p)
    std::vector<std::vector<double>> weights(parts, std::vector<double>(sizeOf(m_stride)));
    std::vector<std::vector<double>> strongWeights(parts, std::vector<double>(sizeOf(m_stride)));
    forRowParts(
        objective.numThreads(), objective.rows(), [&](std::size_t part, std::int64_t begin, std::int64_t count) {
            const float* p = objective.probabilities().row(begin).data();
            std::vector<float> q(sizeOf(count * m_stride));
            std::vector<float> strong(q.size());
            for (std::int64_t i = 0; i < count; ++i)
            {
                for (std::int64_t k = 0; k < m_stride; ++k)
                {
                    const float value = p[i * m_stride + k];
                    q[sizeOf(i * m_stride + k)] = value * (1.0F - value);
                    weights[part][sizeOf(k)] += static_cast<double>(value * (1.0F - value));
                    const float energy = m_energy[sizeOf(begin + i)];
                    strong[sizeOf(i * m_stride + k)] = energy * value;
                    strongWeights[part][sizeOf(k)] += static_cast<double>(energy * value * (1.0F - value));
                }
            }
            std::vector<float> block;
            if (coupled)
            {
                block.assign(sizeOf(m_stride * m_stride), 0.0F);
                addNarrowProduct(m_stride, m_stride, count, p, 1, m_stride, p, m_stride, block.data(), m_stride);
                addInDouble(pairs[part], block);
                std::fill(block.begin(), block.end(), 0.0F);
                addNarrowProduct(m_stride, m_stride, count, p, 1, m_stride, strong.data(), m_stride, block.data(),
                                 m_stride);
                addInDouble(strongPairs[part], block);
            }
            const ConstMatrixView rows = objective.floatRows();
            block.assign(sizeOf(m_dims * m_stride), 0.0F);
            addNarrowProduct(m_dims, m_stride, count, rows.data() + begin * rows.stride(), 1, rows.stride(), q.data(),
                             m_stride, block.data(), m_stride);
            addInDouble(means[part], block);
        });
    m_undecided = addParts(weights, sizeOf(m_stride));
    m_classMeans = addParts(means, sizeOf(m_dims * m_stride));
    for (std::int64_t j = 0; j < m_dims; ++j)
    {
        for (std::int64_t k = 0; k < m_stride; ++k)
        {
            double& mean = m_classMeans[sizeOf(j * m_stride + k)];
            const double weight = m_undecided[sizeOf(k)];
            mean = weight > 1e-9 ? mean / weight - objective.floatShift()[sizeOf(j)] : 0.0;
        }
    }
    m_competition = addParts(strongWeights, sizeOf(m_stride));
    m_interceptCompetition = m_undecided;
    m_strength = m_competition;
    if (coupled)
        m_classOverlap = addParts(pairs, sizeOf(m_stride * m_stride));
    const auto strongOverlap = coupled ? addParts(strongPairs, sizeOf(m_stride * m_stride)) : m_classOverlap;
    auto groups = oneGroup(objective.classes());
    diagonalise(m_classOverlap, groups, m_stride, m_interceptCompetition, m_interceptVectors, m_interceptVectorsBack);
    if (!m_scatters.empty())
        groups.clear();
    for (const Scatter& scatter : m_scatters)
        groups.push_back(scatter.classes);
    diagonalise(strongOverlap, groups, m_stride, m_competition, m_classVectors, m_classVectorsBack);
    if (!m_scatters.empty())
        setDenominators();
}

void KroneckerPreconditioner::setDenominators()
{
    m_restInverse.assign(sizeOf(m_stride), 1.0);
    m_interceptInverse.resize(sizeOf(m_stride));
    for (Scatter& scatter : m_scatters)
    {
        const std::int64_t width = padded(scatter.classes.size());
        scatter.inverse.assign(sizeOf(scatter.rank * width), 0.0);
        for (std::size_t k = 0; k < scatter.classes.size(); ++k)
        {
            const double a = m_c * m_competition[sizeOf(scatter.classes[k])];
            const double rest = scatter.rank < m_dims ? 1 / (a * scatter.restVariance + 1) : 0.0;
            m_restInverse[sizeOf(scatter.classes[k])] = rest;
            for (std::int64_t j = 0; j < scatter.rank; ++j)
                scatter.inverse[sizeOf(j * width) + k] = 1 / (a * scatter.variances[sizeOf(j)] + 1) - rest;
        }
    }
    const double most = *std::max_element(m_interceptCompetition.begin(), m_interceptCompetition.end());
    for (std::int64_t k = 0; k < m_stride; ++k) // the sum of all intercepts is free: its direction must not blow up
        m_interceptInverse[sizeOf(k)] =
            1 / std::max({m_c * m_interceptCompetition[sizeOf(k)], 1e-6 * m_c * most, 1e-12});
}

/// solved += V (1 / (C s a + 1) - rest) V^T turned, in the columns of the group.
void KroneckerPreconditioner::addInner(const Scatter& scatter, const std::vector<double>& turned,
                                       std::vector<double>& solved) const
{
    const std::int64_t width = padded(scatter.classes.size());
    const std::size_t n = sizeOf(m_stride);
    std::vector<double> columns(sizeOf(m_dims * width));
    for (std::size_t j = 0; j < sizeOf(m_dims); ++j)
    {
        for (std::size_t k = 0; k < scatter.classes.size(); ++k)
            columns[j * sizeOf(width) + k] = turned[j * n + sizeOf(scatter.classes[k])];
    }
    std::vector<double> inner(sizeOf(scatter.rank * width));
    addNarrowProduct(scatter.rank, width, m_dims, scatter.vectors.data(), 1, scatter.rank, columns.data(), width,
                     inner.data(), width);
    for (std::size_t i = 0; i < inner.size(); ++i)
        inner[i] *= scatter.inverse[i];
    std::fill(columns.begin(), columns.end(), 0.0);
    addNarrowProduct(m_dims, width, scatter.rank, scatter.vectors.data(), scatter.rank, 1, inner.data(), width,
                     columns.data(), width);
    for (std::size_t j = 0; j < sizeOf(m_dims); ++j)
    {
        for (std::size_t k = 0; k < scatter.classes.size(); ++k)
            solved[j * n + sizeOf(scatter.classes[k])] += columns[j * sizeOf(width) + k];
    }
}

void KroneckerPreconditioner::solve(std::span<const double> residual, std::span<double> solution) const
{
    const std::int64_t n = m_stride;
    const auto size = sizeOf(m_dims * n);
    // J^-T: what the intercepts' part of the residual says about the weights is taken off.
    std::vector<double> weights(residual.begin(), residual.begin() + static_cast<std::ptrdiff_t>(size));
    const auto intercepts = residual.subspan(size);
    for (std::size_t j = 0; j < sizeOf(m_dims); ++j)
    {
        for (std::size_t k = 0; k < sizeOf(n); ++k)
            weights[j * sizeOf(n) + k] -= m_classMeans[j * sizeOf(n) + k] * intercepts[k];
    }
    std::vector<double> turned(size); // W U
    addNarrowProduct(m_dims, n, n, weights.data(), n, 1, m_classVectors.data(), n, turned.data(), n);
    std::vector<double> solved(size);
    for (std::size_t j = 0; j < sizeOf(m_dims); ++j)
    {
        for (std::size_t k = 0; k < sizeOf(n); ++k)
            solved[j * sizeOf(n) + k] = turned[j * sizeOf(n) + k] * m_restInverse[k];
    }
    // Groups write to columns of their own.
    parallelForBlocks(m_numThreads, static_cast<std::int64_t>(m_scatters.size()), 1,
                      [&](const Block& each, int) { addInner(m_scatters[sizeOf(each.index)], turned, solved); });
    std::fill(solution.begin(), solution.end(), 0.0);
    addNarrowProduct(m_dims, n, n, solved.data(), n, 1, m_classVectorsBack.data(), n, solution.data(), n);
    // Intercepts, then J^-1.
    std::vector<double> turnedIntercepts(sizeOf(n));
    addNarrowProduct(1, n, n, intercepts.data(), n, 1, m_interceptVectors.data(), n, turnedIntercepts.data(), n);
    for (std::size_t k = 0; k < sizeOf(n); ++k)
        turnedIntercepts[k] *= m_interceptInverse[k];
    addNarrowProduct(1, n, n, turnedIntercepts.data(), n, 1, m_interceptVectorsBack.data(), n, solution.data() + size,
                     n);
    for (std::size_t j = 0; j < sizeOf(m_dims); ++j)
    {
        for (std::size_t k = 0; k < sizeOf(n); ++k)
            solution[size + k] -= m_classMeans[j * sizeOf(n) + k] * solution[j * sizeOf(n) + k];
    }
}

} // namespace headscope
