// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/window/status_line.h"

#include "ui/theme/theme.h"

#include <QBoxLayout>
#include <QEvent>
#include <QLabel>
#include <QPainter>
#include <QStyle>
#include <QStyleOption>

namespace headscope::ui
{
namespace
{

constexpr int kPassingMs = 8000;
constexpr int kHeight = 28; ///< that of a running job with its buttons: what is above never moves

/// The room that QStatusBar leaves above and below its widgets would cut the buttons of a running job.
void useWholeHeight(const QStatusBar& bar)
{
    QLayout* column = bar.layout();
    bool changed = false;
    for (const int end : {0, column->count() - 1})
        if (QSpacerItem* space = column->itemAt(end)->spacerItem(); space != nullptr && !space->sizeHint().isNull())
        {
            space->changeSize(0, 0);
            changed = true;
        }
    if (!changed)
        return;
    column->invalidate();
    column->activate();
}

} // namespace

StatusLine::StatusLine(QWidget* parent) : QStatusBar(parent)
{
    m_label = new QLabel(tr("Ready"), this);
    m_steady = m_label->text();
    m_label->setProperty("role", QStringLiteral("muted"));
    m_label->setMinimumWidth(1);
    addPermanentWidget(m_label, 1); // stays while a passing line stands in it
    connect(this, &QStatusBar::messageChanged, this,
            [this](const QString& passing) { m_label->setText(passing.isEmpty() ? m_steady : passing); });
    setSizeGripEnabled(false);
    setFixedHeight(kHeight);
    setContentsMargins(Metrics::kPanel - 2, 0, Metrics::kPanel, 0);
    useWholeHeight(*this);
}

void StatusLine::addAtEnd(QWidget* widget)
{
    addPermanentWidget(widget, 3); // lays all of them out anew
    useWholeHeight(*this);
    widget->hide(); // until it has something to show
}

bool StatusLine::event(QEvent* event)
{
    const bool taken = QStatusBar::event(event);
    if (event->type() == QEvent::LayoutRequest) // a higher widget: all of them were laid out anew
        useWholeHeight(*this);
    return taken;
}

void StatusLine::setSteady(const QString& text)
{
    m_steady = text;
    if (currentMessage().isEmpty())
        m_label->setText(text);
}

void StatusLine::showPassing(const QString& text)
{
    showMessage(text, kPassingMs);
}

void StatusLine::endPassing(const QString& text)
{
    if (!text.isEmpty() && currentMessage() == text)
        clearMessage();
}

QString StatusLine::text() const
{
    return m_label->text();
}

/// Its ground alone: a passing line stands in the label of the steady one, at the same place.
void StatusLine::paintEvent(QPaintEvent*)
{
    QPainter painter(this);
    QStyleOption option;
    option.initFrom(this);
    style()->drawPrimitive(QStyle::PE_PanelStatusBar, &option, &painter, this);
}

} // namespace headscope::ui
