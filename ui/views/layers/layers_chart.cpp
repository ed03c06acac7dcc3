// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/views/layers/layers_chart.h"

#include "ui/theme/theme.h"
#include "ui/words/wording.h"
#include "viz/axis/text.h"
#include "viz/chart/layer_bands.h"
#include "viz/color/stage_colors.h"

#include <QKeyEvent>
#include <QLocale>
#include <QMouseEvent>
#include <QPainter>

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

namespace headscope::ui
{
namespace
{

constexpr std::array kMeasures = {viz::LayerMeasure::Probe, viz::LayerMeasure::Purity, viz::LayerMeasure::Redundancy};
constexpr double kCardLine = 18;
constexpr double kCardPadding = 10;
constexpr double kNameWidth = 124;
constexpr double kValueWidth = 76;

/// "41.2–50.1", of percents; empty where there is none.
/// Shares in per cent; a correlation as a number.
QString valueText(viz::LayerMeasure measure, double value)
{
    return measure == viz::LayerMeasure::Redundancy && std::isfinite(value) ? numberText(value) : percentText(value);
}

QString intervalText(viz::LayerMeasure measure, const viz::LayerPoint& point)
{
    if (!std::isfinite(point.low) || !std::isfinite(point.high))
        return {};
    if (measure == viz::LayerMeasure::Redundancy)
        return numberText(point.low) % QStringLiteral("–") % numberText(point.high);
    return QLocale().toString(100 * point.low, 'f', 1) % QStringLiteral("–") %
           QLocale().toString(100 * point.high, 'f', 1);
}

/// Of a stage's number in a line of the card.
QRectF cellOf(const QRectF& line, std::size_t column)
{
    return {line.left() + kNameWidth + static_cast<double>(column) * kValueWidth, line.top(), kValueWidth, kCardLine};
}

} // namespace

LayersChart::LayersChart(QWidget* parent) : QWidget(parent)
{
    setObjectName(QStringLiteral("layersChart"));
    setAccessibleName(tr("Measures over the layers"));
    setAccessibleDescription(tr("A line for each measure; arrows go from layer to layer"));
    setMouseTracking(true);
    setFocusPolicy(Qt::StrongFocus);
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Expanding);
    onThemeChange(this, [this] { layOut(); });
}

void LayersChart::setLayers(std::int64_t layers, const std::set<std::int64_t>& held)
{
    m_axis = {layers, held, {}};
    m_measures.clear();
    m_pointed.reset();
    layOut();
}

void LayersChart::setMeasures(std::vector<std::shared_ptr<const LayerMeasures>> measures)
{
    m_measures = std::move(measures);
    layOut();
}

void LayersChart::setCurrent(LayerIndex layer)
{
    m_axis.current = layer.value();
    layOut();
}

void LayersChart::layOut()
{
    const viz::ChartStyle style{Theme::instance().vizTheme(), static_cast<double>(Theme::bodyFont().pixelSize())};
    m_layout = viz::LayerCurvesLayout(viz::layerBands(m_measures, style.theme), m_axis,
                                      QRectF(rect()).adjusted(16, 12, -16, -4), style);
    update();
}

void LayersChart::resizeEvent(QResizeEvent* event)
{
    QWidget::resizeEvent(event);
    layOut();
}

std::vector<std::shared_ptr<const LayerMeasures>> LayersChart::ofLayer(std::int64_t layer) const
{
    std::vector<std::shared_ptr<const LayerMeasures>> found;
    for (const auto& each : m_measures)
        if (each->layer.value() == layer)
            found.push_back(each);
    std::sort(found.begin(), found.end(), [](const auto& a, const auto& b) { return a->stage < b->stage; });
    return found;
}

QStringList LayersChart::linesOf(std::int64_t layer) const
{
    QStringList lines;
    for (const auto& each : ofLayer(layer))
    {
        QStringList parts{tr("stage %1").arg(toQString(stageName(each->stage)))};
        for (const viz::LayerMeasure measure : kMeasures)
        {
            QString text = viz::measureTitle(measure) % u' ' % valueText(measure, viz::pointOf(*each, measure).value);
            if (const QString interval = intervalText(measure, viz::pointOf(*each, measure)); !interval.isEmpty())
                text += tr(" (95 %: %1)").arg(interval);
            parts << text;
        }
        if (std::isfinite(each->purityNull.p))
            parts << tr("p of the purity %1").arg(probabilityText(each->purityNull.p));
        if (each->afterFinalNorm)
            parts << tr("after the final norm");
        if (!each->converged)
            parts << tr("probe not converged");
        lines << parts.join(QStringLiteral(", "));
    }
    return lines;
}

void LayersChart::pointAt(std::optional<std::int64_t> layer)
{
    if (layer == m_pointed)
        return;
    m_pointed = layer;
    setCursor(layer && m_axis.held.contains(*layer) ? Qt::PointingHandCursor : Qt::ArrowCursor);
    if (layer)
        setAccessibleDescription(tr("Layer %1: ").arg(*layer) % linesOf(*layer).join(QStringLiteral("; ")));
    update();
}

void LayersChart::choose(std::int64_t layer)
{
    if (m_axis.held.contains(layer))
        Q_EMIT layerChosen(LayerIndex(layer));
}

void LayersChart::mouseMoveEvent(QMouseEvent* event)
{
    pointAt(m_layout.layerAt(event->position()));
}

void LayersChart::mousePressEvent(QMouseEvent* event)
{
    const auto layer = m_layout.layerAt(event->position());
    if (!layer || event->button() != Qt::LeftButton)
        return QWidget::mousePressEvent(event);
    choose(*layer);
}

void LayersChart::leaveEvent(QEvent* event)
{
    pointAt({});
    QWidget::leaveEvent(event);
}

void LayersChart::focusOutEvent(QFocusEvent* event)
{
    pointAt({});
    QWidget::focusOutEvent(event);
}

void LayersChart::keyPressEvent(QKeyEvent* event)
{
    if (m_axis.held.empty())
        return QWidget::keyPressEvent(event);
    const std::int64_t from = m_pointed.value_or(m_axis.current.value_or(*m_axis.held.begin()));
    const auto at = m_axis.held.lower_bound(from);
    switch (event->key())
    {
    case Qt::Key_Left:
        return pointAt(at == m_axis.held.begin() ? *m_axis.held.begin() : *std::prev(at));
    case Qt::Key_Right:
    {
        const auto next = m_axis.held.upper_bound(from);
        return pointAt(next == m_axis.held.end() ? *m_axis.held.rbegin() : *next);
    }
    case Qt::Key_Home:
        return pointAt(*m_axis.held.begin());
    case Qt::Key_End:
        return pointAt(*m_axis.held.rbegin());
    case Qt::Key_Return:
    case Qt::Key_Enter:
    case Qt::Key_Space:
        if (m_pointed)
            choose(*m_pointed);
        return;
    default:
        return QWidget::keyPressEvent(event);
    }
}

void LayersChart::paintEvent(QPaintEvent* event)
{
    Q_UNUSED(event)
    QPainter painter(this);
    painter.fillRect(rect(), Theme::instance().colors().canvas);
    m_layout.paint(painter);
    if (m_pointed)
    {
        m_layout.paintCrosshair(painter, *m_pointed);
        paintCard(painter, *m_pointed);
    }
    if (hasFocus())
    {
        painter.setPen(QPen(Theme::instance().colors().accent, 1));
        painter.setBrush(Qt::NoBrush);
        painter.drawRect(rect().adjusted(0, 0, -1, -1));
    }
}

/// A line for each measure, its interval and its p, under `line`.
void LayersChart::paintNumbers(QPainter& painter, QRectF line,
                               const std::vector<std::shared_ptr<const LayerMeasures>>& measures, bool tested) const
{
    const Colors& colors = Theme::instance().colors();
    const QFont small = Theme::smallFont();
    const auto row = [&](const QString& name, const QColor& color, const auto& text) {
        line.translate(0, kCardLine);
        viz::drawLine(painter, {line.left(), line.top(), kNameWidth, kCardLine}, name, small, colors.muted);
        for (std::size_t i = 0; i < measures.size(); ++i)
            viz::drawLine(painter, cellOf(line, i), text(*measures[i]), small, color,
                          Qt::AlignRight | Qt::AlignVCenter);
    };
    for (const viz::LayerMeasure measure : kMeasures)
    {
        const auto at = [measure](const LayerMeasures& each) { return viz::pointOf(each, measure); };
        row(viz::measureTitle(measure), colors.text,
            [&](const LayerMeasures& each) { return valueText(measure, at(each).value); });
        row(tr("   95 %"), colors.muted, [&](const LayerMeasures& each) { return intervalText(measure, at(each)); });
        if (measure == viz::LayerMeasure::Purity && tested)
            row(tr("   p, permuted labels"), colors.muted, [](const LayerMeasures& each) {
                return std::isfinite(each.purityNull.p) ? numberText(each.purityNull.p) : QString();
            });
    }
}

void LayersChart::paintCard(QPainter& painter, std::int64_t layer) const
{
    const Colors& colors = Theme::instance().colors();
    const auto measures = ofLayer(layer);
    const bool held = m_axis.held.contains(layer);
    const auto columns = static_cast<double>(std::max<std::size_t>(1, measures.size()));
    const bool tested = std::any_of(measures.begin(), measures.end(),
                                    [](const auto& each) { return std::isfinite(each->purityNull.p); });
    const bool normed =
        std::any_of(measures.begin(), measures.end(), [](const auto& each) { return each->afterFinalNorm; });
    const double rows =
        measures.empty() ? 1 : 2 * static_cast<double>(kMeasures.size()) + 1 + (tested ? 1 : 0) + (normed ? 1 : 0);
    const double width = 2 * kCardPadding + (measures.empty() ? 210 : kNameWidth + columns * kValueWidth);
    const double height = 2 * kCardPadding + (1 + rows) * kCardLine;
    double left = m_layout.xOf(layer) + 14;
    if (left + width > rect().width() - 4)
        left = m_layout.xOf(layer) - 14 - width;
    const QRectF card(std::max(4.0, left), 28, width, height);
    painter.save();
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(colors.hairline);
    painter.setBrush(Theme::instance().isDark() ? colors.frame : colors.canvas);
    painter.drawRoundedRect(card.adjusted(0.5, 0.5, -0.5, -0.5), 6, 6);
    QRectF line(card.left() + kCardPadding, card.top() + kCardPadding, width - 2 * kCardPadding, kCardLine);
    const QFont bold = Theme::bodyFont(true);
    const QFont small = Theme::smallFont();
    viz::drawLine(painter, line, tr("Layer %1").arg(layer), bold, colors.text);
    line.translate(0, kCardLine);
    if (measures.empty())
    {
        viz::drawLine(painter, line, held ? tr("not measured yet · click goes there") : tr("not in this cache"), small,
                      colors.muted);
        painter.restore();
        return;
    }
    for (std::size_t i = 0; i < measures.size(); ++i)
        viz::drawLine(painter, cellOf(line, i), tr("stage %1").arg(toQString(stageName(measures[i]->stage))),
                      Theme::smallFont(true), viz::stageColor(measures[i]->stage, Theme::instance().vizTheme()),
                      Qt::AlignRight | Qt::AlignVCenter);
    paintNumbers(painter, line, measures, tested);
    if (normed)
        viz::drawLine(painter, line.translated(0, card.bottom() - kCardPadding - kCardLine - line.top()),
                      tr("stage 3 stands after the final norm"), small, colors.muted);
    painter.restore();
}

} // namespace headscope::ui
