// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "model/data/maps/run_curve.h"

#include <QTimer>
#include <QWidget>

#include <optional>

class QAreaSeries;
class QChart;
class QChartView;
class QLineSeries;
class QValueAxis;

namespace headscope::ui
{

/// The divergence of a run over its iterations, the exaggerated ones on grey ground, and where the
/// history is looked at. Redrawn at most ten times a second, and not at all while nothing changes.
class KlChart : public QWidget
{
    Q_OBJECT

public:
    explicit KlChart(QWidget* parent = nullptr);
    ~KlChart() override;

    void setCurve(const RunCurve& curve);
    /// Iteration that is looked at; none: the newest.
    void setCursor(std::optional<int> iteration);
    [[nodiscard]] const RunCurve& curve() const { return m_curve; }
    /// How often the chart was redrawn.
    [[nodiscard]] int redraws() const { return m_redraws; }

private:
    void changed();
    void redraw();
    void recolor();
    void layOutAxes();

    RunCurve m_curve;
    std::optional<int> m_cursor;
    QChart* m_chart = nullptr;
    QChartView* m_view = nullptr;
    QLineSeries* m_line = nullptr;
    QLineSeries* m_cursorLine = nullptr;
    QLineSeries* m_groundTop = nullptr;
    QLineSeries* m_groundBottom = nullptr;
    QAreaSeries* m_ground = nullptr;
    QValueAxis* m_iterations = nullptr;
    QValueAxis* m_divergence = nullptr;
    QTimer m_pace;
    bool m_dirty = false;
    int m_redraws = 0;
};

} // namespace headscope::ui
