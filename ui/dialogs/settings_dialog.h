// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/settings/setting_key.h"

#include <QDialog>

#include <functional>
#include <vector>

class QGridLayout;
class QLabel;
class QPushButton;
class QToolButton;
class QVBoxLayout;

namespace headscope::ui
{

class Settings;

/// The settings as the table kSettings tells them: a section per group, a control per row by its
/// type and bounds, the sentence below it. A change takes effect at once.
class SettingsDialog : public QDialog
{
    Q_OBJECT

public:
    /// @param settings  must outlive the dialog
    explicit SettingsDialog(Settings& settings, QWidget* parent = nullptr);

    /// The control of a setting ("setting_" and its key's name in the table); null if it has none.
    [[nodiscard]] QWidget* control(SettingKey key) const;

private:
    struct Line
    {
        SettingKey key;
        QWidget* control;
        QToolButton* reset;
        std::function<void()> show; ///< the kept value in the control
        QLabel* explanation = nullptr;
    };
    void addSection(const SettingSection& section, QVBoxLayout* layout);
    void addRow(const SettingRow& row, QGridLayout* grid);
    [[nodiscard]] Line makeLine(const SettingRow& row);
    void refresh(SettingKey key);
    /// Shows in a line what its setting does, with the current numbers.
    void explain(const Line& line);
    void resetAll();

    Settings& m_settings;
    std::vector<Line> m_lines;
    QPushButton* m_resetAll = nullptr;
};

} // namespace headscope::ui
