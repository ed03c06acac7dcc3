// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "model/base/job_context.h"
#include "model/base/parallel.h"
#include "model/base/result.h"

#include <cstdint>
#include <functional>
#include <memory>
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
/// Neither the joint rows nor the transpose are ever in memory together: the caller stores the rows in the form it
/// needs. Usage: construct, setRow() for every point, then visit(). T is float or double.
template <class T>
class JointRows
{
public:
    JointRows(std::int64_t points, std::int64_t neighbors);

    /// The neighbours of one point and their conditional probabilities, K in any order; sorted by column here.
    /// @threads reentrant, for different points
    void setRow(std::int64_t point, std::vector<JointEdge<T>>& conditional);

    /// Writes the joint edges of one point, columns ascending.
    using RowOf = std::function<void(std::int64_t point, std::vector<JointEdge<T>>& into)>;
    /// Receives the points of a block; rowOf is valid for those, during the call.
    using Visit = std::function<void(const Block& block, int worker, const RowOf& rowOf)>;
    static constexpr std::int64_t kVisited = 512; ///< points of a block

    /// Calls `body` once for every block of kVisited points.
    ///
    /// The transpose is made for a bucket of columns at a time and given up after it; the edges are sorted by bucket
    /// for a sixteenth of the columns at a time.
    /// @errors  InvalidArgument (2^32 neighbours in all, or more), Cancelled
    /// @threads uses `numThreads` threads, on which `body` is called; rows independent of their number
    /// @cost    three passes over the neighbours; a quarter of a byte each beside them, or 4 for few
    [[nodiscard]] Status visit(const Visit& body, int numThreads, JobContext& job) const;
    /// Bytes that visit() takes beside the rows.
    [[nodiscard]] static double visitBytes(std::int64_t points, std::int64_t neighbors);

    [[nodiscard]] std::int64_t points() const { return m_points; }

private:
    std::int64_t m_points;
    std::int64_t m_neighbors;
    // Plain arrays: a vector would be zeroed, and so taken from the system, before it is filled.
    std::unique_ptr<std::int32_t[]> m_columns; ///< [P, K]
    std::unique_ptr<T[]> m_conditional;        ///< [P, K]
};

} // namespace headscope
