// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/dialogs/settings_dialog.h"

#include "ui/settings/settings.h"
#include "ui/theme/theme.h"
#include "ui/widgets/widgets.h"
#include "ui/words/wording.h"

#include <QCheckBox>
#include <QComboBox>
#include <QDoubleSpinBox>
#include <QGridLayout>
#include <QHBoxLayout>
#include <QLabel>
#include <QPushButton>
#include <QScrollArea>
#include <QScrollBar>
#include <QSpinBox>
#include <QToolButton>
#include <QVBoxLayout>

#include <algorithm>

namespace headscope::ui
{
namespace
{

constexpr int kWidth = 560;
constexpr int kHeight = 620;
constexpr int kFieldWidth = 180;

QString translated(std::string_view text)
{
    return SettingsDialog::tr(std::string(text).c_str());
}

bool inDialog(const SettingRow& row)
{
    return !row.help.empty();
}

} // namespace

SettingsDialog::SettingsDialog(Settings& settings, QWidget* parent) : QDialog(parent), m_settings(settings)
{
    setObjectName(QStringLiteral("settingsDialog"));
    setWindowTitle(tr("Settings"));
    resize(kWidth, kHeight);
    auto* outer = new QVBoxLayout(this);
    outer->setContentsMargins(0, 0, 0, 0);
    outer->setSpacing(0);
    auto* area = new QScrollArea(this);
    area->setObjectName(QStringLiteral("settingsArea"));
    area->setFrameShape(QFrame::NoFrame);
    area->setWidgetResizable(true);
    area->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    area->setFocusPolicy(Qt::NoFocus);
    auto* page = new QWidget(area);
    auto* layout = new QVBoxLayout(page);
    layout->setContentsMargins(Metrics::kGroups, Metrics::kGroups, Metrics::kGroups, Metrics::kGroups);
    layout->setSpacing(Metrics::kGroups);
    for (const SettingSection& section : kSettingSections)
        addSection(section, layout);
    layout->addStretch(1);
    area->setWidget(page);
    outer->addWidget(area, 1);

    auto* bar = new QFrame(this);
    bar->setObjectName(QStringLiteral("bar"));
    auto* buttons = new QHBoxLayout(bar);
    buttons->setContentsMargins(Metrics::kGroups, Metrics::kPanel, Metrics::kGroups, Metrics::kPanel);
    m_resetAll = new QPushButton(tr("Reset all"), bar);
    m_resetAll->setObjectName(QStringLiteral("settingsResetAll"));
    m_resetAll->setAccessibleName(tr("Reset all settings"));
    m_resetAll->setToolTip(tr("Reset every setting of this dialog to its default"));
    m_resetAll->setAutoDefault(false);
    auto* close = new QPushButton(tr("Close"), bar);
    close->setObjectName(QStringLiteral("settingsClose"));
    close->setAccessibleName(tr("Close"));
    close->setToolTip(tr("Close. Changes are already applied."));
    close->setDefault(true);
    buttons->addWidget(m_resetAll);
    buttons->addStretch(1);
    buttons->addWidget(close);
    outer->addWidget(bar);
    connect(m_resetAll, &QPushButton::clicked, this, &SettingsDialog::resetAll);
    connect(close, &QPushButton::clicked, this, &QDialog::accept);
    connect(&m_settings, &Settings::changed, this, &SettingsDialog::refresh);
    for (const Line& line : m_lines)
        refresh(line.key);
}

void SettingsDialog::addSection(const SettingSection& section, QVBoxLayout* layout)
{
    auto* grid = new QGridLayout;
    grid->setHorizontalSpacing(Metrics::kPanel);
    grid->setVerticalSpacing(Metrics::kGrid);
    grid->setColumnStretch(0, 1);
    for (const SettingRow& row : settingRows())
        if (row.name.starts_with(section.group) && inDialog(row))
            addRow(row, grid);
    if (grid->count() == 0)
        return delete grid;
    layout->addWidget(makeSectionLabel(translated(section.title), this));
    layout->addLayout(grid);
}

void SettingsDialog::addRow(const SettingRow& row, QGridLayout* grid)
{
    Line line = makeLine(row);
    const QString label = translated(row.label);
    line.control->setObjectName(QStringLiteral("setting_") + toQString(row.name));
    line.control->setAccessibleName(label);
    line.control->setFixedWidth(kFieldWidth);
    auto* title = new QLabel(label, this);
    title->setBuddy(line.control);
    line.explanation = makeMutedLabel({}, this);
    line.explanation->setFont(Theme::smallFont());
    line.explanation->setWordWrap(true);
    explain(line);
    line.reset->setText(QStringLiteral("↺"));
    line.reset->setObjectName(QStringLiteral("reset_") + toQString(row.name));
    line.reset->setProperty("flat", true);
    line.reset->setFocusPolicy(Qt::TabFocus);
    line.reset->setAccessibleName(tr("Reset: %1").arg(label));
    line.reset->setToolTip(tr("Reset to default"));
    connect(line.reset, &QToolButton::clicked, this, [this, key = row.key] { m_settings.reset(key); });
    const int at = grid->rowCount();
    grid->addWidget(title, at, 0);
    grid->addWidget(line.control, at, 1);
    grid->addWidget(line.reset, at, 2);
    grid->addWidget(line.explanation, at + 1, 0, 1, 2);
    grid->setRowMinimumHeight(at + 2, Metrics::kRelated);
    m_lines.push_back(std::move(line));
}

SettingsDialog::Line SettingsDialog::makeLine(const SettingRow& row)
{
    Line line{row.key, nullptr, new QToolButton(this), {}, nullptr};
    Settings& settings = m_settings;
    if (row.type == SettingType::Integer)
    {
        auto* box = new QSpinBox(this);
        box->setRange(row.least, row.most);
        box->setGroupSeparatorShown(true);
        box->setKeyboardTracking(false); // a number half typed is no setting
        if (!row.special.empty())
            box->setSpecialValueText(translated(row.special));
        connect(box, &QSpinBox::valueChanged, this,
                [&settings, key = row.key](int value) { settings.setNumber(key, value); });
        line.control = box;
        line.show = [box, &settings, key = row.key] { box->setValue(settings.number(key)); };
    }
    else if (row.type == SettingType::Real)
    {
        auto* box = new QDoubleSpinBox(this);
        box->setRange(row.leastReal, row.mostReal);
        box->setDecimals(2);
        box->setKeyboardTracking(false);
        if (!row.special.empty())
            box->setSpecialValueText(translated(row.special));
        connect(box, &QDoubleSpinBox::valueChanged, this,
                [&settings, key = row.key](double value) { settings.setReal(key, value); });
        line.control = box;
        line.show = [box, &settings, key = row.key] { box->setValue(settings.real(key)); };
    }
    else if (row.type == SettingType::Flag)
    {
        auto* box = new QCheckBox(tr("Yes"), this);
        connect(box, &QCheckBox::toggled, this, [&settings, key = row.key](bool on) { settings.setFlag(key, on); });
        line.control = box;
        line.show = [box, &settings, key = row.key] { box->setChecked(settings.flag(key)); };
    }
    else
    {
        auto* box = new QComboBox(this);
        const QStringList values = toQString(row.choices).split(u'|');
        const QStringList names = toQString(row.choiceNames).split(u'|');
        for (qsizetype i = 0; i < values.size(); ++i)
            box->addItem(i < names.size() && !names.at(i).isEmpty() ? names.at(i) : values.at(i), values.at(i));
        connect(box, &QComboBox::activated, this,
                [box, &settings, key = row.key](int index) { settings.setText(key, box->itemData(index).toString()); });
        line.control = box;
        line.show = [box, &settings, key = row.key] { box->setCurrentIndex(box->findData(settings.text(key))); };
    }
    return line;
}

QWidget* SettingsDialog::control(SettingKey key) const
{
    const auto found = std::ranges::find(m_lines, key, &Line::key);
    return found == m_lines.end() ? nullptr : found->control;
}

void SettingsDialog::explain(const Line& line)
{
    const QString help = translated(settingRow(line.key).help);
    line.explanation->setText(help);
    line.control->setAccessibleDescription(help);
    line.control->setToolTip(help);
}

void SettingsDialog::refresh(SettingKey key)
{
    const auto found = std::ranges::find(m_lines, key, &Line::key);
    if (found == m_lines.end())
        return;
    {
        const QSignalBlocker quiet(found->control);
        found->show();
    }
    found->reset->setEnabled(!m_settings.isDefault(key));
    m_resetAll->setEnabled(
        std::ranges::any_of(m_lines, [this](const Line& line) { return !m_settings.isDefault(line.key); }));
}

void SettingsDialog::resetAll()
{
    for (const Line& line : m_lines)
        m_settings.reset(line.key);
}

} // namespace headscope::ui
