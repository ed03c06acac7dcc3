// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "model/data/maps/tsne_options.h"
#include "ui/settings/setting_key.h"

#include <QString>
#include <QWidget>

#include <vector>

class QAbstractSpinBox;
class QCheckBox;
class QComboBox;
class QSpinBox;
class QToolButton;
class QVBoxLayout;

namespace headscope::ui
{

class Settings;

/// The parameters of the next map, each explained in a sentence. Every change is kept in the
/// settings at once; rarely used ones are folded away.
class RunForm : public QWidget
{
    Q_OBJECT

public:
    /// @param settings  must outlive the form
    explicit RunForm(Settings& settings, QWidget* parent = nullptr);

    /// What the next map is to be made with.
    [[nodiscard]] TsneOptions options() const;
    /// Whether the next map begins at the positions of the one on the screen.
    [[nodiscard]] bool fromPresentMap() const;

    /// A perplexity that the points do not allow is not offered. The setting stays as it is, for
    /// caches with more points.
    void setLargestPerplexity(double largest);
    /// Whether there is a map to begin from.
    void setPresentMap(bool there);
    void setMoreShown(bool shown);

Q_SIGNALS:
    void changed();

private:
    void addNumber(SettingKey key, const QString& name, const QString& label, const QString& what, bool folded);
    void addChoice(SettingKey key, const QString& name, const QString& label, const QString& what,
                   const QStringList& words, bool folded);
    void addRow(const QString& label, const QString& what, QWidget* field, bool folded);
    void addAutoStop();
    void load();
    void resetAll();

    Settings& m_settings;
    QVBoxLayout* m_layout = nullptr;
    QWidget* m_folded = nullptr;
    QVBoxLayout* m_foldedLayout = nullptr;
    QToolButton* m_more = nullptr;
    QSpinBox* m_perplexity = nullptr;
    QComboBox* m_start = nullptr;
    QCheckBox* m_autoStop = nullptr;
    std::vector<std::pair<SettingKey, QWidget*>> m_fields;
    bool m_loading = false;
};

} // namespace headscope::ui
