// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/views/map/map_history.h"
#include "app/views/map/map_view.h"
#include "model/analysis/maps/map_snapshots.h"
#include "model/base/latest_value.h"
#include "model/data/head_vectors.h"
#include "ui/jobs/job_runner.h"
#include "ui/jobs/pause_gate.h"

#include <QElapsedTimer>
#include <QObject>

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

namespace headscope::desktop
{

/// What a run of the map starts from.
struct MapRequest
{
    std::shared_ptr<const HeadVectors> vectors;
    std::vector<std::int64_t> heads; ///< 0-based
    TsneOptions options;
    int numThreads = 1;
    std::shared_ptr<const HeadMap> start; ///< for TsneStart::Given: points begin where they are in it
    Origin origin{};                      ///< of the vectors; every map of the run carries it
};

/// Rough estimate of a run's time on a desktop machine, in seconds, from what 32,000 and 320,000 points of 128
/// numbers took on two cores (tests/bench/README.md).
[[nodiscard]] double estimatedMapSeconds(std::int64_t points, int iterations, int numThreads);

/// The live t-SNE behind the map: runs in the background, publishes the map at the screen's rate,
/// may be paused, stopped and resumed.
/// @threads GUI thread
class MapRun : public QObject
{
    Q_OBJECT

public:
    explicit MapRun(QObject* parent = nullptr);
    ~MapRun() override;

    /// Starts a new run and drops the current one.
    void start(MapRequest request);
    void pause();
    /// Goes on after pause() or stop().
    void resume();
    /// Continues a stopped or finished run for `iterations` more under this exaggeration (1: plain t-SNE).
    void goOn(int iterations, double exaggeration);
    /// Moves every point by normal noise of `share` times the map's spread (the root mean square
    /// distance of a coordinate from the middle) and continues: a run at its end for `iterations` more.
    /// The same share at the same iteration of a run with the same seed moves the points alike; a second time they
    /// move differently.
    void perturb(double share, int iterations);
    /// Ends the run where it is; the map stays and resume() continues from it.
    void stop();
    /// Ends the run and forgets it.
    void drop();

    [[nodiscard]] ui::MapRunState state() const { return m_state; }
    [[nodiscard]] bool active() const
    {
        return m_state == ui::MapRunState::Running || m_state == ui::MapRunState::Paused;
    }
    /// Whether the worker of a paused run has come to the pause: it makes no newer map until resume().
    [[nodiscard]] bool stands() const;
    [[nodiscard]] const ui::MapRunProgress& progress() const { return m_progress; }
    /// The history of the run; null without a run.
    [[nodiscard]] std::shared_ptr<const MapHistory> history() const;

Q_SIGNALS:
    /// A newer map of the run; once the run has stopped or finished it has a hash and its turns.
    void mapChanged(std::shared_ptr<const headscope::HeadMap> map);
    void stateChanged(headscope::ui::MapRunState state, const headscope::ui::MapRunProgress& progress);
    void failed(const headscope::Error& error);

private:
    struct Run; ///< what the worker advances; outlives the job, so that a stopped run can continue
    void launch();
    void takeLatest(std::uint64_t id);
    void setState(ui::MapRunState state);
    void noteIteration(const HeadMap& map);

    std::shared_ptr<Run> m_run;
    std::uint64_t m_id = 0;
    std::int64_t m_points = 0; ///< of the run at most
    ui::MapRunState m_state = ui::MapRunState::None;
    ui::MapRunProgress m_progress;
    QElapsedTimer m_clock;     ///< since the run last started or went on
    int m_clockIteration = -1; ///< iteration at which the clock started
    ui::JobRunner m_runner;    ///< last: its destructor waits for the worker that uses the others
};

} // namespace headscope::desktop
