// SPDX-License-Identifier: GPL-3.0-or-later
#include "viz/heatmap/heatmap_cells.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace headscope::viz
{

HeatmapCells::HeatmapCells(ConstMatrixView values)
    : m_values(values), m_sums(static_cast<std::size_t>(values.rows() * (values.cols() + 1)))
{
    bool anyMissing = false;
    for (std::int64_t row = 0; row < rows(); ++row)
    {
        double sum = 0;
        const auto cells = values.row(row);
        double* sums = m_sums.data() + at(row, 0);
        for (std::size_t column = 0; column < cells.size(); ++column)
        {
            const bool finite = std::isfinite(cells[column]);
            anyMissing = anyMissing || !finite;
            sum += finite ? static_cast<double>(cells[column]) : 0.0;
            sums[column + 1] = sum;
        }
    }
    if (!anyMissing)
        return;
    m_missing.resize(m_sums.size());
    for (std::int64_t row = 0; row < rows(); ++row)
    {
        const auto cells = values.row(row);
        std::int32_t* missing = m_missing.data() + at(row, 0);
        for (std::size_t column = 0; column < cells.size(); ++column)
            missing[column + 1] = missing[column] + (std::isfinite(cells[column]) ? 0 : 1);
    }
}

std::int64_t HeatmapCells::missing(std::int64_t row, std::int64_t begin, std::int64_t end) const
{
    return m_missing.empty() ? 0 : m_missing[at(row, end)] - m_missing[at(row, begin)];
}

double HeatmapCells::pooled(std::span<const std::int64_t> rows, std::int64_t begin, std::int64_t end,
                            CellPooling pooling) const
{
    if (rows.size() == 1 && end - begin == 1)
    {
        const auto value = static_cast<double>(m_values(rows.front(), begin));
        return std::isfinite(value) ? value : std::numeric_limits<double>::quiet_NaN();
    }
    if (pooling == CellPooling::Largest)
        return largest(rows, begin, end);
    double sum = 0;
    std::int64_t count = 0;
    for (const std::int64_t row : rows)
    {
        sum += m_sums[at(row, end)] - m_sums[at(row, begin)];
        count += end - begin - missing(row, begin, end);
    }
    return count > 0 ? sum / static_cast<double>(count) : std::numeric_limits<double>::quiet_NaN();
}

double HeatmapCells::largest(std::span<const std::int64_t> rows, std::int64_t begin, std::int64_t end) const
{
    float most = -std::numeric_limits<float>::infinity();
    for (const std::int64_t row : rows)
    {
        const float* cells = m_values.data() + row * m_values.stride();
        for (std::int64_t column = begin; column < end; ++column)
            if (cells[column] > most && cells[column] <= std::numeric_limits<float>::max()) // NaN never
                most = cells[column];
    }
    return std::isfinite(most) ? static_cast<double>(most) : std::numeric_limits<double>::quiet_NaN();
}

} // namespace headscope::viz
