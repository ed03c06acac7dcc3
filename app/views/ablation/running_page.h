// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>

class QScrollArea;

namespace headscope::ui
{

class ImportancePanel;
class AblationPanel;

/// The page of the Heads tab whose numbers come from the running model: what is lost without heads, and heads switched
/// off.
class RunningPage : public QWidget
{
    Q_OBJECT

public:
    explicit RunningPage(QWidget* parent = nullptr);

    [[nodiscard]] ImportancePanel* importance() const { return m_importance; }
    [[nodiscard]] AblationPanel* switchOff() const { return m_switchOff; }
    /// Scrolls so that heads switched off are in sight.
    void showSwitchOff();

private:
    QScrollArea* m_scroll = nullptr;
    ImportancePanel* m_importance = nullptr;
    AblationPanel* m_switchOff = nullptr;
};

} // namespace headscope::ui
