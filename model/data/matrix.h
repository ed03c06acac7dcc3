// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "model/base/assert.h"

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace headscope
{

/// A row-major block of numbers that is owned elsewhere: rows of `cols` values, `stride` apart.
template <class T>
class MatrixView
{
public:
    MatrixView() = default;
    MatrixView(T* data, std::int64_t rows, std::int64_t cols) : MatrixView(data, rows, cols, cols) {}
    MatrixView(T* data, std::int64_t rows, std::int64_t cols, std::int64_t stride)
        : m_data(data), m_rows(rows), m_cols(cols), m_stride(stride)
    {}
    /// A mutable view converts to a constant one.
    operator MatrixView<const T>() const
    {
        return {m_data, m_rows, m_cols, m_stride};
    } // NOLINT(google-explicit-constructor)

    [[nodiscard]] T* data() const { return m_data; }
    [[nodiscard]] std::int64_t rows() const { return m_rows; }
    [[nodiscard]] std::int64_t cols() const { return m_cols; }
    [[nodiscard]] std::int64_t stride() const { return m_stride; }
    [[nodiscard]] bool contiguous() const { return m_stride == m_cols; }
    [[nodiscard]] std::span<T> row(std::int64_t i) const
    {
        HEADSCOPE_ASSERT(i >= 0 && i < m_rows);
        return {m_data + i * m_stride, static_cast<std::size_t>(m_cols)};
    }
    T& operator()(std::int64_t i, std::int64_t j) const { return m_data[i * m_stride + j]; }

private:
    T* m_data = nullptr;
    std::int64_t m_rows = 0;
    std::int64_t m_cols = 0;
    std::int64_t m_stride = 0;
};

/// A row-major block of numbers that owns them; zero-initialised.
template <class T>
class Matrix
{
public:
    Matrix() = default;
    Matrix(std::int64_t rows, std::int64_t cols)
        : m_values(static_cast<std::size_t>(rows * cols)), m_rows(rows), m_cols(cols)
    {}
    Matrix(std::int64_t rows, std::int64_t cols, std::vector<T> values)
        : m_values(std::move(values)), m_rows(rows), m_cols(cols)
    {
        HEADSCOPE_ASSERT(m_values.size() == static_cast<std::size_t>(rows * cols));
    }

    [[nodiscard]] std::int64_t rows() const { return m_rows; }
    [[nodiscard]] std::int64_t cols() const { return m_cols; }
    [[nodiscard]] bool empty() const { return m_values.empty(); }
    [[nodiscard]] T* data() { return m_values.data(); }
    [[nodiscard]] const T* data() const { return m_values.data(); }
    [[nodiscard]] const std::vector<T>& values() const { return m_values; }
    [[nodiscard]] std::vector<T>& values() { return m_values; }
    [[nodiscard]] std::span<T> row(std::int64_t i) { return view().row(i); }
    [[nodiscard]] std::span<const T> row(std::int64_t i) const { return view().row(i); }
    T& operator()(std::int64_t i, std::int64_t j) { return m_values[static_cast<std::size_t>(i * m_cols + j)]; }
    const T& operator()(std::int64_t i, std::int64_t j) const
    {
        return m_values[static_cast<std::size_t>(i * m_cols + j)];
    }
    [[nodiscard]] MatrixView<T> view() { return {m_values.data(), m_rows, m_cols}; }
    [[nodiscard]] MatrixView<const T> view() const { return {m_values.data(), m_rows, m_cols}; }
    bool operator==(const Matrix&) const = default;

private:
    std::vector<T> m_values;
    std::int64_t m_rows = 0;
    std::int64_t m_cols = 0;
};

using MatrixF = Matrix<float>;
using MatrixD = Matrix<double>;
using ConstMatrixView = MatrixView<const float>;

} // namespace headscope
