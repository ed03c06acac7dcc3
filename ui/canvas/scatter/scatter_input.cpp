// SPDX-License-Identifier: GPL-3.0-or-later
// Mouse, wheel and gestures of the map.
#include "ui/canvas/scatter/minimap.h"
#include "ui/canvas/scatter/scatter_widget.h"
#include "ui/theme/theme.h"

#include <QMouseEvent>
#include <QNativeGestureEvent>
#include <QWheelEvent>

#include <cmath>
#include <utility>

namespace headscope::ui
{
namespace
{

constexpr int kClickSlackPx = 3;
/// One notch of a wheel (120 units) zooms by about a fifth.
constexpr double kZoomPerWheelUnit = 1.0016;

} // namespace

void ScatterWidget::refreshCursor()
{
    setCursor(m_tool == Tool::Pan ? Qt::ArrowCursor : Qt::CrossCursor);
}

void ScatterWidget::hoverAt(QPointF place)
{
    const auto point = pointAt(place);
    standOn(point);
    leaveKeys();
    if (point && m_cardSource)
        m_card->showAt(cardOf(*point), place.toPoint());
    else
        m_card->hide();
    if (point)
        setCursor(Qt::PointingHandCursor);
    else
        refreshCursor();
}

void ScatterWidget::standOn(std::optional<std::int64_t> point)
{
    if (point == m_hoveredPoint)
        return;
    m_hoveredPoint = point;
    m_hoveredDocument.reset();
    refreshMarks();
    std::optional<std::int64_t> document;
    if (point)
        document = m_map->points->document[static_cast<std::size_t>(*point)];
    Q_EMIT documentHovered(document);
}

HoverContent ScatterWidget::cardOf(std::int64_t point) const
{
    HoverContent content = m_cardSource(point);
    if (m_valueSource && content.value.isEmpty())
        content.value = m_valueSource(point);
    return content;
}

void ScatterWidget::leaveKeys()
{
    if (std::exchange(m_byKeys, false))
        describe();
}

void ScatterWidget::leavePoint()
{
    m_card->hide();
    standOn({});
    leaveKeys();
}

bool ScatterWidget::eventFilter(QObject* watched, QEvent* event)
{
    if (event->type() == QEvent::Enter)
        leavePoint();
    return QWidget::eventFilter(watched, event);
}

void ScatterWidget::wheelEvent(QWheelEvent* event)
{
    // Pads send pixels, wheels angles; both move the same distance for the same finger.
    const double units = event->angleDelta().y() != 0 ? event->angleDelta().y() : event->pixelDelta().y();
    if (units == 0 || m_map == nullptr)
        return event->ignore();
    if (m_tool == Tool::Brush && !event->modifiers().testFlag(Qt::ControlModifier))
    {
        m_gesture.setBrushRadius(m_gesture.brushRadius() * std::pow(kZoomPerWheelUnit, units));
        update();
        return event->accept();
    }
    userMovedView();
    applyView(m_view.zoomedAt(event->position(), std::pow(kZoomPerWheelUnit, units)));
    m_settle.start();
    event->accept();
}

void ScatterWidget::mousePressEvent(QMouseEvent* event)
{
    const bool middle = event->button() == Qt::MiddleButton;
    if (event->button() != Qt::LeftButton && !middle)
        return QWidget::mousePressEvent(event);
    m_press = m_last = event->position();
    m_drag = Drag::Pressed;
    if (middle)
        m_drag = Drag::Pan;
    m_animation.stop();
    if (!middle)
        beginGesture();
}

void ScatterWidget::mouseMoveEvent(QMouseEvent* event)
{
    const QPointF place = event->position();
    if (m_drag == Drag::None)
    {
        m_last = place;
        if (m_tool == Tool::Brush)
            update();
        return hoverAt(place);
    }
    if (m_drag == Drag::Pressed && (place - m_press).manhattanLength() > kClickSlackPx && m_map != nullptr)
    {
        const bool box = (m_tool == Tool::BoxZoom) != event->modifiers().testFlag(Qt::ShiftModifier);
        if (m_gesture.active())
            m_drag = Drag::Pick;
        else
            m_drag = box ? Drag::Box : Drag::Pan;
        setCursor(m_drag == Drag::Pan ? Qt::ClosedHandCursor : Qt::CrossCursor);
        m_card->hide();
    }
    if (m_drag == Drag::Pan && m_map != nullptr)
    {
        userMovedView();
        applyView(m_view.panned(place - m_last));
    }
    m_last = place;
    if (m_drag == Drag::Pick)
        m_gesture.moveTo(place);
    if (m_drag == Drag::Box || m_drag == Drag::Pick)
        update();
}

void ScatterWidget::mouseReleaseEvent(QMouseEvent* event)
{
    const Drag drag = std::exchange(m_drag, Drag::None);
    refreshCursor();
    switch (drag)
    {
    case Drag::None:
        break;
    case Drag::Pressed:
        m_gesture.cancel();
        clickAt(event->position());
        break;
    case Drag::Pick:
        endGesture(event->modifiers());
        break;
    case Drag::Pan:
        rememberView();
        break;
    case Drag::Box:
    {
        const auto view = m_view.zoomedTo(QRectF(m_press, event->position()).normalized());
        update();
        if (view == m_view)
            break;
        userMovedView();
        m_history.push(view);
        refreshTools();
        animateTo(view);
        break;
    }
    }
}

void ScatterWidget::clickAt(QPointF place)
{
    if (const auto point = pointAt(place))
        clickPoint(*point);
    else
        Q_EMIT backgroundClicked();
}

void ScatterWidget::clickPoint(std::int64_t point)
{
    const auto index = static_cast<std::size_t>(point);
    Q_EMIT documentClicked(m_map->points->document[index], m_map->points->head[index]);
}

void ScatterWidget::mouseDoubleClickEvent(QMouseEvent* event)
{
    if (event->button() == Qt::LeftButton)
    {
        m_drag = Drag::None;
        m_gesture.cancel();
        fit();
    }
}

void ScatterWidget::leaveEvent(QEvent* event)
{
    leavePoint();
    QWidget::leaveEvent(event);
}

bool ScatterWidget::event(QEvent* event)
{
    if (event->type() == QEvent::NativeGesture && m_map != nullptr)
    {
        const auto* gesture = static_cast<QNativeGestureEvent*>(event);
        if (gesture->gestureType() == Qt::ZoomNativeGesture)
        {
            userMovedView();
            applyView(m_view.zoomedAt(gesture->position(), 1 + gesture->value()));
            m_settle.start();
            return true;
        }
    }
    return QWidget::event(event);
}

} // namespace headscope::ui
