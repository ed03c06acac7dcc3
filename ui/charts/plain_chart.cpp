// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/charts/plain_chart.h"

#include "ui/theme/theme.h"

#include <QAbstractAxis>
#include <QChart>
#include <QChartView>
#include <QGraphicsLayout>

namespace headscope::ui
{

QChartView* makePlainView(QWidget* parent)
{
    auto* view = new QChartView(parent);
    view->setFrameShape(QFrame::NoFrame);
    view->setRenderHint(QPainter::Antialiasing);
    // Qt Charts 6.4 crashes when a series handles the mouse while it changes (QTBUG-115072): widgets find the places
    // by themselves.
    view->setInteractive(false);
    view->setAttribute(Qt::WA_TransparentForMouseEvents);
    return view;
}

QChart* makePlainChart(const QMargins& margins)
{
    auto* chart = new QChart;
    chart->setAnimationOptions(QChart::NoAnimation);
    chart->setBackgroundRoundness(0);
    chart->setBackgroundBrush(Theme::instance().colors().canvas);
    chart->setBackgroundPen(Qt::NoPen);
    chart->setMargins(margins);
    chart->layout()->setContentsMargins(0, 0, 0, 0);
    chart->legend()->hide();
    return chart;
}

void showChart(QChartView& view, QChart* chart)
{
    QChart* old = view.chart();
    view.setChart(chart);
    delete old; // takes its series along
}

void dressAxis(QAbstractAxis& axis)
{
    axis.setTruncateLabels(false); // to "..." where the chart is low, though they have the room
    axis.setLabelsColor(Theme::instance().colors().muted);
    axis.setLabelsFont(Theme::smallFont());
}

} // namespace headscope::ui
