// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/desktop/engine/engine_servers.h"
#include "app/desktop/shell/controller.h"
#include "app/desktop/shell/save_job.h"
#include "app/desktop/shell/study.h"
#include "model/base/strong_index.h"
#include "model/data/results/importance_results.h"
#include "model/data/results/switch_off_results.h"

#include <QJsonObject>

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

namespace headscope::ui
{
class HeadsView;
class MovedOverlay;
class RunningPage;
class ScatterWidget;
} // namespace headscope::ui

namespace headscope::desktop
{

/// What comes of the running model in the Heads tab: what is lost without heads, and heads that are switched off, with
/// lines on the map. The model runs in an engine that stays.
/// @threads GUI thread
class AblationController : public Controller
{
    Q_OBJECT

public:
    /// @param heads   whose page of the running model this fills
    /// @param canvas  of the map
    /// @param engines  of the window; must outlive this
    AblationController(Study& study, ui::HeadsView& heads, ui::ScatterWidget& canvas, EngineServers& engines,
                       QObject* parent = nullptr);

    void stop() override;
    void leave() override;
    [[nodiscard]] bool busy() const override { return m_measureRunner.running() || m_offRunner.running(); }

    /// Runs the documents through the model with these heads off, and shows what comes of it. For any view that shows
    /// heads of a layer.
    void switchOff(LayerIndex layer, const std::vector<std::int64_t>& heads);
    void saveState(QJsonObject& state) const override;
    void restoreState(const QJsonObject& state) override;
    /// The `headscope` line that measures what is shown; "" where nothing is, or with labels that are in no cache.
    [[nodiscard]] QString commandLine() const;
    /// Measures what the heads of the layer that is chosen on the page are worth.
    void measure();
    [[nodiscard]] ui::RunningPage& page() const { return m_page; }
    [[nodiscard]] ui::MovedOverlay& overlay() const { return *m_overlay; }

Q_SIGNALS:
    /// A measurement has ended, well or not.
    void measured();
    /// Switching off has ended, well or not.
    void switchedOff();

private:
    void addCommand();
    void connectPage();
    void connectStudy();
    void refreshObstacle();
    /// Shows what a work file has of a measurement, when the labels that it rests on are there.
    void showKept();
    void chooseModel();
    /// Brings the page to the front with the heads that are marked, off in the table, or chosen.
    void askSwitchOff();
    [[nodiscard]] std::vector<std::int64_t> headsAtHand() const;
    void runSwitchOff();
    void takeResult(Result<SwitchOffResult> result);
    void forgetResult();
    void addColumn();
    void askSaveTable();
    void refreshPointed();

    Study& m_study;
    ui::HeadsView& m_heads;
    ui::RunningPage& m_page;
    ui::ScatterWidget& m_canvas;
    EngineServers& m_engines;
    ui::MovedOverlay* m_overlay = nullptr;
    SaveJob m_save;
    std::shared_ptr<const ImportanceComparison> m_before; ///< what was shown before the run that continues
    QJsonObject m_kept;                                   ///< of a work file, not shown yet
    // Last: their destructors wait for workers.
    ui::JobRunner m_measureRunner;
    ui::JobRunner m_offRunner;
};

} // namespace headscope::desktop
