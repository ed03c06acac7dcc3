// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/views/probe/probe_bar.h"

#include "ui/state/bind_controls.h"
#include "ui/theme/theme.h"
#include "ui/view/view_pages.h"
#include "ui/widgets/widgets.h"
#include "ui/widgets/wrap_row.h"
#include "ui/words/wording.h"

#include <QCheckBox>
#include <QComboBox>
#include <QGridLayout>
#include <QLocale>
#include <QPushButton>
#include <QToolButton>
#include <QVBoxLayout>

#include <cmath>

namespace headscope::ui
{

ProbeBar::ProbeBar(QWidget* parent)
    : QWidget(parent), m_form([this](Fields& f) { fields(f, m_chosen); }, QStringLiteral("probe"), this)
{
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(0);
    buildOptions();
    buildBar();
    refresh();
}

void ProbeBar::addOption(std::string_view key, int width, int column)
{
    auto* grid = static_cast<QGridLayout*>(m_panel->layout());
    const FieldForm::Parts parts = m_form.make(key, m_panel);
    parts.title->setFont(Theme::bodyFont(true));
    parts.explanation->setAlignment(Qt::AlignTop | Qt::AlignLeft);
    if (width > 0)
        parts.editor->setFixedWidth(width);
    grid->addWidget(parts.title, 0, column);
    grid->addWidget(parts.editor, 1, column, Qt::AlignLeft);
    grid->addWidget(parts.explanation, 2, column, Qt::AlignTop);
    grid->setColumnStretch(column, 1);
}

void ProbeBar::buildOptions()
{
    auto* panel = new QFrame(this);
    panel->setObjectName(QStringLiteral("bar"));
    m_panel = panel;
    auto* grid = new QGridLayout(panel);
    grid->setContentsMargins(Metrics::kPanel, Metrics::kPanel, Metrics::kPanel, Metrics::kPanel);
    grid->setHorizontalSpacing(Metrics::kGroups);
    grid->setVerticalSpacing(Metrics::kGrid);
    addOption("split_rows", 0, 0);
    addOption("c", 80, 1);
    addOption("test_share", 80, 2);
    addOption("seed", 96, 3);
    m_form.refresh();
    m_warning = new QLabel(panel);
    m_warning->setObjectName(QStringLiteral("probeWarning"));
    m_warning->setProperty("role", QStringLiteral("warning"));
    m_warning->setWordWrap(true);
    m_warning->setText(tr("Split by vectors: vectors of one document appear in both training and test sets, so "
                          "accuracy is optimistically biased."));
    grid->addWidget(m_warning, 3, 0, 1, 4);
    layout()->addWidget(panel);
    panel->hide();
    connect(&m_form, &FieldForm::edited, this, &ProbeBar::refresh);
    connect(&m_form, &FieldForm::refused, this, &ProbeBar::refresh);
}

void ProbeBar::buildBar()
{
    WrapRow* row = nullptr;
    QFrame* bar = makeViewBar(this, &row);
    m_train = new QPushButton(tr("Train"), bar);
    m_train->setObjectName(QStringLiteral("probeTrain"));
    m_train->setToolTip(tr("Train a probe for every stage of the selected layers"));
    m_stop = new QPushButton(tr("Stop"), bar);
    m_stop->setObjectName(QStringLiteral("probeStop"));
    m_stop->setToolTip(tr("Stop training. Finished probes are kept."));
    m_layers = new QComboBox(bar);
    m_layers->setObjectName(QStringLiteral("probeLayers"));
    m_layers->setAccessibleName(tr("Layers to train on"));
    m_layers->setToolTip(tr("The current layer, or all layers of the cache"));
    m_layers->setSizeAdjustPolicy(QComboBox::AdjustToContents);
    m_layers->addItems({tr("This layer"), tr("All layers")});
    m_control = new QCheckBox(tr("Control"), bar);
    m_control->setObjectName(QStringLiteral("probeControl"));
    m_control->setToolTip(tr("Also train each probe on permuted labels. Accuracy above chance then indicates that test "
                             "vectors leaked into training."));
    m_options = new QToolButton(bar);
    m_options->setObjectName(QStringLiteral("probeOptions"));
    m_options->setCheckable(true);
    m_options->setProperty("boxed", true);
    m_options->setToolButtonStyle(Qt::ToolButtonTextOnly);
    m_options->setToolTip(tr("Split, C, proportion of test vectors and seed"));
    m_note = new ElidedLabel({}, bar);
    m_note->setObjectName(QStringLiteral("probeNote"));
    m_note->setProperty("role", QStringLiteral("muted"));
    m_note->setProperty("whole", true);
    m_note->setAlignment(Qt::AlignRight | Qt::AlignVCenter);
    row->addWidget(m_train);
    row->addWidget(m_stop);
    row->addWidget(m_layers);
    row->addWidget(m_control);
    row->addWidget(m_options);
    row->addWidget(m_note, 1);
    layout()->addWidget(bar);
    connect(m_train, &QPushButton::clicked, this, &ProbeBar::trainRequested);
    connect(m_stop, &QPushButton::clicked, this, &ProbeBar::stopRequested);
    connect(m_options, &QToolButton::toggled, m_panel, &QWidget::setVisible);
    connect(m_layers, &QComboBox::currentIndexChanged, this, &ProbeBar::choiceChanged);
    connect(m_control, &QCheckBox::toggled, this, &ProbeBar::choiceChanged);
    setRunning(false);
}

void ProbeBar::bindTo(ViewState& state)
{
    m_form.bindTo(state);
    bind(state, QStringLiteral("probeLayers"), *m_layers);
    bind(state, QStringLiteral("probeControl"), *m_control);
    bindFold(state, QStringLiteral("probeOptions"), *m_options);
}

void ProbeBar::refresh()
{
    const bool rows = m_chosen.split == ProbeSplit::Rows;
    m_warning->setVisible(rows);
    m_train->setEnabled(!m_form.hasFault());
    m_options->setText(
        (rows ? tr("By vectors · C %1 · test %2% · seed %3") : tr("By documents · C %1 · test %2% · seed %3"))
            .arg(QLocale().toString(m_chosen.c, 'g', 6))
            .arg(std::lround(100 * m_chosen.testShare))
            .arg(m_chosen.seed));
    m_options->setAccessibleName(tr("Options: %1").arg(m_options->text()));
    Q_EMIT choiceChanged();
}

ProbeChoice ProbeBar::choice() const
{
    ProbeChoice choice;
    choice.options = m_chosen;
    choice.allLayers = m_layers->isEnabled() && m_layers->currentIndex() == 1;
    choice.control = m_control->isChecked();
    return choice;
}

void ProbeBar::setSeed(std::uint64_t seed)
{
    if (m_chosen.seed == seed)
        return;
    m_chosen.seed = seed;
    m_form.refresh();
    refresh();
}

void ProbeBar::setLayers(LayerIndex current, std::int64_t held)
{
    m_layers->setItemText(0, tr("Layer %1").arg(current.value()));
    m_layers->setItemText(1, tr("All %1").arg(countText(held, tr("layer"), tr("layers"))));
    m_layers->setEnabled(held > 1);
}

void ProbeBar::setRunning(bool running)
{
    showRunning(*m_train, *m_stop, running);
}

void ProbeBar::setNote(const QString& text)
{
    m_note->setFullText(text);
}

QString ProbeBar::note() const
{
    return m_note->fullText();
}

} // namespace headscope::ui
