// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/jobs/panel_handle.h"

#include "ui/theme/box_names.h"
#include "ui/theme/theme.h"

#include <QKeyEvent>
#include <QMouseEvent>
#include <QPainter>

namespace headscope::ui
{

PanelHandle::PanelHandle(QWidget* parent) : QWidget(parent)
{
    constexpr int kThick = 5;
    setObjectName(QStringLiteral("panelHandle"));
    setFixedHeight(kThick);
    setCursor(Qt::SplitVCursor);
    setFocusPolicy(Qt::TabFocus);
    giveRole(*this, QAccessible::Grip);
    setAccessibleName(tr("Height of the panel"));
    setToolTip(tr("Drag, or press Up and Down, to resize the panel"));
}

void PanelHandle::mousePressEvent(QMouseEvent* event)
{
    m_pressedAt = event->globalPosition().toPoint().y();
}

void PanelHandle::mouseMoveEvent(QMouseEvent* event)
{
    const int at = event->globalPosition().toPoint().y();
    Q_EMIT moved(m_pressedAt - at);
    m_pressedAt = at;
}

void PanelHandle::keyPressEvent(QKeyEvent* event)
{
    constexpr int kStep = 20;
    if (event->key() == Qt::Key_Up)
        Q_EMIT moved(kStep);
    else if (event->key() == Qt::Key_Down)
        Q_EMIT moved(-kStep);
    else
        QWidget::keyPressEvent(event);
}

void PanelHandle::paintEvent(QPaintEvent*)
{
    if (!hasFocus())
        return;
    QPainter painter(this);
    painter.fillRect(rect(), Theme::instance().colors().accent);
}

} // namespace headscope::ui
