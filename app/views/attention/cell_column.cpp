// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/views/attention/cell_column.h"

#include "app/views/attention/attention_text.h"
#include "app/views/attention/share_bars.h"
#include "model/data/key_sharing.h"
#include "ui/state/bind_controls.h"
#include "ui/theme/theme.h"
#include "ui/widgets/widgets.h"
#include "ui/words/wording.h"
#include "viz/attention/token_names.h"
#include "viz/color/head_palette.h"

#include <QFrame>
#include <QHBoxLayout>
#include <QLabel>
#include <QLocale>
#include <QPushButton>
#include <QScrollBar>
#include <QVBoxLayout>

#include <algorithm>
#include <cmath>
#include <utility>

namespace headscope::ui
{
CellColumn::CellColumn(QWidget* parent) : QScrollArea(parent)
{
    setObjectName(QStringLiteral("attentionNumbers"));
    setAccessibleName(tr("Numbers for the selected cell and head"));
    setFrameShape(QFrame::NoFrame);
    setWidgetResizable(true);
    setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    setFocusPolicy(Qt::NoFocus);
    auto* inside = new QWidget(this);
    build(inside);
    setWidget(inside);
    viewport()->setAutoFillBackground(false);
    inside->setAutoFillBackground(false);
    onThemeChange(this, [this] {
        if (m_content.run != nullptr)
            setContent(m_content);
    });
}

void CellColumn::build(QWidget* inside)
{
    auto* layout = new QVBoxLayout(inside);
    layout->setContentsMargins(Metrics::kPanel, Metrics::kRelated, Metrics::kPanel, Metrics::kPanel);
    layout->setSpacing(Metrics::kRelated);
    layout->addWidget(new SectionLabel(tr("One cell"), inside));
    m_card = new CellCard(inside);
    layout->addWidget(m_card);
    layout->addSpacing(Metrics::kRelated);
    layout->addWidget(buildSwitches(inside)); // above what grows with the choice
    layout->addSpacing(Metrics::kRelated);
    m_groupTitle = new SectionLabel({}, inside);
    layout->addWidget(m_groupTitle);
    m_groupNote = makeMutedLabel({}, inside);
    m_groupNote->setFont(Theme::smallFont());
    m_groupNote->setWordWrap(true);
    layout->addWidget(m_groupNote);
    m_group = new PictureOf<ShareBars>(inside);
    m_group->setObjectName(QStringLiteral("attentionGroup"));
    m_group->setAccessibleName(tr("Tokens the group attends to"));
    layout->addWidget(m_group);
    layout->addSpacing(Metrics::kRelated);
    m_headTitle = new SectionLabel({}, inside);
    layout->addWidget(m_headTitle);
    m_head = new PictureOf<ShareBars>(inside);
    m_head->setObjectName(QStringLiteral("attentionHeadMeasures"));
    m_head->setAccessibleName(tr("Statistics of the head"));
    layout->addWidget(m_head);
    layout->addStretch(1);
}

QWidget* CellColumn::buildSwitches(QWidget* inside)
{
    m_switches = new QWidget(inside);
    auto* layout = new QVBoxLayout(m_switches);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(Metrics::kRelated);
    layout->addWidget(new SectionLabel(tr("Ablate in the model"), m_switches));
    const auto makeRow = [this, layout](QLabel** name, QPushButton** button, const char* objectName) {
        auto* row = new QWidget(m_switches);
        auto* line = new QHBoxLayout(row);
        line->setContentsMargins(0, 0, 0, 0);
        *name = new QLabel(row);
        (*name)->setTextFormat(Qt::PlainText);
        *button = new QPushButton(tr("Ablate"), row);
        (*button)->setObjectName(QLatin1StringView(objectName));
        (*button)->setCheckable(true);
        line->addWidget(*name, 1);
        line->addWidget(*button);
        layout->addWidget(row);
        return row;
    };
    makeRow(&m_headName, &m_headOff, "attentionHeadOff");
    m_groupRow = makeRow(&m_groupName, &m_groupOff, "attentionGroupOff");
    m_switched = makeMutedLabel({}, m_switches);
    m_switched->setFont(Theme::smallFont());
    m_switched->setWordWrap(true);
    layout->addWidget(m_switched);
    m_moved = new QPushButton(tr("Affected documents…"), m_switches);
    m_moved->setObjectName(QStringLiteral("attentionMoved"));
    m_moved->setToolTip(tr("Run documents of the cache through the model without these heads. See which documents "
                           "change and how their points move on the map."));
    layout->addWidget(m_moved, 0, Qt::AlignLeft);
    connect(m_moved, &QPushButton::clicked, this, [this] {
        if (m_offLayer && !m_off.empty())
            Q_EMIT movedDocumentsWanted(*m_offLayer, m_off);
    });
    connect(m_headOff, &QPushButton::clicked, this, [this] { toggleOff(m_headOff, {m_content.place.head}); });
    connect(m_groupOff, &QPushButton::clicked, this,
            [this] { toggleOff(m_groupOff, groupHeads(m_content.run->model, m_content.place.head)); });
    return m_switches;
}

void CellColumn::bindTo(ViewState& state)
{
    bind(state, QStringLiteral("attentionHeadOff"), *m_headOff);
    bind(state, QStringLiteral("attentionGroupOff"), *m_groupOff);
}

void CellColumn::toggleOff(const QPushButton* button, const std::vector<HeadIndex>& heads)
{
    m_off = button->isChecked() ? heads : std::vector<HeadIndex>{};
    m_offLayer = button->isChecked() ? std::optional(m_content.place.layer) : std::nullopt;
    refreshSwitches();
    Q_EMIT switchOffWanted(m_content.place.layer, m_off);
}

void CellColumn::setContent(CellContent content)
{
    m_content = std::move(content);
    widget()->setVisible(m_content.run != nullptr);
    if (m_content.run == nullptr)
        return;
    m_card->setContent(m_content);
    refreshGroup();
    refreshHead();
    refreshSwitches();
    // The numbers at the right edge stay whole when the bar that scrolls them appears.
    setMinimumWidth(widget()->minimumSizeHint().width() + verticalScrollBar()->sizeHint().width());
}

void CellColumn::refreshGroup()
{
    const AttentionRun& run = *m_content.run;
    const std::vector<HeadIndex> heads = groupHeads(run.model, m_content.place.head);
    const bool any = m_content.reading.has_value();
    for (QWidget* each : {static_cast<QWidget*>(m_groupTitle), static_cast<QWidget*>(m_group)})
        each->setVisible(any);
    m_groupNote->setVisible(any && heads.size() > 1);
    if (!any)
        return;
    const QString token = viz::quotedToken(run.tokens[m_content.reading->index()]);
    m_groupTitle->setTitle(heads.size() > 1 ? tr("Group at query token %1").arg(token)
                                            : tr("Head at query token %1").arg(token));
    m_groupNote->setText(
        tr("%1 query heads share one KV head, so %1 queries are compared with the same keys.").arg(heads.size()));
    const viz::HeadPalette palette(run.model, Theme::instance().vizTheme());
    std::vector<ShareBars::Block> blocks;
    for (const HeadIndex head : heads)
    {
        ShareBars::Block block;
        block.title = unitText(Stage::HeadOutput, head);
        block.color = palette.color(head);
        const MatrixF* weights = run.weightsOf(m_content.place.layer, head);
        block.note =
            weights == nullptr
                ? tr("not loaded yet")
                : tr("first token %1").arg(percentText(static_cast<double>((*weights)(m_content.reading->value(), 0))));
        constexpr std::size_t kMost = 4;
        for (const ReadToken& each :
             strongestRead(run, {m_content.place.layer, head}, *m_content.reading, m_content.withoutFirst, kMost))
            block.rows.push_back(
                {viz::shownToken(run.tokens[each.token.index()]), QLocale().toString(each.share, 'f', 2), each.share,
                 m_content.withoutFirst ? tr("Weight, renormalized without the first token") : tr("Attention weight")});
        blocks.push_back(std::move(block));
    }
    m_group->picture().setBlocks(std::move(blocks));
}

void CellColumn::refreshHead()
{
    const AttentionRun& run = *m_content.run;
    const auto place = run.placeOf(m_content.place.layer);
    m_headTitle->setTitle(tr("Head %1 in this text").arg(shownNumber(m_content.place.head)));
    ShareBars::Block block;
    block.color = Theme::instance().colors().muted;
    for (const std::string& name : measuresOf(run))
    {
        if (!place || name.ends_with("_raw"))
            continue;
        const double value = run.statistics.at(name)(static_cast<std::int64_t>(*place), m_content.place.head.value());
        // An entropy is at most that of an even row over all tokens.
        const double most =
            name == "entropy" ? std::log(static_cast<double>(std::max<std::int64_t>(2, run.tokenCount()))) : 1;
        block.rows.push_back({measureTitle(name), measureText(value), value / most, measureTip(name)});
    }
    const bool any = !block.rows.empty();
    m_headTitle->setVisible(any);
    m_head->setVisible(any);
    m_head->picture().setBlocks({std::move(block)});
}

void CellColumn::refreshSwitches()
{
    const AttentionRun& run = *m_content.run;
    const AttentionHead place = m_content.place;
    const std::vector<HeadIndex> group = groupHeads(run.model, place.head);
    m_headName->setText(tr("Head %1, layer %2").arg(shownNumber(place.head)).arg(place.layer.value()));
    m_groupName->setText(
        tr("KV group %1, layer %2").arg(shownNumber(run.model.groupOf(place.head))).arg(place.layer.value()));
    m_groupRow->setVisible(keySharing(run.model) == KeySharing::Groups);
    const auto show = [&](QPushButton* button, const QLabel* name, const std::vector<HeadIndex>& heads) {
        const bool off = m_offLayer == place.layer && m_off == heads;
        const bool withOthers =
            !off && !heads.empty() && m_offLayer == place.layer && std::ranges::all_of(heads, [this](HeadIndex head) {
                return std::ranges::find(m_off, head) != m_off.end();
            });
        button->setChecked(off);
        button->setEnabled(m_offAllowed);
        button->setText(off ? tr("Restore") : withOthers ? tr("Ablate only this") : tr("Ablate"));
        button->setToolTip(
            !m_offAllowed ? m_whyNot
            : withOthers  ? tr("This head is ablated together with its group. Click to restore the other heads.")
            : off         ? tr("Run the model again without this ablation")
                          : tr("Run the model again with the output of this head or group set to zero at every token"));
        button->setAccessibleName(tr("%1: %2").arg(button->text(), name->text()));
    };
    show(m_headOff, m_headName, {place.head});
    show(m_groupOff, m_groupName, group.size() > 1 ? group : std::vector<HeadIndex>{});
    m_switched->setVisible(!m_switched->text().isEmpty());
    m_moved->setVisible(m_documentsAllowed && m_offLayer && !m_off.empty());
}

void CellColumn::setSwitchedOff(const QString& text, LayerIndex layer, const std::vector<HeadIndex>& heads)
{
    m_switched->setText(text);
    m_switched->setVisible(!text.isEmpty());
    m_off = text.isEmpty() ? std::vector<HeadIndex>() : heads;
    m_offLayer = m_off.empty() ? std::nullopt : std::optional(layer);
    if (m_content.run != nullptr)
        refreshSwitches();
}

void CellColumn::setDocumentsAllowed(bool allowed)
{
    m_documentsAllowed = allowed;
    if (m_content.run != nullptr)
        refreshSwitches();
}

void CellColumn::setSwitchOffAllowed(bool allowed, const QString& why)
{
    m_offAllowed = allowed;
    m_whyNot = why;
    if (m_content.run != nullptr)
        refreshSwitches();
}

} // namespace headscope::ui
