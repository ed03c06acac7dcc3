// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/widgets/scrolled_room.h"

#include <QEvent>
#include <QLayout>
#include <QResizeEvent>
#include <QScrollArea>

#include <algorithm>

namespace headscope::ui
{

ScrolledRoom::ScrolledRoom(QWidget* inside, QWidget* parent) : QWidget(parent), m_inside(inside)
{
    inside->setParent(this);
    inside->show();
}

QSize ScrolledRoom::minimumSizeHint() const
{
    const QSize least = m_inside->minimumSizeHint().expandedTo(m_inside->minimumSize());
    const QLayout* layout = m_inside->layout();
    if (layout == nullptr || !layout->hasHeightForWidth())
        return least;
    const int width = std::max(least.width(), this->width());
    return {least.width(), std::max(m_inside->minimumHeight(), layout->totalMinimumHeightForWidth(width))};
}

bool ScrolledRoom::event(QEvent* event)
{
    if (event->type() == QEvent::LayoutRequest) // of what is inside: its wishes have changed
        updateGeometry();
    return QWidget::event(event);
}

void ScrolledRoom::resizeEvent(QResizeEvent* event)
{
    m_inside->setGeometry(rect());
    if (event->size().width() != event->oldSize().width())
        updateGeometry();
}

QScrollArea* makeScrolled(QWidget* inside, QWidget* parent)
{
    auto* area = new QScrollArea(parent);
    area->setFrameShape(QFrame::NoFrame);
    area->setFocusPolicy(Qt::NoFocus);
    area->setWidgetResizable(true);
    auto* holder = new ScrolledRoom(inside, area->viewport());
    area->setWidget(holder);
    holder->setAutoFillBackground(false); // what is inside has a ground of its own
    return area;
}

} // namespace headscope::ui
