// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/views/heatmap/heatmap_modes.h"

#include "ui/state/bind_controls.h"
#include "ui/theme/theme.h"
#include "ui/widgets/widgets.h"
#include "ui/widgets/wrap_row.h"
#include "ui/words/wording.h"

#include <QAbstractButton>
#include <QButtonGroup>
#include <QComboBox>
#include <QSignalBlocker>
#include <QToolButton>

#include <algorithm>

namespace headscope::ui
{

HeatmapModes::HeatmapModes(QWidget* parent) : QWidget(parent)
{
    setObjectName(QStringLiteral("canvas"));
    setAttribute(Qt::WA_StyledBackground);
    auto* layout = new WrapRow(this);
    layout->setContentsMargins(Metrics::kPanel, 6, Metrics::kPanel, 4);
    layout->setSpacing(Metrics::kGrid);
    buildModes();
    const auto button = [this](Mode mode) { return m_modes->button(static_cast<int>(mode)); };
    layout->addWidget(
        makeTogether({button(Mode::Documents), button(Mode::Similarity), button(Mode::Means)}, Metrics::kGrid, this));
    button(Mode::Documents)->setChecked(true);
    stopAtChecked(m_modes);
    layout->addSpacing(Metrics::kRelated);
    buildChoices();
    layout->addWidget(m_stages);
    layout->addWidget(m_pooling);
    layout->addStretch(1);
    layout->addWidget(m_match);
    connect(m_modes, &QButtonGroup::idToggled, this, [this](int, bool checked) {
        if (checked)
            Q_EMIT modeChanged();
    });
    connect(m_stages, &QComboBox::currentIndexChanged, this, &HeatmapModes::stageChanged);
    connect(m_pooling, &QComboBox::currentIndexChanged, this, &HeatmapModes::poolingChanged);
    connect(m_match, &QToolButton::toggled, this, &HeatmapModes::matchToggled);
}

void HeatmapModes::buildModes()
{
    m_modes = new QButtonGroup(this);
    const auto mode = [this](Mode which, const char* name, const QString& text, const QString& tip) {
        auto* button = new QToolButton(this);
        button->setObjectName(QLatin1StringView(name));
        button->setProperty("boxed", true);
        button->setFocusPolicy(Qt::StrongFocus);
        button->setCheckable(true);
        button->setText(text);
        button->setToolTip(tip);
        button->setAccessibleName(tip);
        m_modes->addButton(button, static_cast<int>(which));
    };
    mode(Mode::Documents, "modeDocuments", tr("Documents"),
         tr("Cosine of heads or segments with the topic of each document, as in Figure 6 of Teimouri et al."));
    mode(Mode::Similarity, "modeSimilarity", tr("Topic similarity"),
         tr("Similarity of topics, as in Figure 1 of Teimouri et al., and topics to merge"));
    mode(Mode::Means, "modeMeans", tr("Means"), tr("Mean cosine of each row in each topic, and contrasts"));
}

void HeatmapModes::bindTo(ViewState& state)
{
    for (const auto& [mode, key] : {std::pair(Mode::Documents, "modeDocuments"),
                                    {Mode::Similarity, "modeSimilarity"},
                                    {Mode::Means, "modeMeans"}})
        bind(state, QLatin1StringView(key), *m_modes->button(static_cast<int>(mode)));
    bind(state, QStringLiteral("heatmapStages"), *m_stages);
    bind(state, QStringLiteral("heatmapPooling"), *m_pooling);
    bind(state, QStringLiteral("heatmapMatch"), *m_match);
}

void HeatmapModes::buildChoices()
{
    m_stages = new QComboBox(this);
    m_stages->setObjectName(QStringLiteral("heatmapStages"));
    m_stages->setAccessibleName(tr("Stages shown"));
    m_stages->setToolTip(tr("Show one stage, or all stages one below the other, with the same columns"));
    m_stages->addItem(tr("All stages"), -1);
    m_pooling = new QComboBox(this);
    m_pooling->setObjectName(QStringLiteral("heatmapPooling"));
    m_pooling->setAccessibleName(tr("Value of a pixel with several documents"));
    m_pooling->addItem(tr("Mean per pixel"), static_cast<int>(viz::CellPooling::Mean));
    m_pooling->addItem(tr("Largest per pixel"), static_cast<int>(viz::CellPooling::Largest));
    m_pooling->setToolTip(tr("When several documents share a pixel, show their mean or the largest value"));
    m_match = new QToolButton(this);
    m_match->setObjectName(QStringLiteral("heatmapMatch"));
    m_match->setProperty("boxed", true);
    m_match->setCheckable(true);
    m_match->setChecked(true);
    m_match->setText(tr("Match"));
    m_match->setToolTip(tr("Show bars of how often the true topic is among the nearest topics"));
}

HeatmapModes::Mode HeatmapModes::mode() const
{
    return static_cast<Mode>(m_modes->checkedId());
}

void HeatmapModes::setMode(Mode mode)
{
    m_modes->button(static_cast<int>(mode))->setChecked(true);
}

void HeatmapModes::setStages(const std::vector<Stage>& stages)
{
    const QSignalBlocker quiet(m_stages);
    const QVariant before = m_stages->currentData();
    m_stages->clear();
    m_stages->addItem(tr("All stages"), -1);
    for (const Stage stage : stages)
        m_stages->addItem(tr("Stage %1").arg(toQString(stageName(stage))), static_cast<int>(stage));
    m_stages->setCurrentIndex(std::max(0, m_stages->findData(before)));
}

std::optional<Stage> HeatmapModes::stage() const
{
    const int stage = m_stages->currentData().toInt();
    return stage < 0 ? std::nullopt : std::optional(static_cast<Stage>(stage));
}

viz::CellPooling HeatmapModes::pooling() const
{
    return static_cast<viz::CellPooling>(m_pooling->currentData().toInt());
}

bool HeatmapModes::matchWanted() const
{
    return m_match->isChecked();
}

void HeatmapModes::setMatchWanted(bool wanted)
{
    m_match->setChecked(wanted);
}

void HeatmapModes::showChoices(bool stages, bool documents)
{
    m_stages->setVisible(stages);
    m_pooling->setVisible(documents);
    m_match->setVisible(documents);
}

} // namespace headscope::ui
