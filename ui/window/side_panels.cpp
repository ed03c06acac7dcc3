// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/window/side_panels.h"

#include "ui/theme/theme.h"
#include "ui/widgets/scrolled_room.h"
#include "ui/widgets/tab_strip.h"

#include <QHBoxLayout>
#include <QScrollArea>
#include <QStackedWidget>
#include <QTabBar>
#include <QVBoxLayout>

#include <algorithm>

namespace headscope::ui
{

SidePanels::SidePanels(QWidget* parent) : QWidget(parent)
{
    setObjectName(QStringLiteral("sidePanels"));
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(0);
    auto* row = new QHBoxLayout;
    row->setContentsMargins(Metrics::kRelated, 6, 0, 0); // four titles stand side by side in the least width
    constexpr int kTabPadding = 6;
    m_strip = new TabStrip(QStringLiteral("sideTabs"), kTabPadding, this);
    m_tabs = m_strip->tabs();
    m_tabs->setAccessibleName(tr("Panels"));
    m_strip->hide();
    row->addWidget(m_strip, 1);
    m_pages = new QStackedWidget(this);
    layout->addLayout(row);
    layout->addWidget(m_pages, 1);
    connect(m_tabs, &QTabBar::currentChanged, this, [this](int index) {
        m_pages->setCurrentIndex(index);
        Q_EMIT currentChanged(currentPage());
    });
}

void SidePanels::addPage(const QString& id, const QString& title, QWidget* page)
{
    // Like a view, a page keeps the window from no screen: where it has less than it needs at least, it scrolls.
    constexpr int kMinHeight = 200;
    const int least = std::max(page->minimumWidth(), page->minimumSizeHint().width());
    QScrollArea* room = makeScrolled(page, m_pages);
    room->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    m_pages->setMinimumSize(std::max(m_pages->minimumWidth(), least), kMinHeight);
    m_pages->addWidget(room);
    m_tabs->setTabData(m_tabs->addTab(title), id);
    m_strip->setVisible(m_tabs->count() > 1);
    m_strip->fit();
}

void SidePanels::showPage(const QString& id)
{
    for (int i = 0; i < m_tabs->count(); ++i)
        if (m_tabs->tabData(i).toString() == id)
        {
            m_tabs->setTabVisible(i, true); // it may wait in the menu of those without room
            m_tabs->setCurrentIndex(i);
        }
}

QString SidePanels::currentPage() const
{
    return m_tabs->tabData(m_tabs->currentIndex()).toString();
}

} // namespace headscope::ui
