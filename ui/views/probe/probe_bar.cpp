// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/views/probe/probe_bar.h"

#include "ui/theme/theme.h"
#include "ui/views/view_pages.h"
#include "ui/widgets/widgets.h"
#include "ui/widgets/wrap_row.h"
#include "ui/words/wording.h"

#include <QCheckBox>
#include <QComboBox>
#include <QDoubleValidator>
#include <QGridLayout>
#include <QLineEdit>
#include <QLocale>
#include <QPushButton>
#include <QSignalBlocker>
#include <QSpinBox>
#include <QStyle>
#include <QToolButton>
#include <QVBoxLayout>

#include <limits>

namespace headscope::ui
{

ProbeBar::ProbeBar(QWidget* parent) : QWidget(parent)
{
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(0);
    buildOptions();
    buildBar();
    refresh();
}

void ProbeBar::addOption(QWidget* control, const QString& name, const QString& meaning, int column)
{
    auto* grid = static_cast<QGridLayout*>(m_panel->layout());
    auto* title = new QLabel(name, m_panel);
    title->setFont(Theme::bodyFont(true));
    title->setBuddy(control);
    control->setAccessibleName(name);
    control->setAccessibleDescription(meaning);
    control->setToolTip(meaning);
    auto* text = makeMutedLabel(meaning, m_panel);
    text->setFont(Theme::smallFont());
    text->setWordWrap(true);
    text->setAlignment(Qt::AlignTop | Qt::AlignLeft);
    grid->addWidget(title, 0, column);
    grid->addWidget(control, 1, column, Qt::AlignLeft);
    grid->addWidget(text, 2, column, Qt::AlignTop);
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
    m_split = new QComboBox(panel);
    m_split->setObjectName(QStringLiteral("probeSplit"));
    m_split->addItem(tr("by documents"));
    m_split->addItem(tr("by rows (as Teimouri et al.)"));
    addOption(m_split, tr("Split"),
              tr("By documents: all vectors of a document train, or all test. By rows: vectors at random, so those of "
                 "one document fall on both sides."),
              0);
    m_c = new QLineEdit(QLocale().toString(1.0, 'g', 6), panel);
    m_c->setObjectName(QStringLiteral("probeC"));
    auto* above0 = new QDoubleValidator(1e-9, 1e9, 12, m_c);
    m_c->setValidator(above0);
    m_c->setFixedWidth(80);
    addOption(m_c, tr("C"),
              tr("Weight of the data against the penalty ½|W|², as in scikit-learn. Larger fits the training rows more "
                 "closely and takes longer."),
              1);
    m_share = new QSpinBox(panel);
    m_share->setObjectName(QStringLiteral("probeTestShare"));
    m_share->setRange(1, 95);
    m_share->setValue(20);
    m_share->setSuffix(tr(" %"));
    m_share->setFixedWidth(80);
    addOption(m_share, tr("Test share"),
              tr("Documents (or rows) that do not train. More of them: narrower intervals, less to learn from."), 2);
    m_seed = new QSpinBox(panel);
    m_seed->setObjectName(QStringLiteral("probeSeed"));
    m_seed->setRange(0, std::numeric_limits<int>::max());
    m_seed->setValue(1);
    m_seed->setFixedWidth(96);
    addOption(m_seed, tr("Seed"),
              tr("Which documents test, and how labels are shuffled. The same seed, the same result."), 3);
    m_warning = new QLabel(panel);
    m_warning->setObjectName(QStringLiteral("probeWarning"));
    m_warning->setProperty("role", QStringLiteral("warning"));
    m_warning->setWordWrap(true);
    m_warning->setText(tr("Split by rows: vectors of one document stand on both sides, so the accuracy says less about "
                          "documents never seen."));
    grid->addWidget(m_warning, 3, 0, 1, 4);
    layout()->addWidget(panel);
    panel->hide();
    connect(m_split, &QComboBox::currentIndexChanged, this, &ProbeBar::refresh);
    connect(m_c, &QLineEdit::textChanged, this, &ProbeBar::refresh);
    connect(m_share, &QSpinBox::valueChanged, this, &ProbeBar::refresh);
    connect(m_seed, &QSpinBox::valueChanged, this, &ProbeBar::refresh);
}

void ProbeBar::buildBar()
{
    WrapRow* row = nullptr;
    QFrame* bar = makeViewBar(this, &row);
    m_train = new QPushButton(tr("Train"), bar);
    m_train->setObjectName(QStringLiteral("probeTrain"));
    m_train->setToolTip(tr("Fits a probe for every stage of the layers at the right"));
    m_stop = new QPushButton(tr("Stop"), bar);
    m_stop->setObjectName(QStringLiteral("probeStop"));
    m_stop->setToolTip(tr("Ends the training; what is fitted stays"));
    m_layers = new QComboBox(bar);
    m_layers->setObjectName(QStringLiteral("probeLayers"));
    m_layers->setAccessibleName(tr("Layers to train on"));
    m_layers->setToolTip(tr("The layer that is looked at, or all of the cache: the layer sweep"));
    m_layers->setSizeAdjustPolicy(QComboBox::AdjustToContents);
    m_layers->addItems({tr("This layer"), tr("All layers")});
    m_control = new QCheckBox(tr("Shuffled"), bar);
    m_control->setObjectName(QStringLiteral("probeControl"));
    m_control->setToolTip(tr("Fits each probe a second time with the labels shuffled among all rows: a leak check. "
                             "An interval above chance would point to test rows in the training; it does not see rows "
                             "of one document on both sides. The control task is among the nulls."));
    m_options = new QToolButton(bar);
    m_options->setObjectName(QStringLiteral("probeOptions"));
    m_options->setCheckable(true);
    m_options->setProperty("boxed", true);
    m_options->setToolButtonStyle(Qt::ToolButtonTextOnly);
    m_options->setToolTip(tr("Split, C, share of test rows and seed, with what they mean"));
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

void ProbeBar::refresh()
{
    const bool rows = m_split->currentIndex() == 1;
    m_warning->setVisible(rows);
    m_c->setProperty("invalid", !m_c->hasAcceptableInput());
    m_c->style()->unpolish(m_c);
    m_c->style()->polish(m_c);
    m_train->setEnabled(m_c->hasAcceptableInput());
    const QString c = m_c->text();
    m_options->setText(
        (rows ? tr("By rows · C %1 · test %2 % · seed %3") : tr("By documents · C %1 · test %2 % · seed %3"))
            .arg(c)
            .arg(m_share->value())
            .arg(m_seed->value()));
    m_options->setAccessibleName(tr("Options: %1").arg(m_options->text()));
    Q_EMIT choiceChanged();
}

ProbeChoice ProbeBar::choice() const
{
    ProbeChoice choice;
    choice.options.split = m_split->currentIndex() == 1 ? ProbeSplit::Rows : ProbeSplit::Documents;
    choice.options.c = QLocale().toDouble(m_c->text());
    choice.options.testShare = m_share->value() / 100.0;
    choice.options.seed = static_cast<std::uint64_t>(m_seed->value());
    choice.allLayers = m_layers->isEnabled() && m_layers->currentIndex() == 1;
    choice.control = m_control->isChecked();
    return choice;
}

void ProbeBar::setSeed(std::uint64_t seed)
{
    m_seed->setValue(static_cast<int>(seed));
}

void ProbeBar::setLayers(LayerIndex current, std::int64_t held)
{
    m_layers->setItemText(0, tr("Layer %1").arg(current.value()));
    m_layers->setItemText(1, tr("All %1").arg(countText(held, tr("layer"), tr("layers"))));
    m_layers->setEnabled(held > 1);
}

void ProbeBar::setRunning(bool running)
{
    // The other one keeps its place in the tab order, and the keyboard what it had.
    const bool hadFocus = m_train->hasFocus() || m_stop->hasFocus();
    m_train->setVisible(!running);
    m_stop->setVisible(running);
    if (hadFocus)
        (running ? m_stop : m_train)->setFocus();
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
