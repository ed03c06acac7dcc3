// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/analysis/neighbors/planar_neighbors.h"

#include "model/analysis/neighbors/neighbors.h"
#include "model/base/parallel.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>
#include <vector>

namespace headscope
{
namespace
{

constexpr std::int64_t kBlockPoints = 256;
constexpr double kPointsPerCell = 2;
constexpr std::int64_t kMaxCellsPerSide = 4096;

struct Candidate
{
    double squared = 0;
    std::int32_t index = 0;
    bool operator<(const Candidate& other) const
    {
        return squared != other.squared ? squared < other.squared : index < other.index;
    }
};

/// Points by square cell.
class PlaneCells
{
public:
    explicit PlaneCells(ConstMatrixView xy) : m_xy(xy)
    {
        double right = -std::numeric_limits<double>::infinity();
        double bottom = right;
        m_left = m_top = std::numeric_limits<double>::infinity();
        for (std::int64_t i = 0; i < xy.rows(); ++i)
        {
            m_left = std::min(m_left, x(i));
            right = std::max(right, x(i));
            m_top = std::min(m_top, y(i));
            bottom = std::max(bottom, y(i));
        }
        const double width = right - m_left;
        const double height = bottom - m_top;
        const double cells = std::max(1.0, static_cast<double>(xy.rows()) / kPointsPerCell);
        m_side = width > 0 && height > 0 ? std::sqrt(width * height / cells) : std::max(width, height) / cells;
        m_side = std::max(m_side, std::max(width, height) / static_cast<double>(kMaxCellsPerSide));
        if (!(m_side > 0))
            m_side = 1; // all at one place
        m_columns = static_cast<std::int64_t>(width / m_side) + 1;
        m_rows = static_cast<std::int64_t>(height / m_side) + 1;
        sort();
    }

    [[nodiscard]] double x(std::int64_t i) const { return static_cast<double>(m_xy(i, 0)); }
    [[nodiscard]] double y(std::int64_t i) const { return static_cast<double>(m_xy(i, 1)); }

    /// The `best.size()` nearest of point i, ascending.
    void nearest(std::int64_t i, std::vector<Candidate>& best) const
    {
        std::size_t found = 0;
        const std::int64_t column = columnOf(x(i));
        const std::int64_t row = rowOf(y(i));
        const std::int64_t rings = std::max(std::max(column, m_columns - 1 - column), std::max(row, m_rows - 1 - row));
        for (std::int64_t ring = 0; ring <= rings; ++ring)
        {
            // What lies outside of the rings so far is at least so far away; a little less for the
            // rounding of cell borders.
            const double clear = std::max(0.0, (static_cast<double>(ring) - 1) * m_side * (1 - 1e-9));
            if (found == best.size() && best.back().squared < clear * clear)
                return;
            forRing(column, row, ring, [&](std::size_t cell) {
                for (std::uint32_t at = m_start[cell]; at < m_start[cell + 1]; ++at)
                    offer(i, m_order[at], best, found);
            });
        }
    }

private:
    [[nodiscard]] std::int64_t columnOf(double at) const
    {
        return std::clamp(static_cast<std::int64_t>((at - m_left) / m_side), std::int64_t{0}, m_columns - 1);
    }
    [[nodiscard]] std::int64_t rowOf(double at) const
    {
        return std::clamp(static_cast<std::int64_t>((at - m_top) / m_side), std::int64_t{0}, m_rows - 1);
    }

    void sort()
    {
        const auto numPoints = static_cast<std::size_t>(m_xy.rows());
        std::vector<std::uint32_t> cellOf(numPoints);
        m_start.assign(static_cast<std::size_t>(m_columns * m_rows) + 1, 0);
        for (std::size_t i = 0; i < numPoints; ++i)
        {
            const auto point = static_cast<std::int64_t>(i);
            cellOf[i] = static_cast<std::uint32_t>(rowOf(y(point)) * m_columns + columnOf(x(point)));
            ++m_start[cellOf[i] + 1];
        }
        for (std::size_t cell = 1; cell < m_start.size(); ++cell)
            m_start[cell] += m_start[cell - 1];
        m_order.resize(numPoints);
        std::vector<std::uint32_t> next(m_start.begin(), m_start.end() - 1);
        for (std::size_t i = 0; i < numPoints; ++i)
            m_order[next[cellOf[i]]++] = static_cast<std::uint32_t>(i);
    }

    /// Calls visit(cell) for the cells of one ring around a cell.
    template <class Visit>
    void forRing(std::int64_t column, std::int64_t row, std::int64_t ring, const Visit& visit) const
    {
        const std::int64_t top = row - ring;
        const std::int64_t bottom = row + ring;
        const std::int64_t left = std::max<std::int64_t>(0, column - ring);
        const std::int64_t right = std::min(m_columns - 1, column + ring);
        for (std::int64_t r = std::max<std::int64_t>(0, top); r <= std::min(m_rows - 1, bottom); ++r)
        {
            const auto base = static_cast<std::size_t>(r * m_columns);
            if (r == top || r == bottom)
            {
                for (std::int64_t c = left; c <= right; ++c)
                    visit(base + static_cast<std::size_t>(c));
                continue;
            }
            if (column - ring >= 0)
                visit(base + static_cast<std::size_t>(column - ring));
            if (column + ring < m_columns)
                visit(base + static_cast<std::size_t>(column + ring));
        }
    }

    void offer(std::int64_t i, std::uint32_t other, std::vector<Candidate>& best, std::size_t& found) const
    {
        const auto point = static_cast<std::int64_t>(other);
        if (point == i)
            return;
        const double dx = x(i) - x(point);
        const double dy = y(i) - y(point);
        const Candidate candidate{dx * dx + dy * dy, static_cast<std::int32_t>(other)};
        if (found == best.size() && !(candidate < best.back()))
            return;
        std::size_t place = found < best.size() ? found++ : best.size() - 1;
        for (; place > 0 && candidate < best[place - 1]; --place)
            best[place] = best[place - 1];
        best[place] = candidate;
    }

    ConstMatrixView m_xy;
    double m_left = 0;
    double m_top = 0;
    double m_side = 1;
    std::int64_t m_columns = 1;
    std::int64_t m_rows = 1;
    std::vector<std::uint32_t> m_start; ///< [cells + 1]
    std::vector<std::uint32_t> m_order; ///< points by cell, ascending inside a cell
};

} // namespace

Result<Matrix<std::int32_t>> planarNeighbors(ConstMatrixView xy, std::int64_t k, int numThreads, JobContext& job)
{
    if (k < 1)
        return Error{ErrorCode::InvalidArgument, fmt::format("expected at least one neighbour, found {}", k), {}, {}};
    HEADSCOPE_CHECK(checkFinite(xy));
    const std::int64_t count = xy.rows();
    Matrix<std::int32_t> indices(count, std::min(k, std::max<std::int64_t>(0, count - 1)));
    if (indices.cols() == 0)
        return indices;
    const PlaneCells cells(xy);
    parallelForBlocks(numThreads, count, kBlockPoints, [&](const Block& block, int) {
        if (job.stopRequested())
            return;
        std::vector<Candidate> best(static_cast<std::size_t>(indices.cols()));
        for (std::int64_t i = block.begin; i < block.end; ++i)
        {
            cells.nearest(i, best);
            for (std::int64_t rank = 0; rank < indices.cols(); ++rank)
                indices(i, rank) = best[static_cast<std::size_t>(rank)].index;
        }
    });
    HEADSCOPE_CHECK(job.checkStop());
    return indices;
}

} // namespace headscope
