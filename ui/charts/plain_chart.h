// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QMargins>

class QAbstractAxis;
class QChart;
class QChartView;
class QWidget;

namespace headscope::ui
{

/// A view of charts that leaves the mouse to the widget around it.
[[nodiscard]] QChartView* makePlainView(QWidget* parent);
/// A chart without legend, frame and animation, on the ground of a canvas.
[[nodiscard]] QChart* makePlainChart(const QMargins& margins = {});
/// Shows a chart, which is the view's from now on; the one before and its series go.
void showChart(QChartView& view, QChart* chart);
/// Grey labels in full, in the small font.
void dressAxis(QAbstractAxis& axis);

} // namespace headscope::ui
