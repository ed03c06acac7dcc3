// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/views/layers/layers_chart.h"

#include "ui/theme/theme.h"
#include "ui/words/wording.h"
#include "viz/axis/text.h"
#include "viz/chart/layer_bands.h"
#include "viz/color/stage_colors.h"

#include <QLocale>
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

LayersChart::LayersChart()
    : Picture({.name = "layersChart",
               .saying = viz::Saying::Picture,
               .hasGround = true,
               .hasFrame = true,
               .room = viz::Room::Grows,
               .least = {320, 390}})
{}

QString LayersChart::summary() const
{
    return tr("A line for each measure. Arrow keys go from layer to layer.");
}

void LayersChart::setLayers(std::int64_t layers, const std::set<std::int64_t>& held)
{
    m_axis = {layers, held, {}};
    m_measures.clear();
    replaced();
}

void LayersChart::setMeasures(std::vector<std::shared_ptr<const LayerMeasures>> measures)
{
    m_measures = std::move(measures);
    changed();
}

void LayersChart::setCurrent(LayerIndex layer)
{
    m_axis.current = layer.value();
    changed();
}

void LayersChart::arrange()
{
    const viz::ChartStyle style{theme(), static_cast<double>(Theme::bodyFont().pixelSize())};
    m_layout = viz::LayerCurvesLayout(viz::layerBands(m_measures, style.theme), m_axis, box().adjusted(16, 12, -16, -4),
                                      style);
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
                text += tr(" (95%: %1)").arg(interval);
            parts << text;
        }
        if (std::isfinite(each->purityNull.p))
            parts << tr("purity p %1").arg(probabilityText(each->purityNull.p));
        if (each->afterFinalNorm)
            parts << tr("after the final norm");
        if (!each->converged)
            parts << tr("probe not converged");
        lines << parts.join(QStringLiteral(", "));
    }
    return lines;
}

std::optional<std::size_t> LayersChart::itemAt(QPointF place) const
{
    const auto layer = m_layout.layerAt(place);
    return layer ? std::optional(static_cast<std::size_t>(*layer)) : std::nullopt;
}

QRectF LayersChart::placeOf(std::size_t layer) const
{
    return {m_layout.xOf(static_cast<std::int64_t>(layer)), box().top(), 0, box().height()};
}

viz::ItemText LayersChart::textOf(std::size_t layer) const
{
    const auto number = static_cast<std::int64_t>(layer);
    return {.title = tr("Layer %1: ").arg(number) % linesOf(number).join(QStringLiteral("; "))};
}

bool LayersChart::isClickable(std::size_t layer) const
{
    return m_axis.held.contains(static_cast<std::int64_t>(layer));
}

std::optional<std::size_t> LayersChart::next(std::optional<std::size_t> from, viz::Step step) const
{
    const auto& held = m_axis.held;
    if (held.empty())
        return std::nullopt;
    const std::int64_t at = from ? static_cast<std::int64_t>(*from) : m_axis.current.value_or(*held.begin());
    auto found = held.begin();
    switch (step)
    {
    case viz::Step::Left:
        found = held.lower_bound(at);
        found = found == held.begin() ? found : std::prev(found);
        break;
    case viz::Step::Right:
        found = held.upper_bound(at);
        found = found == held.end() ? std::prev(found) : found;
        break;
    case viz::Step::First:
        break;
    case viz::Step::Last:
        found = std::prev(held.end());
        break;
    default:
        return std::nullopt;
    }
    return static_cast<std::size_t>(*found);
}

void LayersChart::paint(QPainter& painter, const viz::PictureMarks& marks) const
{
    m_layout.paint(painter);
    if (!marks.pointed)
        return;
    m_layout.paintCrosshair(painter, static_cast<std::int64_t>(*marks.pointed));
    paintCard(painter, static_cast<std::int64_t>(*marks.pointed));
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
        row(tr("   95%"), colors.muted, [&](const LayerMeasures& each) { return intervalText(measure, at(each)); });
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
    if (left + width > box().width() - 4)
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
        viz::drawLine(painter, line, held ? tr("not measured yet · click to select") : tr("not in this cache"), small,
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
                      tr("stage 3 is taken after the final norm"), small, colors.muted);
    painter.restore();
}

} // namespace headscope::ui
