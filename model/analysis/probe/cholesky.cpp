// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/analysis/probe/cholesky.h"

#include "model/base/parallel.h"
#include "model/kernels/gemm.h"

#include <Eigen/Cholesky>

#include <algorithm>
#include <vector>

namespace headscope
{
namespace
{

using RowMajorF = Eigen::Matrix<float, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;

/// Columns that are factored at once; the rest is products of blocks of this many rows.
constexpr std::int64_t kColumns = 128;

} // namespace

bool factorCholesky(MatrixF& matrix, int numThreads)
{
    const std::int64_t n = matrix.rows();
    const auto at = [&](std::int64_t i, std::int64_t j) { return matrix.data() + i * n + j; };
    for (std::int64_t begin = 0; begin < n; begin += kColumns)
    {
        const std::int64_t width = std::min(kColumns, n - begin);
        const std::int64_t below = begin + width;
        Eigen::Map<RowMajorF, 0, Eigen::OuterStride<>> corner(at(begin, begin), width, width, Eigen::OuterStride<>(n));
        const Eigen::LLT<Eigen::MatrixXd> factor(corner.cast<double>());
        if (factor.info() != Eigen::Success)
            return false;
        const Eigen::MatrixXd lower = factor.matrixL();
        corner.triangularView<Eigen::Lower>() = lower.cast<float>();
        if (below == n)
            break;
        const Eigen::MatrixXd inverse =
            factor.matrixL().solve(Eigen::MatrixXd(Eigen::MatrixXd::Identity(width, width)));
        const RowMajorF back = inverse.cast<float>();
        parallelFor(numThreads, n - below, kColumns, [&](std::int64_t first, std::int64_t last) {
            const std::int64_t count = last - first;
            std::vector<float> panel(static_cast<std::size_t>(count * width));
            gemmNT(count, width, width, 1.0F, at(below + first, begin), n, back.data(), width, 0.0F, panel.data(),
                   width);
            for (std::int64_t i = 0; i < count; ++i)
                std::copy_n(panel.data() + i * width, width, at(below + first + i, begin));
        });
        parallelFor(numThreads, n - below, kColumns, [&](std::int64_t first, std::int64_t last) {
            gemmNT(last - first, last, width, -1.0F, at(below + first, begin), n, at(below, begin), n, 1.0F,
                   at(below + first, below), n);
        });
    }
    return true;
}

void solveCholesky(const MatrixF& factor, std::span<float> x)
{
    const Eigen::Map<const RowMajorF> lower(factor.data(), factor.rows(), factor.cols());
    Eigen::Map<Eigen::VectorXf> values(x.data(), factor.rows());
    lower.triangularView<Eigen::Lower>().solveInPlace(values);
    lower.triangularView<Eigen::Lower>().transpose().solveInPlace(values);
}

} // namespace headscope
