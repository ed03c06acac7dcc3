// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/analysis/heads/head_sums.h"

#include "model/base/parallel.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace headscope
{

Result<HeadSums> HeadSums::collect(const HeadVectors& vectors, std::span<const std::int32_t> part,
                                   std::int64_t numParts, int numThreads, JobContext& job)
{
    HEADSCOPE_ASSERT(part.empty() || static_cast<std::int64_t>(part.size()) == vectors.documents());
    HeadSums sums;
    sums.m_parts = numParts;
    sums.m_heads = vectors.heads();
    sums.m_dims = vectors.dims();
    const auto dims = static_cast<std::size_t>(vectors.dims());
    const auto cells = static_cast<std::size_t>(numParts * vectors.heads());
    sums.m_cells.resize(cells);
    sums.m_units.resize(cells * dims);

    // One head is one block: its documents are added in their order, whoever does it.
    parallelFor(numThreads, vectors.heads(), 1, [&](std::int64_t head, std::int64_t) {
        for (std::int64_t document = 0; document < vectors.documents(); ++document)
        {
            if (document % 1024 == 0 && job.stopRequested())
                return;
            const std::int32_t where = part.empty() ? 0 : part[static_cast<std::size_t>(document)];
            if (where < 0)
                continue;
            const auto vector = vectors.vector(DocumentIndex(document), HeadIndex(head));
            double squares = 0;
            for (const float value : vector)
                squares += double{value} * value;
            if (!std::isfinite(squares))
                continue;
            const double norm = std::sqrt(squares);
            const std::size_t index = sums.cellIndex(where, HeadIndex(head));
            Cell& cell = sums.m_cells[index];
            ++cell.finite;
            cell.norms += norm;
            cell.squaredNorms += squares;
            if (norm == 0)
                continue;
            ++cell.nonZero;
            double* unit = &sums.m_units[index * dims];
            for (const float value : vector)
                *unit++ += value / norm;
        }
    });
    HEADSCOPE_CHECK(job.checkStop());
    return sums;
}

std::vector<HeadStatistics> HeadSums::statistics(std::span<const std::int64_t> chosenParts) const
{
    const MatrixD units = meanUnitVectors(chosenParts);
    std::vector<HeadStatistics> result(static_cast<std::size_t>(m_heads));
    for (std::int64_t head = 0; head < m_heads; ++head)
    {
        Cell sum;
        for (const std::int64_t part : chosenParts)
        {
            const Cell& cell = m_cells[cellIndex(part, HeadIndex(head))];
            sum.finite += cell.finite;
            sum.nonZero += cell.nonZero;
            sum.norms += cell.norms;
            sum.squaredNorms += cell.squaredNorms;
        }
        constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();
        const auto count = static_cast<double>(sum.finite);
        const auto directed = static_cast<double>(sum.nonZero);
        double squaredMean = 0;
        for (const double value : units.row(head))
            squaredMean += value * value;
        HeadStatistics& s = result[static_cast<std::size_t>(head)];
        s.head = head;
        s.documents = sum.finite;
        s.meanNorm = sum.finite > 0 ? sum.norms / count : kNaN;
        s.sdNorm = sum.finite > 0 ? std::sqrt(std::max(0.0, sum.squaredNorms / count - s.meanNorm * s.meanNorm)) : kNaN;
        s.spread = sum.nonZero > 0 ? std::max(0.0, 1 - squaredMean) : kNaN;
        s.spreadWithoutSelf = sum.nonZero > 1 ? s.spread * directed / (directed - 1) : kNaN;
        s.score = s.meanNorm * s.spread;
    }
    return result;
}

MatrixD HeadSums::meanUnitVectors(std::span<const std::int64_t> chosenParts) const
{
    MatrixD means(m_heads, m_dims);
    for (std::int64_t head = 0; head < m_heads; ++head)
    {
        std::int64_t documents = 0;
        for (const std::int64_t part : chosenParts)
        {
            const std::size_t index = cellIndex(part, HeadIndex(head));
            documents += m_cells[index].nonZero;
            const double* unit = &m_units[index * static_cast<std::size_t>(m_dims)];
            for (double& mean : means.row(head))
                mean += *unit++;
        }
        for (double& value : means.row(head))
            value /= static_cast<double>(std::max<std::int64_t>(documents, 1));
    }
    return means;
}

} // namespace headscope
