// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/dialogs/note_area.h"

#include "ui/theme/theme.h"
#include "ui/widgets/widgets.h"

#include <QFontMetrics>
#include <QLabel>
#include <QStyle>

namespace headscope::ui
{

NoteArea::NoteArea(const QString& name, const QString& about, int lines, QWidget* parent) : QScrollArea(parent)
{
    m_label = makeMutedLabel({}, this);
    m_label->setObjectName(name);
    m_label->setFont(Theme::smallFont());
    m_label->setWordWrap(true);
    m_label->setAlignment(Qt::AlignLeft | Qt::AlignTop);
    setWidget(m_label);
    setWidgetResizable(true);
    setFrameShape(QFrame::NoFrame);
    setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    setFixedHeight(lines * QFontMetrics(Theme::smallFont()).lineSpacing() + 2);
    setAccessibleName(about);
    viewport()->setAutoFillBackground(false);
    m_label->setAutoFillBackground(false);
    refreshFocus();
}

void NoteArea::setText(const QString& text, bool isProblem)
{
    m_label->setText(text);
    setToolTip(text);
    m_label->setProperty("role", isProblem ? QStringLiteral("warning") : QStringLiteral("muted"));
    m_label->style()->unpolish(m_label);
    m_label->style()->polish(m_label);
    refreshFocus();
}

QString NoteArea::text() const
{
    return m_label->text();
}

void NoteArea::resizeEvent(QResizeEvent* event)
{
    QScrollArea::resizeEvent(event);
    refreshFocus();
}

/// Keys come here where there is something to scroll.
void NoteArea::refreshFocus()
{
    const bool scrolls = m_label->heightForWidth(viewport()->width()) > viewport()->height();
    setFocusPolicy(scrolls ? Qt::StrongFocus : Qt::NoFocus);
}

} // namespace headscope::ui
