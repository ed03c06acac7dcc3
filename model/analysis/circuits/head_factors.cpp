// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/analysis/circuits/head_factors.h"

#include "model/kernels/gemm_f64.h"

#include <Eigen/Eigenvalues>
#include <Eigen/SVD>

#include <algorithm>
#include <cmath>

namespace headscope
{
namespace
{

using Square = Eigen::MatrixXd; ///< [Dh, Dh]

/// A A^T of a head's rows [Dh, Dm], or A^T A of its columns [Dm, Dh], summed in double.
/// @param rowStride    of A's index of Dh
/// @param innerStride  of its index of Dm
Square gram(const float* a, std::int64_t headDim, std::int64_t inner, std::int64_t rowStride, std::int64_t innerStride)
{
    constexpr std::int64_t kPanel = 512; // rows of a copy in double
    Square sum = Square::Zero(headDim, headDim);
    std::vector<double> panel(static_cast<std::size_t>(kPanel * headDim));
    for (std::int64_t begin = 0; begin < inner; begin += kPanel)
    {
        const std::int64_t count = std::min(kPanel, inner - begin);
        const float* const first = a + begin * innerStride;
        for (std::int64_t p = 0; p < count; ++p)
            for (std::int64_t d = 0; d < headDim; ++d)
                panel[static_cast<std::size_t>(p * headDim + d)] =
                    static_cast<double>(first[d * rowStride + p * innerStride]);
        addProductInDouble(headDim, headDim, count, first, rowStride, innerStride, panel.data(), headDim, sum.data(),
                           headDim);
    }
    return (sum + sum.transpose()) / 2;
}

/// The symmetric root of a Gram matrix.
Square rootOf(const Square& gram)
{
    const Eigen::SelfAdjointEigenSolver<Square> solver(gram);
    const Eigen::VectorXd roots = solver.eigenvalues().cwiseMax(0).cwiseSqrt();
    return solver.eigenvectors() * roots.asDiagonal() * solver.eigenvectors().transpose();
}

/// Row-major float32 of a symmetric matrix.
std::vector<float> asFloats(const Square& matrix)
{
    std::vector<float> values(static_cast<std::size_t>(matrix.size()));
    std::transform(matrix.data(), matrix.data() + matrix.size(), values.begin(),
                   [](double value) { return static_cast<float>(value); });
    return values;
}

/// A matrix [Dm, Dh] times a vector [Dh], as a vector of length 1 (or 0).
/// @param rowStride    of the matrix's index of Dm
/// @param innerStride  of its index of Dh
std::vector<double> unitProduct(const float* matrix, std::int64_t rows, std::int64_t rowStride,
                                std::int64_t innerStride, const Eigen::VectorXd& vector)
{
    std::vector<double> product(static_cast<std::size_t>(rows));
    double square = 0;
    for (std::int64_t row = 0; row < rows; ++row)
    {
        double sum = 0;
        for (std::int64_t d = 0; d < vector.size(); ++d)
            sum += static_cast<double>(matrix[row * rowStride + d * innerStride]) * vector[d];
        product[static_cast<std::size_t>(row)] = sum;
        square += sum * sum;
    }
    for (double& value : product)
        value = square > 0 ? value / std::sqrt(square) : 0;
    return product;
}

/// What the first columns of root * vectors [Dh, Dh] are behind a head's rows [Dh, Dm].
Directions throughRows(ConstMatrixView rows, const Square& root, const Square& vectors, std::int64_t count)
{
    Directions directions;
    for (std::int64_t c = 0; c < count; ++c)
        directions.push_back(unitProduct(rows.data(), rows.cols(), 1, rows.stride(), root * vectors.col(c)));
    return directions;
}

std::vector<double> asVector(const Eigen::VectorXd& values)
{
    return {values.begin(), values.end()};
}

} // namespace

HeadFactors headFactors(const HeadMatrices& head, std::int64_t directions, bool withReads)
{
    const std::int64_t dims = head.query.cols();
    const auto ofRows = [&](ConstMatrixView rows) { return gram(rows.data(), rows.rows(), dims, rows.stride(), 1); };
    const Square ofQuery = ofRows(head.query);
    const Square ofKey = ofRows(head.key);
    const Square ofValue = ofRows(head.value);
    const Square ofOutput = gram(head.output.data(), head.output.cols(), dims, 1, head.output.stride());
    const Square queryRoot = rootOf(ofQuery);
    const Square keyRoot = rootOf(ofKey);
    const Square valueRoot = rootOf(ofValue);
    const Square outputRoot = rootOf(ofOutput);
    HeadFactors factors;
    factors.queryRoot = asFloats(queryRoot);
    factors.keyRoot = asFloats(keyRoot);
    factors.valueRoot = asFloats(valueRoot);
    factors.outputRoot = asFloats(outputRoot);
    factors.readNorm = std::sqrt(std::max(0.0, ofQuery.cwiseProduct(ofKey).sum()));
    factors.moveNorm = std::sqrt(std::max(0.0, ofOutput.cwiseProduct(ofValue).sum()));
    const Eigen::JacobiSVD<Square> moved(outputRoot * valueRoot, Eigen::ComputeFullU | Eigen::ComputeFullV);
    const Eigen::JacobiSVD<Square> matched(queryRoot * keyRoot, Eigen::ComputeFullU | Eigen::ComputeFullV);
    factors.ovSingular = asVector(moved.singularValues());
    factors.qkSingular = asVector(matched.singularValues());
    factors.reads = throughRows(head.value, outputRoot, moved.matrixU(), directions);
    for (std::int64_t c = 0; c < directions; ++c)
        factors.writes.push_back(
            unitProduct(head.output.data(), dims, head.output.stride(), 1, valueRoot * moved.matrixV().col(c)));
    if (withReads)
    {
        factors.queryReads = throughRows(head.query, keyRoot, matched.matrixV(), directions);
        factors.keyReads = throughRows(head.key, queryRoot, matched.matrixU(), directions);
    }
    return factors;
}

} // namespace headscope
