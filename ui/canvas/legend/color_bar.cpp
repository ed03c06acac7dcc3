// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/canvas/legend/color_bar.h"

#include "ui/canvas/canvas_summary.h"
#include "ui/theme/theme.h"
#include "viz/axis/text.h"

#include <QActionGroup>
#include <QContextMenuEvent>
#include <QKeyEvent>
#include <QMenu>
#include <QMouseEvent>
#include <QPainter>
#include <QToolButton>

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

namespace headscope::ui
{
namespace
{

constexpr int kLabel = 40;
constexpr double kLabelGap = 8;
constexpr double kBarHeight = 8;
constexpr double kHandle = 4.5; // half the width of a handle
constexpr double kReach = 9;    // a press this near takes the handle

/// What stands between both colours of a diverging scale.
QString middleColor()
{
    return Theme::instance().vizTheme() == viz::InkTheme::Dark ? ColorBar::tr("black") : ColorBar::tr("white");
}

} // namespace

ColorBar::ColorBar(QWidget* parent) : QWidget(parent)
{
    setObjectName(QStringLiteral("colorBar"));
    setSizePolicy(QSizePolicy::Preferred, QSizePolicy::Fixed);
    setFocusPolicy(Qt::StrongFocus);
    setMouseTracking(true);
    setAccessibleName(tr("Colour scale"));
    setCanvasSummary(this, [this] { return accessibleDescription(); });
    describe();
    onThemeChange(this, [this] {
        describe();
        update();
    });
}

void ColorBar::setTitle(const QString& title)
{
    m_title = title;
    describe();
    updateGeometry();
    update();
}

int ColorBar::titleWidth() const
{
    return width() < kMinWidth + wholeTitleWidth() ? 0 : wholeTitleWidth();
}

void ColorBar::setAroundZero(bool around)
{
    if (std::exchange(m_aroundZero, around) != around)
        Q_EMIT aroundZeroChanged(around);
}

int ColorBar::wholeTitleWidth() const
{
    return m_title.isEmpty() ? 0 : static_cast<int>(std::ceil(viz::textWidth(m_title, Theme::smallFont()))) + 4;
}

void ColorBar::setChoice(const viz::ScaleChoice& choice)
{
    m_choice = choice;
    if (m_choice.kind == viz::ScaleChoice::Kind::Sequential && m_current == Handle::Centre)
        m_current = Handle::Low;
    describe();
    update();
}

void ColorBar::setKept(bool kept)
{
    m_isKept = kept;
    describe();
}

void ColorBar::setRange(viz::ScaleLimits range)
{
    m_range = range;
    update();
}

void ColorBar::setMarked(std::optional<double> value)
{
    if (value == m_marked)
        return;
    m_marked = value;
    update();
}

void ColorBar::describe()
{
    QString text = tr("%1 to %2").arg(viz::shortNumber(m_choice.limits.low), viz::shortNumber(m_choice.limits.high));
    if (m_choice.kind == viz::ScaleChoice::Kind::Diverging)
        text += tr(", %1 at %2").arg(middleColor(), viz::shortNumber(m_choice.centre));
    if (!m_title.isEmpty())
        text.prepend(m_title + QLatin1Char(' '));
    setToolTip(text + QLatin1Char('\n') + (m_isKept ? tr("Kept for other layers.") : tr("Limits of the data shown.")) +
               QLatin1Char('\n') + tr("Drag the handles; double-click to reset. Right-click for more."));
    const std::array<QString, 3> names = {tr("lower limit"), tr("centre"), tr("upper limit")};
    text += tr("; arrow keys move the %1").arg(names[static_cast<std::size_t>(m_current)]);
    setAccessibleDescription(text);
}

QRectF ColorBar::barRect() const
{
    const double left = titleWidth() + kLabel + kLabelGap;
    return {left, height() / 2.0 - kBarHeight / 2 - 2, std::max(1.0, width() - left - kLabel - kLabelGap), kBarHeight};
}

QRectF ColorBar::rampRect() const
{
    QRectF ramp = barRect();
    ramp.setLeft(xOf(m_choice.limits.low));
    ramp.setRight(std::max(ramp.left() + 1, xOf(m_choice.limits.high)));
    return ramp;
}

QRectF ColorBar::labelRect(Handle handle) const
{
    const QRectF ramp = rampRect();
    const double left = handle == Handle::Low ? ramp.left() - kLabelGap - kLabel : ramp.right() + kLabelGap;
    return {left, ramp.center().y() - 10, kLabel, 20};
}

double ColorBar::xOf(double value) const
{
    const QRectF bar = barRect();
    const double extent = std::max(1e-12, m_range.high - m_range.low);
    return bar.left() + bar.width() * std::clamp((value - m_range.low) / extent, 0.0, 1.0);
}

double ColorBar::valueAt(double x) const
{
    const QRectF bar = barRect();
    return std::lerp(m_range.low, m_range.high, std::clamp((x - bar.left()) / bar.width(), 0.0, 1.0));
}

double ColorBar::valueOf(Handle handle) const
{
    return handle == Handle::Low    ? m_choice.limits.low
           : handle == Handle::High ? m_choice.limits.high
                                    : m_choice.centre;
}

QPointF ColorBar::handlePlace(Handle handle) const
{
    return {xOf(valueOf(handle)), barRect().bottom() + 3};
}

void ColorBar::choose(const viz::ScaleChoice& choice)
{
    setKept(true);
    setChoice(choice);
    Q_EMIT choiceChanged(m_choice);
}

void ColorBar::take(const viz::ScaleChoice& choice)
{
    if (choice != m_choice)
        choose(choice);
}

void ColorBar::moveHandle(Handle handle, double value)
{
    viz::ScaleChoice choice = m_choice;
    // Limits never meet: colours in between have to be told apart.
    const double least = 0.01 * (m_range.high - m_range.low);
    if (handle == Handle::Low)
        choice.limits.low = std::clamp(value, m_range.low, std::max(m_range.low, choice.limits.high - least));
    else if (handle == Handle::High)
        choice.limits.high = std::clamp(value, std::min(m_range.high, choice.limits.low + least), m_range.high);
    else
        choice.centre = value;
    choice.centre = std::clamp(choice.centre, choice.limits.low, choice.limits.high);
    take(choice);
}

void ColorBar::stepHandle(int step)
{
    static constexpr std::array<Handle, 3> kAll = {Handle::Low, Handle::Centre, Handle::High};
    const bool centre = m_choice.kind == viz::ScaleChoice::Kind::Diverging;
    int at = static_cast<int>(m_current);
    do
        at = (at + step + 3) % 3;
    while (kAll[static_cast<std::size_t>(at)] == Handle::Centre && !centre);
    m_current = kAll[static_cast<std::size_t>(at)];
    describe();
    update();
}

void ColorBar::mousePressEvent(QMouseEvent* event)
{
    if (event->button() != Qt::LeftButton)
        return QWidget::mousePressEvent(event);
    double nearest = kReach;
    m_dragging = false;
    for (const Handle handle : {Handle::Centre, Handle::Low, Handle::High})
    {
        if (handle == Handle::Centre && m_choice.kind == viz::ScaleChoice::Kind::Sequential)
            continue;
        const double away = std::abs(handlePlace(handle).x() - event->position().x());
        if (away >= nearest)
            continue;
        nearest = away;
        m_current = handle;
        m_dragging = true;
    }
    describe();
    update();
}

void ColorBar::mouseMoveEvent(QMouseEvent* event)
{
    if (m_dragging)
        return moveHandle(m_current, valueAt(event->position().x()));
    setCursor(barRect().adjusted(-kReach, -8, kReach, 12).contains(event->position()) ? Qt::SizeHorCursor
                                                                                      : Qt::ArrowCursor);
}

void ColorBar::mouseReleaseEvent(QMouseEvent* event)
{
    m_dragging = false;
    QWidget::mouseReleaseEvent(event);
}

void ColorBar::mouseDoubleClickEvent(QMouseEvent* event)
{
    Q_UNUSED(event)
    m_dragging = false;
    resetLimits();
}

void ColorBar::resetLimits()
{
    setKept(false); // the view sets what its data say, where it has any
    Q_EMIT limitsRequested(0.01, 0.99);
}

void ColorBar::keyPressEvent(QKeyEvent* event)
{
    const double step = (m_range.high - m_range.low) * (event->modifiers().testFlag(Qt::ShiftModifier) ? 0.05 : 0.01);
    switch (event->key())
    {
    case Qt::Key_Left:
        return moveHandle(m_current, valueOf(m_current) - step);
    case Qt::Key_Right:
        return moveHandle(m_current, valueOf(m_current) + step);
    case Qt::Key_Up:
        return stepHandle(1);
    case Qt::Key_Down:
        return stepHandle(-1);
    case Qt::Key_Home:
        return resetLimits();
    default:
        return QWidget::keyPressEvent(event);
    }
}

void ColorBar::focusInEvent(QFocusEvent* event)
{
    QWidget::focusInEvent(event);
    update();
}

void ColorBar::focusOutEvent(QFocusEvent* event)
{
    QWidget::focusOutEvent(event);
    update();
}

void ColorBar::contextMenuEvent(QContextMenuEvent* event)
{
    auto* menu = new QMenu(this);
    menu->setAttribute(Qt::WA_DeleteOnClose);
    const auto kind = [&](const QString& text, viz::ScaleChoice::Kind which) {
        QAction* action = menu->addAction(text, this, [this, which] {
            viz::ScaleChoice choice = m_choice;
            choice.kind = which;
            take(choice);
        });
        action->setCheckable(true);
        action->setChecked(m_choice.kind == which);
    };
    kind(tr("Diverging from a centre"), viz::ScaleChoice::Kind::Diverging);
    kind(tr("Sequential"), viz::ScaleChoice::Kind::Sequential);
    menu->addSeparator();
    menu->addAction(tr("Limits: 1st to 99th percentile"), this, &ColorBar::resetLimits);
    menu->addAction(tr("Limits: 5th to 95th percentile"), this, [this] { Q_EMIT limitsRequested(0.05, 0.95); });
    menu->addAction(tr("Limits: smallest to largest value"), this, [this] { Q_EMIT limitsRequested(0, 1); });
    QAction* keep = menu->addAction(tr("Keep limits for other layers and stages"), this, [this] {
        if (m_isKept)
            resetLimits();
        else
            choose(m_choice);
    });
    keep->setCheckable(true);
    keep->setChecked(m_isKept);
    menu->addSeparator();
    const auto centreAt = [this](double value) {
        viz::ScaleChoice choice = m_choice;
        choice.kind = viz::ScaleChoice::Kind::Diverging;
        choice.centre = std::clamp(value, choice.limits.low, choice.limits.high);
        take(choice);
    };
    QAction* fixed = menu->addAction(tr("Fixed around 0: %1 is 0, with symmetric limits").arg(middleColor()), this,
                                     [this] { Q_EMIT aroundZeroRequested(!m_aroundZero); });
    fixed->setCheckable(true);
    fixed->setChecked(m_aroundZero);
    menu->addAction(tr("Centre at 0"), this, [centreAt] { centreAt(0); })
        ->setEnabled(m_choice.limits.low < 0 && m_choice.limits.high > 0);
    menu->addAction(tr("Centre halfway between limits"), this,
                    [this, centreAt] { centreAt((m_choice.limits.low + m_choice.limits.high) / 2); });
    menu->popup(event->globalPos());
}

void ColorBar::paintEvent(QPaintEvent* event)
{
    Q_UNUSED(event)
    const Colors& colors = Theme::instance().colors();
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    const QRectF bar = barRect();
    const QRectF ramp = rampRect();
    if (titleWidth() > 0)
        viz::drawLine(painter, {0, bar.center().y() - 10, static_cast<double>(titleWidth()), 20}, m_title,
                      Theme::smallFont(), colors.text);
    const QRectF low = labelRect(Handle::Low);
    const QRectF high = labelRect(Handle::High);
    viz::drawLine(painter, low, viz::shortNumber(m_choice.limits.low), Theme::smallFont(), colors.muted,
                  Qt::AlignRight | Qt::AlignVCenter);
    viz::drawLine(painter, high, viz::shortNumber(m_choice.limits.high), Theme::smallFont(), colors.muted);
    // How far the handles can go.
    const auto rail = [&](double from, double to) {
        if (to > from)
            painter.fillRect(QRectF(from, bar.center().y() - 1, to - from, 2), colors.track);
    };
    rail(bar.left(), low.right() - viz::textWidth(viz::shortNumber(m_choice.limits.low), Theme::smallFont()) - 4);
    rail(high.left() + viz::textWidth(viz::shortNumber(m_choice.limits.high), Theme::smallFont()) + 4, bar.right());
    const viz::ColorScale scale = viz::scaleOf(m_choice, Theme::instance().vizTheme());
    QLinearGradient gradient(ramp.topLeft(), ramp.topRight());
    constexpr int kStops = 48;
    for (int i = 0; i <= kStops; ++i)
    {
        const double share = static_cast<double>(i) / kStops;
        gradient.setColorAt(share,
                            QColor::fromRgb(scale.color(std::lerp(m_choice.limits.low, m_choice.limits.high, share))));
    }
    painter.setPen(Qt::NoPen);
    painter.setBrush(gradient);
    painter.drawRoundedRect(ramp, 3, 3);
    if (m_marked)
    {
        painter.setPen(QPen(colors.text, 1.4));
        painter.drawLine(QPointF(xOf(*m_marked), bar.top() - 3), QPointF(xOf(*m_marked), bar.bottom() + 1));
    }
    for (const Handle handle : {Handle::Low, Handle::High, Handle::Centre})
    {
        if (handle == Handle::Centre && m_choice.kind == viz::ScaleChoice::Kind::Sequential)
            continue;
        const QPointF place = handlePlace(handle);
        painter.setPen(QPen(colors.canvas, 1));
        painter.setBrush(hasFocus() && handle == m_current ? colors.accent : colors.muted);
        const double half = handle == Handle::Centre ? kHandle - 1.5 : kHandle;
        painter.drawPolygon(QPolygonF{place + QPointF(0, -3), place + QPointF(half, 3), place + QPointF(-half, 3)});
    }
}

QToolButton* makeAroundZeroButton(ColorBar& bar, QWidget* parent)
{
    auto* button = new QToolButton(parent);
    button->setObjectName(bar.objectName() + QStringLiteral("AroundZero"));
    button->setProperty("boxed", true);
    button->setCheckable(true);
    button->setText(QStringLiteral("± 0"));
    button->setAccessibleName(ColorBar::tr("Fixed scale around 0"));
    onThemeChange(button, [button] {
        button->setToolTip(
            ColorBar::tr("Fixed scale around 0: %1 is 0, and the limits are symmetric").arg(middleColor()));
    });
    QObject::connect(button, &QToolButton::clicked, &bar, &ColorBar::aroundZeroRequested);
    QObject::connect(&bar, &ColorBar::aroundZeroChanged, button, &QToolButton::setChecked);
    return button;
}

} // namespace headscope::ui
