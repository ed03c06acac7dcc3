// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/charts/kl_chart.h"

#include "ui/charts/plain_chart.h"
#include "ui/theme/theme.h"

#include <QAreaSeries>
#include <QChart>
#include <QChartView>
#include <QLineSeries>
#include <QLocale>
#include <QVBoxLayout>
#include <QValueAxis>

#include <algorithm>
#include <cmath>

namespace headscope::ui
{
namespace
{

constexpr int kPaceMs = 100;
constexpr int kHeight = 132;

/// 1, 2 or 5 times a power of ten: steps that people read.
double readableStep(double range, int steps)
{
    const double raw = std::max(range, 1e-9) / steps;
    const double power = std::pow(10.0, std::floor(std::log10(raw)));
    for (const double factor : {1.0, 2.0, 5.0})
    {
        if (factor * power >= raw)
            return factor * power;
    }
    return 10 * power;
}

} // namespace

KlChart::KlChart(QWidget* parent) : QWidget(parent)
{
    setObjectName(QStringLiteral("klChart"));
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    m_chart = makePlainChart();
    m_groundTop = new QLineSeries(m_chart);
    m_groundBottom = new QLineSeries(m_chart);
    m_ground = new QAreaSeries(m_groundTop, m_groundBottom);
    m_line = new QLineSeries(m_chart);
    m_cursorLine = new QLineSeries(m_chart);
    m_iterations = new QValueAxis(m_chart);
    m_divergence = new QValueAxis(m_chart);
    m_chart->addAxis(m_iterations, Qt::AlignBottom);
    m_chart->addAxis(m_divergence, Qt::AlignLeft);
    for (QAbstractSeries* series : std::initializer_list<QAbstractSeries*>{m_ground, m_line, m_cursorLine})
    {
        m_chart->addSeries(series);
        series->attachAxis(m_iterations);
        series->attachAxis(m_divergence);
    }
    // A label that is higher than its part of the axis would be "...", though it has the room.
    for (QValueAxis* axis : {m_iterations, m_divergence})
        axis->setTruncateLabels(false);
    m_iterations->setLabelFormat(QStringLiteral("%d"));
    m_iterations->setTickType(QValueAxis::TicksDynamic);
    m_iterations->setTickAnchor(0);
    m_iterations->setGridLineVisible(false);
    m_divergence->setTickType(QValueAxis::TicksDynamic);
    m_divergence->setTickAnchor(0);
    m_divergence->setLineVisible(false);
    m_view = makePlainView(this);
    showChart(*m_view, m_chart);
    m_view->setFocusPolicy(Qt::NoFocus);
    layout->addWidget(m_view);
    setFixedHeight(kHeight);
    setAccessibleName(tr("KL divergence over the iterations"));
    setToolTip(
        tr("Kullback-Leibler divergence by iteration. t-SNE minimizes it.\nShaded: affinities are exaggerated."));
    m_pace.setSingleShot(true);
    m_pace.setInterval(kPaceMs);
    connect(&m_pace, &QTimer::timeout, this, [this] {
        if (m_dirty)
            redraw();
    });
    layOutAxes();
    onThemeChange(this, [this] { recolor(); });
}

KlChart::~KlChart() = default;

void KlChart::setCurve(const RunCurve& curve)
{
    const bool same = curve.points == m_curve.points && curve.iterations == m_curve.iterations &&
                      curve.exaggerationEnd == m_curve.exaggerationEnd;
    m_curve = curve;
    if (!same)
        changed();
}

void KlChart::setCursor(std::optional<int> iteration)
{
    if (std::exchange(m_cursor, iteration) != iteration)
        changed();
}

void KlChart::changed()
{
    m_dirty = true;
    if (!m_pace.isActive())
        redraw();
}

void KlChart::redraw()
{
    m_dirty = false;
    ++m_redraws;
    m_pace.start();
    layOutAxes();
    QList<QPointF> points;
    points.reserve(static_cast<qsizetype>(m_curve.points.size()));
    for (const KlPoint& point : m_curve.points)
        points << QPointF(point.iteration, point.kl);
    m_line->replace(points);
    const double bottom = m_divergence->min();
    const double top = m_divergence->max();
    m_groundTop->replace(QList<QPointF>{{0, top}, {static_cast<double>(m_curve.exaggerationEnd), top}});
    m_groundBottom->replace(QList<QPointF>{{0, bottom}, {static_cast<double>(m_curve.exaggerationEnd), bottom}});
    m_ground->setVisible(m_curve.exaggerationEnd > 0 && !m_curve.points.empty());
    m_cursorLine->setVisible(m_cursor.has_value());
    if (m_cursor)
        m_cursorLine->replace(
            QList<QPointF>{{static_cast<double>(*m_cursor), bottom}, {static_cast<double>(*m_cursor), top}});
    setAccessibleDescription(m_curve.points.empty() ? tr("No run yet")
                                                    : tr("%1 at iteration %2")
                                                          .arg(QLocale().toString(m_curve.points.back().kl, 'f', 3))
                                                          .arg(m_curve.points.back().iteration));
}

/// Range and interval of an axis whose ticks follow the interval. Each of the two lays the axis out
/// anew, so the one that keeps ticks few goes first: a long range with the steps of a short one would
/// be a hundred thousand labels.
static void setTicks(QValueAxis& axis, double low, double high, double step)
{
    const bool coarser = step >= axis.tickInterval();
    if (coarser)
        axis.setTickInterval(step);
    axis.setRange(low, high);
    if (!coarser)
        axis.setTickInterval(step);
}

void KlChart::layOutAxes()
{
    constexpr int kIterationSteps = 4;
    constexpr int kDivergenceSteps = 4;
    const int last = std::max({m_curve.iterations, 1, m_curve.points.empty() ? 0 : m_curve.points.back().iteration});
    setTicks(*m_iterations, 0, last, std::max(1.0, readableStep(last, kIterationSteps)));
    double least = 0;
    double most = 1;
    if (!m_curve.points.empty())
    {
        const auto [low, high] = std::ranges::minmax_element(m_curve.points, {}, &KlPoint::kl);
        least = low->kl;
        most = high->kl;
    }
    // An axis whose ends are almost the same vanishes (QTBUG-102392).
    const double step = readableStep(std::max(most - least, 0.02), kDivergenceSteps);
    const double bottom = std::floor(least / step) * step;
    setTicks(*m_divergence, bottom, std::max(bottom + step, std::ceil(most / step) * step), step);
    const int decimals = std::clamp(static_cast<int>(std::ceil(-std::log10(step) - 1e-9)), 0, 4);
    m_divergence->setLabelFormat(QStringLiteral("%.%1f").arg(decimals));
}

void KlChart::recolor()
{
    const Colors& colors = Theme::instance().colors();
    m_chart->setBackgroundBrush(Qt::NoBrush);
    m_view->setBackgroundBrush(colors.frame);
    m_line->setPen(QPen(colors.accent, 1.5));
    m_cursorLine->setPen(QPen(colors.muted, 1, Qt::DashLine));
    QColor ground = colors.track;
    ground.setAlphaF(0.45F);
    m_ground->setBrush(ground);
    m_ground->setPen(Qt::NoPen);
    for (QValueAxis* axis : {m_iterations, m_divergence})
    {
        axis->setLabelsColor(colors.muted);
        axis->setLabelsFont(Theme::smallFont());
        axis->setLinePen(QPen(colors.hairline));
        axis->setGridLineColor(colors.hairline);
    }
}

} // namespace headscope::ui
