// SPDX-License-Identifier: GPL-3.0-or-later
// Mouse, wheel, keys and gestures of the map.
#include "ui/plots/scatter_widget.h"

#include "ui/theme/theme.h"

#include <QKeyEvent>
#include <QMouseEvent>
#include <QNativeGestureEvent>
#include <QToolTip>
#include <QWheelEvent>

#include <algorithm>
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

SetOperation operationOf(Qt::KeyboardModifiers keys)
{
    if (keys.testFlag(Qt::ShiftModifier))
        return SetOperation::Add;
    if (keys.testFlag(Qt::ControlModifier))
        return SetOperation::Remove;
    return keys.testFlag(Qt::AltModifier) ? SetOperation::Intersect : SetOperation::Replace;
}

} // namespace

void ScatterWidget::buildGrid()
{
    if (m_gridMap == m_map)
        return;
    m_grid = viz::SpatialGrid(m_map->xy.values());
    m_gridMap = m_map;
}

void ScatterWidget::refreshCursor()
{
    setCursor(m_tool == Tool::Pan ? Qt::ArrowCursor : Qt::CrossCursor);
}

std::optional<std::int64_t> ScatterWidget::pointAt(QPointF place)
{
    if (m_map == nullptr || m_view.scale() <= 0)
        return std::nullopt;
    buildGrid();
    return m_grid.nearest(m_view.dataFromScreen(place), kPickRadiusPx / m_view.scale(), [this](std::int64_t point) {
        return m_states[static_cast<std::size_t>(point)] == viz::PointState::Shown;
    });
}

void ScatterWidget::hoverAt(QPointF place)
{
    const bool overLegend = m_legendShown && legendRect().contains(place);
    const auto point = overLegend ? std::nullopt : pointAt(place);
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
        m_card->showAt(m_cardSource(*point), place.toPoint());
    else
        m_card->hide();
    const bool overLegendItem = overLegend && m_legend.hit(place - legendRect().topLeft()).has_value();
    if (point || overLegendItem)
        setCursor(Qt::PointingHandCursor);
    else if (overLegend)
        setCursor(Qt::ArrowCursor);
    else
        refreshCursor();
}

void ScatterWidget::endGesture(Qt::KeyboardModifiers keys)
{
    if (m_map == nullptr)
        return m_gesture.cancel();
    buildGrid();
    const PointIds& ids = *m_map->points;
    // A dot that the legend or the head picker took away cannot be picked; one that is only pale
    // because its document is not chosen can.
    std::vector<std::int64_t> documents;
    for (const std::int64_t point : m_gesture.points(m_grid, m_view))
        if (m_filtered[static_cast<std::size_t>(point)] == viz::PointState::Shown)
            documents.push_back(ids.document[static_cast<std::size_t>(point)]);
    m_gesture.cancel();
    update();
    std::ranges::sort(documents);
    documents.erase(std::unique(documents.begin(), documents.end()), documents.end());
    Q_EMIT documentsPicked(documents, operationOf(keys));
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
    const bool onLegend = m_legendShown && legendRect().contains(m_press);
    if (!middle && picksPoints() && m_map != nullptr && !onLegend)
        m_gesture.begin(shapeOf(m_tool), m_press);
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
    if (m_legendShown && legendRect().contains(place))
    {
        if (const auto hit = m_legend.hit(place - legendRect().topLeft()))
            clickLegend(*hit);
        return;
    }
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

void ScatterWidget::clickLegend(const viz::LegendHit& hit)
{
    if (hit.kind == viz::LegendHit::Kind::Category)
    {
        if (m_isolated == hit.index)
            m_isolated.reset();
        else
            m_isolated = hit.index;
        refreshStates();
        dropPicture();
        return;
    }
    std::vector<std::int64_t> heads;
    if (hit.kind == viz::LegendHit::Kind::Head)
        heads = {hit.index};
    const viz::HeadLegend* rows = std::get_if<viz::HeadLegend>(&m_coloring.legend.content);
    if (const auto* strength = std::get_if<viz::StrengthLegend>(&m_coloring.legend.content))
        rows = &strength->heads;
    if (hit.kind == viz::LegendHit::Kind::Group && rows != nullptr)
        for (const viz::HeadLegendRow& row : rows->rows)
            if (row.group == hit.index)
                heads.insert(heads.end(), row.heads.begin(), row.heads.end());
    Q_EMIT headsClicked(heads);
}

void ScatterWidget::mouseDoubleClickEvent(QMouseEvent* event)
{
    if (event->button() == Qt::LeftButton && !(m_legendShown && legendRect().contains(event->position())))
    {
        m_drag = Drag::None;
        m_gesture.cancel();
        fit();
    }
}

void ScatterWidget::leaveEvent(QEvent* event)
{
    m_card->hide();
    if (m_hoveredPoint)
    {
        m_hoveredPoint.reset();
        refreshMarks();
        Q_EMIT documentHovered({});
    }
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
    if (event->type() == QEvent::ToolTip)
    {
        const auto* help = static_cast<QHelpEvent*>(event);
        const QRectF legend = legendRect();
        const QString name = m_legendShown && legend.contains(help->pos())
                                 ? m_legend.elidedNameAt(help->pos() - legend.topLeft())
                                 : QString();
        QToolTip::showText(help->globalPos(), name, this);
        return true;
    }
    return QWidget::event(event);
}

} // namespace headscope::ui
