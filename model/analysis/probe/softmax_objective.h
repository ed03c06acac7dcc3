// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "model/data/matrix.h"

#include <cstdint>
#include <span>
#include <vector>

namespace headscope
{

/// ProductPrecision of the products with the rows. Sums over rows are in double either way.
enum class ProductPrecision
{
    Float,
    Double,
};

/// Multinomial logistic regression's objective as a function of one vector, with products of its Hessian.
///
///     F(W, b) = C sum_i -ln p_(i, y_i) + 1/2 |W|^2,   p_i = softmax((x_i - mean) W + b)
///
/// Variables are theta [D + 1, stride], row-major: weights as columns, intercepts (about centred rows)
/// in the last row; classes are padded with columns that stay zero. Centring is exact in double, and
/// in float32 keeps the digits of rows far from the origin.
/// @threads every function uses `numThreads` threads; results independent of their number
class SoftmaxObjective
{
public:
    /// @param rows    finite, at least one; must outlive this
    /// @param labels  [n] in [0, classes)
    /// @param centred false: about the origin, so that intercepts are those of the rows as given
    SoftmaxObjective(ConstMatrixView rows, std::span<const std::int32_t> labels, std::int64_t classes, double c,
                     int numThreads, bool centred = true);

    [[nodiscard]] std::int64_t rows() const { return m_rows.rows(); }
    [[nodiscard]] std::int64_t dims() const { return m_rows.cols(); }
    [[nodiscard]] std::int64_t classes() const { return m_classes; }
    [[nodiscard]] std::int64_t stride() const { return m_stride; }
    [[nodiscard]] double c() const { return m_c; }
    [[nodiscard]] int numThreads() const { return m_numThreads; }
    [[nodiscard]] const std::vector<double>& mean() const { return m_mean; }
    [[nodiscard]] std::span<const std::int32_t> labels() const { return m_labels; }
    /// Length of theta.
    [[nodiscard]] std::size_t size() const { return static_cast<std::size_t>((dims() + 1) * m_stride); }
    /// Multiply-adds of one product with the rows.
    [[nodiscard]] std::int64_t work() const { return rows() * dims() * m_stride; }

    /// F at theta; writes the gradient and remembers the probabilities.
    /// @cost 2 n D stride multiply-adds
    double evaluate(std::span<const double> theta, std::span<double> gradient, ProductPrecision precision);

    /// Hessian-vector product at the point evaluated last.
    /// @cost 2 n D stride multiply-adds, no exponentials
    void hessianVectorProduct(std::span<const double> direction, std::span<double> product,
                              ProductPrecision precision) const;

    /// What is left above the minimum at most, by the gradient: the penalty makes F strongly convex in W;
    /// the curvature along intercepts is about C n / K.
    [[nodiscard]] double gapBound(std::span<const double> gradient) const;

    /// p_ik of the point evaluated last, [n, stride] with zeros in the padding.
    [[nodiscard]] const MatrixF& probabilities() const { return m_probabilities; }
    /// Rows for products in float32, and what is still to be taken off them: x_i - mean = floatRows - shift.
    [[nodiscard]] ConstMatrixView floatRows() const { return m_floatRows; }
    [[nodiscard]] const std::vector<double>& floatShift() const { return m_floatShift; }

private:
    template <class T>
    double evaluateAs(std::span<const double> theta, std::span<double> gradient);
    template <class T>
    void hessianVectorProductAs(std::span<const double> direction, std::span<double> product) const;

    ConstMatrixView m_rows;
    std::span<const std::int32_t> m_labels;
    std::int64_t m_classes;
    std::int64_t m_stride;
    double m_c;
    int m_numThreads;
    std::vector<double> m_mean;
    MatrixF m_centredRows; ///< only where rows are far from the origin
    ConstMatrixView m_floatRows;
    std::vector<double> m_floatShift;
    MatrixF m_probabilities;
};

} // namespace headscope
