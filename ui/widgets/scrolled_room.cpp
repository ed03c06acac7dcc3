// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/widgets/scrolled_room.h"

#include <QDialog>
#include <QEvent>
#include <QLayout>
#include <QResizeEvent>
#include <QScrollArea>
#include <QScrollBar>
#include <QShortcut>

#include <algorithm>
#include <utility>

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

void scrollByKeys(QDialog* dialog, QScrollArea* area)
{
    using Action = QAbstractSlider::SliderAction;
    for (const auto& [key, action] :
         {std::pair(Qt::Key_Up, Action::SliderSingleStepSub), std::pair(Qt::Key_Down, Action::SliderSingleStepAdd),
          std::pair(Qt::Key_PageUp, Action::SliderPageStepSub), std::pair(Qt::Key_PageDown, Action::SliderPageStepAdd),
          std::pair(Qt::Key_Home, Action::SliderToMinimum), std::pair(Qt::Key_End, Action::SliderToMaximum)})
        QObject::connect(new QShortcut(QKeySequence(key), dialog), &QShortcut::activated, area,
                         [area, action = action] { area->verticalScrollBar()->triggerAction(action); });
}

} // namespace headscope::ui
