// SPDX-License-Identifier: GPL-3.0-or-later
// Mouse, wheel, keys and gestures of the map.
#include "ui/plots/minimap.h"
#include "ui/plots/scatter_widget.h"
#include "ui/selection_hub.h"
#include "ui/theme/theme.h"

#include <QKeyEvent>
#include <QMouseEvent>
#include <QNativeGestureEvent>
#include <QWheelEvent>

#include <cmath>
#include <utility>

namespace headscope::ui
{
namespace
{

constexpr double kPickRadiusPx = 8;
constexpr int kClickSlackPx = 3;
constexpr double kKeyPanShare = 0.1;
constexpr double kKeyZoom = 1.25;
/// One notch of a wheel (120 units) zooms by about a fifth.
constexpr double kZoomPerWheelUnit = 1.0016;

SelectionGesture::Shape shapeOf(ScatterWidget::Tool tool)
{
    if (tool == ScatterWidget::Tool::Rectangle)
        return SelectionGesture::Shape::Rectangle;
    return tool == ScatterWidget::Tool::Lasso ? SelectionGesture::Shape::Lasso : SelectionGesture::Shape::Brush;
}

/// The documents with dots in a gesture, ascending.
std::vector<std::int64_t> documentsIn(const SelectionGesture& gesture, const viz::SpatialGrid& grid,
                                      const viz::ViewTransform& view, const PointIds& ids,
                                      std::span<const viz::PointState> filtered)
{
    // A dot that the legend or the head picker took away cannot be picked; one that is only pale
    // because its document is not chosen can.
    std::vector<char> picked;
    for (const std::int64_t point : gesture.points(grid, view))
    {
        const auto document = static_cast<std::size_t>(ids.document[static_cast<std::size_t>(point)]);
        if (filtered[static_cast<std::size_t>(point)] != viz::PointState::Shown)
            continue;
        if (document >= picked.size())
            picked.resize(document + 1, 0);
        picked[document] = 1;
    }
    std::vector<std::int64_t> documents;
    for (std::size_t document = 0; document < picked.size(); ++document)
        if (picked[document] != 0)
            documents.push_back(static_cast<std::int64_t>(document));
    return documents;
}

} // namespace

void ScatterWidget::buildGrid()
{
    if (m_gridMap == m_map)
        return;
    m_gridRunner.cancel();
    m_grid = std::make_shared<const viz::SpatialGrid>(m_map->xy.values());
    m_gridMap = m_map;
}

bool ScatterWidget::gridReady()
{
    if (m_gridMap == m_map)
        return true;
    if (!isLarge())
    {
        buildGrid();
        return true;
    }
    if (m_gridRunner.running() && m_gridWanted == m_map)
        return false;
    m_gridWanted = m_map;
    using Grid = std::shared_ptr<const viz::SpatialGrid>;
    m_gridRunner.start<Grid>(
        [map = m_map](JobContext&) -> Result<Grid> {
            return std::make_shared<const viz::SpatialGrid>(map->xy.values());
        },
        [this, map = m_map](Result<Grid> grid) {
            if (!grid || map != m_map)
                return;
            m_grid = std::move(*grid);
            m_gridMap = map;
        });
    return false;
}

void ScatterWidget::refreshCursor()
{
    setCursor(m_tool == Tool::Pan ? Qt::ArrowCursor : Qt::CrossCursor);
}

std::optional<std::int64_t> ScatterWidget::pointAt(QPointF place)
{
    if (m_map == nullptr || m_view.scale() <= 0 || !gridReady())
        return std::nullopt;
    return m_grid->nearest(m_view.dataFromScreen(place), kPickRadiusPx / m_view.scale(), [this](std::int64_t point) {
        return m_states[static_cast<std::size_t>(point)] == viz::PointState::Shown;
    });
}

void ScatterWidget::hoverAt(QPointF place)
{
    const auto point = pointAt(place);
    if (point != m_hoveredPoint)
    {
        m_hoveredPoint = point;
        m_hoveredDocument.reset();
        refreshMarks();
        std::optional<std::int64_t> document;
        if (point)
            document = m_map->points->document[static_cast<std::size_t>(*point)];
        Q_EMIT documentHovered(document);
    }
    if (point && m_cardSource)
        m_card->showAt(cardOf(*point), place.toPoint());
    else
        m_card->hide();
    if (point)
        setCursor(Qt::PointingHandCursor);
    else
        refreshCursor();
}

HoverContent ScatterWidget::cardOf(std::int64_t point) const
{
    HoverContent content = m_cardSource(point);
    if (m_valueSource && content.value.isEmpty())
        content.value = m_valueSource(point);
    if (m_hitSource && content.hits.empty())
        content.hits = m_hitSource(content.text);
    return content;
}

void ScatterWidget::leavePoint()
{
    m_card->hide();
    if (!std::exchange(m_hoveredPoint, {}))
        return;
    refreshMarks();
    Q_EMIT documentHovered({});
}

bool ScatterWidget::eventFilter(QObject* watched, QEvent* event)
{
    if (event->type() == QEvent::Enter)
        leavePoint();
    return QWidget::eventFilter(watched, event);
}

void ScatterWidget::endGesture(Qt::KeyboardModifiers keys)
{
    if (m_map == nullptr)
        return m_gesture.cancel();
    const SetOperation operation = pickOperation(keys);
    if (!isLarge())
    {
        buildGrid();
        const auto documents = documentsIn(m_gesture, *m_grid, m_view, *m_map->points, m_filtered);
        m_gesture.cancel();
        update();
        return Q_EMIT documentsPicked(documents, operation);
    }
    using Grid = std::shared_ptr<const viz::SpatialGrid>;
    struct Picked
    {
        Grid grid;
        std::vector<std::int64_t> documents;
    };
    m_gridRunner.cancel(); // it would do the same work again
    m_pickRunner.start<Picked>(
        [grid = m_gridMap == m_map ? m_grid : Grid(), map = m_map, gesture = m_gesture, view = m_view,
         filtered = m_filtered](JobContext&) -> Result<Picked> {
            Picked picked{grid ? grid : std::make_shared<const viz::SpatialGrid>(map->xy.values()), {}};
            picked.documents = documentsIn(gesture, *picked.grid, view, *map->points, filtered);
            return picked;
        },
        [this, map = m_map, operation](Result<Picked> picked) {
            if (!picked || m_map == nullptr || m_map->points != map->points)
                return;
            if (map == m_map)
            {
                m_grid = std::move(picked->grid);
                m_gridMap = map;
            }
            Q_EMIT documentsPicked(picked->documents, operation);
        });
    m_gesture.cancel();
    update();
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
    if (!middle && picksPoints() && m_map != nullptr)
    {
        m_gesture.begin(shapeOf(m_tool), m_press);
        static_cast<void>(gridReady()); // large ones are on their way until the gesture ends
    }
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
    {
        const auto index = static_cast<std::size_t>(*point);
        Q_EMIT documentClicked(m_map->points->document[index], m_map->points->head[index]);
    }
    else
    {
        Q_EMIT backgroundClicked();
    }
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

void ScatterWidget::keyPressEvent(QKeyEvent* event)
{
    const auto pan = [this](double x, double y) {
        userMovedView();
        applyView(m_view.panned(QPointF(x * width(), y * height())));
        m_settle.start();
    };
    const auto zoom = [this](double factor) {
        userMovedView();
        applyView(m_view.zoomedAt(QRectF(rect()).center(), factor));
        m_settle.start();
    };
    const bool alt = event->modifiers().testFlag(Qt::AltModifier);
    if (event->modifiers().testFlag(Qt::ControlModifier))
        return QWidget::keyPressEvent(event); // the window's
    switch (event->key())
    {
    case Qt::Key_Left:
        return alt ? back() : pan(kKeyPanShare, 0);
    case Qt::Key_Right:
        return alt ? forward() : pan(-kKeyPanShare, 0);
    case Qt::Key_Up:
        return pan(0, kKeyPanShare);
    case Qt::Key_Down:
        return pan(0, -kKeyPanShare);
    case Qt::Key_Plus:
    case Qt::Key_Equal:
        return zoom(kKeyZoom);
    case Qt::Key_Minus:
        return zoom(1 / kKeyZoom);
    case Qt::Key_Home:
    case Qt::Key_0:
        return fit();
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
    case Qt::Key_F:
        return fitChosen();
    case Qt::Key_Escape:
        m_gesture.cancel();
        if (std::exchange(m_drag, Drag::None) != Drag::None)
            return update();
        return Q_EMIT choiceCleared();
    default:
        QWidget::keyPressEvent(event);
    }
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
