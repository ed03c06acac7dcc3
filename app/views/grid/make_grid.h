// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/views/map/map_view.h"
#include "model/base/latest_value.h"
#include "model/data/maps/head_map_set.h"
#include "model/data/stage.h"
#include "model/io/cache/cache_reader.h"
#include "ui/jobs/job_runner.h"
#include "ui/jobs/pause_gate.h"

#include <QObject>

#include <cstdint>
#include <memory>
#include <vector>

namespace headscope::desktop
{

/// What the maps of a grid are made of: the full vector, and the chosen heads of these layers and
/// stages.
struct GridRequest
{
    std::shared_ptr<CacheReader> reader;
    std::vector<LayerIndex> layers;
    std::vector<Stage> stages;
    std::vector<std::int64_t> heads; ///< 0-based
    TsneOptions options;
    int numThreads = 1;
};

/// The layers of a model that a grid of `count` of them shows: spread evenly, the last among them.
/// @param there  ascending
/// @param count  0: all
[[nodiscard]] std::vector<LayerIndex> spreadLayers(const std::vector<LayerIndex>& there, int count);

/// Measures how many neighbours each map of a set keeps.
/// @param request  that the set was made of
/// @errors those of CacheReader and measureHeadMaps
/// @threads to be called on a worker
[[nodiscard]] Result<HeadMapSet> measureGrid(const GridRequest& request, HeadMapSet set, JobContext& job);

/// The noise floor of each map of a set, and how far it agrees with the other heads' maps.
/// @param request  that the set was made of
/// @errors those of CacheReader and measureHeadFloors
/// @threads to be called on a worker
[[nodiscard]] Result<HeadMapSet> floorGrid(const GridRequest& request, HeadMapSet set, JobContext& job);

/// The aligned maps behind the grid: run in the background, all at the same iteration, published at
/// the screen's rate; may be paused and stopped.
/// @threads GUI thread
class GridRun : public QObject
{
    Q_OBJECT

public:
    explicit GridRun(QObject* parent = nullptr);
    ~GridRun() override;

    /// Starts a new run and drops the current one.
    void start(GridRequest request);
    void pause();
    /// Continues after pause() or stop(): the maps are those of a run that was never stopped.
    void resume();
    /// Leaves the run where it is; the maps stay as they were last seen. One that has no maps yet ends.
    void stop();
    /// Ends the run and forgets it.
    void drop();

    [[nodiscard]] ui::MapRunState state() const { return m_state; }
    [[nodiscard]] bool active() const
    {
        return m_state == ui::MapRunState::Running || m_state == ui::MapRunState::Paused;
    }
    /// Whether the worker of a paused or stopped run has come to the pause: it makes no newer maps until resume().
    [[nodiscard]] bool stands() const;

Q_SIGNALS:
    /// A newer set of the run; that of a finished run has a hash.
    void setChanged(std::shared_ptr<const headscope::HeadMapSet> set);
    void stateChanged(headscope::ui::MapRunState state, const headscope::ui::MapRunProgress& progress);
    /// Before stateChanged() says that there is no run any more.
    void failed(const headscope::Error& error);

private:
    struct Run;
    void takeLatest(std::uint64_t id);
    void finish(Result<HeadMapSet> result);
    void setState(ui::MapRunState state);

    std::shared_ptr<Run> m_run;
    std::uint64_t m_id = 0;
    ui::MapRunState m_state = ui::MapRunState::None;
    ui::MapRunProgress m_progress;
    std::shared_ptr<const HeadMapSet> m_last; ///< as last seen
    ui::JobRunner m_runner;                   ///< last: its destructor waits for the worker that uses the others
};

} // namespace headscope::desktop
