// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/analysis/geometry/singular_values.h"

#include "model/analysis/geometry/symmetric_eigenvalues.h"
#include "model/base/parallel.h"
#include "model/data/matrix_rows.h"
#include "model/kernels/gemm_f64.h"

#include <Eigen/Core>
#include <Eigen/QR>
#include <Eigen/SVD>

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

namespace headscope
{
namespace
{

using Rows = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;

constexpr std::int64_t kBlock = 64;

/// The rows in double minus their mean.
struct Centred
{
    Rows rows;
    Eigen::VectorXd mean;

    explicit Centred(ConstMatrixView from)
        : rows(Eigen::Map<const Eigen::Matrix<float, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>, 0,
                          Eigen::OuterStride<>>(from.data(), from.rows(), from.cols(),
                                                Eigen::OuterStride<>(from.stride()))
                   .cast<double>()),
          mean(rows.colwise().mean())
    {
        rows.rowwise() -= mean.transpose();
    }
};

std::vector<double> descending(const Eigen::VectorXd& values, std::int64_t count)
{
    std::vector<double> sorted(values.data(), values.data() + values.size());
    std::sort(sorted.begin(), sorted.end(), std::greater());
    sorted.resize(static_cast<std::size_t>(count), 0.0);
    return sorted;
}

/// R of the rows, block after block of them; the rows themselves where they are no more than columns.
Result<Eigen::MatrixXd> triangleOf(const Rows& rows, const JobContext& job)
{
    const Eigen::Index dims = rows.cols();
    if (rows.rows() <= dims)
        return Eigen::MatrixXd(rows);
    Eigen::MatrixXd triangle(0, dims);
    const Eigen::Index step = std::max<Eigen::Index>(4 * dims, 256);
    for (Eigen::Index begin = 0; begin < rows.rows(); begin += step)
    {
        HEADSCOPE_CHECK(job.checkStop());
        const Eigen::Index count = std::min(step, rows.rows() - begin);
        Eigen::MatrixXd stacked(triangle.rows() + count, dims);
        stacked << triangle, rows.middleRows(begin, count);
        const Eigen::Index kept = std::min(stacked.rows(), dims);
        const Eigen::HouseholderQR<Eigen::MatrixXd> qr(std::move(stacked));
        triangle = qr.matrixQR().topRows(kept).triangularView<Eigen::Upper>();
    }
    return triangle;
}

std::vector<double> valuesOf(const Eigen::MatrixXd& matrix, std::int64_t count)
{
    // Of a long matrix R alone is decomposed.
    if (matrix.rows() > matrix.cols())
    {
        const Eigen::HouseholderQR<Eigen::MatrixXd> qr(matrix);
        const Eigen::MatrixXd triangle = qr.matrixQR().topRows(matrix.cols()).triangularView<Eigen::Upper>();
        return descending(Eigen::BDCSVD<Eigen::MatrixXd>(triangle).singularValues(), count);
    }
    const Eigen::HouseholderQR<Eigen::MatrixXd> qr(matrix.transpose());
    const Eigen::MatrixXd triangle = qr.matrixQR().topRows(matrix.rows()).triangularView<Eigen::Upper>();
    return descending(Eigen::BDCSVD<Eigen::MatrixXd>(triangle).singularValues(), count);
}

Result<SingularValues> byFactorisation(const Centred& centred, std::int64_t count, const JobContext& job)
{
    HEADSCOPE_TRY(const Eigen::MatrixXd triangle, triangleOf(centred.rows, job));
    Eigen::MatrixXd raw(triangle.rows() + 1, triangle.cols());
    raw << triangle, std::sqrt(static_cast<double>(centred.rows.rows())) * centred.mean.transpose();
    return SingularValues{valuesOf(raw, count), valuesOf(triangle, count)};
}

/// Products of the centred columns with each other [D, D]: those of the float32 rows with the centred ones, which are
/// the same, since the latter have no mean.
Rows productsOfColumns(ConstMatrixView from, const Rows& centred, int numThreads)
{
    Rows gram = Rows::Zero(centred.cols(), centred.cols());
    parallelFor(numThreads, centred.cols(), kBlock, [&](std::int64_t begin, std::int64_t end) {
        addProductInDouble(end - begin, centred.cols(), centred.rows(), from.data() + begin, 1, from.stride(),
                           centred.data(), centred.cols(), gram.row(begin).data(), gram.cols());
    });
    return gram;
}

/// Products of the centred rows with each other [N, N]: of every column the mean is taken off, which is what the
/// products with the mean are.
Rows productsOfRows(ConstMatrixView from, const Rows& centred, int numThreads)
{
    const Rows turned = centred.transpose();
    Rows gram = Rows::Zero(centred.rows(), centred.rows());
    parallelFor(numThreads, centred.rows(), kBlock, [&](std::int64_t begin, std::int64_t end) {
        addProductInDouble(end - begin, centred.rows(), centred.cols(), from.data() + begin * from.stride(),
                           from.stride(), 1, turned.data(), turned.cols(), gram.row(begin).data(), gram.cols());
    });
    const Eigen::RowVectorXd means = gram.colwise().mean();
    gram.rowwise() -= means;
    return gram;
}

Result<SingularValues> byProducts(ConstMatrixView from, const Centred& centred, int numThreads, JobContext& job)
{
    const bool isLong = from.rows() >= from.cols();
    Rows gram =
        isLong ? productsOfColumns(from, centred.rows, numThreads) : productsOfRows(from, centred.rows, numThreads);
    HEADSCOPE_CHECK(job.checkStop());
    Rows raw = gram;
    if (isLong)
        raw += static_cast<double>(from.rows()) * centred.mean * centred.mean.transpose();
    else
    {
        const Eigen::VectorXd along = centred.rows * centred.mean;
        raw.colwise() += along;
        raw.rowwise() += along.transpose();
        raw.array() += centred.mean.squaredNorm();
    }
    const auto rooted = [&job, numThreads](Rows& matrix) -> Result<std::vector<double>> {
        MatrixView<double> view(matrix.data(), matrix.rows(), matrix.cols());
        HEADSCOPE_TRY(std::vector<double> values, symmetricEigenvalues(view, numThreads, job));
        const double least =
            static_cast<double>(values.size()) * std::numeric_limits<double>::epsilon() * values.front();
        for (double& value : values)
            value = value > least ? std::sqrt(value) : 0.0;
        return values;
    };
    SingularValues values;
    HEADSCOPE_TRY(values.raw, rooted(raw));
    HEADSCOPE_TRY(values.centred, rooted(gram));
    return values;
}

} // namespace

Result<SingularValues> singularValues(ConstMatrixView rows, int numThreads, JobContext& job)
{
    const std::int64_t count = std::min(rows.rows(), rows.cols());
    const Centred centred(rows);
    auto values =
        count <= kMaxFactorisedSize ? byFactorisation(centred, count, job) : byProducts(rows, centred, numThreads, job);
    if (values && !rowsVary(rows))
        values->centred.assign(static_cast<std::size_t>(count), 0.0);
    return values;
}

double effectiveRank(std::span<const double> singular)
{
    double sum = 0;
    for (const double value : singular)
        sum += value;
    if (!(sum > 0))
        return std::numeric_limits<double>::quiet_NaN();
    double entropy = 0;
    for (const double value : singular)
        if (const double p = value / sum; p > 0)
            entropy -= p * std::log(p);
    return std::exp(entropy);
}

double participationRatio(std::span<const double> singular)
{
    if (singular.empty() || !(singular.front() > 0))
        return std::numeric_limits<double>::quiet_NaN();
    double squares = 0;
    double fourth = 0;
    for (const double value : singular)
    {
        const double square = value / singular.front() * (value / singular.front());
        squares += square;
        fourth += square * square;
    }
    return squares * squares / fourth;
}

} // namespace headscope
