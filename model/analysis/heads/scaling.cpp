// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/analysis/heads/scaling.h"

#include <fmt/format.h>

#include <Eigen/Core>
#include <Eigen/Eigenvalues>
#include <Eigen/LU>

#include <algorithm>
#include <cmath>

namespace headscope
{
namespace
{

constexpr int kMaxIterations = 1000;
constexpr double kStressTolerance = 1e-10;

using Square = Eigen::MatrixXd;
using Plane = Eigen::Matrix<double, Eigen::Dynamic, 2>;

/// Weights (1, or 0 where the distance is not known) and the distances with 0 in those places.
struct Target
{
    Square distance;
    Square weight;
};

Plane classicalStart(const Target& target)
{
    const Eigen::Index n = target.distance.rows();
    Square filled = target.distance;
    const double known = target.weight.sum();
    const double mean = known > 0 ? target.distance.sum() / known : 0;
    for (Eigen::Index i = 0; i < n; ++i)
        for (Eigen::Index j = 0; j < n; ++j)
            if (i != j && target.weight(i, j) == 0)
                filled(i, j) = mean;
    const Square centre = Square::Identity(n, n) - Square::Constant(n, n, 1.0 / static_cast<double>(n));
    const Square gram = -0.5 * centre * filled.cwiseProduct(filled) * centre;
    const Eigen::SelfAdjointEigenSolver<Square> solver(gram);
    Plane xy = Plane::Zero(n, 2);
    for (Eigen::Index axis = 0; axis < std::min<Eigen::Index>(2, n); ++axis)
    {
        const Eigen::Index column = n - 1 - axis; // eigenvalues ascend
        xy.col(axis) = solver.eigenvectors().col(column) * std::sqrt(std::max(0.0, solver.eigenvalues()(column)));
    }
    return xy;
}

double rawStress(const Target& target, const Plane& xy)
{
    double sum = 0;
    for (Eigen::Index i = 0; i < xy.rows(); ++i)
        for (Eigen::Index j = i + 1; j < xy.rows(); ++j)
        {
            const double difference = (xy.row(i) - xy.row(j)).norm() - target.distance(i, j);
            sum += target.weight(i, j) * difference * difference;
        }
    return sum;
}

/// B(Z) of the Guttman transform.
Square transformMatrix(const Target& target, const Plane& xy)
{
    const Eigen::Index n = xy.rows();
    Square b = Square::Zero(n, n);
    for (Eigen::Index i = 0; i < n; ++i)
        for (Eigen::Index j = 0; j < n; ++j)
        {
            const double distance = (xy.row(i) - xy.row(j)).norm();
            if (i != j && distance > 0)
                b(i, j) = -target.weight(i, j) * target.distance(i, j) / distance;
        }
    b.diagonal() = -b.rowwise().sum();
    return b;
}

/// Mean zero, principal axes, the largest coordinate of each axis positive.
void normalise(Plane& xy)
{
    xy.rowwise() -= xy.colwise().mean().eval();
    const Eigen::SelfAdjointEigenSolver<Eigen::Matrix2d> solver(Eigen::Matrix2d(xy.transpose() * xy));
    Eigen::Matrix2d axes;
    axes.col(0) = solver.eigenvectors().col(1);
    axes.col(1) = solver.eigenvectors().col(0);
    xy = (xy * axes).eval();
    for (Eigen::Index axis = 0; axis < 2; ++axis)
    {
        Eigen::Index largest = 0;
        xy.col(axis).cwiseAbs().maxCoeff(&largest);
        if (xy(largest, axis) < 0)
            xy.col(axis) *= -1;
    }
}

} // namespace

Result<ScaledPlane> scaleToPlane(const MatrixD& distances, JobContext& job)
{
    const std::int64_t n = distances.rows();
    if (distances.cols() != n)
        return Error{ErrorCode::InvalidArgument,
                     fmt::format("expected a square matrix of distances, found {} x {}", n, distances.cols()),
                     {},
                     {}};
    if (n == 0)
        return ScaledPlane{};
    Target target{Square::Zero(n, n), Square::Zero(n, n)};
    for (std::int64_t i = 0; i < n; ++i)
        for (std::int64_t j = 0; j < n; ++j)
        {
            if (distances(i, j) < 0)
                return Error{ErrorCode::InvalidArgument,
                             fmt::format("expected no negative distance, found {}", distances(i, j)),
                             {},
                             fmt::format("row {}, column {}", i, j)};
            if (i == j || !std::isfinite(distances(i, j)))
                continue;
            target.distance(i, j) = distances(i, j);
            target.weight(i, j) = 1;
        }

    Plane xy = classicalStart(target);
    Square laplacian = -target.weight;
    laplacian.diagonal() = target.weight.rowwise().sum();
    const Square ones = Square::Constant(n, n, 1.0 / static_cast<double>(n));
    const Square inverse = (laplacian + ones).fullPivLu().inverse() - ones; // pseudo-inverse of the Laplacian
    double stress = rawStress(target, xy);
    const double scale = std::max(0.5 * target.distance.squaredNorm(), 1e-300);
    ScaledPlane plane;
    for (; plane.iterations < kMaxIterations; ++plane.iterations)
    {
        HEADSCOPE_CHECK(job.checkStop());
        const Plane next = inverse * transformMatrix(target, xy) * xy;
        const double nextStress = rawStress(target, next);
        const bool settled = stress - nextStress <= kStressTolerance * scale;
        if (nextStress < stress)
        {
            xy = next;
            stress = nextStress;
        }
        if (settled)
            break;
    }
    normalise(xy);
    plane.xy = MatrixD(n, 2);
    for (std::int64_t i = 0; i < n; ++i)
        for (std::int64_t axis = 0; axis < 2; ++axis)
            plane.xy(i, axis) = xy(i, axis);
    plane.stress = std::sqrt(stress / scale);
    return plane;
}

} // namespace headscope
