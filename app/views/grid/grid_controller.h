// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/desktop/shell/analysis_controller.h"
#include "app/views/grid/grid_bar.h"
#include "app/views/grid/grid_plan.h"
#include "app/views/grid/make_grid.h"
#include "viz/scatter/point_coloring.h"

#include <map>
#include <memory>
#include <optional>
#include <set>
#include <vector>

namespace headscope::ui
{
class GridView;
}

namespace headscope::desktop
{

class GridColors;

/// The grid of small maps: runs, sets of the cache, colours, cards.
/// @threads GUI thread
class GridController : public AnalysisController
{
    Q_OBJECT

public:
    explicit GridController(Study& study, QObject* parent = nullptr);
    ~GridController() override;

    void stop() override;
    void leave() override;
    [[nodiscard]] bool busy() const override { return m_run.active() || ViewController::busy(); }

    [[nodiscard]] QString lossOfStopping() const override;
    void addWork(ResultStore& work) const override;
    void forgetWork() override;

    /// Computes the maps of the cells that are chosen in the bar.
    void run();
    [[nodiscard]] GridRun& gridRun() { return m_run; }
    [[nodiscard]] ui::GridView& view() const { return *m_view; }
    /// The noise floor of each cell, of the same vectors with a little noise.
    void measureFloor();
    /// Whether it is not known and can be made.
    [[nodiscard]] bool floorable() const;
    /// The set that is shown, or null; during a run its newest state.
    [[nodiscard]] std::shared_ptr<const HeadMapSet> set() const;
    /// Puts what is shown, with all its heads, into the cache.
    void store();
    /// The command line that makes the set shown, in kFile; empty for a set of the cache.
    [[nodiscard]] QString commandLine() const override;
    static constexpr const char* kFile = "grid.h5";
    /// What the set shown is called in the cache; empty: it was computed here.
    [[nodiscard]] QString storedName() const;

Q_SIGNALS:
    /// The set shown is final, or another one or none is shown.
    void setSettled();

protected:
    std::optional<ViewOutput> output(const QString& path, const viz::FigureOptions& paper) override;
    void copy() override;
    void begin() override { showChoice(); }
    [[nodiscard]] bool lacks() const override { return set() == nullptr && !m_run.active(); }

private:
    void connectView();
    void connectRun();
    /// Puts the run among the jobs of the window.
    void listRun();
    void onCacheOpened();
    /// Shows what is known of the choice, or says how to get it.
    void showChoice();
    void showSet(std::shared_ptr<const HeadMapSet> set);
    void loadStored(const QString& name);
    [[nodiscard]] bool measurable() const;
    using Measure = Result<HeadMapSet> (*)(const GridRequest&, HeadMapSet, JobContext&);
    /// Measures the set that is shown in the background, and keeps what it says.
    void measureBy(Measure measure, const QString& title);
    void refreshChoices();
    void refreshMeasurable();
    void describeEmpty();
    /// Says why there is no grid, and where that can be changed.
    void describeFailure(const Error& error);
    /// Whether a grid of what is chosen is made without being asked for.
    [[nodiscard]] bool mayRunByItself() const;

    ui::GridView* m_view = nullptr;
    GridPlan m_plan;
    GridColors* m_colors = nullptr;
    std::map<QString, std::shared_ptr<const HeadMapSet>> m_sets; ///< that were computed or read, by GridPlan::key()
    std::set<std::shared_ptr<const HeadMapSet>> m_stored;        ///< of those, what is in the cache
    std::shared_ptr<const HeadMapSet> m_whole;                   ///< of what is shown, with all its heads
    QString m_runKey;                                            ///< what the run makes
    std::optional<Error> m_failure;                              ///< of the run of m_runKey
    GridRun m_run;
    // Last: their destructors wait for workers.
    ui::JobRunner m_load;
    ui::JobRunner m_measure;
    ui::JobRunner m_store;
};

} // namespace headscope::desktop
