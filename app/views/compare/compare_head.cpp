// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/views/compare/compare_head.h"

#include "ui/state/bind_controls.h"
#include "ui/theme/theme.h"
#include "ui/widgets/widgets.h"
#include "ui/widgets/wrap_row.h"

#include <QButtonGroup>
#include <QComboBox>
#include <QHBoxLayout>
#include <QLabel>
#include <QPushButton>
#include <QSignalBlocker>

#include <algorithm>

namespace headscope::ui
{
namespace
{

QPushButton* makeButton(const QString& name, const QString& text, const QString& tip, QWidget* parent)
{
    auto* made = new QPushButton(text, parent);
    made->setObjectName(name);
    made->setToolTip(tip);
    return made;
}

/// A letter and its box are one: no line ends between them.
QWidget* makeLettered(const QString& text, QComboBox* choice, QWidget* parent)
{
    auto* pair = new QWidget(parent);
    auto* inside = new QHBoxLayout(pair);
    inside->setContentsMargins(0, 0, 0, 0);
    inside->setSpacing(Metrics::kRelated);
    auto* letter = new QLabel(text, pair);
    letter->setFont(Theme::bodyFont(true));
    letter->setBuddy(choice);
    inside->addWidget(letter);
    inside->addWidget(choice);
    return pair;
}

} // namespace

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

CompareHead::CompareHead(QWidget* parent) : QWidget(parent)
{
    setObjectName(QStringLiteral("compareHead"));
    auto* row = new WrapRow(this);
    row->setContentsMargins(Metrics::kPanel, Metrics::kRelated, Metrics::kPanel, Metrics::kRelated);
    row->setSpacing(Metrics::kRelated);
    buildBoxes();
    buildLayouts();
    for (QWidget* widget :
         std::initializer_list<QWidget*>{makeLettered(tr("A"), m_a, this), m_swap, makeLettered(tr("B"), m_b, this)})
        row->addWidget(widget, 0, Qt::AlignVCenter);
    m_match = new ElidedLabel({}, this);
    m_match->setObjectName(QStringLiteral("compareMatch"));
    m_match->setProperty("role", QStringLiteral("muted"));
    m_match->setProperty("whole", true); // in a line of its own where it does not fit
    row->addSpacing(Metrics::kGrid);
    row->addWidget(m_match, 1, Qt::AlignVCenter);
    row->addWidget(makeTogether({m_morph, m_side}, Metrics::kRelated, this), 0, Qt::AlignVCenter);
}

void CompareHead::buildBoxes()
{
    const auto box = [this](const QString& name, const QString& tip) {
        auto* made = new QComboBox(this);
        made->setObjectName(name);
        made->setAccessibleName(tip);
        made->setToolTip(tip);
        made->setSizeAdjustPolicy(QComboBox::AdjustToContents);
        made->setPlaceholderText(tr("Select a map"));
        connect(made, &QComboBox::currentIndexChanged, this, &CompareHead::takeChoice);
        return made;
    };
    m_a = box(QStringLiteral("compareA"), tr("Map A"));
    m_b = box(QStringLiteral("compareB"), tr("Map B"));
    m_swap = makeButton(QStringLiteral("compareSwap"), QStringLiteral("⇄"), tr("Swap the two maps"), this);
    m_swap->setAccessibleName(tr("Swap the two maps"));
    m_swap->setProperty("square", true);
    connect(m_swap, &QPushButton::clicked, this, &CompareHead::swap);
}

void CompareHead::bindTo(ViewState& state)
{
    bind(state, QStringLiteral("compareA"), *m_a);
    bind(state, QStringLiteral("compareB"), *m_b);
    bind(state, QStringLiteral("compareMorph"), *m_morph);
    bind(state, QStringLiteral("compareSide"), *m_side);
    bindAct(state, *m_swap);
}

void CompareHead::buildLayouts()
{
    m_morph = makeButton(QStringLiteral("compareMorph"), tr("Morph"),
                         tr("Show both maps on top of each other; a slider moves the points"), this);
    m_side = makeButton(QStringLiteral("compareSide"), tr("Side by side"),
                        tr("Show map A on the left and map B on the right"), this);
    auto* layouts = new QButtonGroup(this);
    layouts->setExclusive(true);
    for (QPushButton* each : {m_morph, m_side})
    {
        each->setCheckable(true);
        layouts->addButton(each);
    }
    stopAtChecked(layouts);
    connect(m_morph, &QPushButton::clicked, this, [this] { Q_EMIT sideBySideAsked(false); });
    connect(m_side, &QPushButton::clicked, this, [this] { Q_EMIT sideBySideAsked(true); });
}

const MapOption* CompareHead::option(const QString& id) const
{
    const auto found = std::ranges::find(m_options, id, &MapOption::id);
    return found == m_options.end() ? nullptr : &*found;
}

void CompareHead::setOptions(const std::vector<MapOption>& maps, bool lookedAt)
{
    const QString a = idA();
    const QString b = idB();
    m_options = maps;
    const MapOption* optionA = option(a);
    const MapOption* optionB = option(b);
    const bool there = optionA != nullptr && optionB != nullptr;
    lookedAt = lookedAt && there && optionA->points == optionB->points;
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
    setVisible(maps.size() > 1);
}

void CompareHead::chooseQuietly(int a, int b)
{
    const QSignalBlocker quietA(m_a);
    const QSignalBlocker quietB(m_b);
    m_a->setCurrentIndex(a);
    m_b->setCurrentIndex(b);
    markOthers();
}

/// Each chooser says which maps are of other points than what the other one has chosen.
void CompareHead::markOthers()
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
                             other ? tr("The documents or heads of this map differ from those of %1, so points are "
                                        "matched by document")
                                         .arg(partner->title)
                                   : map.title,
                             Qt::ToolTipRole);
        }
    }
}

void CompareHead::takeChoice()
{
    m_chosenByUser = true;
    markOthers();
    Q_EMIT choiceChanged();
}

QString CompareHead::idA() const
{
    return m_a->currentData().toString();
}

QString CompareHead::idB() const
{
    return m_b->currentData().toString();
}

void CompareHead::choose(const QString& a, const QString& b)
{
    const int atA = m_a->findData(a);
    const int atB = m_b->findData(b);
    if (atA < 0 || atB < 0)
        return;
    chooseQuietly(atA, atB);
    takeChoice();
}

void CompareHead::swap()
{
    choose(idB(), idA());
}

void CompareHead::setMatch(const QString& text, const QString& tip)
{
    m_match->setFullText(text);
    m_match->setTip(tip);
}

void CompareHead::showSideBySide(bool side)
{
    m_morph->setChecked(!side);
    m_side->setChecked(side);
}

} // namespace headscope::ui
