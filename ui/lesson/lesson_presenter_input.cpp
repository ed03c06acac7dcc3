// SPDX-License-Identifier: GPL-3.0-or-later
// Keys and pointer of a lesson before a class.
#include "ui/lesson/lesson_presenter.h"

#include <QKeyEvent>
#include <QMouseEvent>

#include <algorithm>
#include <variant>

namespace headscope::ui
{

bool LessonPresenter::step(int by)
{
    if (m_controls.isEmpty())
        return false;
    const LessonControl& control = m_controls[m_control];
    const int value = std::clamp(control.value + by, 0, static_cast<int>(control.options.size()) - 1);
    if (value != control.value)
        Q_EMIT changed(QString(control.name), value);
    return true;
}

bool LessonPresenter::focusNextPrevChild(bool next)
{
    if (m_controls.isEmpty())
        return QWidget::focusNextPrevChild(next);
    m_control = (m_control + (next ? 1 : m_controls.size() - 1)) % m_controls.size();
    update();
    return true;
}

void LessonPresenter::keyPressEvent(QKeyEvent* event)
{
    switch (event->key())
    {
    case Qt::Key_Down:
        if (step(-1))
            return;
        [[fallthrough]];
    case Qt::Key_PageDown:
    case Qt::Key_Right:
        return Q_EMIT nextAsked();
    case Qt::Key_Up:
        if (step(1))
            return;
        [[fallthrough]];
    case Qt::Key_PageUp:
    case Qt::Key_Left:
        return Q_EMIT backAsked();
    case Qt::Key_Space:
    case Qt::Key_Return:
    case Qt::Key_Enter:
        return Q_EMIT answerAsked();
    case Qt::Key_D:
        m_theme = m_theme == viz::InkTheme::Light ? viz::InkTheme::Dark : viz::InkTheme::Light;
        return arrange();
    case Qt::Key_Escape:
    case Qt::Key_F5:
        close();
        return;
    default:
        QWidget::keyPressEvent(event);
    }
}

void LessonPresenter::mousePressEvent(QMouseEvent* event)
{
    if (event->button() != Qt::LeftButton)
        return;
    const QList<QRectF> boxes = controlBoxes(m_places);
    for (qsizetype i = 0; i < boxes.size(); ++i)
        if (boxes[i].contains(event->position()))
        {
            m_control = i;
            update();
            step(event->position().x() < boxes[i].center().x() ? -1 : 1);
            return;
        }
    const auto group = groupAt(event->position());
    if (group)
        return Q_EMIT changed(QStringLiteral("group"), static_cast<int>(*group) + 1);
    const bool takesClicks = m_hasView || std::holds_alternative<viz::HeadWiring>(m_picture.content);
    if (takesClicks && m_places.picture.contains(event->position()))
        return; // a click that misses a head turns no page
    Q_EMIT nextAsked();
}

void LessonPresenter::mouseMoveEvent(QMouseEvent* event)
{
    setCursor(groupAt(event->position()) ? Qt::PointingHandCursor : Qt::ArrowCursor);
}

void LessonPresenter::closeEvent(QCloseEvent* event)
{
    QWidget::closeEvent(event);
    Q_EMIT left();
}

} // namespace headscope::ui
