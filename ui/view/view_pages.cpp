// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/view/view_pages.h"

#include "ui/theme/theme.h"
#include "ui/widgets/first_control.h"
#include "ui/widgets/widgets.h"
#include "ui/widgets/wrap_row.h"
#include "ui/words/wording.h"

#include <QApplication>
#include <QFrame>
#include <QHeaderView>
#include <QStackedLayout>
#include <QTableView>
#include <QToolButton>

namespace headscope::ui
{
namespace
{

constexpr int kRowHeight = 28;

} // namespace

ViewPages::ViewPages(QWidget* parent) : QWidget(parent)
{
    m_stack = new QStackedLayout(this);
    m_empty = new EmptyState(this);
    m_noHeads = makeNoHeadsState(this);
    m_page = new QWidget(this);
    m_page->setObjectName(QStringLiteral("canvas"));
    m_page->setAttribute(Qt::WA_StyledBackground);
    for (QWidget* page : {static_cast<QWidget*>(m_empty), static_cast<QWidget*>(m_noHeads), m_page})
        m_stack->addWidget(page);
    connect(m_empty, &EmptyState::actionRequested, this, &ViewPages::emptyActionRequested);
    connect(m_noHeads, &EmptyState::actionRequested, this, &ViewPages::allHeadsRequested);
}

void ViewPages::setFilled(bool filled)
{
    m_filled = filled;
    refresh();
}

void ViewPages::setAnyHead(bool any)
{
    m_anyHead = any;
    refresh();
}

void ViewPages::setStage(Stage stage)
{
    sayNoHeads(*m_noHeads, stage);
}

bool ViewPages::pageShown() const
{
    return m_filled && m_anyHead;
}

bool ViewPages::keyboardWaits() const
{
    const QWidget* focus = QApplication::focusWidget();
    return isVisible() && focus != nullptr && !focus->isWindow() && focus->isAncestorOf(this);
}

void ViewPages::refresh()
{
    const bool before = m_stack->currentWidget() == m_page;
    const bool waiting = keyboardWaits();
    m_stack->setCurrentWidget(!m_filled    ? static_cast<QWidget*>(m_empty)
                              : !m_anyHead ? static_cast<QWidget*>(m_noHeads)
                                           : m_page);
    if (waiting)
        focusFirst(*m_stack->currentWidget(), FirstControl::NoText, Qt::OtherFocusReason);
    if (before != pageShown())
        Q_EMIT pageShownChanged(pageShown());
}

EmptyState* makeNoHeadsState(QWidget* parent)
{
    auto* state = new EmptyState(parent);
    sayNoHeads(*state, Stage::HeadOutput);
    return state;
}

void sayNoHeads(EmptyState& state, Stage stage)
{
    state.setMessage(
        ViewPages::tr("No %1 selected").arg(unitText(stage)),
        ViewPages::tr("This view shows the heads or segments selected in the Data panel. Select some there, or all."),
        ViewPages::tr("Select all %1").arg(unitsText(stage)));
}

QFrame* makeViewBar(QWidget* parent, WrapRow** row)
{
    auto* bar = new QFrame(parent);
    bar->setObjectName(QStringLiteral("bar"));
    *row = new WrapRow(bar);
    (*row)->setContentsMargins(Metrics::kPanel, Metrics::kRelated, Metrics::kPanel, Metrics::kRelated);
    (*row)->setSpacing(Metrics::kRelated);
    return bar;
}

QToolButton* makePageButton(const char* name, const QString& text, const QString& tip, QWidget* parent)
{
    auto* button = new QToolButton(parent);
    button->setObjectName(QLatin1StringView(name));
    button->setText(text);
    button->setToolTip(tip);
    button->setAccessibleName(text);
    button->setCheckable(true);
    button->setProperty("flat", true);
    button->setFocusPolicy(Qt::StrongFocus); // the ring must not stay with the one that was chosen before
    return button;
}

void dressTable(QTableView* table)
{
    table->setSelectionBehavior(QAbstractItemView::SelectRows);
    table->setSelectionMode(QAbstractItemView::SingleSelection);
    table->setShowGrid(false);
    table->setWordWrap(false);
    table->setTabKeyNavigation(false);
    table->verticalHeader()->hide();
    table->verticalHeader()->setDefaultSectionSize(kRowHeight);
    table->horizontalHeader()->setHighlightSections(false);
}

} // namespace headscope::ui
