// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/analysis/curvature_model.h"

#include "model/base/parallel.h"
#include "model/base/random.h"
#include "model/kernels/gemm.h"
#include "model/kernels/narrow_product.h"

#include <Eigen/Eigenvalues>
#include <Eigen/QR>

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

constexpr std::int64_t kRowBlock = 256;
constexpr std::int64_t kParts = 16;
/// Above this many classes only the diagonal of A is used: its vectors would cost more than they save.
constexpr std::int64_t kMostCoupled = 256;
constexpr std::int64_t kLeading = 128; // vectors of S above kFullDims columns
constexpr int kSweeps = 2;             // of subspace iteration
/// Rows that the leading vectors are learned from: a sample is enough for a preconditioner.
constexpr std::int64_t kSampleRows = 8192;

std::size_t sizeOf(std::int64_t count)
{
    return static_cast<std::size_t>(count);
}

/// Calls body(part, begin, count) for blocks of rows; parts follow from the rows alone.
template <class Body>
void forBlocks(const SoftmaxObjective& objective, const Body& body)
{
    const std::int64_t rows = objective.rows();
    const std::int64_t share = std::max(kRowBlock, blockCount(blockCount(rows, kRowBlock), kParts) * kRowBlock);
    parallelForBlocks(objective.numThreads(), rows, share, [&](const Block& part, int) {
        for (std::int64_t begin = part.begin; begin < part.end; begin += kRowBlock)
            body(sizeOf(part.index), begin, std::min(kRowBlock, part.end - begin));
    });
}

template <class T>
std::vector<T> addUp(const std::vector<std::vector<T>>& parts, std::size_t size)
{
    std::vector<T> total(size);
    for (const auto& part : parts)
    {
        for (std::size_t i = 0; i < part.size(); ++i)
            total[i] += part[i];
    }
    return total;
}

void addInto(std::vector<double>& sum, const std::vector<float>& values)
{
    sum.resize(values.size());
    for (std::size_t i = 0; i < values.size(); ++i)
        sum[i] += static_cast<double>(values[i]);
}

/// How undecided a row is: 1 - sum_k p_k^2.
float undecided(std::span<const float> p)
{
    float left = 0; // sum p (1 - p): keeps its digits where one p is nearly 1
    for (const float value : p)
        left += value * (1.0F - value);
    return std::max(left, 0.0F);
}

std::vector<double> transposed(const std::vector<double>& square, std::int64_t n)
{
    std::vector<double> turned(square.size());
    MapD(turned.data(), n, n) = ConstMapD(square.data(), n, n).transpose();
    return turned;
}

/// Values and vectors of diag(values) - off-diagonal of `pairs`; without pairs, of diag(values). Only the
/// classes' corner is turned, so that the padding stays zero to the last bit.
void diagonalise(const std::vector<double>& pairs, std::int64_t classes, std::int64_t stride,
                 std::vector<double>& values, std::vector<double>& vectors, std::vector<double>& back)
{
    RowMajor turned = RowMajor::Identity(stride, stride);
    if (!pairs.empty())
    {
        RowMajor a = -ConstMapD(pairs.data(), stride, stride).topLeftCorner(classes, classes);
        for (std::int64_t k = 0; k < classes; ++k) // sum_i p (1 - p): keeps its digits where p is nearly 1
            a(k, k) = values[sizeOf(k)];
        const Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd> solver(Eigen::MatrixXd((a + a.transpose()) / 2));
        turned.topLeftCorner(classes, classes) = solver.eigenvectors();
        for (std::int64_t k = 0; k < classes; ++k)
            values[sizeOf(k)] = std::max(0.0, solver.eigenvalues()(k));
    }
    vectors.assign(turned.data(), turned.data() + turned.size());
    back = transposed(vectors, stride);
}

} // namespace

CurvatureModel::CurvatureModel(const SoftmaxObjective& objective)
    : m_dims(objective.dims()), m_stride(objective.stride()), m_c(objective.c())
{
    findEnergies(objective);
    follow(objective);
    if (m_dims <= kFullDims)
        fullScatter(objective);
    else
        leadingScatter(objective);
    setDenominators();
}

/// Squared lengths of the rows about the mean, over their mean.
void CurvatureModel::findEnergies(const SoftmaxObjective& objective)
{
    const ConstMatrixView rows = objective.floatRows();
    const std::vector<float> shift(objective.floatShift().begin(), objective.floatShift().end());
    m_energy.resize(sizeOf(rows.rows()));
    parallelFor(objective.numThreads(), rows.rows(), kRowBlock, [&](std::int64_t begin, std::int64_t end) {
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

void CurvatureModel::follow(const SoftmaxObjective& objective)
{
    const bool coupled = m_stride <= kMostCoupled;
    const std::size_t parts = sizeOf(kParts);
    std::vector<std::vector<double>> pairs(parts);       // sum_i p_ik p_il
    std::vector<std::vector<double>> strongPairs(parts); // sum_i e_i p_ik p_il
    std::vector<std::vector<double>> means(parts);       // sum_i q_ik x_ij, q = p (1 - p)
    std::vector<std::vector<double>> weights(parts, std::vector<double>(sizeOf(m_stride)));
    std::vector<std::vector<double>> strongWeights(parts, std::vector<double>(sizeOf(m_stride)));
    forBlocks(objective, [&](std::size_t part, std::int64_t begin, std::int64_t count) {
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
            addInto(pairs[part], block);
            std::fill(block.begin(), block.end(), 0.0F);
            addNarrowProduct(m_stride, m_stride, count, p, 1, m_stride, strong.data(), m_stride, block.data(),
                             m_stride);
            addInto(strongPairs[part], block);
        }
        const ConstMatrixView rows = objective.floatRows();
        block.assign(sizeOf(m_dims * m_stride), 0.0F);
        addNarrowProduct(m_dims, m_stride, count, rows.data() + begin * rows.stride(), 1, rows.stride(), q.data(),
                         m_stride, block.data(), m_stride);
        addInto(means[part], block);
    });
    m_undecided = addUp(weights, sizeOf(m_stride));
    m_classMeans = addUp(means, sizeOf(m_dims * m_stride));
    for (std::int64_t j = 0; j < m_dims; ++j)
    {
        for (std::int64_t k = 0; k < m_stride; ++k)
        {
            double& mean = m_classMeans[sizeOf(j * m_stride + k)];
            const double weight = m_undecided[sizeOf(k)];
            mean = weight > 1e-9 ? mean / weight - objective.floatShift()[sizeOf(j)] : 0.0;
        }
    }
    m_competition = addUp(strongWeights, sizeOf(m_stride));
    m_interceptCompetition = m_undecided;
    m_energySum = std::accumulate(m_competition.begin(), m_competition.end(), 0.0);
    if (coupled)
        m_hesitation = addUp(pairs, sizeOf(m_stride * m_stride));
    const auto strongHesitation = coupled ? addUp(strongPairs, sizeOf(m_stride * m_stride)) : m_hesitation;
    diagonalise(strongHesitation, objective.classes(), m_stride, m_competition, m_classVectors, m_classVectorsBack);
    diagonalise(m_hesitation, objective.classes(), m_stride, m_interceptCompetition, m_interceptVectors,
                m_interceptVectorsBack);
    if (m_rank > 0)
        setDenominators();
}

/// S = (sum_i t_i x x^T - sum_k N_k m_k m_k^T) / sum_i t_i and all its vectors.
void CurvatureModel::fullScatter(const SoftmaxObjective& objective)
{
    std::vector<std::vector<double>> parts(sizeOf(kParts));
    const ConstMatrixView rows = objective.floatRows();
    forBlocks(objective, [&](std::size_t part, std::int64_t begin, std::int64_t count) {
        std::vector<float> scaled(sizeOf(count * m_dims));
        for (std::int64_t i = 0; i < count; ++i)
        {
            const float root = std::sqrt(undecided(objective.probabilities().row(begin + i)));
            for (std::int64_t j = 0; j < m_dims; ++j)
                scaled[sizeOf(i * m_dims + j)] =
                    root * (rows(begin + i, j) - static_cast<float>(objective.floatShift()[sizeOf(j)]));
        }
        std::vector<float> product(sizeOf(m_dims * m_dims));
        gemmTN(m_dims, m_dims, count, 1.0F, scaled.data(), m_dims, scaled.data(), m_dims, 0.0F, product.data(), m_dims);
        addInto(parts[part], product);
    });
    const auto sum = addUp(parts, sizeOf(m_dims * m_dims));
    const ConstMapD means(m_classMeans.data(), m_dims, m_stride);
    const Eigen::Map<const Eigen::VectorXd> weights(m_undecided.data(), m_stride);
    const double total = std::max(1e-300, m_energySum);
    const RowMajor scatter =
        (ConstMapD(sum.data(), m_dims, m_dims) - means * weights.asDiagonal() * means.transpose()) / total;
    const Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd> solver(Eigen::MatrixXd((scatter + scatter.transpose()) / 2));
    m_rank = m_dims;
    m_restVariance = 0;
    m_vectors.resize(sizeOf(m_dims * m_rank));
    MapD(m_vectors.data(), m_dims, m_rank) = solver.eigenvectors();
    m_variances.resize(sizeOf(m_rank));
    for (std::int64_t j = 0; j < m_rank; ++j)
        m_variances[sizeOf(j)] = std::max(0.0, solver.eigenvalues()(j));
}

/// The leading vectors of S by subspace iteration on a sample of the rows.
void CurvatureModel::leadingScatter(const SoftmaxObjective& objective)
{
    const ConstMatrixView rows = objective.floatRows();
    const std::int64_t step = std::max<std::int64_t>(1, objective.rows() / kSampleRows);
    const std::int64_t sample = (objective.rows() - 1) / step + 1;
    m_rank = std::min({kLeading, m_dims, sample});
    MatrixF scaled(sample, m_dims); // sqrt(t_i) (x_i - mean)
    std::vector<double> squares(sizeOf(sample));
    double total = 0;
    parallelFor(objective.numThreads(), sample, 64, [&](std::int64_t begin, std::int64_t end) {
        for (std::int64_t s = begin; s < end; ++s)
        {
            const float root = std::sqrt(undecided(objective.probabilities().row(s * step)));
            double square = 0;
            for (std::int64_t j = 0; j < m_dims; ++j)
            {
                const float value = root * (rows(s * step, j) - static_cast<float>(objective.floatShift()[sizeOf(j)]));
                scaled(s, j) = value;
                square += static_cast<double>(value) * static_cast<double>(value);
            }
            squares[sizeOf(s)] = square;
        }
    });
    for (std::int64_t s = 0; s < sample; ++s)
        total += static_cast<double>(m_energy[sizeOf(s * step)] * undecided(objective.probabilities().row(s * step)));
    total = std::max(total, 1e-300);
    const ConstMapD means(m_classMeans.data(), m_dims, m_stride);
    const Eigen::Map<const Eigen::VectorXd> weights(m_undecided.data(), m_stride);
    // Class weights were summed over all rows, `total` over the sample: both are taken per energy.
    const Eigen::VectorXd shares = weights / std::max(1e-300, m_energySum);

    RowMajor basis(m_dims, m_rank);
    const CounterRandom random(1, 0x6375);
    for (std::int64_t i = 0; i < basis.size(); ++i)
        basis.data()[i] = random.normal(static_cast<std::uint64_t>(i));
    RowMajor image;
    for (int sweep = 0; sweep <= kSweeps; ++sweep)
    {
        const Eigen::HouseholderQR<Eigen::MatrixXd> qr{Eigen::MatrixXd(basis)};
        basis = qr.householderQ() * Eigen::MatrixXd::Identity(m_dims, m_rank);
        // image = S basis
        const Eigen::Matrix<float, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor> narrow = basis.cast<float>();
        std::vector<std::vector<double>> parts(sizeOf(blockCount(sample, 1024)));
        parallelForBlocks(objective.numThreads(), sample, 1024, [&](const Block& part, int) {
            const std::int64_t count = part.end - part.begin;
            std::vector<float> projected(sizeOf(count * m_rank));
            std::vector<float> back(sizeOf(m_dims * m_rank));
            gemmNN(count, m_rank, m_dims, 1.0F, scaled.row(part.begin).data(), m_dims, narrow.data(), m_rank, 0.0F,
                   projected.data(), m_rank);
            gemmTN(m_dims, m_rank, count, 1.0F, scaled.row(part.begin).data(), m_dims, projected.data(), m_rank, 0.0F,
                   back.data(), m_rank);
            addInto(parts[sizeOf(part.index)], back);
        });
        const auto sum = addUp(parts, sizeOf(m_dims * m_rank));
        image =
            ConstMapD(sum.data(), m_dims, m_rank) / total - means * (shares.asDiagonal() * (means.transpose() * basis));
        if (sweep < kSweeps)
            basis = image;
    }
    const RowMajor small = basis.transpose() * image;
    const Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd> solver(Eigen::MatrixXd((small + small.transpose()) / 2));
    m_vectors.resize(sizeOf(m_dims * m_rank));
    MapD(m_vectors.data(), m_dims, m_rank) = basis * solver.eigenvectors();
    m_variances.resize(sizeOf(m_rank));
    double kept = 0;
    for (std::int64_t j = 0; j < m_rank; ++j)
    {
        m_variances[sizeOf(j)] = std::max(0.0, solver.eigenvalues()(j));
        kept += m_variances[sizeOf(j)];
    }
    const double trace = std::accumulate(squares.begin(), squares.end(), 0.0) / total -
                         shares.dot(means.colwise().squaredNorm().transpose());
    m_restVariance = m_dims > m_rank ? std::max(0.0, trace - kept) / static_cast<double>(m_dims - m_rank) : 0.0;
}

void CurvatureModel::setDenominators()
{
    m_inverse.resize(sizeOf(m_rank * m_stride));
    m_restInverse.resize(sizeOf(m_stride));
    m_interceptInverse.resize(sizeOf(m_stride));
    const double most = *std::max_element(m_interceptCompetition.begin(), m_interceptCompetition.end());
    for (std::int64_t k = 0; k < m_stride; ++k)
    {
        const double a = m_c * m_competition[sizeOf(k)];
        for (std::int64_t j = 0; j < m_rank; ++j)
            m_inverse[sizeOf(j * m_stride + k)] = 1 / (a * m_variances[sizeOf(j)] + 1);
        m_restInverse[sizeOf(k)] = 1 / (a * m_restVariance + 1);
        // The sum of all intercepts is free; its direction has a = 0 and must not blow up.
        m_interceptInverse[sizeOf(k)] =
            1 / std::max({m_c * m_interceptCompetition[sizeOf(k)], 1e-6 * m_c * most, 1e-12});
    }
}

void CurvatureModel::solve(std::span<const double> residual, std::span<double> solution) const
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
    std::vector<double> inner(sizeOf(m_rank * n)); // V^T W U
    addNarrowProduct(m_rank, n, m_dims, m_vectors.data(), 1, m_rank, turned.data(), n, inner.data(), n);
    const bool rest = m_rank < m_dims;
    for (std::size_t j = 0; j < sizeOf(m_dims); ++j)
    {
        for (std::size_t k = 0; k < sizeOf(n); ++k)
            turned[j * sizeOf(n) + k] *= rest ? m_restInverse[k] : 0.0;
    }
    for (std::size_t j = 0; j < sizeOf(m_rank); ++j)
    {
        for (std::size_t k = 0; k < sizeOf(n); ++k)
            inner[j * sizeOf(n) + k] *= m_inverse[j * sizeOf(n) + k] - (rest ? m_restInverse[k] : 0.0);
    }
    addNarrowProduct(m_dims, n, m_rank, m_vectors.data(), m_rank, 1, inner.data(), n, turned.data(), n);
    std::fill(solution.begin(), solution.end(), 0.0);
    addNarrowProduct(m_dims, n, n, turned.data(), n, 1, m_classVectorsBack.data(), n, solution.data(), n);
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
