// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "model/data/results/interval.h"
#include "model/data/results/pruning_results.h"
#include "viz/axis/key_line.h"

#include <QRectF>
#include <QString>

#include <cstdint>
#include <limits>
#include <optional>
#include <vector>

class QPainter;

namespace headscope::viz
{

/// A measure by the number of units that are off.
struct PruningLine
{
    /// A place on it.
    struct Point
    {
        std::int64_t off = 0;
        double value = 0;
        bool filled = true; ///< else a ring
    };

    QString name;
    std::vector<Point> points;      ///< ascending by off, at least one unit on
    std::vector<HeldOutGain> gains; ///< of halves, each of so many units as stay; empty: not known
};

/// What happens to a measure as units are removed.
struct PruningChart
{
    QString measure;        ///< of the upright axis: "match at 5"
    QString units;          ///< "heads"
    std::int64_t count = 0; ///< of units
    double all = 0;         ///< with all of them
    Interval allCi95{};
    double chance = std::numeric_limits<double>::quiet_NaN();
    std::int64_t halvings = 0;
    PruningLine line;
    std::optional<std::int64_t> now{}; ///< how many of the line's units are off now, which is ringed
};

/// What its marks are.
[[nodiscard]] std::vector<KeyEntry> pruningKey(const PruningChart& chart);

/// Dots for what was chosen and judged on all documents; where halves are known a dashed line for the half that chose
/// and a line in a band, from the 2.5 to the 97.5% quantile, for the other.
void paintPruningChart(QPainter& painter, const PruningChart& chart, const QRectF& box, double textPt);

} // namespace headscope::viz
