// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "model/data/maps/run_curve.h"
#include "viz/geometry/axis_ticks.h"
#include "viz/picture/picture.h"

#include <QCoreApplication>

#include <algorithm>
#include <optional>

namespace headscope::ui
{

/// The divergence of a run over its iterations, the exaggerated ones on grey ground, and where the
/// history is looked at. It has no items.
class KlChart : public viz::Picture
{
    Q_DECLARE_TR_FUNCTIONS(KlChart)

public:
    KlChart();

    void setCurve(const RunCurve& curve);
    /// Iteration that is looked at; none: the newest.
    void setCursor(std::optional<int> iteration);
    [[nodiscard]] const RunCurve& curve() const { return m_curve; }
    /// Where the curve is drawn, and where a place of it is.
    [[nodiscard]] QRectF plot() const { return m_plot; }
    [[nodiscard]] QPointF at(double iteration, double kl) const;
    /// Of the axis with fewer of them.
    [[nodiscard]] std::size_t ticks() const
    {
        return std::min(m_iterations.values.size(), m_divergences.values.size());
    }

    void paint(QPainter& painter, const viz::PictureMarks& marks) const override;
    [[nodiscard]] std::size_t count() const override { return 0; }
    [[nodiscard]] std::optional<std::size_t> itemAt(QPointF /*place*/) const override { return std::nullopt; }
    [[nodiscard]] QRectF placeOf(std::size_t /*item*/) const override { return {}; }
    [[nodiscard]] viz::ItemText textOf(std::size_t /*item*/) const override { return {}; }
    [[nodiscard]] QString title() const override { return tr("KL divergence over the iterations"); }
    [[nodiscard]] QString summary() const override;

protected:
    void arrange() override;

private:
    void paintAxes(QPainter& painter) const;

    RunCurve m_curve;
    std::optional<int> m_cursor;
    QRectF m_plot;
    viz::AxisTicks m_iterations;
    viz::AxisTicks m_divergences;
    double m_last = 1;   ///< iteration on the right
    double m_bottom = 0; ///< divergence
    double m_top = 1;
};

} // namespace headscope::ui
