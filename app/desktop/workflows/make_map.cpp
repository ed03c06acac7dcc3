// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/desktop/workflows/make_map.h"

#include "ui/wording.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace headscope::desktop
{

struct MapRun::Run
{
    MapRequest request;
    ui::PauseGate gate;
    std::unique_ptr<LatestValue<HeadMap>> latest;
    std::optional<TsneState> state;        ///< worker only
    std::optional<MapSnapshots> snapshots; ///< worker only

    Result<HeadMap> advance(JobContext& job);
};

Result<HeadMap> MapRun::Run::advance(JobContext& job)
{
    if (!state)
    {
        const HeadVectors& vectors = *request.vectors;
        job.report("gathering vectors", 0, 0);
        const auto documents = allIndices(vectors.documents());
        const HeadPoints points = gatherPoints(vectors, documents, request.heads);
        snapshots.emplace(frameOfMap(points, vectors.stage(), vectors.layer(), request.options));
        HEADSCOPE_TRY(state, TsneState::create(points.vectors.view(), request.options, request.numThreads, job));
        request.vectors.reset();
    }
    HEADSCOPE_CHECK(state->setOptions(request.options)); // goOn() may have changed them
    const auto publish = [this, &job](const TsneState& now) {
        if (latest->wanted())
            latest->publish(snapshots->take(now));
        gate.wait(job.stopToken());
    };
    const Status status = state->run(request.options.iterations, job, publish);
    if (!status && status.error().code != ErrorCode::Cancelled)
        return status.error();
    HeadMap map = snapshotMap(*state, snapshots->frame());
    if (status)
        map.hash = state->hash();
    return map;
}

MapRun::MapRun(QObject* parent) : QObject(parent)
{
    connect(&m_runner, &ui::JobRunner::progressed, this, [this](const Progress& progress) {
        if (m_progress.iteration > 0 || m_state != ui::RunState::Running)
            return;
        m_progress.stage = ui::toQString(progress.stage);
        Q_EMIT stateChanged(m_state, m_progress);
    });
}

MapRun::~MapRun()
{
    blockSignals(true); // who would hear them is being destroyed
    drop();
}

void MapRun::start(MapRequest request)
{
    drop();
    m_run = std::make_shared<Run>();
    m_progress = {};
    m_progress.iterations = request.options.iterations;
    m_progress.kl = std::nan("");
    m_progress.stage = tr("starting");
    m_run->request = std::move(request);
    launch();
}

void MapRun::launch()
{
    const std::uint64_t id = ++m_id;
    m_run->latest = std::make_unique<LatestValue<HeadMap>>([this, id] {
        QMetaObject::invokeMethod(
            this, [this, id] { takeLatest(id); }, Qt::QueuedConnection);
    });
    m_clockIteration = -1;
    m_run->gate.setPaused(false);
    setState(ui::RunState::Running);
    m_runner.start<HeadMap>([run = m_run](JobContext& job) { return run->advance(job); },
                            [this](Result<HeadMap> result) {
                                if (!result)
                                {
                                    m_run.reset();
                                    m_state = ui::RunState::None;
                                    if (result.error().code != ErrorCode::Cancelled)
                                        Q_EMIT failed(result.error());
                                    return setState(ui::RunState::None);
                                }
                                auto map = std::make_shared<const HeadMap>(std::move(*result));
                                const bool whole = map->iteration >= m_progress.iterations;
                                noteIteration(*map);
                                ++m_id; // what is still under way is older
                                Q_EMIT mapChanged(map);
                                setState(whole ? ui::RunState::Finished : ui::RunState::Stopped);
                            });
}

void MapRun::takeLatest(std::uint64_t id)
{
    if (id != m_id || m_run == nullptr)
        return;
    const auto map = m_run->latest->take();
    if (map == nullptr)
        return;
    noteIteration(*map);
    Q_EMIT mapChanged(map);
    Q_EMIT stateChanged(m_state, m_progress);
}

void MapRun::noteIteration(const HeadMap& map)
{
    if (m_clockIteration < 0)
    {
        m_clockIteration = map.iteration;
        m_clock.start();
    }
    m_progress.klFalls = std::isfinite(m_progress.kl)
                             ? map.kl < m_progress.kl || (m_progress.klFalls && map.kl == m_progress.kl)
                             : false;
    m_progress.iteration = map.iteration;
    m_progress.kl = map.kl;
    const double seconds = static_cast<double>(m_clock.elapsed()) / 1000;
    const int done = map.iteration - m_clockIteration;
    m_progress.rate = seconds > 0.2 ? done / seconds : 0;
    m_progress.eta = m_progress.rate > 0 ? (m_progress.iterations - map.iteration) / m_progress.rate : -1;
}

void MapRun::setState(ui::RunState state)
{
    m_state = state;
    Q_EMIT stateChanged(m_state, m_progress);
}

void MapRun::pause()
{
    if (m_state != ui::RunState::Running)
        return;
    m_run->gate.setPaused(true);
    setState(ui::RunState::Paused);
}

void MapRun::resume()
{
    if (m_run == nullptr)
        return;
    if (m_state == ui::RunState::Paused)
    {
        m_clockIteration = -1;
        m_run->gate.setPaused(false);
        setState(ui::RunState::Running);
    }
    else if (m_state == ui::RunState::Stopped)
    {
        launch();
    }
}

void MapRun::goOn(int iterations, double exaggeration)
{
    if (m_run == nullptr || (m_state != ui::RunState::Stopped && m_state != ui::RunState::Finished))
        return;
    TsneOptions& options = m_run->request.options;
    // What remains of the early exaggeration gives way to the one asked for.
    options.exaggerationIterations = std::min(options.exaggerationIterations, m_progress.iteration);
    options.lateExaggeration = exaggeration;
    options.iterations = m_progress.iteration + iterations;
    m_progress.iterations = options.iterations;
    launch();
}

void MapRun::stop()
{
    if (active())
        m_runner.requestStop();
}

void MapRun::drop()
{
    ++m_id;
    m_runner.cancel();
    m_run.reset();
    if (std::exchange(m_state, ui::RunState::None) != ui::RunState::None)
        Q_EMIT stateChanged(m_state, m_progress);
}

} // namespace headscope::desktop
