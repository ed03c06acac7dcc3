// SPDX-License-Identifier: GPL-3.0-or-later
// What the map does with mouse, wheel, pinches and keys, and what it says of the point under them.
#include "ui/canvas/scatter/minimap.h"
#include "ui/canvas/scatter/scatter_text.h"
#include "ui/canvas/scatter/scatter_widget.h"
#include "ui/state/selection_hub.h"
#include "ui/words/wording.h"
#include "viz/grid/grid_contents.h"

#include <QKeyEvent>
#include <QMouseEvent>
#include <QWheelEvent>

#include <optional>
#include <utility>

namespace headscope::ui
{
namespace
{

constexpr double kKeyPanShare = 0.1;
constexpr double kEdgePx = 16; ///< a point that is stepped on lies so far inside; less than the margin of fit()

using Kind = PointerDrag::Kind;
using Step = PanZoom::Step;

/// The direction of an arrow key on the screen; nothing for other keys.
std::optional<QPointF> directionOf(int key)
{
    switch (key)
    {
    case Qt::Key_Left:
        return QPointF(-1, 0);
    case Qt::Key_Right:
        return QPointF(1, 0);
    case Qt::Key_Up:
        return QPointF(0, -1);
    case Qt::Key_Down:
        return QPointF(0, 1);
    default:
        return std::nullopt;
    }
}

} // namespace

void ScatterWidget::hoverAt(QPointF place)
{
    const auto point = m_picker.at(place, view(), m_points);
    standOn(point);
    leaveKeys();
    if (point)
        m_card->showPoint(*point, place);
    else
        m_card->hide();
    setCursor(point ? Qt::PointingHandCursor : rowOf(tool()).cursor);
}

void ScatterWidget::standOn(std::optional<std::int64_t> point)
{
    if (point == hoveredPoint())
        return;
    if (m_points.setHoveredPoint(point))
        update();
    std::optional<DocumentIndex> document;
    if (point)
        document = m_map->points->documentOf(*point);
    Q_EMIT documentHovered(document);
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

void ScatterWidget::clickPoint(std::int64_t point)
{
    Q_EMIT documentClicked(m_map->points->documentOf(point), m_map->points->headOf(point));
}

void ScatterWidget::wheelEvent(QWheelEvent* event)
{
    const auto zoom = zoomOf(*event);
    if (!zoom || m_map == nullptr)
        return event->ignore();
    if (tool() == Tool::Brush && !event->modifiers().testFlag(Qt::ControlModifier))
    {
        m_picker.scaleBrush(*zoom);
        update();
    }
    else
    {
        m_zoom.zoomAt(event->position(), *zoom);
    }
    event->accept();
}

bool ScatterWidget::event(QEvent* event)
{
    if (const auto pinch = m_map == nullptr ? std::nullopt : pinchOf(*event))
    {
        m_zoom.zoomAt(pinch->place, pinch->factor);
        return true;
    }
    return QWidget::event(event);
}

void ScatterWidget::mousePressEvent(QMouseEvent* event)
{
    const bool middle = event->button() == Qt::MiddleButton;
    if (event->button() != Qt::LeftButton && !middle)
        return QWidget::mousePressEvent(event);
    m_drag.begin(event->position(), middle ? Kind::Pan : Kind::Pressed);
    m_zoom.stop();
    if (const auto shape = rowOf(tool()).shape; shape && !middle)
        m_picker.begin(*shape, m_drag.press);
}

void ScatterWidget::startDrag(Qt::KeyboardModifiers keys)
{
    const bool box = (tool() == Tool::BoxZoom) != keys.testFlag(Qt::ShiftModifier);
    if (gesture().active())
        m_drag.kind = Kind::Pick;
    else
        m_drag.kind = box ? Kind::Box : Kind::Pan;
    setCursor(m_drag.kind == Kind::Pan ? Qt::ClosedHandCursor : Qt::CrossCursor);
    m_card->hide();
}

void ScatterWidget::mouseMoveEvent(QMouseEvent* event)
{
    const QPointF place = event->position();
    const QPointF way = place - std::exchange(m_drag.last, place);
    if (m_drag.kind == Kind::None)
    {
        if (tool() == Tool::Brush)
            update();
        return hoverAt(place);
    }
    if (m_drag.starts(place) && m_map != nullptr)
        startDrag(event->modifiers());
    if (m_drag.kind == Kind::Pan && m_map != nullptr)
        m_zoom.panBy(way, Step::Later);
    if (m_drag.kind == Kind::Pick)
        m_picker.moveTo(place);
    if (m_drag.kind == Kind::Box || m_drag.kind == Kind::Pick)
        update();
}

void ScatterWidget::mouseReleaseEvent(QMouseEvent* event)
{
    const Kind drag = m_drag.end();
    setCursor(rowOf(tool()).cursor);
    switch (drag)
    {
    case Kind::None:
        break;
    case Kind::Pressed:
        m_picker.cancel();
        if (const auto point = m_picker.at(event->position(), view(), m_points))
            clickPoint(*point);
        else
            Q_EMIT backgroundClicked();
        break;
    case Kind::Pick:
        update();
        m_picker.end(view(), m_points, m_tools->picked(), pickOperation(event->modifiers()));
        break;
    case Kind::Pan:
        m_zoom.remember();
        break;
    case Kind::Box:
        update();
        if (const auto box = view().zoomedTo(QRectF(m_drag.press, event->position()).normalized()); box != view())
            m_zoom.goTo(box);
        break;
    }
}

void ScatterWidget::mouseDoubleClickEvent(QMouseEvent* event)
{
    if (event->button() != Qt::LeftButton)
        return;
    m_drag.end();
    m_picker.cancel();
    fit();
}

void ScatterWidget::leaveEvent(QEvent* event)
{
    leavePoint();
    QWidget::leaveEvent(event);
}

bool ScatterWidget::eventFilter(QObject* watched, QEvent* event)
{
    if (event->type() == QEvent::Enter)
        leavePoint();
    return QWidget::eventFilter(watched, event);
}

void ScatterWidget::focusOutEvent(QFocusEvent* event)
{
    if (m_byKeys)
        leavePoint();
    QWidget::focusOutEvent(event);
}

void ScatterWidget::step(QPointF direction)
{
    if (m_map == nullptr || !m_fit.extent().bounds)
        return;
    const auto from = hoveredPoint() ? hoveredPoint() : m_points.focus();
    const auto next = m_picker.toward(from, direction, view(), m_points, *m_fit.extent().bounds);
    if (!next)
        return;
    const QPointF to(m_map->xy(*next, 0), m_map->xy(*next, 1));
    const QRectF inside = QRectF(rect()).adjusted(kEdgePx, kEdgePx, -kEdgePx, -kEdgePx);
    if (!inside.contains(view().screenFromData(to)))
        m_zoom.moveTo(viz::ViewTransform(to, view().scale(), view().viewSize()), Step::Soon);
    m_byKeys = true;
    standOn(next);
    m_card->showPoint(*next, view().screenFromData(to));
    describe();
}

void ScatterWidget::arrowKey(int key, QPointF direction, Qt::KeyboardModifiers keys)
{
    if (keys.testFlag(Qt::AltModifier))
    {
        if (key == Qt::Key_Left)
            back();
        else if (key == Qt::Key_Right)
            forward();
    }
    else if (keys.testFlag(Qt::ShiftModifier))
    {
        m_zoom.panBy(-kKeyPanShare * QPointF(direction.x() * width(), direction.y() * height()), Step::Soon);
    }
    else
    {
        step(direction);
    }
}

void ScatterWidget::escape()
{
    m_picker.cancel();
    if (m_drag.end() != Kind::None)
        return update();
    if (m_byKeys && hoveredPoint())
        return leavePoint();
    Q_EMIT choiceCleared();
}

std::optional<viz::ItemHead> ScatterWidget::headMeant() const
{
    const auto point = hoveredPoint();
    if (!point || m_map == nullptr || m_map->stage != Stage::HeadOutput || viz::isFullMap(*m_map))
        return std::nullopt;
    return viz::ItemHead{m_map->layer, m_map->points->headOf(*point)};
}

void ScatterWidget::keyPressEvent(QKeyEvent* event)
{
    if (event->modifiers().testFlag(Qt::ControlModifier))
        return QWidget::keyPressEvent(event); // the window's
    if (const auto direction = directionOf(event->key()))
        return arrowKey(event->key(), *direction, event->modifiers());
    if (const auto tool = toolOfKey(event->key()))
        return setTool(*tool);
    switch (event->key())
    {
    case Qt::Key_Plus:
    case Qt::Key_Equal:
        return m_zoom.zoomAt(QRectF(rect()).center(), kKeyZoom);
    case Qt::Key_Minus:
        return m_zoom.zoomAt(QRectF(rect()).center(), 1 / kKeyZoom);
    case Qt::Key_Home:
    case Qt::Key_0:
        return fit();
    case Qt::Key_F:
        return fitChosen();
    case Qt::Key_Return:
    case Qt::Key_Enter:
        if (hoveredPoint())
            return clickPoint(*hoveredPoint());
        break;
    case Qt::Key_Space:
        if (hoveredPoint())
            return m_picker.toggle(*hoveredPoint(), m_points, m_tools->picked());
        break;
    case kPicksKey:
        return m_tools->setPicked(m_tools->picked() == Picks::Points ? Picks::Documents : Picks::Points);
    case Qt::Key_Escape:
        return escape();
    default:
        break;
    }
    QWidget::keyPressEvent(event);
}

QString ScatterWidget::pointText() const
{
    const auto point = hoveredPoint();
    if (!point || !m_byKeys || m_map == nullptr)
        return {};
    const std::int64_t head = m_map->points->head[static_cast<std::size_t>(*point)];
    const QString text =
        m_card->hasSource() ? spokenText(m_card->contentOf(*point)) : unitText(m_map->stage, HeadIndex(head));
    return m_points.isChosen(*point) ? tr("%1, selected").arg(text) : text;
}

bool ScatterWidget::catchingUp() const
{
    return m_colors.busy() || m_picker.busy() || m_layers.busy() || m_minimap->busy();
}

QString ScatterWidget::litText() const
{
    return m_map == nullptr ? QString() : ui::litText(m_points, m_map->stage);
}

QString ScatterWidget::badgeText() const
{
    return m_map == nullptr ? QString() : ui::badgeText(m_layers, m_points, m_map->stage);
}

void ScatterWidget::describe()
{
    if (m_map == nullptr)
        return setAccessibleDescription(tr("empty"));
    const QString text = mapText(m_points, coloring().legend, m_map->stage);
    // The point that keys have stepped on comes first: it is what was asked for.
    const QString point = pointText();
    setAccessibleDescription(point.isEmpty() ? text : QString(point % QStringLiteral(". ") % text));
}

} // namespace headscope::ui
