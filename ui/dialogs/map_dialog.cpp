// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/dialogs/map_dialog.h"

#include "ui/settings/settings.h"
#include "ui/theme/theme.h"
#include "ui/widgets.h"

#include <QGridLayout>
#include <QHBoxLayout>
#include <QPushButton>
#include <QSpinBox>
#include <QVBoxLayout>

#include <algorithm>

namespace headscope::ui
{

MapDialog::MapDialog(Settings& settings, double largestPerplexity, QWidget* parent)
    : QDialog(parent), m_settings(settings)
{
    constexpr int kWidth = 440;
    setObjectName(QStringLiteral("mapDialog"));
    setWindowTitle(tr("Map settings"));
    setMinimumWidth(kWidth);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(Metrics::kGroups, Metrics::kGroups, Metrics::kGroups, Metrics::kGroups);
    layout->setSpacing(Metrics::kGroups);
    auto* grid = new QGridLayout;
    grid->setObjectName(QStringLiteral("grid"));
    grid->setHorizontalSpacing(Metrics::kPanel);
    grid->setVerticalSpacing(Metrics::kGrid);
    grid->setColumnStretch(1, 1);
    layout->addLayout(grid);
    const auto number = [this](const QString& name, SettingKey key, const QString& label, const QString& what) {
        QSpinBox* box = addNumber(name, label, what);
        const SettingRow& row = settingRow(key);
        box->setRange(row.least, row.most);
        box->setValue(m_settings.number(key));
        return box;
    };
    m_perplexity = number(QStringLiteral("mapPerplexity"), SettingKey::Perplexity, tr("Perplexity"),
                          tr("How many neighbours a point listens to: small shows detail, large shows the whole. 30 is "
                             "what others use."));
    // A map that could not be made is not offered.
    m_perplexity->setMaximum(
        static_cast<int>(std::clamp<double>(largestPerplexity, m_perplexity->minimum(), m_perplexity->maximum())));
    m_iterations =
        number(QStringLiteral("mapIterations"), SettingKey::Iterations, tr("Iterations"),
               tr("Steps of the optimiser, the first 250 with exaggerated attraction. A stopped map can go on."));
    m_seed = number(QStringLiteral("mapSeed"), SettingKey::Seed, tr("Seed"),
                    tr("Same seed, vectors and settings: the same map, bit for bit."));
    auto* buttons = new QHBoxLayout;
    buttons->setSpacing(Metrics::kRelated);
    auto* cancel = new QPushButton(tr("Cancel"), this);
    auto* keepOnly = new QPushButton(tr("Keep"), this);
    keepOnly->setToolTip(tr("For the next map"));
    auto* run = new QPushButton(tr("Run map"), this);
    run->setObjectName(QStringLiteral("mapRun"));
    run->setDefault(true);
    buttons->addStretch(1);
    for (QPushButton* button : {cancel, keepOnly, run})
        buttons->addWidget(button);
    layout->addLayout(buttons);
    connect(cancel, &QPushButton::clicked, this, &QDialog::reject);
    connect(keepOnly, &QPushButton::clicked, this, [this] {
        keep();
        accept();
    });
    connect(run, &QPushButton::clicked, this, [this] {
        keep();
        accept();
        Q_EMIT runRequested();
    });
}

QSpinBox* MapDialog::addNumber(const QString& name, const QString& label, const QString& what)
{
    constexpr int kFieldWidth = 120;
    auto* grid = findChild<QGridLayout*>(QStringLiteral("grid"));
    const int row = grid->rowCount();
    auto* title = new QLabel(label, this);
    auto* box = new QSpinBox(this);
    box->setObjectName(name);
    box->setAccessibleName(label);
    box->setFixedWidth(kFieldWidth);
    title->setBuddy(box);
    auto* explanation = makeMutedLabel(what, this);
    explanation->setFont(Theme::smallFont());
    explanation->setWordWrap(true);
    grid->addWidget(title, row, 0);
    grid->addWidget(box, row, 1, Qt::AlignLeft);
    grid->addWidget(explanation, row + 1, 1);
    grid->setRowMinimumHeight(row + 2, Metrics::kRelated);
    return box;
}

void MapDialog::keep()
{
    m_settings.setNumber(SettingKey::Perplexity, m_perplexity->value());
    m_settings.setNumber(SettingKey::Iterations, m_iterations->value());
    m_settings.setNumber(SettingKey::Seed, m_seed->value());
}

} // namespace headscope::ui
