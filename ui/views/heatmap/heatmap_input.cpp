// SPDX-License-Identifier: GPL-3.0-or-later
// What the pointer and the keys do to the heatmap.
#include "ui/views/heatmap/heatmap_widget.h"

#include "ui/canvas/canvas_summary.h"
#include "ui/state/selection_hub.h"
#include "ui/words/wording.h"

#include <QApplication>
#include <QContextMenuEvent>
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

bool picks(Qt::KeyboardModifiers keys)
{
    return pickOperation(keys) != SetOperation::Replace;
}

} // namespace

std::optional<HeatmapWidget::Place> HeatmapWidget::placeAt(QPointF place) const
{
    for (std::size_t i = 0; i < m_layouts.size(); ++i)
        if (const auto cell = m_layouts[i].cellAt(place))
            return Place{i, *cell};
    return std::nullopt;
}

std::size_t HeatmapWidget::panelAt(double y) const
{
    std::size_t panel = 0;
    while (panel + 1 < m_layouts.size() && m_layouts[panel].box().bottom() < y)
        ++panel;
    return panel;
}

std::int64_t HeatmapWidget::documentAt(const Place& place) const
{
    return m_panels[place.heatmap]->heatmap->document[static_cast<std::size_t>(place.cell.column)];
}

void HeatmapWidget::hover(std::optional<Place> place, QPoint at)
{
    const bool moved = place != m_hover;
    if (moved)
    {
        m_hover = place;
        m_hoveredDocument.reset();
        setCursor(place ? Qt::CrossCursor : Qt::ArrowCursor);
        update();
        std::optional<std::int64_t> document;
        std::optional<std::int64_t> head;
        std::optional<double> value;
        if (place)
        {
            document = documentAt(*place);
            if (place->cell.row > 0)
                head = place->cell.row - 1;
            value = static_cast<double>(m_panels[place->heatmap]->heatmap->values(place->cell.row, place->cell.column));
            if (!std::isfinite(*value))
                value.reset();
        }
        Q_EMIT documentHovered(document);
        Q_EMIT headHovered(head);
        Q_EMIT valueHovered(value);
    }
    if (place && m_cardSource)
        m_card->showAt(m_cardSource(*m_panels[place->heatmap]->heatmap, place->cell), at);
    else
        m_card->hide();
}

void HeatmapWidget::hoverAround(QPointF place)
{
    if (m_layouts.empty())
        return;
    const viz::HeatmapLayout& layout = m_layouts[panelAt(place.y())];
    const auto row = layout.rowNameAt(place);
    const bool link = row || !layout.groupNameAt(place).empty() || layout.letterAt(place) || layout.titleAt(place);
    setCursor(link ? Qt::PointingHandCursor : Qt::ArrowCursor);
    const std::optional<std::int64_t> head = row && *row > 0 ? std::optional(*row - 1) : std::nullopt;
    if (head != m_hoveredHead)
    {
        m_hoveredHead = head;
        update();
        Q_EMIT headHovered(head);
    }
}

void HeatmapWidget::mouseMoveEvent(QMouseEvent* event)
{
    const QPointF at = event->position();
    if (m_press && (event->buttons() & (Qt::LeftButton | Qt::MiddleButton)) != 0)
    {
        const bool far = (at - *m_press).manhattanLength() >= QApplication::startDragDistance();
        if (!m_dragged && !far)
            return;
        m_dragged = true;
        const bool moves = m_window.zoom > 1 || m_window.rowZoom > 1 || event->buttons().testFlag(Qt::MiddleButton);
        if (!m_bandTo && moves)
        {
            hover({}, {});
            setCursor(Qt::ClosedHandCursor);
            setWindow(m_layouts.front().movedBy(at.x() - m_press->x(), at.y() - m_press->y()));
            m_press = at;
            return;
        }
        m_bandTo = at.x();
        hover({}, {});
        return update();
    }
    const auto place = placeAt(at);
    hover(place, event->pos());
    if (!place)
        hoverAround(at);
}

void HeatmapWidget::mousePressEvent(QMouseEvent* event)
{
    if (m_layouts.empty() || (event->button() != Qt::LeftButton && event->button() != Qt::MiddleButton))
        return QWidget::mousePressEvent(event);
    m_press = event->position();
    m_dragged = false;
    m_bandTo.reset();
}

void HeatmapWidget::mouseReleaseEvent(QMouseEvent* event)
{
    if (!m_press)
        return QWidget::mouseReleaseEvent(event);
    const bool band = m_bandTo.has_value();
    if (band)
        endBand(event->position().x());
    const bool clicked = !m_dragged && event->button() == Qt::LeftButton;
    m_press.reset();
    m_bandTo.reset();
    update();
    if (clicked)
        click(event->position(), event->modifiers());
    else if (const auto place = placeAt(event->position()); place && !band)
        setCursor(Qt::CrossCursor);
}

void HeatmapWidget::endBand(double x)
{
    constexpr double kLeastBand = 3;
    const viz::HeatmapLayout& layout = m_layouts.front();
    const QRectF plot = layout.plot();
    const double from = std::clamp(std::min(m_press->x(), x), plot.left(), plot.right());
    const double to = std::clamp(std::max(m_press->x(), x), plot.left(), plot.right());
    if (to - from < kLeastBand)
        return;
    viz::HeatmapWindow window = m_window;
    const auto columns = static_cast<double>(m_panels.front()->heatmap->values.cols());
    const auto at = [&](double place) {
        for (double step = 0; step <= 4; ++step) // a gap between topics belongs to the next column
            if (const auto cell = layout.cellAt({std::min(place + step, plot.right() - 0.5), plot.top() + 1}))
                return static_cast<double>(cell->column);
        return columns;
    };
    const double first = at(from);
    window.zoom = columns / std::max(1.0, at(to) - first + 1);
    window.firstColumn = first;
    setWindow(window);
}

void HeatmapWidget::click(QPointF at, Qt::KeyboardModifiers keys)
{
    if (const auto place = placeAt(at))
        return clickCell(*place, keys);
    const viz::HeatmapLayout& layout = m_layouts[panelAt(at.y())];
    if (const auto topic = layout.letterAt(at))
        return Q_EMIT documentsPicked(documentsOf(*topic), pickOperation(keys));
    if (layout.titleAt(at))
        return Q_EMIT stageClicked(m_panels[panelAt(at.y())]->heatmap->stage);
    if (const auto row = layout.rowNameAt(at))
    {
        if (*row > 0)
            Q_EMIT headsClicked({*row - 1});
        return;
    }
    if (const auto heads = layout.groupNameAt(at); !heads.empty())
        Q_EMIT headsClicked(heads);
}

void HeatmapWidget::clickCell(const Place& place, Qt::KeyboardModifiers keys)
{
    const std::int64_t document = documentAt(place);
    if (picks(keys))
        return Q_EMIT documentsPicked({document}, pickOperation(keys));
    std::optional<std::int64_t> head;
    if (place.cell.row > 0)
        head = place.cell.row - 1;
    Q_EMIT documentClicked(document, head);
}

void HeatmapWidget::mouseDoubleClickEvent(QMouseEvent* event)
{
    if (m_layouts.empty() || event->button() != Qt::LeftButton)
        return QWidget::mouseDoubleClickEvent(event);
    const QPointF at = event->position();
    if (const auto topic = m_layouts[panelAt(at.y())].letterAt(at))
        return zoomToTopic(*topic);
    showAll();
}

void HeatmapWidget::wheelEvent(QWheelEvent* event)
{
    if (m_layouts.empty())
        return QWidget::wheelEvent(event);
    const QPointF at = event->position();
    const Qt::KeyboardModifiers keys = event->modifiers();
    // Alt turns the wheel's direction on some desktops.
    const QPoint turned = event->angleDelta();
    const double notches = static_cast<double>(turned.y()) / kNotch;
    const viz::HeatmapLayout& layout = m_layouts[panelAt(at.y())];
    if (turned.x() != 0 && std::abs(turned.x()) > std::abs(turned.y()))
        setWindow(layout.movedBy(0.5 * turned.x(), 0));
    else if (keys.testFlag(Qt::ControlModifier))
        setWindow(layout.rowsZoomedAt(at.y(), std::pow(kZoomStep, notches)));
    else if (keys.testFlag(Qt::ShiftModifier))
        setWindow(layout.movedBy(60 * notches, 0));
    else
        setWindow(layout.zoomedAt(at.x(), std::pow(kZoomStep, notches)));
    hover(placeAt(at), at.toPoint());
    event->accept();
}

void HeatmapWidget::showColumn(const Place& place)
{
    const viz::HeatmapLayout& layout = m_layouts[place.heatmap];
    const QRectF plot = layout.plot();
    const QRectF cell = layout.cellRect(place.cell);
    double dx = 0;
    if (cell.left() < plot.left())
        dx = plot.left() - cell.left();
    else if (cell.right() > plot.right())
        dx = plot.right() - cell.right();
    double dy = 0;
    if (place.cell.row > 0 && m_window.rowZoom > 1)
    {
        const double top = layout.rowRect(layout.rowAtPlace(0)).top() + m_window.firstRow * cell.height();
        if (cell.top() < top)
            dy = top - cell.top();
        else if (cell.bottom() > plot.bottom())
            dy = plot.bottom() - cell.bottom();
    }
    if (dx != 0 || dy != 0)
        setWindow(layout.movedBy(dx, dy));
}

void HeatmapWidget::moveCrosshair(std::int64_t columns, std::int64_t rows)
{
    Place place;
    if (m_hover)
    {
        place = *m_hover;
        const Heatmap& heatmap = *m_panels[place.heatmap]->heatmap;
        place.cell.column = std::clamp<std::int64_t>(place.cell.column + columns, 0,
                                                     std::max<std::int64_t>(0, heatmap.values.cols() - 1));
        // Rows in the order in which they stand: 0 the full one, then the heads' places.
        const viz::HeatmapLayout& layout = m_layouts[place.heatmap];
        std::int64_t at = (place.cell.row == 0 ? 0 : 1 + layout.placeOfRow(place.cell.row)) + rows;
        const std::int64_t last = layout.headsShown();
        if (at > last && place.heatmap + 1 < m_panels.size())
        {
            ++place.heatmap;
            at = 0;
        }
        else if (at < 0 && place.heatmap > 0)
        {
            --place.heatmap;
            at = m_layouts[place.heatmap].headsShown();
        }
        at = std::clamp<std::int64_t>(at, 0, m_layouts[place.heatmap].headsShown());
        place.cell.row = at == 0 ? 0 : m_layouts[place.heatmap].rowAtPlace(at - 1);
    }
    else
        place.cell.column = m_layouts.front().visibleColumns().first;
    showColumn(place);
    hover(place, m_layouts[place.heatmap].cellRect(place.cell).center().toPoint());
    noteCanvasChanged(this);
}

QString HeatmapWidget::cellText() const
{
    if (!m_hover || !m_cardSource)
        return {};
    return spokenText(m_cardSource(*m_panels[m_hover->heatmap]->heatmap, m_hover->cell));
}

bool HeatmapWidget::moveKey(int key)
{
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
        setWindow(m_layouts.front().movedBy(0.9 * m_layouts.front().plot().width(), 0));
        return true;
    case Qt::Key_PageDown:
        setWindow(m_layouts.front().movedBy(-0.9 * m_layouts.front().plot().width(), 0));
        return true;
    case Qt::Key_Home:
        showAll();
        return true;
    default:
        return false;
    }
}

void HeatmapWidget::keyPressEvent(QKeyEvent* event)
{
    if (m_layouts.empty() || moveKey(event->key()))
        return;
    const bool rows = event->modifiers().testFlag(Qt::ControlModifier);
    const auto zoom = [&](double factor) {
        const viz::HeatmapLayout& layout = m_layouts[m_hover ? m_hover->heatmap : 0];
        const QPointF around = m_hover ? layout.cellRect(m_hover->cell).center() : layout.plot().center();
        setWindow(rows ? layout.rowsZoomedAt(around.y(), factor) : layout.zoomedAt(around.x(), factor));
    };
    switch (event->key())
    {
    case Qt::Key_Plus:
    case Qt::Key_Equal:
        return zoom(kZoomStep);
    case Qt::Key_Minus:
        return zoom(1 / kZoomStep);
    case Qt::Key_Return:
    case Qt::Key_Enter:
    case Qt::Key_Space:
        if (m_hover)
            return clickCell(*m_hover, event->modifiers());
        break;
    case Qt::Key_Escape:
        if (m_hover)
            return hover({}, {});
        break;
    default:
        break;
    }
    QWidget::keyPressEvent(event);
}

void HeatmapWidget::fillMenu(QMenu* menu, QPointF at)
{
    const auto place = placeAt(at);
    const viz::HeatmapLayout& layout = m_layouts[panelAt(at.y())];
    const Heatmap& heatmap = *m_panels[panelAt(at.y())]->heatmap;
    const auto row = place ? std::optional(place->cell.row) : layout.rowNameAt(at);
    const auto topic = place ? std::optional(layout.topicOf(place->cell.column)) : layout.letterAt(at);
    if (row)
    {
        const QString name = *row == 0 ? tr("the full vector") : unitText(heatmap.stage, HeadIndex(*row - 1)).toLower();
        menu->addAction(tr("Sort columns by %1").arg(name), this, [this, row] {
            Q_EMIT sortRequested(*row == 0 ? ColumnOrder() : ColumnOrder::byHead(HeadIndex(*row - 1)));
        });
        if (*row > 0)
            menu->addAction(tr("Show %1 alone on the map").arg(name), this,
                            [this, row] { Q_EMIT headsClicked({*row - 1}); });
    }
    if (topic && static_cast<std::size_t>(*topic) < heatmap.topicNames.size())
    {
        const QString name = toQString(heatmap.topicNames[static_cast<std::size_t>(*topic)]);
        menu->addAction(tr("Choose the documents of “%1”").arg(name), this,
                        [this, topic] { Q_EMIT documentsPicked(documentsOf(*topic), SetOperation::Replace); });
        menu->addAction(tr("Add the documents of “%1”").arg(name), this,
                        [this, topic] { Q_EMIT documentsPicked(documentsOf(*topic), SetOperation::Add); });
        menu->addAction(tr("Zoom to “%1”").arg(name), this, [this, topic] { zoomToTopic(*topic); });
    }
    if (!menu->isEmpty())
        menu->addSeparator();
    menu->addAction(tr("Show all columns"), this, [this] { showAll(); })
        ->setEnabled(m_window.zoom > 1 || m_window.rowZoom > 1);
}

void HeatmapWidget::contextMenuEvent(QContextMenuEvent* event)
{
    if (m_layouts.empty())
        return;
    QPointF at = event->pos();
    if (event->reason() == QContextMenuEvent::Keyboard && m_hover)
        at = m_layouts[m_hover->heatmap].cellRect(m_hover->cell).center();
    auto* menu = new QMenu(this);
    menu->setAttribute(Qt::WA_DeleteOnClose);
    fillMenu(menu, at);
    m_card->hide();
    menu->popup(mapToGlobal(at.toPoint()));
}

bool HeatmapWidget::event(QEvent* event)
{
    // Names beside and under the cells say what a click does.
    if (event->type() == QEvent::ToolTip && !m_layouts.empty())
    {
        const auto* help = static_cast<QHelpEvent*>(event);
        const QPointF at = help->pos();
        const viz::HeatmapLayout& layout = m_layouts[panelAt(at.y())];
        const Heatmap& heatmap = *m_panels[panelAt(at.y())]->heatmap;
        QString text;
        if (const auto row = layout.rowNameAt(at); row && *row > 0)
            text = tr("%1: click shows it alone, right click sorts the columns by it")
                       .arg(unitText(heatmap.stage, HeadIndex(*row - 1)));
        else if (row)
            text = tr("Full vector: %1").arg(toQString(heatmap.fullSource));
        else if (const auto heads = layout.groupNameAt(at); heads.size() > 1)
            text = tr("Click: the heads of this group");
        else if (!heads.empty())
            text = tr("%1: click shows it alone").arg(unitText(heatmap.stage, HeadIndex(heads.front())));
        else if (const auto topic = layout.letterAt(at))
            text = tr("%1: click chooses its documents, double click zooms to it")
                       .arg(toQString(heatmap.topicNames[static_cast<std::size_t>(*topic)]));
        else if (layout.titleAt(at))
            text = tr("Click: the match at the right, and all views, show this stage");
        if (!text.isEmpty())
        {
            QToolTip::showText(help->globalPos(), text, this);
            return true;
        }
        QToolTip::hideText();
    }
    return QWidget::event(event);
}

void HeatmapWidget::leaveEvent(QEvent* event)
{
    if (m_hoveredHead && !m_hover)
    {
        m_hoveredHead.reset();
        Q_EMIT headHovered({});
        update();
    }
    hover({}, {});
    QWidget::leaveEvent(event);
}

void HeatmapWidget::focusOutEvent(QFocusEvent* event)
{
    if (!underMouse())
        hover({}, {});
    QWidget::focusOutEvent(event);
}

} // namespace headscope::ui
