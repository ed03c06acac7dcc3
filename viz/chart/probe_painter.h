// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "model/data/model_info.h"
#include "model/data/probe_result.h"
#include "viz/color/theme.h"

#include <QPointF>
#include <QRectF>
#include <QString>

#include <cstdint>
#include <optional>
#include <span>
#include <utility>
#include <vector>

class QPainter;

namespace headscope::viz
{

/// A table as text, ready to draw or to write as CSV.
struct TextTable
{
    std::vector<QString> header;
    std::vector<std::vector<QString>> rows;
};

/// The paper's Table 1: one row per stage, accuracy with its 95 % interval, macro F1, and the
/// error inside and across KV groups.
[[nodiscard]] TextTable probeTable(std::span<const ProbeResult> results);

struct ChartStyle
{
    Theme theme = Theme::Light;
    double textPx = 11;
};

/// Draws a table in the manner of booktabs: rules above, below and under the header, none between.
/// @return height used; text that does not fit its column is elided in the middle
double paintTable(QPainter& painter, const QRectF& box, const TextTable& table, const ChartStyle& style);

/// The confusion matrix as shares of the true head's rows, ordered by KV group, with lines between
/// groups and colour strips at both sides. Shades go with the root of the share, so that a few
/// per cent of confusion can be seen beside a full diagonal; the bar says so by its numbers.
/// @param dpr  device pixels per unit of the painter
class ConfusionLayout
{
public:
    ConfusionLayout() = default;
    /// @param result  must outlive the layout
    ConfusionLayout(const ProbeResult& result, const ModelInfo& info, const QRectF& box, const ChartStyle& style);

    [[nodiscard]] QRectF plot() const { return m_plot; }
    /// Where the picture with its labels ends; the box may go on.
    [[nodiscard]] double bottom() const { return m_bottom; }
    /// (true head, predicted head) under a place, 0-based.
    [[nodiscard]] std::optional<std::pair<std::int64_t, std::int64_t>> cellAt(QPointF place) const;
    void paint(QPainter& painter, double dpr) const;

private:
    void paintLabels(QPainter& painter) const;
    void paintBar(QPainter& painter) const;
    [[nodiscard]] std::int64_t numHeads() const;

    const ProbeResult* m_result = nullptr;
    ModelInfo m_info;
    ChartStyle m_style;
    QRectF m_box;
    QRectF m_plot;
    QRectF m_bar;
    double m_bottom = 0;
    double m_strip = 0; ///< width of the head colours at both sides
};

/// One bar per head: its recall (the share of its test rows that were recognised), in the head's
/// colour, with the line of the overall accuracy.
void paintHeadAccuracy(QPainter& painter, const QRectF& box, const ProbeResult& result, const ModelInfo& info,
                       const ChartStyle& style);

/// The head under a place of paintHeadAccuracy in the same box, 0-based.
[[nodiscard]] std::optional<std::int64_t> headAccuracyAt(const QRectF& box, const ProbeResult& result,
                                                         const ChartStyle& style, QPointF place);

} // namespace headscope::viz
