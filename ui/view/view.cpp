// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/view/view.h"

#include "ui/state/view_state.h"
#include "ui/view/head_source.h"
#include "ui/view/view_pages.h"
#include "ui/widgets/widgets.h"
#include "ui/words/wording.h"

#include <QKeyEvent>

namespace headscope::ui
{

View::View(QWidget* parent) : QWidget(parent), m_viewState(new ViewState(this)) {}

void View::setEmpty(const QString& title, const QString& text, const QString& action, bool isError)
{
    m_empty->setMessage(title, text, action, isError);
}

void View::keyPressEvent(QKeyEvent* event)
{
    const bool asks = (event->key() == Qt::Key_Return || event->key() == Qt::Key_Enter) &&
                      (event->modifiers() & ~Qt::KeypadModifier) == Qt::NoModifier;
    if (asks && dynamic_cast<const HeadSource*>(window()->focusWidget()) != nullptr)
        return Q_EMIT headCardRequested();
    QWidget::keyPressEvent(event);
}

void View::setError(const Error& error, const QString& action)
{
    setEmpty(errorHeading(error.code), errorText(error), action, true);
}

void View::useEmptyState(EmptyState* empty, EmptyState* noHeads)
{
    m_empty = empty;
    connect(empty, &EmptyState::actionRequested, this, &View::emptyActionRequested);
    if (noHeads != nullptr)
        connect(noHeads, &EmptyState::actionRequested, this, &View::allHeadsRequested);
}

void View::useEmptyState(ViewPages* pages)
{
    m_empty = pages->emptyState();
    connect(pages, &ViewPages::emptyActionRequested, this, &View::emptyActionRequested);
    connect(pages, &ViewPages::allHeadsRequested, this, &View::allHeadsRequested);
}

} // namespace headscope::ui
