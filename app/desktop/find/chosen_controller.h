// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/desktop/shell/controller.h"
#include "app/desktop/shell/save_job.h"
#include "app/desktop/shell/study.h"
#include "ui/models/chosen_table.h"

#include <cstdint>
#include <memory>
#include <vector>

namespace headscope::ui
{
class ChosenPanel;
class MapView;
class ScatterWidget;
enum class ScatterTool;
} // namespace headscope::ui

namespace headscope::desktop
{

/// The page "Chosen": counts the chosen documents in the background while it is visible; keeps them as a named set,
/// shows them alone, saves them.
/// @threads GUI thread
class ChosenController : public Controller
{
    Q_OBJECT

public:
    /// @param map  whose points the choice is of; must outlive the controller
    ChosenController(Study& study, ui::MapView& map, QObject* parent = nullptr);

    void stop() override;
    [[nodiscard]] bool busy() const override { return m_save.busy(); }
    [[nodiscard]] ui::ChosenPanel& panel() const { return *m_panel; }
    /// Whether the page waits for what is counted or sorted.
    [[nodiscard]] bool counting() const
    {
        return m_runner.running() || m_orderRunner.running() || m_barRunner.running();
    }

private:
    /// What one selects with, as commands: they go to the map.
    void addTools();
    void takeTool(ui::ScatterTool tool);
    void connectPanel();
    void connectStudy();
    /// The choice, or what it is counted by, has changed.
    void refresh();
    void count();
    void arrange();
    void filterByBar(int row, bool takeOut);
    void keep(const QString& name);
    void askSave();
    void showPage();
    [[nodiscard]] ChosenQuestion question() const;
    [[nodiscard]] ui::ScatterWidget& scatter() const;
    [[nodiscard]] ui::SelectionHub& hub() const { return m_study.window().selection(); }

    Study& m_study;
    ui::MapView& m_map;
    ui::ChosenPanel* m_panel = nullptr; ///< of the window
    bool m_stale = false;
    SaveJob m_save;
    ui::JobRunner m_runner;
    ui::JobRunner m_orderRunner;
    ui::JobRunner m_barRunner;
};

} // namespace headscope::desktop
