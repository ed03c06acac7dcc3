// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/analysis/tsne/principal_components.h"

#include "model/base/parallel.h"
#include "model/base/size_of.h"
#include "model/kernels/distances.h"
#include "model/kernels/gemm_f64.h"

#include <Eigen/Eigenvalues>

#include <algorithm>
#include <cmath>

namespace headscope
{
namespace
{

constexpr std::int64_t kRowBlock = 256;
constexpr std::int64_t kPartials = 16; // sums kept apart, each over its own share of the blocks

using RowMajor = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;

double scaleOf(std::span<const double> scales, std::int64_t row)
{
    return scales.empty() ? 1.0 : scales[sizeOf(row)];
}

/// Runs `body` over row blocks so that partial sum s gets the same blocks in the same order on any
/// number of threads.
template <class Body>
void overPartials(std::int64_t rows, int numThreads, const Body& body)
{
    const std::int64_t share = blockCount(blockCount(rows, kRowBlock), kPartials) * kRowBlock;
    parallelForBlocks(numThreads, rows, std::max(kRowBlock, share), [&](const Block& part, int) {
        for (std::int64_t begin = part.begin; begin < part.end; begin += kRowBlock)
            body(part.index, begin, std::min(part.end, begin + kRowBlock));
    });
}

std::vector<double> columnMeans(ConstMatrixView rows, std::span<const double> scales, int numThreads,
                                const JobContext& job)
{
    MatrixD partial(kPartials, rows.cols());
    overPartials(rows.rows(), numThreads, [&](std::int64_t part, std::int64_t begin, std::int64_t end) {
        if (job.stopRequested())
            return;
        for (std::int64_t i = begin; i < end; ++i)
        {
            const double scale = scaleOf(scales, i);
            for (std::int64_t k = 0; k < rows.cols(); ++k)
                partial(part, k) += static_cast<double>(rows(i, k)) * scale;
        }
    });
    std::vector<double> means(sizeOf(rows.cols()));
    for (std::int64_t part = 0; part < kPartials; ++part)
    {
        for (std::int64_t k = 0; k < rows.cols(); ++k)
            means[sizeOf(k)] += partial(part, k);
    }
    for (double& mean : means)
        mean /= static_cast<double>(std::max<std::int64_t>(1, rows.rows()));
    return means;
}

/// Xc^T Xc, with Xc the scaled and centred rows.
RowMajor scatterMatrix(ConstMatrixView rows, std::span<const double> scales, std::span<const double> means,
                       int numThreads, JobContext& job)
{
    const std::int64_t dims = rows.cols();
    std::vector<RowMajor> partial(sizeOf(kPartials));
    overPartials(rows.rows(), numThreads, [&](std::int64_t part, std::int64_t begin, std::int64_t end) {
        RowMajor& sum = partial[sizeOf(part)];
        if (sum.size() == 0)
            sum = RowMajor::Zero(dims, dims);
        if (job.stopRequested())
            return;
        // X^T Xc equals Xc^T Xc up to the mean times the sum of Xc, which is zero.
        RowMajor centred(end - begin, dims);
        for (std::int64_t i = begin; i < end; ++i)
        {
            const double scale = scaleOf(scales, i);
            for (std::int64_t k = 0; k < dims; ++k)
                centred(i - begin, k) = (static_cast<double>(rows(i, k)) * scale - means[sizeOf(k)]);
        }
        if (scales.empty())
        {
            addProductInDouble(dims, dims, end - begin, rows.data() + begin * rows.stride(), 1, rows.stride(),
                               centred.data(), dims, sum.data(), dims);
            return;
        }
        sum.noalias() += centred.transpose() * centred;
    });
    RowMajor sum = RowMajor::Zero(dims, dims);
    for (const RowMajor& part : partial)
    {
        if (part.size() != 0)
            sum += part;
    }
    return (sum + sum.transpose().eval()) / 2;
}

/// The leading eigenvectors of a large matrix by subspace iteration with a few spare vectors.
Status leadingEigenvectors(const RowMajor& matrix, std::int64_t count, Eigen::MatrixXd& vectors,
                           Eigen::VectorXd& values, const JobContext& job)
{
    constexpr int kRounds = 200;
    const Eigen::Index size = matrix.rows();
    const Eigen::Index spare = std::min<Eigen::Index>(size, count + 8);
    Eigen::MatrixXd block(size, spare);
    for (Eigen::Index j = 0; j < spare; ++j)
    {
        for (Eigen::Index i = 0; i < size; ++i)
            block(i, j) = std::cos(static_cast<double>((i + 1) * (j + 1))); // any full-rank start
    }
    Eigen::VectorXd former = Eigen::VectorXd::Zero(spare);
    for (int round = 0; round < kRounds; ++round)
    {
        HEADSCOPE_CHECK(job.checkStop());
        const Eigen::MatrixXd basis =
            Eigen::HouseholderQR<Eigen::MatrixXd>(block).householderQ() * Eigen::MatrixXd::Identity(size, spare);
        block.noalias() = matrix * basis;
        const Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd> small(basis.transpose() * block);
        values = small.eigenvalues().reverse();
        vectors = basis * small.eigenvectors().rowwise().reverse();
        const double change = (values.head(count) - former.head(count)).cwiseAbs().maxCoeff();
        if (change <= 1e-14 * values(0))
            break;
        former = values;
    }
    return {};
}

} // namespace

Result<PrincipalComponents> principalComponents(ConstMatrixView rows, std::span<const double> scales,
                                                std::int64_t count, int numThreads, JobContext& job)
{
    constexpr std::int64_t kDirectSolve = 384; // the full eigen solve cannot be stopped: under 0.1 s
    const std::int64_t dims = rows.cols();
    count = std::min(count, dims);
    PrincipalComponents found;
    found.mean = columnMeans(rows, scales, numThreads, job);
    const RowMajor scatter = scatterMatrix(rows, scales, found.mean, numThreads, job);
    HEADSCOPE_CHECK(job.checkStop());
    Eigen::MatrixXd vectors;
    Eigen::VectorXd values;
    if (dims <= kDirectSolve)
    {
        const Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd> solver(scatter);
        values = solver.eigenvalues().reverse();
        vectors = solver.eigenvectors().rowwise().reverse();
    }
    else
        HEADSCOPE_CHECK(leadingEigenvectors(scatter, count, vectors, values, job));
    found.directions = MatrixD(count, dims);
    for (std::int64_t c = 0; c < count; ++c)
    {
        Eigen::Index largest = 0;
        vectors.col(c).cwiseAbs().maxCoeff(&largest);
        const double sign = vectors(largest, c) < 0 ? -1.0 : 1.0;
        for (std::int64_t k = 0; k < dims; ++k)
            found.directions(c, k) = sign * vectors(k, c);
        found.singularValues.push_back(std::sqrt(std::max(0.0, values(c))));
    }
    return found;
}

Result<MatrixD> pcaStart(ConstMatrixView rows, std::span<const double> scales, int numThreads, JobContext& job)
{
    constexpr double kSpread = 1e-4;
    HEADSCOPE_TRY(const PrincipalComponents components, principalComponents(rows, scales, 2, numThreads, job));
    MatrixD start(rows.rows(), 2);
    const std::int64_t found = components.directions.rows();
    parallelFor(numThreads, rows.rows(), kRowBlock, [&](std::int64_t begin, std::int64_t end) {
        if (job.stopRequested())
            return;
        for (std::int64_t i = begin; i < end; ++i)
        {
            const double scale = scaleOf(scales, i);
            for (std::int64_t c = 0; c < found; ++c)
            {
                double sum = 0;
                for (std::int64_t k = 0; k < rows.cols(); ++k)
                {
                    sum += (static_cast<double>(rows(i, k)) * scale - components.mean[sizeOf(k)]) *
                           components.directions(c, k);
                }
                start(i, c) = sum;
            }
        }
    });
    HEADSCOPE_CHECK(job.checkStop());
    // The first singular value is sd(first column) sqrt(P); rows that are all equal stay at zero.
    const double first = found > 0 ? components.singularValues[0] : 0.0;
    const double deviation = first / std::sqrt(static_cast<double>(std::max<std::int64_t>(1, rows.rows())));
    const double factor = deviation > 0 ? kSpread / deviation : 0.0;
    for (double& value : start.values())
        value *= factor;
    return start;
}

} // namespace headscope
