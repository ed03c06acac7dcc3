// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/panels/find/find_panel.h"

#include "ui/state/bind_controls.h"
#include "ui/theme/theme.h"
#include "ui/widgets/widgets.h"

#include <QButtonGroup>
#include <QHBoxLayout>
#include <QScrollArea>
#include <QStackedWidget>
#include <QToolButton>
#include <QVBoxLayout>

namespace headscope::ui
{
namespace
{

constexpr int kPanelWidth = 268;

} // namespace

FindPanel::FindPanel(QWidget* parent) : QWidget(parent), m_state(new ViewState(this))
{
    setObjectName(QStringLiteral("findPanel"));
    setMinimumWidth(kPanelWidth);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(Metrics::kPanel, Metrics::kPanel, Metrics::kPanel, Metrics::kPanel);
    layout->setSpacing(Metrics::kRelated);
    auto* row = new QHBoxLayout;
    row->setSpacing(Metrics::kGrid);
    auto* group = new QButtonGroup(this);
    struct Entry
    {
        QString text;
        QString name;
        QString tip;
    };
    const Entry entries[] = {{tr("Text"), QStringLiteral("findPageText"), tr("Find documents by their text")},
                             {tr("Filter"), QStringLiteral("findPageFilter"), tr("Find documents by conditions")},
                             {tr("Sets"), QStringLiteral("findPageSets"), tr("Named sets of documents")}};
    m_pages = new QStackedWidget(this);
    for (const Entry& entry : entries)
    {
        auto* button = new QToolButton(this);
        button->setObjectName(entry.name);
        button->setText(entry.text);
        button->setToolTip(entry.tip);
        button->setAccessibleName(entry.tip);
        button->setCheckable(true);
        button->setProperty("boxed", true);
        button->setFocusPolicy(Qt::StrongFocus);
        group->addButton(button, static_cast<int>(m_switches.size()));
        m_switches << button;
        row->addWidget(button);
    }
    row->addStretch(1);
    layout->addLayout(row);
    layout->addWidget(m_pages, 1);
    m_search = new SearchPage(m_pages);
    m_pages->addWidget(m_search);
    // Conditions may be many: they scroll, the lists of the other pages do so themselves.
    auto* scroll = new QScrollArea(m_pages);
    scroll->setFrameShape(QFrame::NoFrame);
    scroll->setWidgetResizable(true);
    scroll->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    scroll->setFocusPolicy(Qt::NoFocus);
    m_filter = new FilterPage(scroll);
    scroll->setWidget(m_filter);
    m_pages->addWidget(scroll);
    m_sets = new SetsPage(m_pages);
    m_pages->addWidget(m_sets);
    m_sets->bindTo(*m_state);
    m_search->bindTo(*m_state);
    connect(m_filter, &FilterPage::edited, m_state,
            [this] { m_state->tellEdited(StatePart::Own, QStringLiteral("filter")); });
    connect(m_filter, &FilterPage::filterRequested, m_state,
            [this] { m_state->tellChanged(StatePart::Own, QStringLiteral("filter")); });
    for (int i = 0; i < m_switches.size(); ++i)
        bindFold(*m_state, entries[i].name, *m_switches.at(i));
    connect(group, &QButtonGroup::idClicked, m_pages, &QStackedWidget::setCurrentIndex);
    stopAtChecked(group);
    setPage(Page::Text);
}

void FindPanel::setPage(Page page)
{
    m_switches.at(static_cast<int>(page))->setChecked(true);
    m_pages->setCurrentIndex(static_cast<int>(page));
}

FindPanel::Page FindPanel::page() const
{
    return static_cast<Page>(m_pages->currentIndex());
}

} // namespace headscope::ui
