// SPDX-License-Identifier: GPL-3.0-or-later
// Keys of the map: from point to point, moving and zooming the view, tools.
#include "ui/canvas/scatter/scatter_widget.h"
#include "ui/words/wording.h"

#include <QKeyEvent>

#include <algorithm>
#include <cmath>
#include <utility>

namespace headscope::ui
{
namespace
{

constexpr double kKeyPanShare = 0.1;
constexpr double kKeyZoom = 1.25;
constexpr double kLeastStepPx = 1; ///< a step that nobody could see is none
constexpr double kEdgePx = 16;     ///< a point that is stepped on lies so far inside; less than the margin of fit()

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

std::optional<std::int64_t> ScatterWidget::pointToward(std::optional<std::int64_t> from, QPointF direction)
{
    const MatrixF& xy = m_map->xy;
    const auto placeOf = [&](std::int64_t point) { return m_view.screenFromData(QPointF(xy(point, 0), xy(point, 1))); };
    // What is pale because its document is not chosen can be reached: to be chosen too.
    const auto reachable = [this](std::int64_t point) {
        const auto at = static_cast<std::size_t>(point);
        return m_filtered[at] == viz::PointState::Shown && isLit(m_map->points->head[at]);
    };
    const QRectF all =
        QRectF(m_view.screenFromData(m_extent.bounds->topLeft()), m_view.screenFromData(m_extent.bounds->bottomRight()))
            .normalized();
    // Widening circles, so that in a crowd few points are looked at; `room` pixels and no farther.
    const auto nearest = [this](QPointF around, double room, const viz::SpatialGrid::Accept& accept) {
        constexpr double kFirstPx = 16;
        constexpr double kWiden = 4;
        for (double radius = kFirstPx;; radius *= kWiden)
            if (const auto found = m_grid->nearest(around, radius / m_view.scale(), accept); found || !(radius < room))
                return found;
    };
    if (!from)
    {
        const QPointF centre = QRectF(rect()).center();
        const QRectF both = all.united(QRectF(rect()));
        return nearest(m_view.dataFromScreen(centre), std::hypot(both.width(), both.height()), reachable);
    }
    const QPointF start = placeOf(*from);
    // In the quarter of the plane that the arrow points to.
    const auto ahead = [&](std::int64_t point) {
        if (point == *from || !reachable(point))
            return false;
        const QPointF way = placeOf(point) - start;
        const double along = QPointF::dotProduct(way, direction);
        const double aside = std::abs(way.x() * direction.y() - way.y() * direction.x());
        return along >= kLeastStepPx && aside <= along;
    };
    const QPointF end = direction.x() + direction.y() > 0 ? all.bottomRight() : all.topLeft();
    const double room = QPointF::dotProduct(end - start, direction);
    return nearest(QPointF(xy(*from, 0), xy(*from, 1)), 2 * room, ahead); // the corner of the quarter
}

void ScatterWidget::step(QPointF direction)
{
    if (m_map == nullptr || m_view.scale() <= 0 || !m_extent.bounds || !gridReady())
        return;
    std::optional<std::int64_t> from = m_hoveredPoint ? m_hoveredPoint : m_focusPoint;
    const MatrixF& xy = m_map->xy;
    if (from && (m_filtered[static_cast<std::size_t>(*from)] != viz::PointState::Shown ||
                 !isLit(m_map->points->head[static_cast<std::size_t>(*from)]) || !std::isfinite(xy(*from, 0)) ||
                 !std::isfinite(xy(*from, 1))))
        from.reset();
    const auto next = pointToward(from, direction);
    if (!next)
        return;
    const auto place = [&] { return m_view.screenFromData(QPointF(xy(*next, 0), xy(*next, 1))); };
    const QRectF inside = QRectF(rect()).adjusted(kEdgePx, kEdgePx, -kEdgePx, -kEdgePx);
    if (!inside.contains(place()))
    {
        userMovedView();
        applyView(viz::ViewTransform(QPointF(xy(*next, 0), xy(*next, 1)), m_view.scale(), m_view.viewSize()));
        m_settle.start();
    }
    m_byKeys = true;
    standOn(next);
    if (m_cardSource)
        m_card->showAt(cardOf(*next), place().toPoint());
    describe();
}

QString ScatterWidget::pointText() const
{
    if (!m_hoveredPoint || !m_byKeys || m_map == nullptr)
        return {};
    const auto at = static_cast<std::size_t>(*m_hoveredPoint);
    const QString text =
        m_cardSource ? spokenText(cardOf(*m_hoveredPoint)) : unitText(m_map->stage, HeadIndex(m_map->points->head[at]));
    const auto document = static_cast<std::size_t>(m_map->points->document[at]);
    const bool chosen =
        document < m_chosen.size() && m_chosen[document] != 0 &&
        (m_chosenPoints == nullptr || m_chosenPoints->contains(m_map->points->document[at], m_map->points->head[at]));
    return chosen ? tr("%1, chosen").arg(text) : text;
}

void ScatterWidget::escape()
{
    m_gesture.cancel();
    if (std::exchange(m_drag, Drag::None) != Drag::None)
        return update();
    if (m_byKeys && m_hoveredPoint)
        return leavePoint();
    Q_EMIT choiceCleared();
}

bool ScatterWidget::viewKey(int key, Qt::KeyboardModifiers keys)
{
    const auto zoom = [this](double factor) {
        userMovedView();
        applyView(m_view.zoomedAt(QRectF(rect()).center(), factor));
        m_settle.start();
    };
    if (const auto direction = directionOf(key))
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
            userMovedView();
            applyView(m_view.panned(-kKeyPanShare * QPointF(direction->x() * width(), direction->y() * height())));
            m_settle.start();
        }
        else
        {
            step(*direction);
        }
        return true;
    }
    switch (key)
    {
    case Qt::Key_Plus:
    case Qt::Key_Equal:
        zoom(kKeyZoom);
        return true;
    case Qt::Key_Minus:
        zoom(1 / kKeyZoom);
        return true;
    case Qt::Key_Home:
    case Qt::Key_0:
        fit();
        return true;
    case Qt::Key_F:
        fitChosen();
        return true;
    default:
        return false;
    }
}

void ScatterWidget::keyPressEvent(QKeyEvent* event)
{
    if (event->modifiers().testFlag(Qt::ControlModifier))
        return QWidget::keyPressEvent(event); // the window's
    if (viewKey(event->key(), event->modifiers()))
        return;
    switch (event->key())
    {
    case Qt::Key_Return:
    case Qt::Key_Enter:
        if (m_hoveredPoint)
            return clickPoint(*m_hoveredPoint);
        break;
    case Qt::Key_Space:
        if (m_hoveredPoint)
            return pickPoint(*m_hoveredPoint);
        break;
    case Qt::Key_V:
        return setTool(Tool::Pan);
    case Qt::Key_Z:
        return setTool(Tool::BoxZoom);
    case Qt::Key_R:
        return setTool(Tool::Rectangle);
    case Qt::Key_L:
        return setTool(Tool::Lasso);
    case Qt::Key_B:
        return setTool(Tool::Brush);
    case Qt::Key_P:
        return setPicks(m_picks == Picks::Points ? Picks::Documents : Picks::Points);
    case Qt::Key_Escape:
        return escape();
    default:
        break;
    }
    QWidget::keyPressEvent(event);
}

void ScatterWidget::focusOutEvent(QFocusEvent* event)
{
    if (m_byKeys)
        leavePoint();
    QWidget::focusOutEvent(event);
}

} // namespace headscope::ui
