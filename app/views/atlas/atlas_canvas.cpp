// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/views/atlas/atlas_canvas.h"

#include "app/views/atlas/head_card.h"

#include <QApplication>
#include <QKeyEvent>
#include <QMouseEvent>

#include <cmath>
#include <utility>

namespace headscope::ui
{

AtlasCanvas::AtlasCanvas(QWidget* parent) : PictureOf<AtlasPicture>(parent), m_card(new HeadCard(this)) {}

void AtlasCanvas::say(std::optional<std::size_t> item, const viz::ItemText& /*text*/, QPoint place)
{
    if (!item)
        return m_card->hide();
    const HeadPlace head = picture().headOf(*item);
    const auto h = static_cast<std::size_t>(head.head);
    m_card->showAt(*picture().measures(), head, picture().colorOf(head),
                   h < m_groupNames.size() ? m_groupNames[h] : QString(), place);
}

void AtlasCanvas::mouseMoveEvent(QMouseEvent* event)
{
    if (m_path.isEmpty())
        return PictureWidget::mouseMoveEvent(event);
    m_path << event->position();
    const QPointF way = event->position() - m_path.front();
    m_dragging = m_dragging || std::hypot(way.x(), way.y()) >= QApplication::startDragDistance();
    if (!m_dragging)
        return;
    point({}, {}, {});
    picture().setLasso(m_path);
}

void AtlasCanvas::mousePressEvent(QMouseEvent* event)
{
    if (event->button() != Qt::LeftButton || picture().count() == 0)
        return QWidget::mousePressEvent(event);
    m_path = {event->position()};
    m_dragging = false;
}

void AtlasCanvas::mouseReleaseEvent(QMouseEvent* event)
{
    if (event->button() != Qt::LeftButton || m_path.isEmpty())
        return QWidget::mouseReleaseEvent(event);
    const QPolygonF drawn = std::exchange(m_path, {});
    picture().setLasso({});
    if (std::exchange(m_dragging, false))
        return Q_EMIT headsPicked(picture().headsIn(drawn), event->modifiers());
    if (const auto item = picture().itemAt(event->position()))
        choose(*item, event->modifiers());
    else
        Q_EMIT unmarkRequested();
}

void AtlasCanvas::keyPressEvent(QKeyEvent* event)
{
    if (event->key() == Qt::Key_Space && event->modifiers() == Qt::ControlModifier && pointed())
    {
        const HeadPlace head = picture().headOf(*pointed());
        const bool isMarked = picture().marks().isMarked(head);
        return Q_EMIT headsPicked({head}, isMarked ? Qt::ControlModifier : Qt::ShiftModifier);
    }
    if (event->key() != Qt::Key_Escape || picture().count() == 0)
        return PictureWidget::keyPressEvent(event);
    if (!m_path.isEmpty())
    {
        m_path.clear();
        m_dragging = false;
        return picture().setLasso({});
    }
    if (picture().marks().marked.empty())
        return PictureWidget::keyPressEvent(event);
    Q_EMIT unmarkRequested();
}

} // namespace headscope::ui
