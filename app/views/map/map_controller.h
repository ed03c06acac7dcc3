// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/desktop/shell/view_controller.h"
#include "app/views/map/map_command.h"
#include "app/views/map/map_keeper.h"
#include "app/views/map/map_run.h"

#include <QTimer>

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <utility>

class QAction;

namespace headscope::ui
{
class MapView;
class RunPanel;
class ScatterWidget;
} // namespace headscope::ui

namespace headscope::desktop
{

/// The map: its run and the panel of it, the maps that are kept, colours, cards.
///
/// The view shows the newest map of the run, or the run as it was at an iteration, or a kept map.
/// The run continues whichever of them is shown.
/// @threads GUI thread
class MapController : public ViewController
{
    Q_OBJECT

public:
    explicit MapController(Study& study, QObject* parent = nullptr);
    ~MapController() override;

    void stop() override;
    void leave() override;
    [[nodiscard]] bool busy() const override { return m_run.active() || m_keeper.storing() || ViewController::busy(); }

    [[nodiscard]] QString lossOfStopping() const override;
    void addWork(ResultStore& work) const override;
    void settleWork() override;
    void forgetWork() override;
    void saveState(QJsonObject& state) const override;
    void restoreState(const QJsonObject& state) override;

    /// Computes the map of the chosen layer, stage and heads; waits for their vectors.
    void runMap();
    [[nodiscard]] MapRun& run() { return m_run; }
    [[nodiscard]] ui::RunPanel& panel() { return *m_panel; }
    [[nodiscard]] ui::MapView& view() const { return *m_view; }

protected:
    std::optional<ViewOutput> output(const QString& path, const viz::FigureOptions& paper) override;
    void copy() override;
    [[nodiscard]] QString commandLine() const override;

private:
    using SourceKey = std::pair<LayerIndex, Stage>;

    void addCommands();
    void connectStudy();
    void connectRun();
    void connectPanel();
    void onCacheOpened();
    void showSource();
    /// @param heads  with points
    void runMapOf(std::vector<std::int64_t> heads);
    /// Computes what nobody asked for: the map of all heads, where these are not too many; else of those chosen.
    void runByItself();
    void showMap(std::shared_ptr<const HeadMap> map);
    void describeEmpty(const QString& why, bool isError);
    void offerRun();
    [[nodiscard]] std::int64_t pointsOfChoice() const;
    void noteMissingHeads();
    void refreshReady();

    // Which map is shown: the run's newest, one of its iterations, or a kept one.
    void takeRunMap(const std::shared_ptr<const HeadMap>& map);
    void takeState(ui::MapRunState state, const ui::MapRunProgress& progress);
    void keepRunMap();
    /// The current map of the run as a value to keep; null before its first iteration.
    [[nodiscard]] std::shared_ptr<const HeadMap> presentMap() const;
    void showNewest();
    void showIteration(int iteration);
    void showKept(std::uint64_t id);
    /// Shows the map of a figure that `headscope tsne` drew: a kept one, or one that is computed. Else none, and why.
    void showFigureMap(const QJsonArray& words);
    void forgetKept(std::uint64_t id);
    void refreshPanel();

    // Saving and copying.
    [[nodiscard]] ViewOutput table(const QString& path) const;
    [[nodiscard]] QString lineOf(const HeadMap& map) const;
    [[nodiscard]] MapOrigin originOf(const HeadMap& map) const;
    /// What of a map says how it was made, without its positions.
    [[nodiscard]] HeadMap describedRun(const HeadMap& map) const;
    [[nodiscard]] ui::ScatterWidget& scatter() const;
    /// Behind the number of the newest run, and of no map that is there: "run 3".
    [[nodiscard]] int freeRunNumber() const;

    ui::MapView* m_view = nullptr;
    ui::RunPanel* m_panel = nullptr;
    QAction* m_pauseAction = nullptr;
    QAction* m_stopAction = nullptr;
    QAction* m_moreAction = nullptr;
    QAction* m_perturbAction = nullptr;
    QAction* m_storeAction = nullptr;
    std::map<SourceKey, std::uint64_t> m_lastShown; ///< kept map that a layer and stage showed last
    bool m_wanted = false;                          ///< a run as soon as the vectors are there
    bool m_isByItself = false;                      ///< nobody asked for it
    std::optional<TsneOptions> m_ofFigure;          ///< of the next run of this layer and stage, in place of the form's

    std::shared_ptr<const HeadMap> m_newest; ///< of the run
    std::optional<int> m_iteration;          ///< iteration of the run that is shown instead of the newest
    std::optional<std::uint64_t> m_kept;     ///< shown in place of the run
    std::uint64_t m_runEntry = 0;            ///< of the library; 0: the run is not kept yet
    int m_runNumber = 0;                     ///< of the newest run
    QString m_runNotice;                     ///< notice given when the run began; shown until it stops or ends
    QTimer m_panelPace;                      ///< the panel follows a run ten times a second
    ui::MapRunState m_panelState = ui::MapRunState::None; ///< that the panel shows

    MapKeeper m_keeper;
    MapRun m_run;
};

} // namespace headscope::desktop
