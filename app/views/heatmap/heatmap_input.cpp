// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/views/heatmap/heatmap_input.h"

#include "app/views/heatmap/heatmap_widget.h"
#include "ui/canvas/canvas_summary.h"
#include "ui/state/selection_hub.h"
#include "ui/words/translate.h"
#include "ui/words/wording.h"

#include <QApplication>
#include <QContextMenuEvent>
#include <QHelpEvent>
#include <QKeyEvent>
#include <QMenu>
#include <QMouseEvent>
#include <QToolTip>
#include <QWheelEvent>

#include <algorithm>
#include <cmath>

namespace headscope::ui
{
namespace
{

/// One notch of a wheel, and one press of + or -.
constexpr double kZoomStep = 1.25;
constexpr int kNotch = 120;

} // namespace

void HeatmapInput::hover(std::optional<HeatmapPlace> place, QPoint at)
{
    if (place != m_marks.hover)
    {
        m_marks.hover = place;
        m_marks.hoveredDocument.reset();
        m_widget.setCursor(place ? Qt::CrossCursor : Qt::ArrowCursor);
        m_widget.update();
        std::optional<DocumentIndex> document;
        std::optional<HeadIndex> head;
        std::optional<double> value;
        if (place)
        {
            document = m_stack.documentAt(*place);
            if (place->cell.row > 0)
                head = HeadIndex(place->cell.row - 1);
            value = static_cast<double>(m_stack.heatmap(place->heatmap).values(place->cell.row, place->cell.column));
            if (!std::isfinite(*value))
                value.reset();
        }
        Q_EMIT m_widget.documentHovered(document);
        Q_EMIT m_widget.headHovered(head);
        Q_EMIT m_widget.valueHovered(value);
    }
    m_widget.showCard(place, at);
}

void HeatmapInput::letGo()
{
    m_press.reset();
    m_marks.band.reset();
}

void HeatmapInput::hoverAround(QPointF place)
{
    if (m_stack.empty())
        return;
    const viz::HeatmapLayout& layout = m_stack.layout(m_stack.panelAt(place.y()));
    const auto row = layout.rowNameAt(place);
    const bool link = row || !layout.groupNameAt(place).empty() || layout.letterAt(place) || layout.titleAt(place);
    m_widget.setCursor(link ? Qt::PointingHandCursor : Qt::ArrowCursor);
    const std::optional<HeadIndex> head = row && *row > 0 ? std::optional(HeadIndex(*row - 1)) : std::nullopt;
    if (head != m_marks.hoveredHead)
    {
        m_marks.hoveredHead = head;
        m_widget.update();
        Q_EMIT m_widget.headHovered(head);
    }
}

void HeatmapInput::move(const QMouseEvent& event)
{
    const QPointF at = event.position();
    if (m_press && (event.buttons() & (Qt::LeftButton | Qt::MiddleButton)) != 0)
        return drag(event);
    const auto place = m_stack.placeAt(at);
    hover(place, event.pos());
    if (!place)
        hoverAround(at);
}

void HeatmapInput::drag(const QMouseEvent& event)
{
    const QPointF at = event.position();
    const bool far = (at - *m_press).manhattanLength() >= QApplication::startDragDistance();
    if (!m_dragged && !far)
        return;
    m_dragged = true;
    const viz::HeatmapWindow& window = m_stack.window();
    const bool moves = window.zoom > 1 || window.rowZoom > 1 || event.buttons().testFlag(Qt::MiddleButton);
    if (!m_marks.band && moves)
    {
        hover({}, {});
        m_widget.setCursor(Qt::ClosedHandCursor);
        m_widget.setWindow(m_stack.layout(0).movedBy(at.x() - m_press->x(), at.y() - m_press->y()));
        m_press = at;
        return;
    }
    m_marks.band = {m_press->x(), at.x()};
    hover({}, {});
    m_widget.update();
}

bool HeatmapInput::press(const QMouseEvent& event)
{
    if (m_stack.empty() || (event.button() != Qt::LeftButton && event.button() != Qt::MiddleButton))
        return false;
    m_press = event.position();
    m_dragged = false;
    m_marks.band.reset();
    return true;
}

bool HeatmapInput::release(const QMouseEvent& event)
{
    if (!m_press)
        return false;
    const bool band = m_marks.band.has_value();
    if (band)
        if (const auto window = m_stack.windowOfBand(m_press->x(), event.position().x()))
            m_widget.setWindow(*window);
    const bool clicked = !m_dragged && event.button() == Qt::LeftButton;
    letGo();
    m_widget.update();
    if (clicked)
        click(event.position(), event.modifiers());
    else if (const auto place = m_stack.placeAt(event.position()); place && !band)
        m_widget.setCursor(Qt::CrossCursor);
    return true;
}

void HeatmapInput::click(QPointF at, Qt::KeyboardModifiers keys)
{
    if (const auto place = m_stack.placeAt(at))
        return clickCell(*place, keys);
    const std::size_t panel = m_stack.panelAt(at.y());
    const viz::HeatmapLayout& layout = m_stack.layout(panel);
    if (const auto topic = layout.letterAt(at))
        return Q_EMIT m_widget.documentsPicked(m_stack.documentsOf(*topic), pickOperation(keys));
    if (layout.titleAt(at))
        return Q_EMIT m_widget.stageClicked(m_stack.heatmap(panel).stage);
    if (const auto row = layout.rowNameAt(at))
    {
        if (*row > 0)
            Q_EMIT m_widget.headsClicked({*row - 1});
        return;
    }
    if (const auto heads = layout.groupNameAt(at); !heads.empty())
        Q_EMIT m_widget.headsClicked(heads);
}

void HeatmapInput::clickCell(const HeatmapPlace& place, Qt::KeyboardModifiers keys)
{
    const DocumentIndex document = m_stack.documentAt(place);
    if (pickOperation(keys) != SetOperation::Replace)
        return Q_EMIT m_widget.documentsPicked({document.value()}, pickOperation(keys));
    std::optional<HeadIndex> head;
    if (place.cell.row > 0)
        head = HeadIndex(place.cell.row - 1);
    Q_EMIT m_widget.documentClicked(document, head);
}

bool HeatmapInput::doubleClick(const QMouseEvent& event)
{
    if (m_stack.empty() || event.button() != Qt::LeftButton)
        return false;
    const QPointF at = event.position();
    if (const auto topic = m_stack.layout(m_stack.panelAt(at.y())).letterAt(at))
        m_widget.zoomToTopic(*topic);
    else
        m_widget.showAll();
    return true;
}

bool HeatmapInput::turn(QWheelEvent& event)
{
    if (m_stack.empty())
        return false;
    const QPointF at = event.position();
    const Qt::KeyboardModifiers keys = event.modifiers();
    // Alt turns the wheel's direction on some desktops.
    const QPoint turned = event.angleDelta();
    const double notches = static_cast<double>(turned.y()) / kNotch;
    const viz::HeatmapLayout& layout = m_stack.layout(m_stack.panelAt(at.y()));
    if (turned.x() != 0 && std::abs(turned.x()) > std::abs(turned.y()))
        m_widget.setWindow(layout.movedBy(0.5 * turned.x(), 0));
    else if (keys.testFlag(Qt::ControlModifier))
        m_widget.setWindow(layout.rowsZoomedAt(at.y(), std::pow(kZoomStep, notches)));
    else if (keys.testFlag(Qt::ShiftModifier))
        m_widget.setWindow(layout.movedBy(60 * notches, 0));
    else
        m_widget.setWindow(layout.zoomedAt(at.x(), std::pow(kZoomStep, notches)));
    hover(m_stack.placeAt(at), at.toPoint());
    event.accept();
    return true;
}

void HeatmapInput::moveCrosshair(std::int64_t columns, std::int64_t rows)
{
    HeatmapPlace place;
    if (m_marks.hover)
        place = m_stack.moved(*m_marks.hover, columns, rows);
    else
        place.cell.column = m_stack.layout(0).visibleColumns().first;
    if (const auto window = m_stack.windowShowing(place))
        m_widget.setWindow(*window);
    hover(place, m_stack.layout(place.heatmap).cellRect(place.cell).center().toPoint());
    noteCanvasChanged(&m_widget);
}

bool HeatmapInput::moveKey(int key)
{
    const viz::HeatmapLayout& first = m_stack.layout(0);
    switch (key)
    {
    case Qt::Key_Left:
        moveCrosshair(-1, 0);
        return true;
    case Qt::Key_Right:
        moveCrosshair(1, 0);
        return true;
    case Qt::Key_Up:
        moveCrosshair(0, -1);
        return true;
    case Qt::Key_Down:
        moveCrosshair(0, 1);
        return true;
    case Qt::Key_PageUp:
        m_widget.setWindow(first.movedBy(0.9 * first.plot().width(), 0));
        return true;
    case Qt::Key_PageDown:
        m_widget.setWindow(first.movedBy(-0.9 * first.plot().width(), 0));
        return true;
    case Qt::Key_Home:
        m_widget.showAll();
        return true;
    default:
        return false;
    }
}

void HeatmapInput::zoom(double factor, bool rows)
{
    const auto& at = m_marks.hover;
    const viz::HeatmapLayout& layout = m_stack.layout(at ? at->heatmap : 0);
    const QPointF around = at ? layout.cellRect(at->cell).center() : layout.plot().center();
    m_widget.setWindow(rows ? layout.rowsZoomedAt(around.y(), factor) : layout.zoomedAt(around.x(), factor));
}

bool HeatmapInput::key(const QKeyEvent& event)
{
    if (m_stack.empty() || moveKey(event.key()))
        return true;
    const bool rows = event.modifiers().testFlag(Qt::ControlModifier);
    switch (event.key())
    {
    case Qt::Key_Plus:
    case Qt::Key_Equal:
        zoom(kZoomStep, rows);
        return true;
    case Qt::Key_Minus:
        zoom(1 / kZoomStep, rows);
        return true;
    case Qt::Key_Return:
    case Qt::Key_Enter:
    case Qt::Key_Space:
        if (!m_marks.hover)
            return false;
        clickCell(*m_marks.hover, event.modifiers());
        return true;
    case Qt::Key_Escape:
        if (!m_marks.hover)
            return false;
        hover({}, {});
        return true;
    default:
        return false;
    }
}

void HeatmapInput::addRowActions(QMenu* menu, const Heatmap& heatmap, std::int64_t row)
{
    const QString name = row == 0 ? tr("the full vector") : unitText(heatmap.stage, HeadIndex(row - 1)).toLower();
    menu->addAction(tr("Sort columns by %1").arg(name), &m_widget, [this, row] {
        Q_EMIT m_widget.sortRequested(row == 0 ? ColumnOrder() : ColumnOrder::byHead(HeadIndex(row - 1)));
    });
    if (row > 0)
        menu->addAction(tr("Show only %1 on the map").arg(name), &m_widget,
                        [this, row] { Q_EMIT m_widget.headsClicked({row - 1}); });
}

void HeatmapInput::addTopicActions(QMenu* menu, const Heatmap& heatmap, std::int64_t topic)
{
    const QString name = toQString(heatmap.topicNames[static_cast<std::size_t>(topic)]);
    const auto pick = [this, topic](SetOperation operation) {
        Q_EMIT m_widget.documentsPicked(m_stack.documentsOf(topic), operation);
    };
    menu->addAction(tr("Select documents of “%1”").arg(name), &m_widget, [pick] { pick(SetOperation::Replace); });
    menu->addAction(tr("Add documents of “%1”").arg(name), &m_widget, [pick] { pick(SetOperation::Add); });
    menu->addAction(tr("Zoom to “%1”").arg(name), &m_widget, [this, topic] { m_widget.zoomToTopic(topic); });
}

void HeatmapInput::fillMenu(QMenu* menu, QPointF at)
{
    const auto place = m_stack.placeAt(at);
    const std::size_t panel = m_stack.panelAt(at.y());
    const viz::HeatmapLayout& layout = m_stack.layout(panel);
    const Heatmap& heatmap = m_stack.heatmap(panel);
    if (const auto row = place ? std::optional(place->cell.row) : layout.rowNameAt(at))
        addRowActions(menu, heatmap, *row);
    const auto topic = place ? std::optional(layout.topicOf(place->cell.column)) : layout.letterAt(at);
    if (topic && static_cast<std::size_t>(*topic) < heatmap.topicNames.size())
        addTopicActions(menu, heatmap, *topic);
    if (!menu->isEmpty())
        menu->addSeparator();
    menu->addAction(tr("Show all columns"), &m_widget, [this] { m_widget.showAll(); })
        ->setEnabled(m_stack.window().zoom > 1 || m_stack.window().rowZoom > 1);
}

void HeatmapInput::contextMenu(const QContextMenuEvent& event)
{
    if (m_stack.empty())
        return;
    QPointF at = event.pos();
    if (event.reason() == QContextMenuEvent::Keyboard && m_marks.hover)
        at = m_stack.layout(m_marks.hover->heatmap).cellRect(m_marks.hover->cell).center();
    auto* menu = new QMenu(&m_widget);
    menu->setAttribute(Qt::WA_DeleteOnClose);
    fillMenu(menu, at);
    Q_EMIT m_widget.menuMade(menu);
    m_widget.hoverCard()->hide();
    menu->popup(m_widget.mapToGlobal(at.toPoint()));
}

QString HeatmapInput::tipAt(QPointF at) const
{
    const std::size_t panel = m_stack.panelAt(at.y());
    const viz::HeatmapLayout& layout = m_stack.layout(panel);
    const Heatmap& heatmap = m_stack.heatmap(panel);
    const auto row = layout.rowNameAt(at);
    if (row && *row > 0)
        return tr("%1: click to show only this one, right-click to sort columns by this row")
            .arg(unitText(heatmap.stage, HeadIndex(*row - 1)));
    if (row)
        return tr("Full vector: %1").arg(toQString(heatmap.fullSource));
    const auto heads = layout.groupNameAt(at);
    if (heads.size() > 1)
        return tr("Click to show the heads of this group");
    if (!heads.empty())
        return tr("%1: click to show only this one").arg(unitText(heatmap.stage, HeadIndex(heads.front())));
    if (const auto topic = layout.letterAt(at))
        return tr("%1: click to select the documents, double-click to zoom to the topic")
            .arg(toQString(heatmap.topicNames[static_cast<std::size_t>(*topic)]));
    if (layout.titleAt(at))
        return tr("Click to show this stage in all views");
    return {};
}

bool HeatmapInput::toolTip(const QHelpEvent& event)
{
    if (m_stack.empty())
        return false;
    const QString text = tipAt(event.pos());
    if (text.isEmpty())
    {
        QToolTip::hideText();
        return false;
    }
    QToolTip::showText(event.globalPos(), text, &m_widget);
    return true;
}

void HeatmapInput::leave()
{
    if (m_marks.hoveredHead && !m_marks.hover)
    {
        m_marks.hoveredHead.reset();
        Q_EMIT m_widget.headHovered({});
        m_widget.update();
    }
    hover({}, {});
}

} // namespace headscope::ui
