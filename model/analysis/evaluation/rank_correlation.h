// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "model/data/matrix.h"

#include <cstdint>
#include <span>
#include <vector>

namespace headscope
{

/// Cosine of each pair of rows, in double; NaN where a vector has no direction (all zeros, NaN or infinity).
/// @param rows           [N, D]
/// @param first, second  [P] row numbers
[[nodiscard]] std::vector<double> pairCosines(ConstMatrixView rows, std::span<const std::int64_t> first,
                                              std::span<const std::int64_t> second);

/// Spearman's correlation of two lists, mean ranks for ties, ready to be taken of many resamples: the order of the
/// values is found once.
class RankCorrelation
{
public:
    /// @param a, b  [n] finite
    RankCorrelation(std::span<const double> a, std::span<const double> b);

    /// @return NaN where either list has one value alone
    [[nodiscard]] double value() const;
    /// Of a resample, whose ranks are its own.
    /// @param times  [n] how often each pair is in it
    [[nodiscard]] double value(std::span<const std::int32_t> times) const;

private:
    /// Values in ascending order; equal ones have the same group.
    struct Order
    {
        std::vector<std::int32_t> items;
        std::vector<std::int32_t> groups; ///< [n] of each place in the order
    };
    static Order orderOf(std::span<const double> values);
    static void ranksInto(const Order& order, std::span<const std::int32_t> times, std::vector<double>& ranks);

    Order m_a;
    Order m_b;
};

/// Pearson's correlation; NaN where either list has one value alone.
[[nodiscard]] double pearson(std::span<const double> a, std::span<const double> b);

} // namespace headscope
