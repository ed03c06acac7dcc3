// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/views/attention/head_panes.h"

#include "ui/theme/theme.h"

#include <QHBoxLayout>

#include <algorithm>

namespace headscope::ui
{

HeadPanes::HeadPanes(QWidget* parent) : QWidget(parent)
{
    m_row = new QHBoxLayout(this);
    m_row->setContentsMargins(Metrics::kPanel, Metrics::kRelated, Metrics::kPanel, Metrics::kRelated);
    m_row->setSpacing(Metrics::kGroups);
    addPane();
}

HeadPane* HeadPanes::addPane()
{
    auto* pane = new HeadPane(this);
    m_row->addWidget(pane, 1);
    m_panes.push_back(pane);
    const auto others = [this, pane](const auto& tell) {
        for (HeadPane* each : m_panes)
            if (each != pane)
                tell(each);
    };
    connect(pane, &HeadPane::tokenClicked, this, &HeadPanes::tokenClicked);
    connect(pane, &HeadPane::tokenReached, this, &HeadPanes::tokenReached);
    connect(pane, &HeadPane::cellChosen, this, &HeadPanes::cellChosen);
    connect(pane, &HeadPane::pinAsked, this, &HeadPanes::pinAsked);
    connect(pane, &HeadPane::tokenPointed, this,
            [others](std::optional<viz::LineEnd> end) { others([end](HeadPane* each) { each->setPointed(end); }); });
    // A cell of a table lights the lines of its row in all panes.
    connect(pane, &HeadPane::cellPointed, this, [this](std::optional<viz::WeightCell> cell) {
        for (HeadPane* each : m_panes)
            each->setPointed(cell ? std::optional(viz::LineEnd{viz::LineEnd::Side::Reading, cell->reading})
                                  : std::nullopt);
    });
    return pane;
}

void HeadPanes::setContent(const AttentionRunPtr& run, const std::vector<AttentionHead>& places, bool kept,
                           const AttentionLook& look)
{
    if (run != nullptr &&
        (m_run == nullptr || m_names == nullptr || m_run->origin != run->origin || m_run->tokens != run->tokens))
        m_names = std::make_shared<const viz::TokenNames>(run->tokens, Theme::smallFont());
    m_run = run;
    m_shown = run != nullptr ? std::min(places.size(), kMost) : 0;
    while (m_panes.size() < m_shown)
        addPane();
    for (std::size_t i = 0; i < m_panes.size(); ++i)
    {
        m_panes[i]->setVisible(i < m_shown);
        m_panes[i]->setContent(
            i < m_shown ? HeadPane::Content{run, m_names, places[i], look, i > 0 || kept, i > 0, m_shown == 1}
                        : HeadPane::Content{});
    }
}

void HeadPanes::setCell(std::optional<TokenIndex> reading, std::optional<TokenIndex> read)
{
    for (HeadPane* pane : m_panes)
        pane->setCell(reading, read);
}

std::vector<HeadPane*> HeadPanes::panes() const
{
    return {m_panes.begin(), m_panes.begin() + static_cast<std::ptrdiff_t>(m_shown)};
}

} // namespace headscope::ui
