// SPDX-License-Identifier: GPL-3.0-or-later
// How a KroneckerPreconditioner learns the scatter of the rows that are undecided.
#include "model/analysis/probe/kronecker_preconditioner.h"

#include "model/analysis/probe/row_sums.h"
#include "model/base/parallel.h"
#include "model/base/random.h"
#include "model/kernels/gemm.h"

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

constexpr std::int64_t kLeading = 128; // vectors of S above kFullDims columns
constexpr int kSweeps = 2;             // of subspace iteration
/// Rows that the leading vectors are learned from: a sample is enough for a preconditioner.
constexpr std::int64_t kSampleRows = 8192;

std::size_t sizeOf(std::int64_t count)
{
    return static_cast<std::size_t>(count);
}

/// How undecided a row is: 1 - sum_k p_k^2.
float undecided(std::span<const float> p)
{
    float left = 0; // sum p (1 - p): keeps its digits where one p is nearly 1
    for (const float value : p)
        left += value * (1.0F - value);
    return std::max(left, 0.0F);
}

} // namespace

/// S = (sum_i t_i x x^T - sum_k N_k m_k m_k^T) / sum_i t_i and all its vectors.
void KroneckerPreconditioner::fullScatter(const SoftmaxObjective& objective, Scatter& scatter) const
{
    std::vector<std::vector<double>> parts(sizeOf(kSumParts));
    const ConstMatrixView rows = objective.floatRows();
    forRowParts(objective.numThreads(), objective.rows(),
                [&](std::size_t part, std::int64_t begin, std::int64_t count) {
                    std::vector<float> scaled(sizeOf(count * m_dims));
                    for (std::int64_t i = 0; i < count; ++i)
                    {
                        const float root = std::sqrt(undecided(objective.probabilities().row(begin + i)));
                        for (std::int64_t j = 0; j < m_dims; ++j)
                            scaled[sizeOf(i * m_dims + j)] =
                                root * (rows(begin + i, j) - static_cast<float>(objective.floatShift()[sizeOf(j)]));
                    }
                    std::vector<float> product(sizeOf(m_dims * m_dims));
                    gemmTN(m_dims, m_dims, count, 1.0F, scaled.data(), m_dims, scaled.data(), m_dims, 0.0F,
                           product.data(), m_dims);
                    addInDouble(parts[part], product);
                });
    const auto sum = addParts(parts, sizeOf(m_dims * m_dims));
    const ConstMapD means(m_classMeans.data(), m_dims, m_stride);
    const Eigen::Map<const Eigen::VectorXd> weights(m_undecided.data(), m_stride);
    const double total = energyOf(scatter);
    const RowMajor within =
        (ConstMapD(sum.data(), m_dims, m_dims) - means * weights.asDiagonal() * means.transpose()) / total;
    const Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd> solver(Eigen::MatrixXd((within + within.transpose()) / 2));
    scatter.rank = m_dims;
    scatter.vectors.resize(sizeOf(m_dims * m_dims));
    MapD(scatter.vectors.data(), m_dims, m_dims) = solver.eigenvectors();
    for (std::int64_t j = 0; j < m_dims; ++j)
        scatter.variances.push_back(std::max(0.0, solver.eigenvalues()(j)));
}

/// The leading vectors of S by subspace iteration on a sample of the rows.
void KroneckerPreconditioner::leadingScatter(const SoftmaxObjective& objective, Scatter& scatter) const
{
    constexpr float kCertain = 0.01F; // a row less uncertain than this adds nothing worth its time
    const ConstMatrixView rows = objective.floatRows();
    const auto uncertainty = [&](std::int64_t i) {
        const auto p = objective.probabilities().row(i);
        float sum = 0;
        for (const std::int64_t k : scatter.classes)
            sum += p[sizeOf(k)] * (1.0F - p[sizeOf(k)]);
        return sum;
    };
    std::vector<std::int64_t> chosen;
    for (std::int64_t i = 0; i < objective.rows(); ++i)
    {
        if (uncertainty(i) > kCertain)
            chosen.push_back(i);
    }
    const std::size_t step = std::max<std::size_t>(1, chosen.size() / sizeOf(kSampleRows));
    std::int64_t sample = 0;
    double total = 1e-300;
    for (std::size_t s = 0; s < chosen.size(); s += step, ++sample)
    {
        chosen[sizeOf(sample)] = chosen[s];
        total += static_cast<double>(m_energy[sizeOf(chosen[s])] * uncertainty(chosen[s]));
    }
    if (sample < 2)
        return; // every row is certain: all is left to the penalty
    scatter.rank = std::min({kLeading, m_dims, sample});
    MatrixF scaled(sample, m_dims); // sqrt(t_i) (x_i - mean)
    std::vector<double> squares(sizeOf(sample));
    parallelFor(objective.numThreads(), sample, 64, [&](std::int64_t begin, std::int64_t end) {
        for (std::int64_t s = begin; s < end; ++s)
        {
            const float root = std::sqrt(uncertainty(chosen[sizeOf(s)]));
            double square = 0;
            for (std::int64_t j = 0; j < m_dims; ++j)
            {
                const float value =
                    root * (rows(chosen[sizeOf(s)], j) - static_cast<float>(objective.floatShift()[sizeOf(j)]));
                scaled(s, j) = value;
                square += static_cast<double>(value) * static_cast<double>(value);
            }
            squares[sizeOf(s)] = square;
        }
    });
    RowMajor means(m_dims, static_cast<std::int64_t>(scatter.classes.size()));
    Eigen::VectorXd shares(means.cols());
    for (std::int64_t k = 0; k < means.cols(); ++k)
    {
        const auto place = sizeOf(scatter.classes[sizeOf(k)]);
        shares(k) = m_undecided[place] / energyOf(scatter);
        for (std::int64_t j = 0; j < m_dims; ++j)
            means(j, k) = m_classMeans[sizeOf(j * m_stride) + place];
    }

    const std::int64_t rank = scatter.rank;
    RowMajor basis(m_dims, rank);
    const CounterRandom random(1, 0x6375);
    for (std::int64_t i = 0; i < basis.size(); ++i)
        basis.data()[i] = random.normal(static_cast<std::uint64_t>(i));
    RowMajor image;
    for (int sweep = 0; sweep <= kSweeps; ++sweep)
    {
        const Eigen::HouseholderQR<Eigen::MatrixXd> qr{Eigen::MatrixXd(basis)};
        basis = qr.householderQ() * Eigen::MatrixXd::Identity(m_dims, rank);
        // image = S basis
        const Eigen::Matrix<float, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor> narrow = basis.cast<float>();
        std::vector<std::vector<double>> parts(sizeOf(blockCount(sample, 1024)));
        parallelForBlocks(objective.numThreads(), sample, 1024, [&](const Block& part, int) {
            const std::int64_t count = part.end - part.begin;
            std::vector<float> projected(sizeOf(count * rank));
            std::vector<float> back(sizeOf(m_dims * rank));
            gemmNN(count, rank, m_dims, 1.0F, scaled.row(part.begin).data(), m_dims, narrow.data(), rank, 0.0F,
                   projected.data(), rank);
            gemmTN(m_dims, rank, count, 1.0F, scaled.row(part.begin).data(), m_dims, projected.data(), rank, 0.0F,
                   back.data(), rank);
            addInDouble(parts[sizeOf(part.index)], back);
        });
        const auto sum = addParts(parts, sizeOf(m_dims * rank));
        image =
            ConstMapD(sum.data(), m_dims, rank) / total - means * (shares.asDiagonal() * (means.transpose() * basis));
        if (sweep < kSweeps)
            basis = image;
    }
    const RowMajor small = basis.transpose() * image;
    const Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd> solver(Eigen::MatrixXd((small + small.transpose()) / 2));
    scatter.vectors.resize(sizeOf(m_dims * rank));
    MapD(scatter.vectors.data(), m_dims, rank) = basis * solver.eigenvectors();
    double kept = 0;
    for (std::int64_t k = 0; k < rank; ++k)
    {
        scatter.variances.push_back(std::max(0.0, solver.eigenvalues()(k)));
        kept += scatter.variances.back();
    }
    const double trace = std::accumulate(squares.begin(), squares.end(), 0.0) / total -
                         shares.dot(means.colwise().squaredNorm().transpose());
    scatter.restVariance = m_dims > rank ? std::max(0.0, trace - kept) / static_cast<double>(m_dims - rank) : 0.0;
}

} // namespace headscope
