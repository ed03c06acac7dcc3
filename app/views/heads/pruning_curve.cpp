// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/views/heads/pruning_curve.h"

#include "ui/theme/theme.h"
#include "ui/words/wording.h"
#include "viz/geometry/axis_ticks.h"

#include <QLocale>
#include <QPainter>
#include <QPolygonF>

#include <algorithm>
#include <cmath>

namespace headscope::ui
{
namespace
{

constexpr double kLeft = 58; // "100.0%"
constexpr double kBottom = 18;
constexpr double kTop = 8;
constexpr double kLegend = 20; // its height
constexpr double kRight = 10;
constexpr double kDot = 3;

/// Of the band of 95% around the line of the other half.
QColor bandColor()
{
    QColor wash = Theme::instance().colors().accent;
    wash.setAlphaF(0.15F);
    return wash;
}

} // namespace

PruningCurve::PruningCurve() : Picture({.name = "pruningCurve", .wanted = {320, 120}, .least = {200, 90}}) {}

QString PruningCurve::summary() const
{
    return m_steps.empty() ? tr("empty") : textOf(m_steps.size() - 1).title;
}

void PruningCurve::setSteps(std::vector<PruningStep> steps, const QString& unit, Saves saves)
{
    m_saves = saves;
    m_steps = std::move(steps);
    m_unit = unit;
    m_validation = {};
    fitRange();
    replaced();
}

void PruningCurve::setValidation(const PruningValidation& validation)
{
    m_validation = validation;
    fitRange();
    changed();
}

void PruningCurve::fitRange()
{
    m_low = 1;
    m_high = 0;
    const auto take = [this](double value) {
        m_low = std::min(m_low, value);
        m_high = std::max(m_high, value);
    };
    for (std::size_t step = 0; step < m_steps.size(); ++step)
    {
        take(m_steps[step].value);
        if (const HeldOutGain* gain = gainOf(step))
            for (const double value : {gain->chosen, gain->elsewhereCi95.low, gain->elsewhereCi95.high})
                take(m_steps.front().value + value);
    }
    const double room = std::max(0.01, (m_high - m_low) * 0.08);
    m_low = std::max(0.0, m_low - room);
    m_high = std::min(1.0, m_high + room);
}

const HeldOutGain* PruningCurve::gainOf(std::size_t step) const
{
    const std::size_t sizes = m_validation.byKept.size(); // all units first
    return sizes == m_steps.size() && step < sizes ? &m_validation.byKept[sizes - 1 - step] : nullptr;
}

QString PruningCurve::legendText() const
{
    if (m_steps.empty() || gainOf(0) == nullptr)
        return {};
    return tr("Points: all %1 documents. Dashed: the selection half. Line and band: the held-out half (mean and middle "
              "95% of %2 halvings, not a CI).")
        .arg(countText(m_validation.documents), countText(m_validation.halvings));
}

void PruningCurve::setCurrent(std::optional<std::int64_t> off)
{
    m_current = off;
    marked();
}

QString PruningCurve::frontText()
{
    return tr("filled: better than every step with more heads off");
}

QRectF PruningCurve::plot() const
{
    return box().adjusted(kLeft, gainOf(0) == nullptr ? kTop : kLegend, -kRight, -kBottom);
}

QPointF PruningCurve::at(std::size_t step, double value) const
{
    const QRectF box = plot();
    const auto last = static_cast<double>(std::max<std::size_t>(2, m_steps.size()) - 1);
    const double share = (value - m_low) / std::max(1e-9, m_high - m_low);
    return {box.left() + box.width() * static_cast<double>(step) / last, box.bottom() - box.height() * share};
}

viz::ItemText PruningCurve::textOf(std::size_t step) const
{
    const PruningStep& one = m_steps[step];
    const QString value = QLocale().toString(100 * one.value, 'f', 1);
    if (step == 0)
        return {.title = tr("All: %1%").arg(value)};
    QString text = tr("%1 off, %2 %3 removed last: %4%").arg(step).arg(m_unit).arg(one.unit + 1).arg(value);
    if (const HeldOutGain* gain = gainOf(step))
        text += tr("\nchange: selection half %1, held-out half %2 pp")
                    .arg(pointsText(gain->chosen), pointsText(gain->elsewhere, gain->elsewhereCi95));
    if (m_saves != Saves::Nothing && one.parametersSaved)
        text += tr("\nsaves %1 parameters").arg(countText(*one.parametersSaved));
    if (m_saves == Saves::ParametersAndCache && one.kvBytesSaved)
        text += tr(", %1 bytes of KV cache per token").arg(countText(*one.kvBytesSaved));
    return {.title = text};
}

void PruningCurve::paintAxes(QPainter& painter) const
{
    const Colors& colors = Theme::instance().colors();
    const QRectF box = plot();
    painter.setFont(Theme::smallFont());
    const viz::AxisTicks ticks = viz::axisTicks(100 * m_low, 100 * m_high, 3);
    for (const double tick : ticks.values)
    {
        const double y = box.bottom() - box.height() * (tick / 100 - m_low) / std::max(1e-9, m_high - m_low);
        painter.setPen(QPen(colors.hairline, 1));
        painter.drawLine(QPointF(box.left(), std::round(y) + 0.5), QPointF(box.right(), std::round(y) + 0.5));
        painter.setPen(colors.muted);
        painter.drawText(QRectF(0, y - 8, kLeft - 2 * kDot - 4, 16), Qt::AlignRight | Qt::AlignVCenter,
                         ticks.label(tick) + QStringLiteral("%"));
    }
    painter.drawText(QRectF(box.left() - 20, box.bottom() + 3, 40, kBottom - 3), Qt::AlignCenter, QStringLiteral("0"));
    painter.drawText(QRectF(box.right() - 60, box.bottom() + 3, 60 + kRight, kBottom - 3),
                     Qt::AlignRight | Qt::AlignVCenter, tr("%1 off").arg(m_steps.size() - 1));
    const QRectF between(box.left() + 24, box.bottom() + 3, box.width() - 90, kBottom - 3);
    if (QFontMetricsF(Theme::smallFont()).horizontalAdvance(frontText()) <= between.width())
        painter.drawText(between, Qt::AlignCenter, frontText());
}

void PruningCurve::paintGains(QPainter& painter) const
{
    if (gainOf(0) == nullptr)
        return;
    const Colors& colors = Theme::instance().colors();
    const double all = m_steps.front().value;
    QPolygonF chosen;
    QPolygonF elsewhere;
    QPolygonF band;
    for (std::size_t step = 0; step < m_steps.size(); ++step)
    {
        const HeldOutGain& gain = *gainOf(step);
        chosen << at(step, all + gain.chosen);
        elsewhere << at(step, all + gain.elsewhere);
        band << at(step, all + gain.elsewhereCi95.high);
    }
    for (std::size_t step = m_steps.size(); step > 0; --step)
        band << at(step - 1, all + gainOf(step - 1)->elsewhereCi95.low);
    painter.setPen(Qt::NoPen);
    painter.setBrush(bandColor());
    painter.drawPolygon(band);
    painter.setBrush(Qt::NoBrush);
    painter.setPen(QPen(colors.accent, 1.5));
    painter.drawPolyline(elsewhere);
    painter.setPen(QPen(colors.muted, 1.5, Qt::DashLine));
    painter.drawPolyline(chosen);
}

void PruningCurve::paintLegend(QPainter& painter) const
{
    if (gainOf(0) == nullptr)
        return;
    const Colors& colors = Theme::instance().colors();
    const QFontMetricsF metrics(Theme::smallFont());
    double x = plot().left();
    const auto entry = [&](const QPen& pen, bool dot, const QString& text) {
        painter.setPen(pen);
        painter.setBrush(colors.canvas);
        painter.drawLine(QPointF(x, kLegend / 2), QPointF(x + 18, kLegend / 2));
        if (dot)
            painter.drawEllipse(QPointF(x + 9, kLegend / 2), kDot, kDot);
        painter.setPen(colors.muted);
        painter.drawText(QPointF(x + 22, kLegend / 2 + metrics.ascent() / 2 - 1), text);
        x += 22 + metrics.horizontalAdvance(text) + 10;
    };
    entry(QPen(colors.text, 1.2), true, tr("all documents"));
    entry(QPen(colors.muted, 1.5, Qt::DashLine), false, tr("selection half"));
    painter.fillRect(QRectF(x, 3, 18, kLegend - 6), bandColor());
    const QString named = tr("held-out half, middle 95% of halvings");
    const bool fits = x + 22 + metrics.horizontalAdvance(named) <= plot().right();
    entry(QPen(colors.accent, 1.5), false, fits ? named : tr("held-out half"));
}

void PruningCurve::paint(QPainter& painter, const viz::PictureMarks& marks) const
{
    if (m_steps.empty())
        return;
    const Colors& colors = Theme::instance().colors();
    painter.setRenderHint(QPainter::Antialiasing);
    paintAxes(painter);
    paintGains(painter);
    paintLegend(painter);
    painter.setPen(QPen(colors.muted, 1.5));
    for (std::size_t step = 1; step < m_steps.size(); ++step)
        painter.drawLine(at(step - 1), at(step));
    for (std::size_t step = 0; step < m_steps.size(); ++step)
    {
        // What no step with more off comes up to is filled (markFront).
        painter.setPen(QPen(colors.text, 1.2));
        painter.setBrush(m_steps[step].onFront ? colors.text : colors.canvas);
        painter.drawEllipse(at(step), kDot, kDot);
    }
    painter.setBrush(Qt::NoBrush);
    painter.setPen(QPen(colors.accent, 2));
    if (m_current && *m_current < std::ssize(m_steps))
        painter.drawEllipse(at(static_cast<std::size_t>(*m_current)), 2 * kDot, 2 * kDot);
    if (marks.pointed)
        painter.drawEllipse(at(*marks.pointed), 2 * kDot, 2 * kDot);
}

std::optional<std::size_t> PruningCurve::itemAt(QPointF place) const
{
    if (m_steps.empty() || !box().contains(place))
        return std::nullopt;
    std::size_t nearest = 0;
    for (std::size_t step = 1; step < m_steps.size(); ++step)
        if (std::abs(at(step).x() - place.x()) < std::abs(at(nearest).x() - place.x()))
            nearest = step;
    return nearest;
}

std::optional<std::size_t> PruningCurve::next(std::optional<std::size_t> from, viz::Step step) const
{
    if (step == viz::Step::Right)
        return from ? std::min(m_steps.size() - 1, *from + 1) : 0;
    if (step == viz::Step::Left)
        return from && *from > 0 ? *from - 1 : 0;
    return std::nullopt;
}

} // namespace headscope::ui
