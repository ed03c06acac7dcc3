// SPDX-License-Identifier: GPL-3.0-or-later
// Mouse, wheel, keys and gestures of the grid.
#include "app/views/grid/map_grid.h"

#include "ui/words/wording.h"
#include "viz/export/noise_floor_text.h"

#include <QKeyEvent>
#include <QMouseEvent>
#include <QToolTip>
#include <QWheelEvent>

#include <cmath>
#include <utility>

namespace headscope::ui
{
namespace
{

constexpr double kPickRadiusPx = 6;

/// What a cell shares with the others and with its noise twins; each on a line.
QString floorTip(const MapOfSet& each)
{
    const NoiseFloor& floor = *each.map.floor;
    const auto neighbors = static_cast<int>(floor.mean.neighbors);
    QString text = MapGrid::tr("\nother cells: the maps of other heads and segments preserve %2 of a document’s %1 "
                               "nearest neighbours on average (r %3)")
                       .arg(neighbors)
                       .arg(percentText(each.others->kept), numberText(each.others->correlation));
    text += u'\n' + viz::floorSentence(each.map, floor);
    if (const auto verdict = each.verdict())
        text += u'\n' + viz::findingWords(verdict->finding, verdict->correlation);
    return text;
}

} // namespace

std::optional<MapGrid::Place> MapGrid::pointAt(QPointF place)
{
    const auto cell = m_layout.cellAt(place);
    if (!cell || !m_layout.plot(*cell).contains(place))
        return std::nullopt;
    const viz::ViewTransform& view = m_views.view(*cell);
    if (view.viewSize().isEmpty() || view.scale() <= 0)
        return std::nullopt;
    const std::size_t map = m_contents.cells[*cell].map;
    if (m_finderSet != set())
    {
        m_finders.clear();
        m_finderSet = set();
        m_finders.resize(m_finderSet->maps.size());
    }
    viz::SpatialGrid& finder = m_finders[map];
    if (finder.count() == 0)
        finder = viz::SpatialGrid(m_finderSet->maps[map].map.xy.values());
    const viz::ScatterData shown = m_points.data(map);
    const auto point = finder.nearest(
        view.dataFromScreen(place - m_layout.plot(*cell).topLeft()), kPickRadiusPx / view.scale(),
        [&shown](std::int64_t candidate) {
            return shown.states.empty() || shown.states[static_cast<std::size_t>(candidate)] == viz::PointState::Shown;
        });
    if (!point)
        return std::nullopt;
    return Place{*cell, *point};
}

void MapGrid::hoverAt(QPointF place)
{
    const auto cell = m_layout.cellAt(place);
    if (std::exchange(m_hoveredCell, cell) != cell)
        update();
    const auto found = set() == nullptr ? std::nullopt : pointAt(place);
    std::optional<DocumentIndex> document;
    if (found)
        document = m_points.documentOf(m_contents.cells[found->cell].map, found->point);
    if (document != m_hovered)
    {
        m_hovered = document;
        update();
        Q_EMIT documentHovered(document);
    }
    if (found && m_cardSource)
        m_card->showAt(m_cardSource(set()->maps[m_contents.cells[found->cell].map].map, found->point), place.toPoint());
    else
        m_card->hide();
    setCursor(cell ? Qt::PointingHandCursor : Qt::ArrowCursor);
}

std::optional<viz::ItemHead> MapGrid::headOf(std::size_t cell) const
{
    const viz::GridCell& own = m_contents.cells[cell];
    const HeadMap& map = set()->maps[own.map].map;
    const auto& heads = map.points->head;
    if (!own.edge || heads.empty() || map.stage != Stage::HeadOutput)
        return std::nullopt;
    return viz::ItemHead{map.layer, HeadIndex(heads.front())};
}

std::optional<viz::ItemHead> MapGrid::headMeant() const
{
    const auto cell = m_hoveredCell ? m_hoveredCell : m_current;
    return cell && set() != nullptr && *cell < m_contents.cells.size() ? headOf(*cell) : std::nullopt;
}

void MapGrid::clickAt(QPointF place, Qt::KeyboardModifiers modifiers)
{
    const auto cell = m_layout.cellAt(place);
    if (!cell)
        return;
    setCurrentCell(*cell);
    if (const auto found = pointAt(place))
    {
        const std::size_t map = m_contents.cells[*cell].map;
        const auto& heads = set()->maps[map].map.points->head;
        std::optional<HeadIndex> head;
        if (m_contents.cells[*cell].edge && !heads.empty()) // the full vector is of no head
            head = HeadIndex(heads[static_cast<std::size_t>(found->point)]);
        Q_EMIT documentClicked(m_points.documentOf(map, found->point), head);
    }
    if (!modifiers.testFlag(Qt::ShiftModifier))
        Q_EMIT cellOpened(*cell);
}

void MapGrid::wheelEvent(QWheelEvent* event)
{
    const auto zoom = zoomOf(*event);
    const auto cell = m_layout.cellAt(event->position());
    if (!zoom || !cell || event->modifiers().testFlag(Qt::ShiftModifier))
        return event->ignore(); // scrolls the page
    const QPointF inside = event->position() - m_layout.plot(*cell).topLeft();
    changeView(*cell, view(*cell).zoomedAt(inside, *zoom));
    event->accept();
}

void MapGrid::mousePressEvent(QMouseEvent* event)
{
    if (event->button() != Qt::LeftButton && event->button() != Qt::MiddleButton)
        return QWidget::mousePressEvent(event);
    m_drag.begin(event->position(), PointerDrag::Kind::Pressed);
    m_pressCell = m_layout.cellAt(m_drag.press);
}

void MapGrid::mouseMoveEvent(QMouseEvent* event)
{
    const QPointF place = event->position();
    if (event->buttons() == Qt::NoButton)
        return hoverAt(place);
    if (!m_pressCell)
        return;
    if (m_drag.starts(place))
    {
        m_drag.kind = PointerDrag::Kind::Pan;
        setCursor(Qt::ClosedHandCursor);
    }
    if (m_drag.kind == PointerDrag::Kind::Pan)
        changeView(*m_pressCell, view(*m_pressCell).panned(place - m_drag.last));
    m_drag.last = place;
}

void MapGrid::mouseReleaseEvent(QMouseEvent* event)
{
    const auto cell = std::exchange(m_pressCell, std::nullopt);
    const bool dragged = m_drag.end() == PointerDrag::Kind::Pan;
    setCursor(Qt::ArrowCursor);
    if (cell && !dragged && event->button() == Qt::LeftButton)
        clickAt(event->position(), event->modifiers());
}

void MapGrid::mouseDoubleClickEvent(QMouseEvent* event)
{
    m_pressCell.reset();
    // In a cell the first click has opened it.
    if (event->button() == Qt::LeftButton && !m_layout.cellAt(event->position()))
        fit();
}

void MapGrid::leaveEvent(QEvent* event)
{
    m_card->hide();
    if (std::exchange(m_hoveredCell, std::nullopt))
        update();
    if (m_hovered)
    {
        m_hovered.reset();
        update();
        Q_EMIT documentHovered({});
    }
    QWidget::leaveEvent(event);
}

void MapGrid::moveTo(int dx, int dy)
{
    if (m_current)
        if (const auto next = m_layout.neighbor(*m_current, dx, dy))
            setCurrentCell(*next);
}

void MapGrid::zoomCurrent(double factor)
{
    if (m_current)
        changeView(*m_current, view(*m_current).zoomedAt(QRectF(QPointF(), m_layout.plotSize()).center(), factor));
}

void MapGrid::keyPressEvent(QKeyEvent* event)
{
    if (event->modifiers() & (Qt::ControlModifier | Qt::AltModifier))
        return QWidget::keyPressEvent(event); // the window's
    switch (event->key())
    {
    case Qt::Key_Left:
        return moveTo(-1, 0);
    case Qt::Key_Right:
        return moveTo(1, 0);
    case Qt::Key_Up:
        return moveTo(0, -1);
    case Qt::Key_Down:
        return moveTo(0, 1);
    case Qt::Key_Return:
    case Qt::Key_Enter:
        if (m_current)
            Q_EMIT cellOpened(*m_current);
        return;
    case Qt::Key_Plus:
    case Qt::Key_Equal:
        return zoomCurrent(kKeyZoom);
    case Qt::Key_Minus:
        return zoomCurrent(1 / kKeyZoom);
    case Qt::Key_0:
    case Qt::Key_Home:
        return fit();
    case Qt::Key_Escape:
        return Q_EMIT choiceCleared();
    default:
        QWidget::keyPressEvent(event);
    }
}

void MapGrid::focusInEvent(QFocusEvent* event)
{
    QWidget::focusInEvent(event);
    update();
}

void MapGrid::focusOutEvent(QFocusEvent* event)
{
    QWidget::focusOutEvent(event);
    update();
}

bool MapGrid::event(QEvent* event)
{
    if (const auto pinch = pinchOf(*event))
    {
        if (const auto cell = m_layout.cellAt(pinch->place))
        {
            const QPointF inside = pinch->place - m_layout.plot(*cell).topLeft();
            changeView(*cell, view(*cell).zoomedAt(inside, pinch->factor));
            return true;
        }
    }
    if (event->type() == QEvent::ToolTip)
    {
        const auto* help = static_cast<QHelpEvent*>(event);
        const auto cell = m_layout.cellAt(QPointF(help->pos()));
        const bool onCaption = cell && !m_layout.plot(*cell).contains(QPointF(help->pos()));
        QString text;
        if (onCaption)
        {
            const MapOfSet& each = set()->maps[m_contents.cells[*cell].map];
            text = viz::mapTitle(each.map);
            if (each.map.iteration > 0)
                text += tr("\nr = %1: Procrustes correlation with the mean of all maps, including this one. Unrelated "
                           "maps reach about %2.")
                            .arg(numberText(each.correlation),
                                 numberText(1 / std::sqrt(static_cast<double>(set()->maps.size()))));
            if (each.map.trust)
                text += tr("\nproportion of the 10 nearest neighbours preserved: %1")
                            .arg(numberText(each.map.trust->knn10));
            if (each.map.floor && each.others)
                text += floorTip(each);
        }
        QToolTip::showText(help->globalPos(), text, this);
        return true;
    }
    return QWidget::event(event);
}

} // namespace headscope::ui
