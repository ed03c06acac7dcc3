// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "model/data/matrix.h"

#include <memory>
#include <utility>
#include <vector>

namespace headscope
{

/// Rows of numbers that nobody changes any more: [rows, cols] float32, row-major. A copy of it refers to the same
/// numbers, which end with the last one.
class SharedRows
{
public:
    SharedRows() = default;
    /// Takes the numbers over. @param values  rows * cols numbers
    SharedRows(std::vector<float> values, std::int64_t rows, std::int64_t cols) : m_rows(rows), m_cols(cols)
    {
        HEADSCOPE_ASSERT(values.size() == static_cast<std::size_t>(rows * cols));
        const auto owner = std::make_shared<const std::vector<float>>(std::move(values));
        m_data = std::shared_ptr<const float[]>(owner, owner->data());
    }
    /// @param data  rows * cols numbers
    SharedRows(std::shared_ptr<const float[]> data, std::int64_t rows, std::int64_t cols)
        : m_data(std::move(data)), m_rows(rows), m_cols(cols)
    {}
    /// A matrix that is complete becomes shared.
    SharedRows(MatrixF matrix) // NOLINT(google-explicit-constructor)
        : SharedRows(std::move(matrix.values()), matrix.rows(), matrix.cols())
    {}

    [[nodiscard]] std::int64_t rows() const { return m_rows; }
    [[nodiscard]] std::int64_t cols() const { return m_cols; }
    [[nodiscard]] const float* data() const { return m_data.get(); }
    [[nodiscard]] std::span<const float> values() const
    {
        return {m_data.get(), static_cast<std::size_t>(m_rows * m_cols)};
    }
    [[nodiscard]] ConstMatrixView view() const { return {m_data.get(), m_rows, m_cols}; }
    [[nodiscard]] std::span<const float> row(std::int64_t i) const { return view().row(i); }
    const float& operator()(std::int64_t i, std::int64_t j) const { return view()(i, j); }

private:
    std::shared_ptr<const float[]> m_data;
    std::int64_t m_rows = 0;
    std::int64_t m_cols = 0;
};

} // namespace headscope
