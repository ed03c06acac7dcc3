// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "viz/chart/chart_style.h"

#include <QColor>
#include <QRectF>
#include <QString>

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

class QPainter;

namespace headscope::viz
{

/// How often a head does how much: counts of tokens in bins of equal width.
struct ActivationCounts
{
    double low = 0;  ///< of the first bin
    double high = 1; ///< of the last
    std::vector<std::int64_t> counts;
    std::vector<double> bounds; ///< of deciles, smallest and largest included: ticks

    ActivationCounts() = default;
    /// @param activations  finite
    /// @param bounds       ascending
    ActivationCounts(std::span<const float> activations, std::span<const float> bounds, std::size_t bins = 64);

    [[nodiscard]] std::int64_t most() const;
    [[nodiscard]] std::optional<std::size_t> binOf(double activation) const;
    /// The activation at which a bin begins.
    [[nodiscard]] double edge(std::size_t bin) const;
};

/// Places of its parts.
class ActivationChart
{
public:
    ActivationChart() = default;
    ActivationChart(ActivationCounts counts, const QRectF& box, const ChartStyle& style, const QColor& color);

    [[nodiscard]] const ActivationCounts& counts() const { return m_counts; }
    [[nodiscard]] double xOf(double activation) const;
    /// The bin under a place.
    [[nodiscard]] std::optional<std::size_t> binAt(QPointF place) const;
    /// The decile under a place of the row of ticks or the bars.
    [[nodiscard]] std::optional<std::size_t> decileAt(QPointF place) const;
    /// @param marked   a token's activation: a line through the bars
    /// @param decile   is set off
    void paint(QPainter& painter, std::optional<double> marked = {}, std::optional<std::size_t> decile = {}) const;

private:
    ActivationCounts m_counts;
    QRectF m_bars;
    ChartStyle m_style;
    QColor m_color;
};

} // namespace headscope::viz
