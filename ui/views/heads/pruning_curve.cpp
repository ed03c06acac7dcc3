// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/views/heads/pruning_curve.h"

#include "ui/theme/theme.h"
#include "ui/words/wording.h"
#include "viz/geometry/axis_ticks.h"

#include <QKeyEvent>
#include <QLocale>
#include <QMouseEvent>
#include <QPaintEngine>
#include <QPainter>
#include <QToolTip>

#include <algorithm>
#include <cmath>

namespace headscope::ui
{
namespace
{

constexpr double kLeft = 58; // "100.0 %"
constexpr double kBottom = 18;
constexpr double kTop = 8;
constexpr double kRight = 10;
constexpr double kDot = 3;

} // namespace

PruningCurve::PruningCurve(QWidget* parent) : QWidget(parent)
{
    setObjectName(QStringLiteral("pruningCurve"));
    setAccessibleName(tr("Greedy order"));
    setMouseTracking(true);
    setFocusPolicy(Qt::StrongFocus);
    setMinimumSize(200, 90);
}

void PruningCurve::setSteps(std::vector<PruningStep> steps, const QString& unit, Saves saves)
{
    m_saves = saves;
    m_steps = std::move(steps);
    m_unit = unit;
    m_hovered.reset();
    m_low = 1;
    m_high = 0;
    for (const PruningStep& step : m_steps)
    {
        m_low = std::min(m_low, step.value);
        m_high = std::max(m_high, step.value);
    }
    const double room = std::max(0.01, (m_high - m_low) * 0.08);
    m_low = std::max(0.0, m_low - room);
    m_high = std::min(1.0, m_high + room);
    setAccessibleDescription(m_steps.empty() ? tr("empty") : textOf(m_steps.size() - 1));
    update();
}

void PruningCurve::setCurrent(std::optional<std::int64_t> off)
{
    m_current = off;
    update();
}

QString PruningCurve::frontText()
{
    return tr("filled: no step with more off is as good");
}

QRectF PruningCurve::plot() const
{
    return QRectF(rect()).adjusted(kLeft, kTop, -kRight, -kBottom);
}

QPointF PruningCurve::placeOf(std::size_t step) const
{
    const QRectF box = plot();
    const auto last = static_cast<double>(std::max<std::size_t>(2, m_steps.size()) - 1);
    const double share = (m_steps[step].value - m_low) / std::max(1e-9, m_high - m_low);
    return {box.left() + box.width() * static_cast<double>(step) / last, box.bottom() - box.height() * share};
}

QString PruningCurve::textOf(std::size_t step) const
{
    const PruningStep& one = m_steps[step];
    const QString value = QLocale().toString(100 * one.value, 'f', 1);
    if (step == 0)
        return tr("All: %1 %").arg(value);
    const QString text = tr("%1 off, last %2 %3: %4 %").arg(step).arg(m_unit).arg(one.unit + 1).arg(value);
    switch (m_saves)
    {
    case Saves::Nothing:
        break;
    case Saves::Parameters:
        return text % tr("\nsaves %1 parameters").arg(countText(one.parametersSaved));
    case Saves::ParametersAndCache:
        return text % tr("\nsaves %1 parameters, %2 bytes of cache a token")
                          .arg(countText(one.parametersSaved), countText(one.kvBytesSaved));
    }
    return text;
}

void PruningCurve::paintEvent(QPaintEvent*)
{
    if (m_steps.empty())
        return;
    const Colors& colors = Theme::instance().colors();
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
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
                         ticks.label(tick) + QStringLiteral(" %"));
    }
    painter.drawText(QRectF(box.left() - 20, box.bottom() + 3, 40, kBottom - 3), Qt::AlignCenter, QStringLiteral("0"));
    painter.drawText(QRectF(box.right() - 60, box.bottom() + 3, 60 + kRight, kBottom - 3),
                     Qt::AlignRight | Qt::AlignVCenter, tr("%1 off").arg(m_steps.size() - 1));
    // In a figure the note above the picture says it.
    const QRectF between(box.left() + 24, box.bottom() + 3, box.width() - 90, kBottom - 3);
    if (painter.paintEngine()->type() != QPaintEngine::Picture &&
        QFontMetricsF(Theme::smallFont()).horizontalAdvance(frontText()) <= between.width())
        painter.drawText(between, Qt::AlignCenter, frontText());
    painter.setPen(QPen(colors.muted, 1.5));
    for (std::size_t step = 1; step < m_steps.size(); ++step)
        painter.drawLine(placeOf(step - 1), placeOf(step));
    for (std::size_t step = 0; step < m_steps.size(); ++step)
    {
        // What no step with more off comes up to is filled (markFront).
        painter.setPen(QPen(colors.text, 1.2));
        painter.setBrush(m_steps[step].onFront ? colors.text : colors.canvas);
        painter.drawEllipse(placeOf(step), kDot, kDot);
    }
    painter.setBrush(Qt::NoBrush);
    painter.setPen(QPen(colors.accent, 2));
    if (m_current && *m_current < std::ssize(m_steps))
        painter.drawEllipse(placeOf(static_cast<std::size_t>(*m_current)), 2 * kDot, 2 * kDot);
    if (m_hovered)
        painter.drawEllipse(placeOf(*m_hovered), 2 * kDot, 2 * kDot);
}

std::optional<std::size_t> PruningCurve::stepAt(QPointF place) const
{
    if (m_steps.empty() || !QRectF(rect()).contains(place))
        return std::nullopt;
    std::size_t nearest = 0;
    for (std::size_t step = 1; step < m_steps.size(); ++step)
        if (std::abs(placeOf(step).x() - place.x()) < std::abs(placeOf(nearest).x() - place.x()))
            nearest = step;
    return nearest;
}

void PruningCurve::mouseMoveEvent(QMouseEvent* event)
{
    const auto step = stepAt(event->position());
    if (step == m_hovered)
        return;
    m_hovered = step;
    update();
    if (step)
        QToolTip::showText(event->globalPosition().toPoint(), textOf(*step), this);
}

void PruningCurve::mousePressEvent(QMouseEvent* event)
{
    if (const auto step = stepAt(event->position()); step && event->button() == Qt::LeftButton)
        Q_EMIT stepClicked(static_cast<std::int64_t>(*step));
}

void PruningCurve::leaveEvent(QEvent*)
{
    m_hovered.reset();
    update();
}

void PruningCurve::keyPressEvent(QKeyEvent* event)
{
    if (m_steps.empty())
        return QWidget::keyPressEvent(event);
    const std::size_t last = m_steps.size() - 1;
    if (event->key() == Qt::Key_Right)
        m_hovered = std::min(last, m_hovered ? *m_hovered + 1 : 0);
    else if (event->key() == Qt::Key_Left)
        m_hovered = m_hovered && *m_hovered > 0 ? *m_hovered - 1 : 0;
    else if ((event->key() == Qt::Key_Return || event->key() == Qt::Key_Space) && m_hovered)
        return Q_EMIT stepClicked(static_cast<std::int64_t>(*m_hovered));
    else
        return QWidget::keyPressEvent(event);
    setAccessibleDescription(textOf(*m_hovered));
    QToolTip::showText(mapToGlobal(placeOf(*m_hovered).toPoint()), textOf(*m_hovered), this);
    update();
}

} // namespace headscope::ui
