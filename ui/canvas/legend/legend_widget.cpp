// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/canvas/legend/legend_widget.h"

#include <QApplication>
#include <QContextMenuEvent>
#include <QHelpEvent>
#include <QKeyEvent>
#include <QMenu>
#include <QMouseEvent>
#include <QToolTip>

#include <algorithm>
#include <iterator>
#include <span>
#include <utility>

namespace headscope::ui
{
namespace
{

using viz::LegendHit;

constexpr int kEntriesOfPage = 10; ///< entries of a page

const std::vector<viz::CategoryLegendEntry>* entriesOf(const viz::Legend& legend)
{
    const auto* categories = std::get_if<viz::CategoryLegend>(&legend.content);
    return categories == nullptr ? nullptr : &categories->entries;
}

std::span<const viz::HeadLegendRow> headRowsOf(const viz::Legend& legend)
{
    if (const auto* heads = std::get_if<viz::HeadLegend>(&legend.content))
        return heads->rows;
    const auto* strengths = std::get_if<viz::StrengthLegend>(&legend.content);
    return strengths == nullptr ? std::span<const viz::HeadLegendRow>() : strengths->heads.rows;
}

} // namespace

void LegendWidget::setFaded(std::vector<LegendHit> faded)
{
    if (faded == m_faded)
        return;
    m_faded = std::move(faded);
    update();
}

std::optional<LegendHit> LegendWidget::current() const
{
    if (m_current < 0 || m_current >= static_cast<int>(m_hits.size()))
        return std::nullopt;
    return m_hits[static_cast<std::size_t>(m_current)];
}

QString LegendWidget::nameOf(const LegendHit& hit) const
{
    if (const auto* entries = entriesOf(m_legend))
        for (const auto& entry : *entries)
            if (hit.kind == LegendHit::Kind::Category && entry.code == hit.index)
                return entry.name;
    const bool titled = std::holds_alternative<viz::HeadLegend>(m_layout.legend().content);
    if (hit.kind == LegendHit::Kind::Group)
    {
        // Segments, and heads that share with none or with all, stand in rows without a name.
        for (const viz::HeadLegendRow& row : headRowsOf(m_layout.legend()))
            if (row.group == hit.index)
                return row.name.isEmpty() ? tr("%1s %2").arg(titled ? m_layout.legend().title : tr("Head"), row.range)
                                          : row.name;
    }
    return tr("%1 %2").arg(titled ? m_layout.legend().title : tr("Head")).arg(hit.index + 1);
}

bool LegendWidget::isMovable(const LegendHit& hit) const
{
    if (m_plain || isSearched())
        return false;
    if (hit.kind == LegendHit::Kind::Category)
        return hit.index >= 0;
    if (hit.kind == LegendHit::Kind::Group)
        return true;
    // Heads stand in the rows of their groups; where each is a group of its own there are none.
    return std::ranges::none_of(m_hits, [](const LegendHit& each) { return each.kind == LegendHit::Kind::Group; });
}

std::vector<LegendHit> LegendWidget::movableHits() const
{
    std::vector<LegendHit> movable;
    std::ranges::copy_if(m_hits, std::back_inserter(movable), [this](const LegendHit& hit) { return isMovable(hit); });
    return movable;
}

std::optional<int> LegendWidget::placeOf(const LegendHit& hit) const
{
    const std::vector<LegendHit> movable = movableHits();
    const auto found = std::ranges::find(movable, hit);
    if (found == movable.end())
        return std::nullopt;
    return static_cast<int>(found - movable.begin());
}

int LegendWidget::placeAt(QPointF place) const
{
    int before = 0;
    for (const LegendHit& hit : movableHits())
    {
        const auto box = m_layout.boxOf(hit);
        if (!box)
            continue;
        const bool inLine = hit.kind == LegendHit::Kind::Head; // several stand side by side
        const bool passed = inLine
                                ? place.y() > box->bottom() || (place.y() > box->top() && place.x() > box->center().x())
                                : place.y() > box->center().y();
        before += passed ? 1 : 0;
    }
    return before;
}

void LegendWidget::mousePressEvent(QMouseEvent* event)
{
    if (event->button() == Qt::LeftButton)
    {
        m_pressed = m_layout.hit(inLayout(event->position()));
        m_eyePressed = m_layout.eyeAt(inLayout(event->position())).has_value();
        m_pressPlace = event->position();
    }
    event->accept(); // the canvas below has nothing to do with it
}

void LegendWidget::mouseMoveEvent(QMouseEvent* event)
{
    if (m_pressed && !m_eyePressed && isMovable(*m_pressed) && event->buttons().testFlag(Qt::LeftButton))
    {
        if (!m_dropPlace && (event->position() - m_pressPlace).manhattanLength() < QApplication::startDragDistance())
            return;
        if (const int place = placeAt(inLayout(event->position())); m_dropPlace != place)
        {
            m_dropPlace = place;
            setCursor(Qt::ClosedHandCursor);
            update();
        }
        return;
    }
    const auto hovered = m_layout.hit(inLayout(event->position()));
    if (hovered == m_hovered)
        return;
    m_hovered = hovered;
    setCursor(hovered ? Qt::PointingHandCursor : Qt::ArrowCursor);
    update();
}

void LegendWidget::mouseReleaseEvent(QMouseEvent* event)
{
    if (event->button() != Qt::LeftButton)
        return;
    const auto pressed = std::exchange(m_pressed, {});
    const auto place = std::exchange(m_dropPlace, {});
    setCursor(Qt::ArrowCursor);
    update();
    if (!pressed)
        return;
    if (place)
        return Q_EMIT moveRequested(pressed->index, *place);
    if (m_layout.hit(inLayout(event->position())) != pressed)
        return;
    if (m_eyePressed ? m_layout.eyeAt(inLayout(event->position())) == pressed
                     : event->modifiers().testFlag(Qt::ControlModifier))
        Q_EMIT toggleRequested(*pressed);
    else if (!m_eyePressed)
        Q_EMIT isolateRequested(*pressed);
}

void LegendWidget::mouseDoubleClickEvent(QMouseEvent* event)
{
    mousePressEvent(event); // two quick clicks are two clicks
}

void LegendWidget::leaveEvent(QEvent* event)
{
    QWidget::leaveEvent(event);
    if (std::exchange(m_hovered, {}))
        update();
}

void LegendWidget::setCurrent(int item)
{
    if (m_hits.empty())
        return;
    m_current = std::clamp(item, 0, static_cast<int>(m_hits.size()) - 1);
    const auto hit = current();
    showCurrent();
    const bool pale = std::ranges::find(m_faded, *hit) != m_faded.end();
    setAccessibleDescription(pale ? tr("%1, hidden").arg(nameOf(*hit)) : nameOf(*hit));
    update();
}

void LegendWidget::moveBy(const LegendHit& hit, int steps)
{
    if (const auto place = placeOf(hit))
        Q_EMIT moveRequested(hit.index, std::max(0, steps > 0 ? *place + steps + 1 : *place + steps));
}

void LegendWidget::keyPressEvent(QKeyEvent* event)
{
    const auto hit = current();
    const Qt::KeyboardModifiers keys = event->modifiers();
    switch (event->key())
    {
    case Qt::Key_Up:
    case Qt::Key_Left:
        if (keys.testFlag(Qt::AltModifier) && hit)
            return moveBy(*hit, -1);
        return setCurrent(m_current - 1);
    case Qt::Key_Down:
    case Qt::Key_Right:
        if (keys.testFlag(Qt::AltModifier) && hit)
            return moveBy(*hit, 1);
        return setCurrent(m_current + 1);
    case Qt::Key_PageUp:
        return setCurrent(m_current - kEntriesOfPage);
    case Qt::Key_PageDown:
        return setCurrent(m_current + kEntriesOfPage);
    case Qt::Key_Home:
        return setCurrent(0);
    case Qt::Key_End:
        return setCurrent(static_cast<int>(m_hits.size()) - 1);
    case Qt::Key_Return:
    case Qt::Key_Enter:
    case Qt::Key_Space:
        if (hit && keys.testFlag(Qt::ControlModifier))
            return Q_EMIT toggleRequested(*hit);
        if (hit)
            return Q_EMIT isolateRequested(*hit);
        return;
    case Qt::Key_H:
        if (hit)
            Q_EMIT toggleRequested(*hit);
        return;
    case Qt::Key_Escape:
        return Q_EMIT showAllRequested();
    default:
        QWidget::keyPressEvent(event);
    }
}

void LegendWidget::focusInEvent(QFocusEvent* event)
{
    QWidget::focusInEvent(event);
    setCurrent(m_current);
}

void LegendWidget::focusOutEvent(QFocusEvent* event)
{
    QWidget::focusOutEvent(event);
    update();
}

void LegendWidget::contextMenuEvent(QContextMenuEvent* event)
{
    const bool byKey = event->reason() == QContextMenuEvent::Keyboard;
    const auto hit = byKey ? current() : m_layout.hit(inLayout(event->pos()));
    const auto box = hit ? placeOfEntry(*hit) : std::nullopt;
    const QPoint place = byKey && box ? mapToGlobal(box->bottomLeft().toPoint()) : event->globalPos();
    makeMenu(hit)->popup(place);
    event->accept();
}

bool LegendWidget::event(QEvent* event)
{
    if (event->type() == QEvent::ToolTip)
    {
        const auto* help = static_cast<QHelpEvent*>(event);
        const QPointF inside = inLayout(help->pos());
        const auto hit = m_layout.hit(inside);
        QStringList lines;
        if (const QString name = m_layout.elidedNameAt(inside); !name.isEmpty())
            lines << name;
        if (m_layout.eyeAt(inside))
            lines << (std::ranges::find(m_faded, *hit) != m_faded.end() ? tr("Show") : tr("Hide"));
        else if (hit)
            lines << (m_plain           ? tr("Click: show only this entry. Click again: show all.")
                      : isMovable(*hit) ? tr("Click: show only this entry. Ctrl+click: hide or show. Drag: reorder.")
                                        : tr("Click: show only this entry. Ctrl+click: hide or show."))
                  << tr("Hiding points does not change the selection.");
        QToolTip::showText(help->globalPos(), lines.join(QLatin1Char('\n')), this);
        return true;
    }
    return QWidget::event(event);
}

} // namespace headscope::ui
