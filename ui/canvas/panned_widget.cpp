// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/canvas/panned_widget.h"

#include <QKeyEvent>
#include <QMouseEvent>
#include <QWheelEvent>

namespace headscope::ui
{

void PannedWidget::reach(std::size_t item, Qt::KeyboardModifiers /*keys*/)
{
    point({}, {}, {}); // the keys lead now, not the pointer that rests here
    Q_EMIT itemReached(item);
}

void PannedWidget::mousePressEvent(QMouseEvent* event)
{
    if (event->button() == Qt::LeftButton)
        m_drag.begin(event->position(), PointerDrag::Kind::Pressed);
}

void PannedWidget::mouseMoveEvent(QMouseEvent* event)
{
    if (m_drag.starts(event->position()))
        m_drag.kind = PointerDrag::Kind::Pan;
    if (m_drag.kind != PointerDrag::Kind::Pan)
        return PictureWidget::mouseMoveEvent(event);
    setMoves(true);
    panned().panBy(event->position() - m_drag.last);
    m_drag.last = event->position();
    point({}, {}, {});
}

void PannedWidget::mouseReleaseEvent(QMouseEvent* event)
{
    setMoves(false);
    if (m_drag.end() != PointerDrag::Kind::Pressed)
        return;
    if (const auto item = panned().itemAt(event->position()))
        choose(*item, event->modifiers());
    else
        Q_EMIT groundClicked();
}

void PannedWidget::mouseDoubleClickEvent(QMouseEvent* event)
{
    if (!panned().itemAt(event->position()))
        panned().showAll();
}

void PannedWidget::wheelEvent(QWheelEvent* event)
{
    using Wheel = viz::PannedPicture::Wheel;
    const Wheel wheel = event->modifiers().testFlag(Qt::ControlModifier) ? Wheel::Zooms : panned().wheel();
    const auto factor = wheel == Wheel::Zooms ? zoomOf(*event) : std::nullopt;
    if (!factor && wheel != Wheel::Scrolls)
        return PictureWidget::wheelEvent(event);
    constexpr double kNotch = 120;
    constexpr double kStep = 60;
    if (factor)
        panned().zoomAt(event->position(), *factor);
    else
        panned().panBy({0, event->pixelDelta().isNull() ? event->angleDelta().y() / kNotch * kStep
                                                        : static_cast<double>(event->pixelDelta().y())});
    event->accept();
}

void PannedWidget::keyPressEvent(QKeyEvent* event)
{
    switch (event->key())
    {
    case Qt::Key_Plus:
    case Qt::Key_Equal:
        return panned().zoomAt(panned().middle(), kKeyZoom);
    case Qt::Key_Minus:
        return panned().zoomAt(panned().middle(), 1 / kKeyZoom);
    case Qt::Key_Home:
    case Qt::Key_0:
        return panned().showAll();
    case Qt::Key_Return:
    case Qt::Key_Enter:
    case Qt::Key_Space: // what keys have reached is chosen already; a click on it would undo that
        return pointed() ? PictureWidget::keyPressEvent(event) : event->ignore();
    default:
        return PictureWidget::keyPressEvent(event);
    }
}

} // namespace headscope::ui
