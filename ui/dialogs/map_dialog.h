// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QDialog>

class QSpinBox;

namespace headscope::ui
{

class Settings;

/// Perplexity, iterations and seed of the next map, each explained in a sentence. Accepting keeps
/// them in the settings.
class MapDialog : public QDialog
{
    Q_OBJECT

public:
    /// @param settings  must outlive the dialog
    /// @param largestPerplexity  that the points of the map allow; no other is offered
    MapDialog(Settings& settings, double largestPerplexity, QWidget* parent);

Q_SIGNALS:
    /// The settings are kept, and a map with them is wanted now.
    void runRequested();

private:
    QSpinBox* addNumber(const QString& name, const QString& label, const QString& what);
    void keep();

    Settings& m_settings;
    QSpinBox* m_perplexity = nullptr;
    QSpinBox* m_iterations = nullptr;
    QSpinBox* m_seed = nullptr;
};

} // namespace headscope::ui
