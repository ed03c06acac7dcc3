// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "model/base/job_context.h"
#include "model/base/result.h"

#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <vector>

namespace headscope
{

/// One number of a sparse symmetric matrix: where it stands in its row, and how much.
template <class T>
struct JointEdge
{
    std::int32_t column = 0;
    T value = 0;
};

/// Joint probabilities of t-SNE, P_ij = (p_j|i + p_i|j) / (2 P), handed out row by row from the
/// conditional ones and their transpose.
///
/// The joint rows are never in memory together: the caller stores them in the form it needs. Usage: construct, fill()
/// once, free what the rows were made of, transpose() once, then row(). T is float or double.
template <class T>
class JointRows
{
public:
    JointRows(std::int64_t points, std::int64_t neighbors);

    /// Writes the neighbours of one point and their conditional probabilities, both [K].
    using FillRow = std::function<void(std::int64_t point, std::span<std::int32_t> columns, std::span<T> conditional)>;

    /// Calls fillRow once for every point, on any thread, and sorts the row by column.
    /// @errors Cancelled
    [[nodiscard]] Status fill(const FillRow& fillRow, int numThreads, JobContext& job);

    /// Builds the transpose: for each point, those that have it among their neighbours, ascending.
    /// @errors  InvalidArgument (2^32 neighbours in all, or more), Cancelled
    /// @threads uses `numThreads` threads; result independent of their number
    /// @cost    three passes over the neighbours; 4 bytes each beside what stays
    [[nodiscard]] Status transpose(int numThreads, JobContext& job);

    [[nodiscard]] std::int64_t points() const { return m_points; }
    /// Most edges that any row can have.
    [[nodiscard]] std::int64_t edgesAtMost(std::int64_t point) const
    {
        const auto at = static_cast<std::size_t>(point);
        return m_neighbors + m_start[at + 1] - m_start[at];
    }
    /// The edges of one row, columns ascending.
    /// @threads reentrant
    void row(std::int64_t point, std::vector<JointEdge<T>>& into) const;

private:
    std::int64_t m_points;
    std::int64_t m_neighbors;
    // Plain arrays: a vector would be zeroed on one thread before the workers overwrite it.
    std::unique_ptr<std::int32_t[]> m_columns;    ///< [P, K]
    std::unique_ptr<T[]> m_conditional;           ///< [P, K]
    std::vector<std::int64_t> m_start;            ///< [P + 1] of the transpose
    std::unique_ptr<std::int32_t[]> m_turnedRows; ///< [P K]
    std::unique_ptr<T[]> m_turnedValues;          ///< [P K]
};

} // namespace headscope
