// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "model/data/model_info.h"
#include "model/data/results/probe_result.h"
#include "viz/chart/chart_style.h"

#include <QPointF>
#include <QRectF>
#include <QString>

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

class QPainter;

namespace headscope::viz
{

/// A table as text, ready to draw or to write as CSV.
struct PaintedTable
{
    std::vector<QString> header;
    std::vector<std::vector<QString>> rows;
};

/// Table 1 of the paper that README.md cites: one row per stage, accuracy with its 95% interval, macro F1, and the
/// error inside and across KV groups (a dash for segments, which belong to none; no such columns where no row has
/// any).
[[nodiscard]] PaintedTable probeTable(std::span<const ProbeResult> results, const ModelInfo& info);

/// Draws a table in the manner of booktabs: rules above, below and under the header, none between.
/// @return height used; text that does not fit its column is elided in the middle
double paintTable(QPainter& painter, const QRectF& box, const PaintedTable& table, const ChartStyle& style);

/// One bar per head: its recall (the share of its test rows that were recognised), in the head's
/// colour, with a whisker of its 95% interval where it has one; the overall accuracy dashed, chance dotted.
void paintHeadAccuracy(QPainter& painter, const QRectF& box, const ProbeResult& result, const ModelInfo& info,
                       const ChartStyle& style);

/// The head under a place of paintHeadAccuracy in the same box, 0-based.
[[nodiscard]] std::optional<std::int64_t> headAccuracyAt(const QRectF& box, const ProbeResult& result,
                                                         const ChartStyle& style, QPointF place);

} // namespace headscope::viz
