// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/views/heads/switch_panel.h"

#include "app/views/heads/pruning_panel.h"
#include "model/data/key_sharing.h"
#include "ui/theme/theme.h"
#include "ui/widgets/widgets.h"
#include "ui/words/decimal_text.h"
#include "ui/words/translate.h"
#include "ui/words/wording.h"

#include <QGridLayout>
#include <QHBoxLayout>
#include <QLabel>
#include <QLocale>
#include <QPushButton>
#include <QVBoxLayout>

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

namespace headscope::ui
{
namespace
{

QPushButton* makeButton(const char* name, const QString& text, QWidget* parent)
{
    auto* button = new QPushButton(text, parent);
    button->setObjectName(QLatin1StringView(name));
    return button;
}

/// What tests a change, or why nothing does.
QString testedText(const PairedDifference& difference)
{
    if (difference.hasNoTest())
        return tr("Not tested: %1 changed. With fewer than %2, p cannot be below 0.05.")
            .arg(countText(difference.changed, tr("document"), tr("documents")))
            .arg(kMinTested);
    return std::isfinite(difference.p)
               ? tr("p = %1: proportion of random sign flips (one sign per document) that give a change at least as "
                    "large as the observed one")
                     .arg(probabilityText(difference.p))
               : tr("Not tested: queries are also the searched documents, so sign flips are not valid. The interval is "
                    "a jackknife over documents.");
}

} // namespace

SwitchPanel::SwitchPanel(QWidget* parent) : QWidget(parent)
{
    setObjectName(QStringLiteral("switchPanel"));
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(Metrics::kRelated);
    m_title = new SectionLabel({}, this);
    layout->addWidget(m_title);
    layout->addWidget(makeButtons());
    layout->addLayout(makeValues());
    m_saved = makeMutedLabel({}, this);
    m_saved->setObjectName(QStringLiteral("maskSaved"));
    m_saved->setFont(Theme::smallFont());
    m_saved->setWordWrap(true);
    layout->addWidget(m_saved);
    m_order = new PruningPanel(this);
    layout->addWidget(m_order, 1);
    connect(m_undo, &QPushButton::clicked, this, &SwitchPanel::undoRequested);
    connect(m_redo, &QPushButton::clicked, this, &SwitchPanel::redoRequested);
    connect(m_allOn, &QPushButton::clicked, this, &SwitchPanel::allOnRequested);
    connect(m_saveMask, &QPushButton::clicked, this, &SwitchPanel::saveMaskRequested);
    connect(m_probe, &QPushButton::clicked, this, &SwitchPanel::probeRequested);
    connect(m_order, &PruningPanel::unitChanged, this, &SwitchPanel::unitChanged);
    connect(m_order, &PruningPanel::stepClicked, this, &SwitchPanel::stepClicked);
    refreshWords();
}

QWidget* SwitchPanel::makeButtons()
{
    auto* part = new QWidget(this);
    auto* row = new QHBoxLayout(part);
    row->setContentsMargins(0, 0, 0, 0);
    row->setSpacing(Metrics::kGrid);
    m_undo = makeButton("maskUndo", tr("Undo"), part);
    m_undo->setToolTip(tr("Undo the last change to which heads are on"));
    m_redo = makeButton("maskRedo", tr("Redo"), part);
    m_redo->setToolTip(tr("Redo the last undone change to which heads are on"));
    m_allOn = makeButton("maskAllOn", tr("All on"), part);
    m_saveMask = makeButton("maskSave", tr("Save mask…"), part);
    for (QPushButton* button : {m_undo, m_redo, m_allOn, m_saveMask})
        row->addWidget(button);
    row->addStretch(1);
    return part;
}

QGridLayout* SwitchPanel::makeValues()
{
    auto* grid = new QGridLayout;
    grid->setHorizontalSpacing(Metrics::kPanel);
    grid->setVerticalSpacing(2);
    m_allTitle = makeMutedLabel({}, this);
    m_onTitle = makeMutedLabel(tr("switched on"), this);
    grid->addWidget(m_allTitle, 0, 1, Qt::AlignRight);
    grid->addWidget(m_onTitle, 0, 2, Qt::AlignRight);
    m_differenceTitle = makeMutedLabel(tr("change, 95% CI"), this);
    grid->addWidget(m_differenceTitle, 0, 3, Qt::AlignRight);
    for (int i = 0; i < kValues; ++i)
    {
        m_names[i] = new QLabel(this);
        m_all[i] = makeMutedLabel({}, this);
        m_on[i] = new QLabel(this);
        m_on[i]->setFont(Theme::bodyFont(true));
        grid->addWidget(m_names[i], i + 1, 0);
        grid->addWidget(m_all[i], i + 1, 1, Qt::AlignRight);
        grid->addWidget(m_on[i], i + 1, 2, Qt::AlignRight);
        m_differences[i] = new QLabel(this);
        grid->addWidget(m_differences[i], i + 1, 3, Qt::AlignRight);
    }
    refreshNames();
    m_probe = makeButton("maskProbe", tr("Measure"), this);
    grid->addWidget(m_probe, kValues, 4);
    grid->setColumnStretch(0, 1);
    return grid;
}

void SwitchPanel::setModel(const ModelInfo& info, Stage stage)
{
    m_info = info;
    m_stage = stage;
    m_order->setModel(info, stage);
    refreshWords();
    refreshMask();
}

void SwitchPanel::refreshWords()
{
    const QString unit = unitText(m_stage);
    const QString units = unitsText(m_stage);
    m_title->setTitle(tr("Cached vectors without some %1").arg(units));
    m_title->setToolTip(tr("Measures of the cached vectors, with all %1 and with only the %1 that are on. The model is "
                           "not run, and no other view changes.")
                            .arg(units));
    m_allOn->setToolTip(tr("Switch every %1 on").arg(unit));
    m_saveMask->setToolTip(tr("Save the %1 that are on as a mask file for Headscope commands").arg(units));
    m_allTitle->setText(tr("all %1").arg(units));
    m_allTitle->setToolTip(
        tr("All %1 of this stage concatenated. This is not the full vector of the heatmap (the final hidden state).")
            .arg(units));
    m_onTitle->setToolTip(tr("The %1 that are on, concatenated").arg(units));
    m_differenceTitle->setToolTip(differenceTip());
    const QString tips[kValues] = {
        tr("How often the true topic is the nearest topic, by cosine of the concatenated %1").arg(units),
        tr("How often the true topic is among the 5 nearest topics"),
        tr("How often the true topic is among the 10 nearest topics"),
        tr("Proportion of relevant documents among the 10 nearest, by cosine of the "
           "concatenated %1. Needs relevant documents (Retrieval).")
            .arg(units),
        tr("Accuracy of a linear probe for the label. It is retrained, and tested on the "
           "held-out documents of one split")};
    for (int i = 0; i < kValues; ++i)
        m_names[i]->setToolTip(tips[i]);
    refreshNames();
    m_probe->setToolTip(tips[kValues - 1]);
}

void SwitchPanel::refreshNames()
{
    constexpr std::size_t kMatches = MaskEffects::kMatchAt.size();
    const std::int64_t topics = m_mask ? m_mask->topics : 0;
    for (std::size_t i = 0; i < kMatches; ++i)
    {
        const std::int64_t at = MaskEffects::kMatchAt[i];
        m_names[i]->setText(topics > 1 && at >= topics ? tr("Match at %1 (all %2 topics)").arg(at).arg(topics)
                            : topics > 1               ? tr("Match at %1 (chance %2)")
                                               .arg(QString::number(at),
                                                    percentText(static_cast<double>(at) / static_cast<double>(topics)))
                                         : tr("Match at %1").arg(at));
    }
    m_names[kMatches]->setText(tr("Relevant in top 10"));
    m_names[kMatches + 1]->setText(tr("Topic probe"));
    for (int i = 0; i < kValues; ++i)
        m_on[i]->setAccessibleName(tr("%1, %2 that are on").arg(m_names[i]->text(), unitsText(m_stage)));
}

void SwitchPanel::setKept(const std::vector<bool>& kept)
{
    const bool any = std::find(kept.begin(), kept.end(), false) != kept.end();
    m_allOn->setEnabled(any);
    m_saveMask->setEnabled(any && std::find(kept.begin(), kept.end(), true) != kept.end());
}

void SwitchPanel::setHistory(bool canUndo, bool canRedo)
{
    m_undo->setEnabled(canUndo);
    m_redo->setEnabled(canRedo);
}

void SwitchPanel::setMask(const std::optional<MaskEffects>& values)
{
    m_mask = values;
    refreshMask();
}

void SwitchPanel::refreshMask()
{
    const bool anyOff = m_mask && std::find(m_mask->kept.begin(), m_mask->kept.end(), false) != m_mask->kept.end();
    const auto write = [&](int row, const std::optional<double>& all, const std::optional<double>& on,
                           const std::optional<PairedDifference>& difference) {
        m_all[row]->setText(all ? percentText(*all) : missingText());
        m_on[row]->setText(on ? percentText(*on) : missingText());
        const bool known = anyOff && difference.has_value();
        m_differences[row]->setText(known ? pointsText(difference->difference, difference->ci95) : QString());
        m_differences[row]->setToolTip(known ? testedText(*difference) : QString());
    };
    const auto intervalText = [this](const Interval& ci95) {
        return std::isfinite(ci95.low) ? tr("95% CI: %1 to %2 (Wilson, %3)")
                                             .arg(percentText(ci95.low), percentText(ci95.high),
                                                  countText(m_mask->labelled, tr("document"), tr("documents")))
                                       : QString();
    };
    for (int i = 0; i < 3; ++i)
    {
        const auto at = static_cast<std::size_t>(i);
        m_all[i]->setToolTip(m_mask ? intervalText(m_mask->matchAllCi95[at]) : QString());
        m_on[i]->setToolTip(m_mask ? intervalText(m_mask->matchCi95[at]) : QString());
        write(i, m_mask ? std::optional(m_mask->matchAll[at]) : std::nullopt,
              m_mask ? std::optional(m_mask->match[at]) : std::nullopt,
              m_mask ? m_mask->matchDifference[at] : std::nullopt);
    }
    write(3, m_mask ? m_mask->retrievalAll : std::nullopt, m_mask ? m_mask->retrieval : std::nullopt,
          m_mask ? m_mask->retrievalDifference : std::nullopt);
    write(4, m_mask ? m_mask->probeAll : std::nullopt, m_mask ? m_mask->probe : std::nullopt,
          m_mask ? m_mask->probeDifference : std::nullopt);
    refreshNames();
    m_saved->setText(m_mask ? savedText(*m_mask, m_info, m_stage) : QString());
    reserveNote();
}

void SwitchPanel::reserveNote()
{
    // As high as the longest of the sentences it may have to say: nothing below it moves under the pointer.
    if (!m_mask)
        return;
    constexpr std::int64_t kLargest = 999'999'999;
    int lines = 0;
    for (const std::int64_t bytes : {std::int64_t{0}, kLargest})
    {
        MaskEffects off = *m_mask;
        off.kept.assign(off.kept.size(), false);
        off.parametersSaved = off.parametersSaved ? std::optional(kLargest) : std::nullopt;
        off.kvBytesSaved = off.kvBytesSaved ? std::optional(bytes) : std::nullopt;
        const QRect room(0, 0, std::max(1, width()), std::numeric_limits<int>::max() / 2);
        lines = std::max(
            lines,
            m_saved->fontMetrics().boundingRect(room, Qt::TextWordWrap, savedText(off, m_info, m_stage)).height());
    }
    m_saved->setMinimumHeight(lines);
}

void SwitchPanel::resizeEvent(QResizeEvent* event)
{
    QWidget::resizeEvent(event);
    reserveNote();
}

QString SwitchPanel::savedText(const MaskEffects& values, const ModelInfo& info, Stage stage)
{
    const auto off = std::count(values.kept.begin(), values.kept.end(), false);
    const QString over = overText(values.documents, values.allDocuments);
    if (off == 0)
        return tr("Measured %1. Clear check boxes in the table to switch %2 off. Other views do not change.")
            .arg(over, unitsText(stage));
    const QString count = tr("%1 off, %2").arg(countText(off, unitText(stage), unitsText(stage)), over);
    if (unitName(stage) != "head")
        return tr("%1. A segment is not a component of the model, so switching it off saves nothing.").arg(count);
    if (!values.parametersSaved)
        return tr("%1. Savings are unknown, because the cache does not record the head dimension.").arg(count);
    const QString biases = hasAttentionBiases(info) ? QString() : tr(" (without biases, if any)");
    const QString parameters = countText(*values.parametersSaved) % tr(" parameters") % biases;
    if (!values.kvBytesSaved)
        return tr("%1: saves %2. An encoder has no KV cache.").arg(count, parameters);
    const QString saved =
        tr("%1: saves %2 and %3 bytes of KV cache per token.").arg(count, parameters, countText(*values.kvBytesSaved));
    if (*values.kvBytesSaved > 0)
        return saved;
    switch (keySharing(info))
    {
    case KeySharing::Groups:
        return saved % tr(" Only removing a whole KV group saves KV cache.");
    case KeySharing::One:
        return saved % tr(" All query heads share one KV head, so removing one saves no KV cache.");
    case KeySharing::Own:
    case KeySharing::Unknown:
        break;
    }
    return saved;
}

void SwitchPanel::setCurve(PruningFindings findings, bool groups)
{
    m_order->setFindings(std::move(findings), groups);
}

QString SwitchPanel::differenceText(int row) const
{
    return m_differences[row]->text();
}

QString SwitchPanel::differenceTip() const
{
    return tr("Value with the %1 that are on minus value with all %1, in pp. 95% CI: bootstrap over documents "
              "(jackknife for relevant documents). A set selected on the same documents is optimistically biased.")
        .arg(unitsText(m_stage));
}

void SwitchPanel::setCurrentStep(std::optional<std::int64_t> off)
{
    m_order->setCurrentStep(off);
}

void SwitchPanel::setTableShown(bool shown)
{
    m_order->setTableShown(shown);
}

bool SwitchPanel::isTableShown() const
{
    return m_order->isTableShown();
}

bool SwitchPanel::byGroups() const
{
    return m_order->byGroups();
}

PictureOf<PruningCurve>* SwitchPanel::curve() const
{
    return m_order->curve();
}

QTableView* SwitchPanel::table() const
{
    return m_order->table();
}

QString SwitchPanel::valueText(int row, bool on) const
{
    return on ? m_on[row]->text() : m_all[row]->text();
}

bool SwitchPanel::isMeasured(int row) const
{
    const QString none = missingText();
    return m_mask && (m_all[row]->text() != none || m_on[row]->text() != none);
}

QString SwitchPanel::summary() const
{
    if (!m_mask)
        return {};
    const std::size_t at = m_mask->orderingMatch();
    const int row = static_cast<int>(at);
    return tr(" Match at %1: %2 with all %3; %4 with the %3 that are on.")
        .arg(QString::number(MaskEffects::kMatchAt[at]), valueText(row, false), unitsText(m_stage),
             valueText(row, true));
}

QString SwitchPanel::valueName(int row) const
{
    return m_names[row]->text();
}

QString SwitchPanel::noteText() const
{
    return m_saved->text();
}

} // namespace headscope::ui
