// SPDX-License-Identifier: GPL-3.0-or-later
// Which two maps are compared: the chooser, what it begins with, and what it says of maps of other points.
#include "ui/theme/theme.h"
#include "ui/views/compare/compare_view.h"

#include <QComboBox>
#include <QSignalBlocker>

#include <algorithm>

namespace headscope::ui
{

std::optional<std::pair<std::size_t, std::size_t>> newestAlike(const std::vector<MapOption>& maps)
{
    std::vector<std::size_t> byAge; // the newest first
    for (std::size_t i = maps.size(); i-- > 0;)
        if (!maps[i].cell)
            byAge.push_back(i);
    for (std::size_t i = 0; i < maps.size(); ++i)
        if (maps[i].cell)
            byAge.push_back(i);
    for (auto newer = byAge.begin(); newer != byAge.end(); ++newer)
    {
        const auto older = std::find_if(newer + 1, byAge.end(),
                                        [&](std::size_t other) { return maps[other].points == maps[*newer].points; });
        if (older != byAge.end())
            return std::minmax(*newer, *older);
    }
    return std::nullopt;
}

const MapOption* CompareView::option(const QString& id) const
{
    const auto found = std::ranges::find(m_options, id, &MapOption::id);
    return found == m_options.end() ? nullptr : &*found;
}

void CompareView::setOptions(const std::vector<MapOption>& maps)
{
    const QString a = idA();
    const QString b = idB();
    m_options = maps;
    const MapOption* optionA = option(a);
    const MapOption* optionB = option(b);
    const bool there = optionA != nullptr && optionB != nullptr;
    const bool lookedAt = m_pair != nullptr && isVisible() && there && optionA->points == optionB->points;
    m_chosenByUser = m_chosenByUser && there;
    for (QComboBox* box : {m_a, m_b})
    {
        const QSignalBlocker quiet(box);
        box->clear();
        for (const MapOption& map : maps)
            box->addItem(map.title, map.id);
    }
    const auto alike = newestAlike(maps);
    if (m_chosenByUser || lookedAt)
        chooseQuietly(m_a->findData(a), m_b->findData(b));
    else if (alike)
        chooseQuietly(static_cast<int>(alike->first), static_cast<int>(alike->second));
    else
    {
        const auto newest = std::find_if(maps.rbegin(), maps.rend(), [](const MapOption& each) { return !each.cell; });
        chooseQuietly(
            newest == maps.rend() ? std::min(0, m_a->count() - 1) : static_cast<int>(maps.rend() - newest) - 1, -1);
    }
    m_head->setVisible(maps.size() > 1);
}

void CompareView::chooseQuietly(int a, int b)
{
    const QSignalBlocker quietA(m_a);
    const QSignalBlocker quietB(m_b);
    m_a->setCurrentIndex(a);
    m_b->setCurrentIndex(b);
    markOthers();
}

/// Each chooser says which maps are of other points than what the other one has chosen.
void CompareView::markOthers()
{
    const Theme& theme = Theme::instance();
    for (QComboBox* box : {m_a, m_b})
    {
        const QSignalBlocker quiet(box);
        const MapOption* partner = option(box == m_a ? idB() : idA());
        for (int i = 0; i < box->count(); ++i)
        {
            const MapOption& map = m_options[static_cast<std::size_t>(i)];
            const bool other = partner != nullptr && partner->points != map.points;
            box->setItemText(i, other ? tr("%1 · other points").arg(map.title) : map.title);
            box->setItemData(i, other ? QVariant(theme.colors().muted) : QVariant(), Qt::ForegroundRole);
            box->setItemData(i,
                             other ? tr("Of other documents or heads than %1: points can be matched by document alone")
                                         .arg(partner->title)
                                   : map.title,
                             Qt::ToolTipRole);
        }
    }
}

void CompareView::takeChoice()
{
    m_chosenByUser = true;
    markOthers();
    Q_EMIT choiceChanged();
}

QString CompareView::idA() const
{
    return m_a->currentData().toString();
}

QString CompareView::idB() const
{
    return m_b->currentData().toString();
}

void CompareView::choose(const QString& a, const QString& b)
{
    const int atA = m_a->findData(a);
    const int atB = m_b->findData(b);
    if (atA < 0 || atB < 0)
        return;
    chooseQuietly(atA, atB);
    takeChoice();
}

void CompareView::swap()
{
    choose(idB(), idA());
}

} // namespace headscope::ui
