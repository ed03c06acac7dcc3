// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/analysis/geometry/symmetric_eigenvalues.h"

#include "model/base/parallel.h"

#include <Eigen/Core>
#include <Eigen/Eigenvalues>

#include <algorithm>
#include <cmath>
#include <functional>

namespace headscope
{
namespace
{

/// Rows of a block: enough that a block of a small matrix pays for its hand-over.
constexpr std::int64_t kBlock = 128;

/// Takes a reflection to both sides of the rows and columns from `first` on: A - v w^T - w v^T.
/// @param v  [n - first] of length sqrt(2)
void reflect(MatrixView<double> matrix, std::int64_t first, const Eigen::VectorXd& v, int numThreads)
{
    using Map = Eigen::Map<const Eigen::VectorXd>;
    const std::int64_t size = matrix.rows() - first;
    const auto rowFrom = [&](std::int64_t row) { return matrix.data() + (first + row) * matrix.stride() + first; };
    Eigen::VectorXd w(size);
    parallelFor(numThreads, size, kBlock, [&](std::int64_t begin, std::int64_t end) {
        for (std::int64_t row = begin; row < end; ++row)
            w[row] = Map(rowFrom(row), size).dot(v);
    });
    w -= 0.5 * v.dot(w) * v;
    parallelFor(numThreads, size, kBlock, [&](std::int64_t begin, std::int64_t end) {
        for (std::int64_t row = begin; row < end; ++row)
            Eigen::Map<Eigen::VectorXd>(rowFrom(row), size) -= v[row] * w + w[row] * v;
    });
}

} // namespace

Result<std::vector<double>> symmetricEigenvalues(MatrixView<double> matrix, int numThreads, JobContext& job)
{
    const std::int64_t size = matrix.rows();
    Eigen::VectorXd diagonal(size);
    Eigen::VectorXd beside(std::max<std::int64_t>(size - 1, 0));
    for (std::int64_t column = 0; column < size; ++column)
    {
        HEADSCOPE_CHECK(job.checkStop());
        diagonal[column] = matrix(column, column);
        if (column + 1 == size)
            break;
        Eigen::VectorXd v = Eigen::Map<const Eigen::VectorXd>(&matrix(column, column + 1), size - column - 1);
        const double length = v.norm();
        const double rest = v.tail(v.size() - 1).norm();
        if (!(rest > 0))
        {
            beside[column] = v[0];
            continue;
        }
        beside[column] = v[0] > 0 ? -length : length;
        v[0] -= beside[column];
        v *= std::sqrt(2.0) / v.norm();
        reflect(matrix, column + 1, v, numThreads);
    }
    Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd> solver;
    solver.computeFromTridiagonal(diagonal, beside, Eigen::EigenvaluesOnly);
    if (solver.info() != Eigen::Success)
        return Error{ErrorCode::Internal, "the eigenvalues of a matrix did not converge", {}, {}};
    const Eigen::VectorXd& found = solver.eigenvalues();
    std::vector<double> values(found.data(), found.data() + found.size());
    std::sort(values.begin(), values.end(), std::greater());
    return values;
}

} // namespace headscope
