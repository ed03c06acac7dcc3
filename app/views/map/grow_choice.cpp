// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/views/map/grow_choice.h"

#include "model/analysis/neighbors/neighbors.h"
#include "model/base/parallel.h"

#include <algorithm>
#include <cmath>
#include <span>

namespace headscope::desktop
{
namespace
{

/// Rows that are compared at once: their distances to all take room.
constexpr std::int64_t kBlock = 16;

/// A row of zeros points nowhere, and neither does one that is not finite: their scale is 0.
bool hasDirection(std::span<const double> scales, std::int64_t row)
{
    const double scale = scales[static_cast<std::size_t>(row)];
    return std::isfinite(scale) && scale > 0;
}

/// The `count` rows nearest to `row`, itself left out, ties by lower number.
void addNearest(std::span<const double> squared, std::span<const double> scales, std::int64_t row, std::int64_t count,
                std::vector<char>& in)
{
    std::vector<std::int64_t> order;
    for (std::int64_t other = 0; other < std::ssize(squared); ++other)
        if (other != row && hasDirection(scales, other))
            order.push_back(other);
    const auto kept = std::min<std::ptrdiff_t>(count, std::ssize(order));
    const auto nearer = [squared](std::int64_t a, std::int64_t b) {
        const double first = squared[static_cast<std::size_t>(a)];
        const double second = squared[static_cast<std::size_t>(b)];
        return first < second || (first == second && a < b);
    };
    std::nth_element(order.begin(), order.begin() + kept, order.end(), nearer);
    for (std::ptrdiff_t i = 0; i < kept; ++i)
        in[static_cast<std::size_t>(order[static_cast<std::size_t>(i)])] = 1;
}

} // namespace

Result<std::vector<std::int64_t>> grownDocuments(ConstMatrixView rows, const std::vector<std::int64_t>& chosen,
                                                 std::int64_t count, int numThreads, JobContext& job)
{
    const auto scales = unitScales(rows, numThreads);
    HEADSCOPE_CHECK(job.checkStop());
    const auto total = static_cast<std::int64_t>(chosen.size());
    job.report("looking for neighbours", 0, 0);
    // One mask for each block, joined afterwards: nobody writes where another does.
    std::vector<std::vector<char>> masks(static_cast<std::size_t>(blockCount(total, kBlock)));
    parallelForBlocks(numThreads, total, kBlock, [&](const Block& block, int) {
        if (job.stopRequested())
            return;
        const std::span part = std::span(chosen).subspan(static_cast<std::size_t>(block.begin),
                                                         static_cast<std::size_t>(block.end - block.begin));
        MatrixD squared(std::ssize(part), rows.rows());
        distancesToAll(rows, scales, part, squared, job);
        auto& mask = masks[static_cast<std::size_t>(block.index)];
        mask.assign(static_cast<std::size_t>(rows.rows()), 0);
        for (std::int64_t i = 0; i < std::ssize(part) && !job.stopRequested(); ++i)
            if (const std::int64_t row = part[static_cast<std::size_t>(i)]; hasDirection(scales, row))
                addNearest(squared.row(i), scales, row, count, mask);
    });
    HEADSCOPE_CHECK(job.checkStop());
    std::vector<char> in(static_cast<std::size_t>(rows.rows()), 0);
    for (const auto& mask : masks)
        for (std::size_t i = 0; i < mask.size(); ++i)
            in[i] = static_cast<char>(in[i] | mask[i]);
    for (const std::int64_t document : chosen)
        in[static_cast<std::size_t>(document)] = 1;
    std::vector<std::int64_t> grown;
    for (std::size_t i = 0; i < in.size(); ++i)
        if (in[i] != 0)
            grown.push_back(static_cast<std::int64_t>(i));
    return grown;
}

} // namespace headscope::desktop
