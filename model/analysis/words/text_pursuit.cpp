// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/analysis/words/text_pursuit.h"

#include "model/base/parallel.h"
#include "model/data/matrix_rows.h"

#include <fmt/format.h>

#include <Eigen/Core>
#include <Eigen/Eigenvalues>

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

namespace headscope
{
namespace
{

using RowMatrix = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;

constexpr std::int64_t kCandidates = 256; ///< of a block
/// A score below this share of the first one is rounding: what is left of a candidate is the sum of chosen ones.
constexpr double kNothing = 1e-20;

RowMatrix asDouble(ConstMatrixView rows)
{
    RowMatrix matrix(rows.rows(), rows.cols());
    for (std::int64_t i = 0; i < rows.rows(); ++i)
        for (std::int64_t d = 0; d < rows.cols(); ++d)
            matrix(i, d) = static_cast<double>(rows.row(i)[static_cast<std::size_t>(d)]);
    return matrix;
}

/// Removes the part of each row along a unit vector.
void removeDirection(RowMatrix& rows, const Eigen::VectorXd& direction, int numThreads)
{
    parallelFor(numThreads, rows.rows(), kCandidates, [&](std::int64_t begin, std::int64_t end) {
        auto block = rows.middleRows(begin, end - begin);
        const Eigen::VectorXd along = block * direction;
        block.noalias() -= along * direction.transpose();
    });
}

/// Vectors of one head, centred, in the space that is left.
struct Space
{
    RowMatrix rows;
    RowMatrix heldOut;
    double all = 0;
    double allHeldOut = 0;

    Space(ConstMatrixView from, ConstMatrixView others) : rows(asDouble(from)), heldOut(asDouble(others))
    {
        const Eigen::RowVectorXd mean = rows.colwise().mean();
        rows.rowwise() -= mean;
        heldOut.rowwise() -= mean;
        all = rows.squaredNorm();
        allHeldOut = heldOut.squaredNorm();
    }

    /// Takes a direction out of the vectors, and notes what is explained now.
    void explain(const Eigen::VectorXd& direction, int numThreads, TextPursuit& pursuit)
    {
        removeDirection(rows, direction, numThreads);
        removeDirection(heldOut, direction, numThreads);
        pursuit.share.push_back(1 - rows.squaredNorm() / all);
        pursuit.heldOut.push_back(allHeldOut > 0 ? 1 - heldOut.squaredNorm() / allHeldOut
                                                 : std::numeric_limits<double>::quiet_NaN());
    }
};

std::vector<double> squaredLengths(const RowMatrix& rows)
{
    const Eigen::VectorXd lengths = rows.rowwise().squaredNorm();
    return {lengths.data(), lengths.data() + lengths.size()};
}

/// Projects candidates on the first right singular vectors of the rows.
void projectOnRows(RowMatrix& candidates, const RowMatrix& rows, std::int64_t rank)
{
    const Eigen::MatrixXd covariance = rows.transpose() * rows;
    const Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd> solver(covariance);
    const Eigen::MatrixXd directions = solver.eigenvectors().rightCols(std::min<std::int64_t>(rank, rows.cols()));
    candidates = (candidates * directions) * directions.transpose();
}

/// Sum over the rows of |<x, t>|^exponent, of every candidate.
std::vector<double> scoresOf(const RowMatrix& rows, const RowMatrix& candidates, int exponent, int numThreads,
                             const JobContext& job)
{
    std::vector<double> scores(static_cast<std::size_t>(candidates.rows()));
    const Eigen::MatrixXd covariance = exponent == 2 ? Eigen::MatrixXd(rows.transpose() * rows) : Eigen::MatrixXd();
    parallelFor(numThreads, candidates.rows(), kCandidates, [&](std::int64_t begin, std::int64_t end) {
        if (job.stopRequested())
            return;
        const auto block = candidates.middleRows(begin, end - begin);
        const Eigen::VectorXd found = exponent == 2
                                          ? Eigen::VectorXd((block * covariance).cwiseProduct(block).rowwise().sum())
                                          : Eigen::VectorXd((block * rows.transpose()).cwiseAbs().rowwise().sum());
        std::copy_n(found.data(), found.size(), scores.begin() + begin);
    });
    return scores;
}

Status checkPursuit(ConstMatrixView rows, ConstMatrixView candidates, const PursuitOptions& options)
{
    const auto refused = [](std::string message) {
        return Error{ErrorCode::InvalidArgument, std::move(message), {}, {}};
    };
    if (rows.rows() < 2)
        return refused(fmt::format("expected at least 2 documents, found {}", rows.rows()));
    if (candidates.rows() < 1)
        return refused("expected at least 1 text, found none");
    if (options.steps < 1 || options.rank < 1)
        return refused(
            fmt::format("expected steps and rank of at least 1, found {} and {}", options.steps, options.rank));
    return {};
}

} // namespace

Result<TextPursuit> pursueTexts(ConstMatrixView from, ConstMatrixView others, ConstMatrixView texts,
                                const PursuitOptions& options, int numThreads, JobContext& job)
{
    HEADSCOPE_CHECK(checkPursuit(from, texts, options));
    const bool isSpan = options.method == PursuitMethod::TextSpan;
    Space space(from, others);
    TextPursuit pursuit;
    pursuit.heldOutAll = squaredLengths(space.heldOut);
    pursuit.heldOutLeft = pursuit.heldOutAll;
    if (!rowsVary(from) || !(space.all > 0))
        return pursuit; // nothing is to be explained
    RowMatrix candidates = asDouble(texts);
    if (isSpan)
        projectOnRows(candidates, space.rows, options.rank);
    else
        candidates = candidates.rowwise().normalized().eval();
    RowMatrix remaining = candidates; // what of each is not in the span of those that were chosen
    double first = 0;
    while (std::ssize(pursuit.chosen) < std::min(options.steps, texts.rows()))
    {
        HEADSCOPE_CHECK(job.checkStop());
        std::vector<double> scores =
            scoresOf(space.rows, isSpan ? remaining : candidates, isSpan ? 2 : options.exponent, numThreads, job);
        HEADSCOPE_CHECK(job.checkStop());
        for (const std::int64_t chosen : pursuit.chosen)
            scores[static_cast<std::size_t>(chosen)] = -1;
        const auto best = std::ranges::max_element(scores);
        first = pursuit.chosen.empty() ? *best : first;
        const Eigen::VectorXd left = remaining.row(best - scores.begin());
        if (!(*best > kNothing * first) || !(left.norm() > 0))
            break;
        pursuit.chosen.push_back(best - scores.begin());
        const Eigen::VectorXd direction = left / left.norm();
        removeDirection(remaining, direction, numThreads);
        space.explain(direction, numThreads, pursuit);
    }
    pursuit.heldOutLeft = squaredLengths(space.heldOut);
    return pursuit;
}

} // namespace headscope
