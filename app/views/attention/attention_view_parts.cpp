// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/views/attention/attention_bar.h"
#include "app/views/attention/attention_text.h"
#include "app/views/attention/attention_view.h"
#include "app/views/attention/cell_column.h"
#include "app/views/attention/head_grid_picture.h"
#include "app/views/attention/head_panes.h"
#include "model/data/key_sharing.h"
#include "ui/canvas/canvas_summary.h"
#include "ui/canvas/panned_widget.h"

#include <QKeyEvent>
#include <QSplitter>

#include <algorithm>
#include <map>
#include <utility>

namespace headscope::ui
{
namespace
{

/// Narrower views have no room for heads, pictures and numbers beside each other.
constexpr int kWide = 720;
/// Of longer texts the weights of a whole group, 16 MB and more a head, are fetched for an overlay alone.
constexpr std::int64_t kLongText = 2048;

} // namespace

std::vector<AttentionHead> AttentionView::shownHeads() const
{
    std::vector<AttentionHead> places;
    if (m_chosen)
        places.push_back(*m_chosen);
    for (const AttentionHead& place : m_pinned)
        if (place != m_chosen && places.size() < HeadPanes::kMost)
            places.push_back(place);
    return places;
}

AttentionLook AttentionView::shownLook() const
{
    AttentionLook now = look();
    now.withoutFirst = now.withoutFirst && (m_run == nullptr || m_run->tokenCount() > 1);
    return now;
}

void AttentionView::refresh()
{
    const AttentionLook now = shownLook();
    m_grid->setVisible(now.heads);
    m_numbers->setVisible(now.numbers);
    m_panes->setVisible(now.lines || now.matrix || !(now.heads || now.numbers));
    m_grid->picture().setWithoutFirst(now.withoutFirst);
    m_grid->picture().setMeasure(now.measure);
    m_grid->picture().setChosen(m_chosen);
    std::vector<AttentionHead> beside = shownHeads();
    const bool kept = m_chosen && std::find(m_pinned.begin(), m_pinned.end(), *m_chosen) != m_pinned.end();
    if (!beside.empty() && !kept)
        beside.erase(beside.begin());
    m_grid->picture().setPinned(beside);
    if (m_run != nullptr && m_chosen)
    {
        const KeySharing sharing = keySharing(m_run->model);
        const bool shared = sharing == KeySharing::Groups || sharing == KeySharing::One;
        m_bar->setOverlayAllowed(shared,
                                 tr("Every query head of this model has its own KV head, so there are no groups"));
    }
    m_panes->setContent(m_chosen ? m_run : nullptr, shownHeads(), kept, shownLook());
    m_panes->setCell(m_reading, m_read);
    refreshNumbers();
    refreshKey();
    noteCanvasChanged(this);
}

void AttentionView::refreshNumbers()
{
    CellContent content;
    if (m_run != nullptr && m_chosen)
        content = {m_run, *m_chosen, m_reading, m_read, shownLook().withoutFirst};
    m_numbers->setContent(std::move(content));
    askForMissing();
}

void AttentionView::refreshKey()
{
    viz::AttentionKey key;
    key.unwritten = m_run == nullptr || m_run->causal;
    const AttentionLook now = shownLook();
    key.takenOut = now.withoutFirst;
    key.shares = now.matrix || (now.heads && now.measure.empty());
    if (const auto scale = m_grid->picture().measureScale(); scale && now.heads)
    {
        key.measure = measureTitle(now.measure);
        key.limits = scale->limits;
    }
    m_bar->setKey(key);
}

void AttentionView::askForMissing()
{
    if (m_run == nullptr || !m_chosen || m_run->tokenCount() == 0)
        return;
    const AttentionLook now = look();
    std::map<LayerIndex, std::vector<HeadIndex>> wanted;
    const auto want = [&](AttentionHead place) {
        if (m_run->weightsOf(place.layer, place.head) == nullptr && m_asked.insert(place).second)
            wanted[place.layer].push_back(place.head);
    };
    for (const AttentionHead& place : shownHeads())
    {
        const bool numbers = now.numbers && m_reading && place == m_chosen;
        if (now.lines || now.matrix || numbers)
            want(place);
        if ((now.overlay && now.lines) || (numbers && m_run->tokenCount() <= kLongText))
            for (const HeadIndex head : groupHeads(m_run->model, place.head))
                want({place.layer, head});
    }
    for (const auto& [layer, heads] : wanted)
        Q_EMIT weightsWanted(layer, heads);
    if (now.numbers && m_reading && m_read && m_run->maker == AttentionMaker::Model &&
        m_run->vectorsOf(m_chosen->layer) == nullptr && m_askedVectors.insert(m_chosen->layer).second)
        Q_EMIT vectorsWanted(m_chosen->layer);
}

void AttentionView::choose(AttentionHead place)
{
    if (m_chosen == place)
        return;
    m_chosen = place;
    refresh();
    Q_EMIT layerHeadChosen(place.layer, place.head);
}

void AttentionView::togglePin(AttentionHead place)
{
    if (const auto found = std::find(m_pinned.begin(), m_pinned.end(), place); found != m_pinned.end())
        m_pinned.erase(found);
    else
    {
        if (m_pinned.size() + 1 >= HeadPanes::kMost)
            m_pinned.erase(m_pinned.begin());
        m_pinned.push_back(place);
    }
    refresh();
    Q_EMIT stateChanged();
}

std::optional<TokenIndex> AttentionView::mostReadBy(TokenIndex token) const
{
    if (m_run == nullptr || !m_chosen)
        return {};
    const auto most = strongestRead(*m_run, *m_chosen, token, shownLook().withoutFirst, 1);
    return most.empty() ? token : most.front().token;
}

void AttentionView::clickToken(std::optional<viz::LineEnd> end)
{
    if (!end)
        return keepCell({}, {});
    const TokenIndex token(end->token);
    if (end->side == viz::LineEnd::Side::Reading)
        return keepCell(token, mostReadBy(token));
    keepCell(m_reading, token); // of a token that reads: the cell of both; else whoever reads it
}

void AttentionView::keepCell(std::optional<TokenIndex> reading, std::optional<TokenIndex> read)
{
    setCell(reading, read);
    noteCanvasChanged(this);
    Q_EMIT stateChanged();
}

void AttentionView::fitColumns()
{
    const int room = m_columns->width();
    if (m_columnsMoved || room <= 0 || m_run == nullptr)
        return;
    constexpr double kMaxOfRoom = 0.42;
    const int numbers = m_numbers->isHidden() ? 0 : std::max(CellColumn::kWidth, m_numbers->minimumWidth());
    const int most = std::max(m_grid->minimumSizeHint().width(), static_cast<int>(kMaxOfRoom * (room - numbers)));
    const int grid =
        m_grid->isHidden() ? 0 : std::clamp(m_grid->picture().widthForHeight(m_columns->height()), 140, most);
    m_columns->setSizes({grid, std::max(1, room - numbers - grid), numbers});
}

void AttentionView::resizeEvent(QResizeEvent* event)
{
    QWidget::resizeEvent(event);
    m_bar->setNarrow(width() < kWide);
    fitColumns();
}

void AttentionView::keyPressEvent(QKeyEvent* event)
{
    if (m_run == nullptr || !m_chosen)
        return View::keyPressEvent(event);
    if (event->key() == Qt::Key_P && event->modifiers() == Qt::NoModifier)
        return togglePin(m_grid->pointed() ? m_grid->picture().headOf(*m_grid->pointed()) : *m_chosen);
    if (event->key() == Qt::Key_Escape && (m_reading || m_read))
        return keepCell({}, {});
    if (event->key() == Qt::Key_Escape && !m_pinned.empty())
    {
        m_pinned.clear();
        refresh();
        Q_EMIT stateChanged();
        return;
    }
    View::keyPressEvent(event);
}

} // namespace headscope::ui
