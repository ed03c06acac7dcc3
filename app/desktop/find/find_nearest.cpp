// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/desktop/find/find_nearest.h"

#include "model/analysis/neighbors/neighbors.h"
#include "model/data/head_vectors.h"

#include <QObject>

#include <algorithm>
#include <cmath>

namespace headscope::desktop
{

Result<std::vector<ui::NearDocument>> nearestRows(ConstMatrixView rows, DocumentIndex row, std::int64_t count,
                                                  const std::vector<std::int64_t>& among, int numThreads,
                                                  JobContext& job)
{
    if (directionOf(rows.row(row.value())) != Pointing::Points)
        return std::vector<ui::NearDocument>();
    const auto scales = unitScales(rows, numThreads);
    HEADSCOPE_CHECK(job.checkStop());
    std::vector<double> squared(static_cast<std::size_t>(rows.rows()));
    distancesToAll(rows, scales, row.value(), squared);
    HEADSCOPE_CHECK(job.checkStop());
    auto order = among.empty() ? allIndices(rows.rows()) : among;
    std::erase_if(order, [row, &scales, &squared](std::int64_t other) {
        const auto at = static_cast<std::size_t>(other);
        return other == row.value() || scales[at] == 0 || !std::isfinite(squared[at]);
    });
    const auto kept = std::min<std::ptrdiff_t>(count, std::ssize(order));
    std::partial_sort(order.begin(), order.begin() + kept, order.end(), [&squared](std::int64_t a, std::int64_t b) {
        const double first = squared[static_cast<std::size_t>(a)];
        const double second = squared[static_cast<std::size_t>(b)];
        return first < second || (first == second && a < b);
    });
    std::vector<ui::NearDocument> nearest;
    for (std::ptrdiff_t i = 0; i < kept; ++i)
    {
        const std::int64_t document = order[static_cast<std::size_t>(i)];
        // Squared distances of unit vectors are 2 (1 - cos).
        nearest.push_back({DocumentIndex(document), 1 - squared[static_cast<std::size_t>(document)] / 2});
    }
    return nearest;
}

QString noDirectionText(const QString& what, Pointing direction)
{
    if (direction == Pointing::Points)
        return {};
    return direction == Pointing::Zero
               ? QObject::tr("%1 has no direction in this document: its vector is zero.").arg(what)
               : QObject::tr("%1 has no direction in this document: its vector contains NaN or infinity.").arg(what);
}

} // namespace headscope::desktop
