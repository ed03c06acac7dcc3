// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/window/view_stack.h"

#include "model/base/assert.h"
#include "ui/theme/theme.h"
#include "ui/widgets/scrolled_room.h"
#include "ui/widgets/tab_strip.h"

#include <QApplication>
#include <QHBoxLayout>
#include <QLabel>
#include <QPainter>
#include <QScrollArea>
#include <QSignalBlocker>
#include <QStackedWidget>
#include <QTabBar>
#include <QToolButton>
#include <QVBoxLayout>

#include <algorithm>
#include <utility>

namespace headscope::ui
{
namespace
{

/// The row of the tabs, with a hairline that the chosen tab interrupts.
class TabRow : public QWidget
{
public:
    using QWidget::QWidget;

protected:
    void paintEvent(QPaintEvent*) override
    {
        QPainter painter(this);
        painter.fillRect(QRect(0, height() - 1, width(), 1), Theme::instance().colors().hairline);
    }
};

constexpr int kTabPadding = 16;

} // namespace

ViewStack::ViewStack(QWidget* parent) : QWidget(parent)
{
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(0);
    auto* tabRow = new TabRow(this);
    auto* tabLayout = new QHBoxLayout(tabRow);
    tabLayout->setContentsMargins(Metrics::kPanel, 6, Metrics::kPanel, 0);
    tabLayout->setSpacing(0);
    m_strip = new TabStrip(QStringLiteral("viewTabs"), kTabPadding, tabRow);
    m_tabs = m_strip->tabs();
    m_tabs->setAccessibleName(tr("Views"));
    tabLayout->addWidget(m_strip, 1);

    m_helpRow = new QWidget(this);
    m_helpRow->setObjectName(QStringLiteral("viewHelpRow"));
    m_helpRow->setAttribute(Qt::WA_StyledBackground);
    auto* helpLayout = new QHBoxLayout(m_helpRow);
    helpLayout->setContentsMargins(Metrics::kPanel, Metrics::kGrid, Metrics::kPanel, Metrics::kGrid);
    m_help = new QLabel(m_helpRow);
    m_help->setWordWrap(true); // a sentence is not cut short
    m_help->setObjectName(QStringLiteral("viewHelp"));
    m_help->setProperty("role", QStringLiteral("muted"));
    m_help->setFont(Theme::smallFont());
    helpLayout->addWidget(m_help, 1);
    m_more = new QToolButton(m_helpRow);
    m_more->setObjectName(QStringLiteral("viewMore"));
    m_more->setText(tr("Learn more"));
    m_more->setToolTip(tr("How the view is computed, and how to interpret it (Shift+F1)"));
    m_more->setProperty("flat", true);
    m_more->setFont(Theme::smallFont());
    m_more->setCursor(Qt::PointingHandCursor);
    m_more->setFocusPolicy(Qt::TabFocus);
    helpLayout->addWidget(m_more, 0, Qt::AlignTop);
    connect(m_more, &QToolButton::clicked, this, &ViewStack::moreRequested);

    m_pages = new QStackedWidget(this);
    // No view keeps the window from small screens, also with a failure above and the jobs below: it scrolls.
    constexpr QSize kLeast(480, 224);
    m_pages->setMinimumSize(kLeast);
    layout->addWidget(tabRow);
    layout->addWidget(m_helpRow);
    layout->addWidget(m_pages, 1);
    m_helpRow->hide();
    connect(m_tabs, &QTabBar::currentChanged, this, &ViewStack::showTab);
}

void ViewStack::addView(ViewEntry entry)
{
    HEADSCOPE_ASSERT(!entry.id.isNull() && !has(entry.id));
    // On a screen too small for the view it scrolls; nothing is cut off.
    QScrollArea* room = makeScrolled(entry.widget, m_pages);
    m_pages->addWidget(room);
    m_rooms.push_back(room);
    const QSignalBlocker quiet(m_tabs); // the page must be known before the tab is shown
    m_tabs->addTab(entry.title);
    m_strip->fit();
    m_entries.push_back(std::move(entry));
    if (m_entries.size() == 1)
    {
        m_tabs->setCurrentIndex(0);
        m_pages->setCurrentWidget(room);
    }
    refreshHelp();
}

const ViewEntry* ViewStack::find(ViewId view) const
{
    const auto found = std::ranges::find(m_entries, view, &ViewEntry::id);
    return found == m_entries.end() ? nullptr : &*found;
}

ViewId ViewStack::idOf(const QString& key) const
{
    const auto found =
        std::ranges::find_if(m_entries, [&key](const ViewEntry& entry) { return entry.id.key() == key; });
    return found == m_entries.end() ? ViewId() : found->id;
}

void ViewStack::setCurrent(ViewId view)
{
    const ViewEntry* entry = find(view);
    if (entry == nullptr)
        return;
    const auto index = static_cast<int>(entry - m_entries.data());
    m_tabs->setTabVisible(index, true); // it may wait in the menu of those without room
    m_tabs->setCurrentIndex(index);
}

void ViewStack::takeFocus()
{
    const ViewEntry* entry = find(current());
    const QWidget* now = QApplication::focusWidget();
    if (entry == nullptr || !entry->widget->isVisible() || (now != nullptr && entry->widget->isAncestorOf(now)))
        return;
    const auto takes = [](const QWidget* widget) {
        return widget != nullptr && widget->isVisible() && widget->isEnabled() &&
               (widget->focusPolicy() & Qt::TabFocus) != 0;
    };
    QWidget* next = entry->widget->focusWidget();
    for (QWidget* each = entry->widget->nextInFocusChain(); !takes(next) && each != entry->widget;
         each = each->nextInFocusChain())
        if (entry->widget->isAncestorOf(each) && takes(each))
            next = each;
    if (takes(next))
        next->setFocus(Qt::ShortcutFocusReason);
}

ViewId ViewStack::current() const
{
    const int index = m_tabs->currentIndex();
    return index < 0 ? ViewId() : m_entries[static_cast<std::size_t>(index)].id;
}

void ViewStack::setAnnotations(ViewId view, std::vector<viz::Annotation> annotations)
{
    const auto found = std::ranges::find(m_entries, view, &ViewEntry::id);
    HEADSCOPE_ASSERT(found != m_entries.end());
    found->annotations = std::move(annotations);
    Q_EMIT annotationsChanged(view);
}

void ViewStack::showTab(int index)
{
    if (index < 0)
        return;
    m_pages->setCurrentWidget(m_rooms[static_cast<std::size_t>(index)]);
    refreshHelp();
    Q_EMIT currentChanged(current());
}

void ViewStack::setHelpShown(bool shown)
{
    m_helpShown = shown;
    refreshHelp();
}

void ViewStack::setBanner(QWidget* banner)
{
    auto* column = static_cast<QVBoxLayout*>(layout());
    column->insertWidget(column->indexOf(m_pages), banner);
}

QString ViewStack::helpText() const
{
    return m_help->text();
}

void ViewStack::refreshHelp()
{
    const ViewEntry* entry = currentEntry();
    const QString help = entry == nullptr ? QString() : entry->help;
    m_help->setText(help);
    m_more->setVisible(entry != nullptr && !entry->more.isEmpty());
    m_helpRow->setVisible(m_helpShown && !help.isEmpty());
}

} // namespace headscope::ui
