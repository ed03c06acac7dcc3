// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/views/attention/cell_column.h"

#include "model/data/key_sharing.h"
#include "ui/theme/theme.h"
#include "ui/views/attention/attention_words.h"
#include "ui/views/attention/share_bars.h"
#include "ui/widgets/widgets.h"
#include "ui/words/wording.h"
#include "viz/attention/token_names.h"
#include "viz/color/head_palette.h"

#include <QFrame>
#include <QGridLayout>
#include <QHBoxLayout>
#include <QLabel>
#include <QLocale>
#include <QPushButton>
#include <QVBoxLayout>

#include <algorithm>
#include <cmath>
#include <utility>

namespace headscope::ui
{
namespace
{

/// The steps from two tokens to a number, in their order.
enum Step : std::size_t
{
    Dot,
    Scaled,
    Mask,
    Softmax,
    WithoutFirst,
    Value,
    Share,
};

struct StepWords
{
    const char* name;
    const char* tip;
};

constexpr StepWords kSteps[] = {
    {QT_TRANSLATE_NOOP("headscope::ui::CellColumn", "q · k"),
     QT_TRANSLATE_NOOP("headscope::ui::CellColumn",
                       "The reading token’s query times the read token’s key, after norms and rotation by place")},
    {QT_TRANSLATE_NOOP("headscope::ui::CellColumn", "÷ √%1"),
     QT_TRANSLATE_NOOP("headscope::ui::CellColumn", "The product divided by the square root of the head size")},
    {QT_TRANSLATE_NOOP("headscope::ui::CellColumn", "mask"),
     QT_TRANSLATE_NOOP("headscope::ui::CellColumn", "Whether the model lets this token be read from here")},
    {QT_TRANSLATE_NOOP("headscope::ui::CellColumn", "softmax"),
     QT_TRANSLATE_NOOP("headscope::ui::CellColumn",
                       "The share of the row: the exponential of the number above, divided by the sum of all of them")},
    {QT_TRANSLATE_NOOP("headscope::ui::CellColumn", "without the first"),
     QT_TRANSLATE_NOOP("headscope::ui::CellColumn", "The share of what the first token leaves of the row")},
    {QT_TRANSLATE_NOOP("headscope::ui::CellColumn", "× length of its value"),
     QT_TRANSLATE_NOOP("headscope::ui::CellColumn", "Length of the read token’s value vector, which the share weighs")},
    {QT_TRANSLATE_NOOP("headscope::ui::CellColumn", "share of the output"),
     QT_TRANSLATE_NOOP("headscope::ui::CellColumn",
                       "How much of the head’s output at the reading token this is: the weighted value times the "
                       "output, divided by the output’s square. A row adds up to 100 %; a share may be below 0")},
};

QString threeDigits(double value)
{
    return std::isfinite(value) ? QLocale().toString(value, 'f', 3) : QStringLiteral("–");
}

QLabel* makeSmall(QWidget* parent, bool muted)
{
    QLabel* label = muted ? makeMutedLabel({}, parent) : new QLabel(parent);
    label->setTextFormat(Qt::PlainText);
    label->setFont(Theme::smallFont());
    return label;
}

} // namespace

CellColumn::CellColumn(QWidget* parent) : QScrollArea(parent)
{
    setObjectName(QStringLiteral("attentionNumbers"));
    setAccessibleName(tr("Numbers of the chosen cell and head"));
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
    m_cellTitle = new SectionLabel(tr("One cell"), inside);
    layout->addWidget(m_cellTitle);
    layout->addWidget(buildCell(inside));
    m_cellNote = makeMutedLabel({}, inside);
    m_cellNote->setFont(Theme::smallFont());
    m_cellNote->setWordWrap(true);
    layout->addWidget(m_cellNote);
    layout->addSpacing(Metrics::kRelated);
    m_groupTitle = new SectionLabel({}, inside);
    layout->addWidget(m_groupTitle);
    m_groupNote = makeMutedLabel({}, inside);
    m_groupNote->setFont(Theme::smallFont());
    m_groupNote->setWordWrap(true);
    layout->addWidget(m_groupNote);
    m_group = new ShareBars(inside);
    m_group->setObjectName(QStringLiteral("attentionGroup"));
    m_group->setAccessibleName(tr("What the heads of the group read"));
    layout->addWidget(m_group);
    layout->addSpacing(Metrics::kRelated);
    m_headTitle = new SectionLabel({}, inside);
    layout->addWidget(m_headTitle);
    m_head = new ShareBars(inside);
    m_head->setObjectName(QStringLiteral("attentionHeadMeasures"));
    m_head->setAccessibleName(tr("Statistics of the head"));
    layout->addWidget(m_head);
    layout->addSpacing(Metrics::kRelated);
    layout->addWidget(buildSwitches(inside));
    layout->addStretch(1);
}

QWidget* CellColumn::buildCell(QWidget* inside)
{
    QVBoxLayout* lines = nullptr;
    m_card = makeCard(inside, &lines);
    lines->setSpacing(Metrics::kGrid);
    m_reads = new QLabel(m_card);
    m_reads->setTextFormat(Qt::PlainText);
    m_reads->setFont(Theme::bodyFont(true));
    m_reads->setWordWrap(true);
    lines->addWidget(m_reads);
    auto* grid = new QGridLayout;
    grid->setContentsMargins(0, 0, 0, 0);
    grid->setHorizontalSpacing(Metrics::kRelated);
    grid->setVerticalSpacing(2);
    grid->setColumnStretch(0, 1);
    for (std::size_t row = 0; row < kRows; ++row)
    {
        m_names[row] = makeSmall(m_card, true);
        m_names[row]->setText(tr(kSteps[row].name));
        m_values[row] = makeSmall(m_card, false);
        m_values[row]->setAlignment(Qt::AlignRight | Qt::AlignVCenter);
        for (QLabel* label : {m_names[row], m_values[row]})
            label->setToolTip(QStringLiteral("<p>") % tr(kSteps[row].tip).toHtmlEscaped());
        grid->addWidget(m_names[row], static_cast<int>(row), 0);
        grid->addWidget(m_values[row], static_cast<int>(row), 1);
    }
    lines->addLayout(grid);
    return m_card;
}

QWidget* CellColumn::buildSwitches(QWidget* inside)
{
    m_switches = new QWidget(inside);
    auto* layout = new QVBoxLayout(m_switches);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(Metrics::kRelated);
    layout->addWidget(new SectionLabel(tr("Switch off in the model"), m_switches));
    const auto makeRow = [this, layout](QLabel** name, QPushButton** button, const char* objectName) {
        auto* row = new QWidget(m_switches);
        auto* line = new QHBoxLayout(row);
        line->setContentsMargins(0, 0, 0, 0);
        *name = new QLabel(row);
        (*name)->setTextFormat(Qt::PlainText);
        *button = new QPushButton(tr("Off"), row);
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
    connect(m_headOff, &QPushButton::clicked, this, [this] { toggleOff(m_headOff, {m_content.place.head}); });
    connect(m_groupOff, &QPushButton::clicked, this,
            [this] { toggleOff(m_groupOff, groupHeads(m_content.run->model, m_content.place.head)); });
    return m_switches;
}

void CellColumn::toggleOff(const QPushButton* button, const std::vector<HeadIndex>& heads)
{
    m_off = button->isChecked() ? heads : std::vector<HeadIndex>{};
    m_offLayer = button->isChecked() ? std::optional(m_content.place.layer) : std::nullopt;
    refreshSwitches();
    Q_EMIT switchOffWanted(m_content.place.layer, m_off);
}

void CellColumn::setContent(Content content)
{
    m_content = std::move(content);
    widget()->setVisible(m_content.run != nullptr);
    if (m_content.run == nullptr)
        return;
    refreshCell();
    refreshGroup();
    refreshHead();
    refreshSwitches();
}

void CellColumn::setRow(std::size_t row, const QString& value)
{
    m_values[row]->setText(value);
    m_names[row]->setVisible(!value.isEmpty());
    m_values[row]->setVisible(!value.isEmpty());
}

void CellColumn::refreshCell()
{
    const AttentionRun& run = *m_content.run;
    const bool any = m_content.reading && m_content.read;
    m_card->setVisible(any);
    m_cellNote->setVisible(true);
    if (!any)
    {
        m_cellNote->setText(tr("Click a token at the left and one at the right, or a cell of the table: how its number "
                               "comes about stands here."));
        return;
    }
    const HeadPlace place = m_content.place;
    m_reads->setText(readsText(run, *m_content.reading, *m_content.read));
    const LayerVectors* vectors = run.vectorsOf(place.layer);
    const MatrixF* weights = run.weightsOf(place.layer, place.head);
    const auto row = weights != nullptr ? weights->row(m_content.reading->value()) : std::span<const float>{};
    QString note;
    if (vectors != nullptr)
    {
        const viz::CellNumbers cell =
            viz::cellNumbers(*vectors, run.model, place.head, *m_content.reading, *m_content.read, run.causal, row);
        m_names[Scaled]->setText(tr(kSteps[Scaled].name).arg(vectors->q.cols() / run.model.heads));
        m_names[Softmax]->setText(tr("softmax over %1").arg(countText(cell.over, tr("token"), tr("tokens"))));
        setRow(Dot, numberText(cell.dot));
        setRow(Scaled, numberText(cell.scaled));
        setRow(Mask, cell.mayRead                           ? tr("may read")
                     : *m_content.read > *m_content.reading ? tr("not yet written")
                                                            : tr("outside of the window"));
        setRow(Softmax, threeDigits(cell.weight));
        setRow(WithoutFirst, threeDigits(cell.withoutFirst));
        setRow(Value, numberText(cell.valueLength));
        setRow(Share, percentText(cell.share));
    }
    else
    {
        for (const std::size_t step : {Dot, Scaled, Mask, Value, Share})
            setRow(step, {});
        const double share = row.empty() ? std::nan("") : static_cast<double>(row[m_content.read->index()]);
        m_names[Softmax]->setText(tr(kSteps[Softmax].name));
        setRow(Softmax, threeDigits(share));
        const double left = row.empty() ? 0 : 1 - static_cast<double>(row[0]);
        setRow(WithoutFirst, threeDigits(left > 0 && m_content.read->value() > 0 ? share / left : std::nan("")));
        QStringList held;
        for (const auto& each : run.vectors)
            held << QString::number(each->layer.value());
        note = run.maker == AttentionMaker::Model
                   ? tr("Queries, keys and values of layer %1 are being fetched.").arg(place.layer.value())
               : held.isEmpty() ? tr("This stored run holds no queries, keys and values.")
                                : tr("This stored run holds queries, keys and values of layer %1 alone.")
                                      .arg(held.join(QStringLiteral(", ")));
    }
    m_cellNote->setText(note);
    m_cellNote->setVisible(!note.isEmpty());
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
    m_groupTitle->setTitle(heads.size() > 1 ? tr("The group at %1").arg(token) : tr("The head at %1").arg(token));
    m_groupNote->setText(tr("%1 heads, one set of keys, %1 questions.").arg(heads.size()));
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
                ? tr("not fetched yet")
                : tr("first token %1").arg(percentText(static_cast<double>((*weights)(m_content.reading->value(), 0))));
        constexpr std::size_t kMost = 4;
        for (const ReadToken& each :
             strongestRead(run, {m_content.place.layer, head}, *m_content.reading, m_content.withoutFirst, kMost))
            block.rows.push_back({viz::shownToken(run.tokens[each.token.index()]),
                                  QLocale().toString(each.share, 'f', 2), each.share,
                                  m_content.withoutFirst ? tr("Share of what the first token leaves of the row")
                                                         : tr("Share of the row")});
        blocks.push_back(std::move(block));
    }
    m_group->setBlocks(std::move(blocks));
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
        block.rows.push_back({measureTitle(name), measureText(name, value), value / most, measureTip(name)});
    }
    const bool any = !block.rows.empty();
    m_headTitle->setVisible(any);
    m_head->setVisible(any);
    m_head->setBlocks({std::move(block)});
}

void CellColumn::refreshSwitches()
{
    const AttentionRun& run = *m_content.run;
    const HeadPlace place = m_content.place;
    const std::vector<HeadIndex> group = groupHeads(run.model, place.head);
    m_headName->setText(tr("Head %1, layer %2").arg(shownNumber(place.head)).arg(place.layer.value()));
    m_groupName->setText(
        tr("KV group %1, layer %2").arg(shownNumber(run.model.groupOf(place.head))).arg(place.layer.value()));
    m_groupRow->setVisible(keySharing(run.model) == KeySharing::Groups);
    const auto show = [&](QPushButton* button, const QLabel* name, const std::vector<HeadIndex>& heads) {
        const bool off = m_offLayer == place.layer && m_off == heads;
        button->setChecked(off);
        button->setEnabled(m_offAllowed);
        button->setToolTip(!m_offAllowed ? m_whyNot
                           : off         ? tr("The model runs with it again")
                                 : tr("The model runs again without it: its output is set to zero at every token"));
        button->setAccessibleName(tr("Off: %1").arg(name->text()));
    };
    show(m_headOff, m_headName, {place.head});
    show(m_groupOff, m_groupName, group.size() > 1 ? group : std::vector<HeadIndex>{});
    m_switched->setVisible(!m_switched->text().isEmpty());
}

void CellColumn::setSwitchedOff(const QString& text)
{
    m_switched->setText(text);
    m_switched->setVisible(!text.isEmpty());
    if (text.isEmpty())
    {
        m_off.clear();
        m_offLayer.reset();
        if (m_content.run != nullptr)
            refreshSwitches();
    }
}

void CellColumn::setSwitchOffAllowed(bool allowed, const QString& why)
{
    m_offAllowed = allowed;
    m_whyNot = why;
    if (m_content.run != nullptr)
        refreshSwitches();
}

std::vector<std::pair<QString, QString>> CellColumn::cellRows() const
{
    std::vector<std::pair<QString, QString>> rows;
    for (std::size_t row = 0; row < kRows; ++row)
        if (!m_values[row]->isHidden() && !m_card->isHidden())
            rows.emplace_back(m_names[row]->text(), m_values[row]->text());
    return rows;
}

QString CellColumn::cellNote() const
{
    return m_cellNote->isHidden() ? QString() : m_cellNote->text();
}

} // namespace headscope::ui
