// SPDX-License-Identifier: GPL-3.0-or-later
#include "viz/geometry/spatial_grid.h"

#include "viz/geometry/view_transform.h"

#include "model/base/assert.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>

namespace headscope::viz
{
namespace
{

constexpr double kPointsPerCell = 4;
constexpr std::int64_t kMaxCellsPerSide = 4096;

struct Edge
{
    QPointF from;
    QPointF to;
};

/// Edges of a closed polygon that touch the heights top..bottom.
void edgesBetween(const QPolygonF& polygon, double top, double bottom, std::vector<Edge>& edges)
{
    edges.clear();
    QPointF from = polygon.last();
    for (const QPointF& to : polygon)
    {
        if (std::min(from.y(), to.y()) <= bottom && std::max(from.y(), to.y()) >= top)
            edges.push_back({from, to});
        from = to;
    }
}

/// Odd-even rule: whether a ray to the left crosses an odd number of edges.
bool insideEdges(const std::vector<Edge>& edges, double x, double y)
{
    bool inside = false;
    for (const Edge& edge : edges)
    {
        if ((edge.from.y() <= y) == (edge.to.y() <= y))
            continue;
        const double share = (y - edge.from.y()) / (edge.to.y() - edge.from.y());
        if (edge.from.x() + share * (edge.to.x() - edge.from.x()) < x)
            inside = !inside;
    }
    return inside;
}

/// Sorts points that each occur once. Many of them are marked in a bitmap and read back in order,
/// which is linear where std::sort is not.
void sortPoints(std::vector<std::int64_t>& points, std::size_t numPoints)
{
    constexpr std::size_t kBits = 64;
    if (points.size() < numPoints / kBits + kBits)
    {
        std::sort(points.begin(), points.end());
        return;
    }
    std::vector<std::uint64_t> marked(numPoints / kBits + 1, 0);
    for (const std::int64_t point : points)
        marked[static_cast<std::size_t>(point) / kBits] |= std::uint64_t{1}
                                                           << (static_cast<std::size_t>(point) % kBits);
    auto to = points.begin();
    for (std::size_t word = 0; word < marked.size(); ++word)
        for (std::uint64_t bits = marked[word]; bits != 0; bits &= bits - 1)
            *to++ = static_cast<std::int64_t>(word * kBits) + std::countr_zero(bits);
}

} // namespace

struct SpatialGrid::CellRange
{
    std::int64_t left = 0;
    std::int64_t right = -1;
    std::int64_t top = 0;
    std::int64_t bottom = -1;
};

SpatialGrid::SpatialGrid(std::span<const float> xy) : m_xy(xy)
{
    HEADSCOPE_ASSERT(xy.size() / 2 < std::numeric_limits<std::uint32_t>::max());
    const auto bounds = dataBounds(xy);
    if (!bounds)
        return;
    const std::size_t numPoints = xy.size() / 2;
    const double sides = std::sqrt(std::max(1.0, static_cast<double>(numPoints) / kPointsPerCell));
    const auto cellsFor = [sides](double extent) {
        return extent > 0 ? std::clamp(static_cast<std::int64_t>(sides), std::int64_t{1}, kMaxCellsPerSide) : 1;
    };
    m_left = bounds->left();
    m_top = bounds->top();
    m_columns = cellsFor(bounds->width());
    m_rows = cellsFor(bounds->height());
    m_cellsPerUnitX = bounds->width() > 0 ? static_cast<double>(m_columns) / bounds->width() : 0;
    m_cellsPerUnitY = bounds->height() > 0 ? static_cast<double>(m_rows) / bounds->height() : 0;

    constexpr std::uint32_t kNowhere = std::numeric_limits<std::uint32_t>::max();
    std::vector<std::uint32_t> cellOf(numPoints, kNowhere);
    m_cellStart.assign(static_cast<std::size_t>(m_rows * m_columns) + 1, 0);
    for (std::size_t i = 0; i < numPoints; ++i)
    {
        const auto x = static_cast<double>(xy[2 * i]);
        const auto y = static_cast<double>(xy[2 * i + 1]);
        if (!std::isfinite(x) || !std::isfinite(y))
            continue;
        const auto column = std::min(m_columns - 1, static_cast<std::int64_t>((x - m_left) * m_cellsPerUnitX));
        const auto row = std::min(m_rows - 1, static_cast<std::int64_t>((y - m_top) * m_cellsPerUnitY));
        cellOf[i] = static_cast<std::uint32_t>(row * m_columns + column);
        ++m_cellStart[cellOf[i] + 1];
    }
    for (std::size_t cell = 1; cell < m_cellStart.size(); ++cell)
        m_cellStart[cell] += m_cellStart[cell - 1];
    m_order.resize(m_cellStart.back());
    std::vector<std::uint32_t> next(m_cellStart.begin(), m_cellStart.end() - 1);
    for (std::size_t i = 0; i < numPoints; ++i)
        if (cellOf[i] != kNowhere)
            m_order[next[cellOf[i]]++] = static_cast<std::uint32_t>(i);
}

SpatialGrid::CellRange SpatialGrid::cellsOf(const QRectF& data) const
{
    if (m_order.empty())
        return {};
    const auto cell = [](double place, double origin, double perUnit, std::int64_t count) {
        // Far away places would overflow the integer, so that they are cut off before.
        return static_cast<std::int64_t>(
            std::clamp(std::floor((place - origin) * perUnit), -1.0, static_cast<double>(count)));
    };
    const auto clampTo = [](std::int64_t value, std::int64_t count) {
        return std::clamp(value, std::int64_t{0}, count - 1);
    };
    // One cell of slack on each side keeps rounding from losing a point on a border.
    return {clampTo(cell(data.left(), m_left, m_cellsPerUnitX, m_columns) - 1, m_columns),
            clampTo(cell(data.right(), m_left, m_cellsPerUnitX, m_columns) + 1, m_columns),
            clampTo(cell(data.top(), m_top, m_cellsPerUnitY, m_rows) - 1, m_rows),
            clampTo(cell(data.bottom(), m_top, m_cellsPerUnitY, m_rows) + 1, m_rows)};
}

template <class Visit>
void SpatialGrid::visitCells(const CellRange& range, Visit visit) const
{
    for (std::int64_t row = range.top; row <= range.bottom; ++row)
    {
        const auto base = static_cast<std::size_t>(row * m_columns);
        const std::uint32_t begin = m_cellStart[base + static_cast<std::size_t>(range.left)];
        const std::uint32_t end = m_cellStart[base + static_cast<std::size_t>(range.right) + 1];
        for (std::uint32_t i = begin; i < end; ++i)
        {
            const std::uint32_t point = m_order[i];
            visit(static_cast<std::int64_t>(point), static_cast<double>(m_xy[2 * std::size_t{point}]),
                  static_cast<double>(m_xy[2 * std::size_t{point} + 1]));
        }
    }
}

std::optional<std::int64_t> SpatialGrid::nearest(QPointF data, double radius, const Accept& accept) const
{
    std::optional<std::int64_t> best;
    if (m_order.empty() || !(radius >= 0) || !std::isfinite(data.x()) || !std::isfinite(data.y()))
        return best;
    double bestSquared = radius * radius;
    const QRectF box(data.x() - radius, data.y() - radius, 2 * radius, 2 * radius);
    visitCells(cellsOf(box), [&](std::int64_t point, double x, double y) {
        const double squared = (x - data.x()) * (x - data.x()) + (y - data.y()) * (y - data.y());
        if (squared > bestSquared || (best && squared == bestSquared && point > *best))
            return;
        if (accept && !accept(point))
            return;
        best = point;
        bestSquared = squared;
    });
    return best;
}

std::vector<std::int64_t> SpatialGrid::inRectangle(const QRectF& data) const
{
    std::vector<std::int64_t> found;
    const QRectF box = data.normalized();
    visitCells(cellsOf(box), [&](std::int64_t point, double x, double y) {
        if (x >= box.left() && x <= box.right() && y >= box.top() && y <= box.bottom())
            found.push_back(point);
    });
    sortPoints(found, m_xy.size() / 2);
    return found;
}

std::vector<std::int64_t> SpatialGrid::inCircle(QPointF centre, double radius) const
{
    std::vector<std::int64_t> found;
    const QRectF box(centre.x() - radius, centre.y() - radius, 2 * radius, 2 * radius);
    visitCells(cellsOf(box), [&](std::int64_t point, double x, double y) {
        if ((x - centre.x()) * (x - centre.x()) + (y - centre.y()) * (y - centre.y()) <= radius * radius)
            found.push_back(point);
    });
    sortPoints(found, m_xy.size() / 2);
    return found;
}

std::vector<std::int64_t> SpatialGrid::inPolygon(const QPolygonF& polygon) const
{
    std::vector<std::int64_t> found;
    if (polygon.size() < 3)
        return found;
    const CellRange all = cellsOf(polygon.boundingRect());
    const double rowHeight = m_cellsPerUnitY > 0 ? 1 / m_cellsPerUnitY : 0;
    const double slack = 1e-3 * rowHeight; // a point on the border of its row, rounded out of it
    std::vector<Edge> edges;
    for (std::int64_t row = all.top; row <= all.bottom; ++row)
    {
        const double top = m_top + static_cast<double>(row) * rowHeight;
        edgesBetween(polygon, top - slack, top + rowHeight + slack, edges);
        if (edges.empty())
            continue;
        visitCells({all.left, all.right, row, row}, [&](std::int64_t point, double x, double y) {
            if (insideEdges(edges, x, y))
                found.push_back(point);
        });
    }
    sortPoints(found, m_xy.size() / 2);
    return found;
}

} // namespace headscope::viz
