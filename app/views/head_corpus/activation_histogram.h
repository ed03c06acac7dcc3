// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "viz/chart/activation_chart.h"
#include "viz/picture/picture.h"

#include <QColor>
#include <QCoreApplication>

#include <cstddef>
#include <optional>

namespace headscope::ui
{

/// How long a head's output is, and how often. Its items are the deciles: arrow keys go round and choose at once.
class ActivationHistogram : public viz::Picture
{
    Q_DECLARE_TR_FUNCTIONS(ActivationHistogram)

public:
    ActivationHistogram();

    void setCounts(viz::ActivationCounts counts, const QColor& color);
    [[nodiscard]] const viz::ActivationChart& chart() const { return m_chart; }
    /// The activation of the current example; none: no line.
    void setMarked(std::optional<double> activation);

    void paint(QPainter& painter, const viz::PictureMarks& marks) const override;
    [[nodiscard]] std::size_t count() const override;
    [[nodiscard]] std::optional<std::size_t> itemAt(QPointF place) const override { return m_chart.decileAt(place); }
    [[nodiscard]] QRectF placeOf(std::size_t decile) const override;
    [[nodiscard]] viz::ItemText textOf(std::size_t decile) const override;
    /// With how many tokens the bar there stands for.
    [[nodiscard]] viz::ItemText textAt(QPointF place, std::size_t decile) const override;
    [[nodiscard]] std::optional<std::size_t> next(std::optional<std::size_t> from, viz::Step step) const override;
    void choose(std::size_t decile) override { m_chosen = decile; }
    [[nodiscard]] QString title() const override { return tr("Activation of the head"); }
    [[nodiscard]] QString summary() const override;

protected:
    void arrange() override;

private:
    viz::ActivationCounts m_counts;
    QColor m_color;
    viz::ActivationChart m_chart;
    std::optional<double> m_marked;
    std::optional<std::size_t> m_chosen; ///< from which keys continue
};

} // namespace headscope::ui
