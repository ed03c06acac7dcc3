// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "model/data/matrix.h"

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace headscope::viz
{

/// How cells that share a pixel become one colour.
enum class CellPooling
{
    Mean,    ///< of the finite cells
    Largest, ///< of the finite cells: single large values stay visible
};

/// Cells of a heatmap, ready to be painted at any zoom: running sums of every row, so that the mean of
/// any run of columns costs two reads.
/// @cost building O(cells), 8 bytes a cell (12 where a cell has no value)
/// @threads reading: reentrant
class HeatmapCells
{
public:
    HeatmapCells() = default;
    /// @param values  [R, M]; must outlive this
    explicit HeatmapCells(ConstMatrixView values);

    [[nodiscard]] std::int64_t rows() const { return m_values.rows(); }
    [[nodiscard]] std::int64_t columns() const { return m_values.cols(); }
    /// The mean or the largest of the finite cells of these rows in columns [begin, end); NaN when there is
    /// none.
    [[nodiscard]] double pooled(std::span<const std::int64_t> rows, std::int64_t begin, std::int64_t end,
                                CellPooling pooling) const;
    /// Cells without a value of a row in columns [begin, end).
    [[nodiscard]] std::int64_t missing(std::int64_t row, std::int64_t begin, std::int64_t end) const;

private:
    [[nodiscard]] std::size_t at(std::int64_t row, std::int64_t column) const
    {
        return static_cast<std::size_t>(row * (m_values.cols() + 1) + column);
    }
    [[nodiscard]] double largest(std::span<const std::int64_t> rows, std::int64_t begin, std::int64_t end) const;

    ConstMatrixView m_values;
    std::vector<double> m_sums;          ///< [R, M + 1] of the finite cells before a column
    std::vector<std::int32_t> m_missing; ///< [R, M + 1] cells without a value before it; empty: all have one
};

} // namespace headscope::viz
