// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/analysis/importance/mask_regression.h"

#include <Eigen/QR>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <numeric>
#include <utility>

namespace headscope
{
namespace
{

using RowMajor = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
using MapD = Eigen::Map<RowMajor>;

} // namespace

Result<MaskRegression> MaskRegression::create(const std::vector<PlayerMask>& masks)
{
    const auto n = std::ssize(masks);
    const auto columns = 1 + (n == 0 ? 0 : std::ssize(masks.front()));
    MaskRegression made;
    made.m_design = MatrixD(n, columns);
    for (std::int64_t row = 0; row < n; ++row)
    {
        made.m_design(row, 0) = 1;
        for (std::int64_t i = 1; i < columns; ++i)
            made.m_design(row, i) = masks[static_cast<std::size_t>(row)][static_cast<std::size_t>(i - 1)] ? 1 : 0;
    }
    const MapD design(made.m_design.data(), n, columns);
    const auto unfit = [&](const std::string& found) {
        return Error{ErrorCode::InvalidArgument,
                     fmt::format("expected masks that distinguish {} heads or groups, found {}: use more masks",
                                 columns - 1, found),
                     {},
                     "masks"};
    };
    if (n < columns)
        return unfit(fmt::format("{}", n));
    const Eigen::ColPivHouseholderQR<Eigen::MatrixXd> qr(design);
    if (qr.rank() < columns)
        return unfit(fmt::format("{}, some of which are the same or depend on others", n));
    made.m_weights = MatrixD(columns, n);
    MapD(made.m_weights.data(), columns, n) = qr.solve(Eigen::MatrixXd::Identity(n, n));
    return made;
}

MaskFit MaskRegression::fit(std::span<const double> values) const
{
    const std::int64_t n = m_design.rows();
    const std::int64_t columns = m_design.cols();
    MaskFit found;
    for (std::int64_t i = 0; i < columns; ++i)
    {
        const auto row = m_weights.row(i);
        found.coefficients.push_back(std::inner_product(row.begin(), row.end(), values.begin(), 0.0));
    }
    const double mean = std::accumulate(values.begin(), values.end(), 0.0) / static_cast<double>(n);
    double left = 0;
    double spread = 0;
    for (std::int64_t row = 0; row < n; ++row)
    {
        const auto of = m_design.row(row);
        const double value = values[static_cast<std::size_t>(row)];
        const double residual = value - std::inner_product(of.begin(), of.end(), found.coefficients.begin(), 0.0);
        left += residual * residual;
        spread += (value - mean) * (value - mean);
    }
    constexpr double kNan = std::numeric_limits<double>::quiet_NaN();
    double largest = 0;
    for (const double value : values)
        largest = std::max(largest, std::abs(value));
    constexpr double kRounding = 1e-12; // of equal values nothing is left but that
    found.r2 = spread > static_cast<double>(n) * kRounding * largest * kRounding * largest ? 1 - left / spread : kNan;
    const double variance = n > columns ? left / static_cast<double>(n - columns) : kNan;
    for (std::int64_t i = 0; i < columns; ++i)
    {
        const auto row = m_weights.row(i); // the pseudoinverse times its transpose is (X^T X)^-1
        found.standardErrors.push_back(
            std::sqrt(variance * std::inner_product(row.begin(), row.end(), row.begin(), 0.0)));
    }
    return found;
}

std::vector<double> shapleyValues(const std::vector<PlayerMask>& masks, std::span<const double> values)
{
    std::map<PlayerMask, double> valueOf;
    for (std::size_t i = 0; i < masks.size(); ++i)
        valueOf.emplace(masks[i], values[i]);
    const std::size_t count = masks.front().size();
    const auto players = static_cast<double>(count);
    std::vector<double> gains(count, 0.0);
    for (const auto& [mask, value] : valueOf)
    {
        // size! (players - size - 1)! / players!
        const auto size = static_cast<double>(std::count(mask.begin(), mask.end(), true));
        const double weight = std::exp(std::lgamma(size + 1) + std::lgamma(players - size) - std::lgamma(players + 1));
        for (std::size_t i = 0; i < count; ++i)
        {
            if (mask[i])
                continue;
            PlayerMask with = mask;
            with[i] = true;
            gains[i] += weight * (valueOf.at(with) - value);
        }
    }
    return gains;
}

} // namespace headscope
