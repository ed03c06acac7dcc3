// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/views/map/map_run.h"

#include "model/analysis/maps/map_places.h"
#include "ui/words/wording.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <mutex>
#include <utility>

#ifdef __linux__
#include <sys/resource.h>
#endif

namespace headscope::desktop
{

namespace
{

/// Up to so many points a frame costs next to nothing: every refresh of a screen gets its own.
constexpr std::int64_t kSmoothPoints = 50'000;
constexpr std::chrono::milliseconds kSmoothInterval{16};
constexpr std::chrono::milliseconds kInterval{40};
/// Iterations between two points of the curve of the divergence.
constexpr int kKlInterval = 10;

/// A run wants all cores for minutes; the window, and what it asks of other threads, goes first.
/// The threads that this one starts from now on do as it does.
void lowerThreadPriority()
{
#ifdef __linux__
    constexpr int kNiceness = 5;
    static_cast<void>(setpriority(PRIO_PROCESS, 0, kNiceness)); // on Linux: of this thread alone
#endif
}

} // namespace

double estimatedMapSeconds(std::int64_t points, int iterations, int numThreads)
{
    constexpr double kMsPerIteration = 5.2; // the field that repels, whatever the number of points
    constexpr double kMsPerIterationPoint = 2.9e-5;
    constexpr double kNeighborSecondsPerPoint = 1.2e-5;
    constexpr double kMeasuredThreads = 2;
    const auto count = static_cast<double>(points);
    const double seconds =
        iterations * (kMsPerIteration + kMsPerIterationPoint * count) / 1000 + kNeighborSecondsPerPoint * count;
    return seconds * kMeasuredThreads / std::max(1, numThreads);
}

struct MapRun::Run
{
    /// A map at rest, and whether the run reached its end.
    struct End
    {
        HeadMap map;
        bool whole = false;
    };

    MapRequest request;
    ui::PauseGate gate;
    MapHistory history;
    std::unique_ptr<LatestValue<HeadMap>> latest;
    std::optional<TsneState> state;        ///< worker only
    std::optional<MapSnapshots> snapshots; ///< worker only

    std::mutex noiseMutex;
    std::vector<double> noiseWanted; ///< guarded by noiseMutex; shares
    std::uint64_t noiseDone = 0;     ///< worker only

    Result<End> advance(JobContext& job);
    Status prepare(JobContext& job);
    Status takeNoise();
    [[nodiscard]] bool wantsNoise()
    {
        const std::lock_guard lock(noiseMutex);
        return !noiseWanted.empty();
    }
};

Status MapRun::Run::prepare(JobContext& job)
{
    const HeadVectors& vectors = *request.vectors;
    job.report("gathering vectors", 0, 0);
    const auto documents = allIndices(vectors.documents());
    const HeadPoints points = gatherPoints(vectors, documents, request.heads, request.numThreads);
    HeadMap frame = frameOfMap(points, vectors.stage(), vectors.layer(), request.options);
    frame.origin = request.origin;
    MatrixF given;
    if (request.options.start == TsneStart::Given && request.start != nullptr)
    {
        given = placesIn(*request.start, points.ids);
        frame.turns.push_back({0, MapTurn::Kind::Start, 0, request.start->name});
    }
    HEADSCOPE_TRY(state, TsneState::create(points.vectors.view(), request.options, request.numThreads, job, &given));
    state->setKlInterval(kKlInterval);
    history.begin(frame, request.options.iterations);
    history.note(*state, request.numThreads);
    snapshots.emplace(std::move(frame));
    request.vectors.reset();
    request.start.reset();
    return {};
}

/// Applies the noise that was asked for since the last time.
Status MapRun::Run::takeNoise()
{
    std::vector<double> shares;
    {
        const std::lock_guard lock(noiseMutex);
        shares.swap(noiseWanted);
    }
    if (shares.empty())
        return {};
    TsneCheckpoint checkpoint = state->checkpoint();
    for (const double share : shares)
    {
        addNoise(checkpoint.positions, share, request.options.seed, noiseDone++);
        history.noteTurn({checkpoint.iteration, MapTurn::Kind::Noise, share, {}});
    }
    // Where the points were heading means nothing where they are now.
    std::ranges::fill(checkpoint.velocities.values(), 0.0F);
    checkpoint.phase.finished = false;
    checkpoint.phase.kl = 0;
    return state->restore(checkpoint);
}

Result<MapRun::Run::End> MapRun::Run::advance(JobContext& job)
{
    lowerThreadPriority();
    if (!state)
        HEADSCOPE_CHECK(prepare(job));
    HEADSCOPE_CHECK(state->setOptions(request.options)); // goOn() may have changed them
    Status status;
    do
    {
        HEADSCOPE_CHECK(takeNoise());
        // run() may be left and entered between any two iterations: it is when noise is wanted.
        std::stop_source slice;
        const std::stop_callback passOn(job.stopToken(), [&slice] { slice.request_stop(); });
        JobContext part(slice.get_token(), [&job](const Progress& progress) {
            job.report(progress.stage, progress.done, progress.total, progress.unit);
        });
        status = state->run(request.options.iterations, part, [&](const TsneState& now) {
            history.note(now, request.numThreads);
            if (latest->wanted())
                latest->publish(snapshots->take(now));
            gate.wait(job.stopToken());
            if (wantsNoise())
                slice.request_stop();
        });
    } while (!status && status.error().code == ErrorCode::Cancelled && !job.stopRequested());
    if (!status && status.error().code != ErrorCode::Cancelled)
        return status.error();
    if (status)
    {
        state->updateKl();
        history.note(*state, request.numThreads); // the last point of the curve
    }
    HeadMap map = snapshotMap(*state, snapshots->frame());
    map.hash = state->hash();
    map.turns = history.turns();
    {
        const std::lock_guard lock(noiseMutex); // came too late
        noiseWanted.clear();
    }
    return End{std::move(map), static_cast<bool>(status)};
}

MapRun::MapRun(QObject* parent) : QObject(parent)
{
    connect(&m_runner, &ui::JobRunner::progressed, this, [this](const Progress& progress) {
        if (m_progress.iteration > 0 || m_state != ui::MapRunState::Running)
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

bool MapRun::stands() const
{
    return m_run != nullptr && m_run->gate.holds();
}

void MapRun::start(MapRequest request)
{
    drop();
    m_run = std::make_shared<Run>();
    m_progress = {};
    m_progress.iterations = request.options.iterations;
    m_progress.kl = std::nan("");
    m_progress.stage = tr("starting");
    m_points = request.vectors->documents() * static_cast<std::int64_t>(request.heads.size());
    m_run->request = std::move(request);
    launch();
}

void MapRun::launch()
{
    const std::uint64_t id = ++m_id;
    const auto interval = m_points <= kSmoothPoints ? kSmoothInterval : kInterval;
    m_run->latest = std::make_unique<LatestValue<HeadMap>>(
        [this, id] {
            QMetaObject::invokeMethod(
                this, [this, id] { takeLatest(id); }, Qt::QueuedConnection);
        },
        interval);
    m_clockIteration = -1;
    m_run->gate.setPaused(false);
    setState(ui::MapRunState::Running);
    m_runner.start<Run::End>([run = m_run](JobContext& job) { return run->advance(job); },
                             [this](Result<Run::End> result) {
                                 if (!result)
                                 {
                                     m_run.reset();
                                     m_state = ui::MapRunState::None;
                                     if (result.error().code != ErrorCode::Cancelled)
                                         Q_EMIT failed(result.error());
                                     return setState(ui::MapRunState::None);
                                 }
                                 const bool whole = result->whole;
                                 auto map = std::make_shared<const HeadMap>(std::move(result->map));
                                 noteIteration(*map);
                                 ++m_id; // what is still under way is older
                                 Q_EMIT mapChanged(map);
                                 setState(whole ? ui::MapRunState::Finished : ui::MapRunState::Stopped);
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

void MapRun::setState(ui::MapRunState state)
{
    m_state = state;
    Q_EMIT stateChanged(m_state, m_progress);
}

void MapRun::pause()
{
    if (m_state != ui::MapRunState::Running)
        return;
    m_run->gate.setPaused(true);
    setState(ui::MapRunState::Paused);
}

void MapRun::resume()
{
    if (m_run == nullptr)
        return;
    if (m_state == ui::MapRunState::Paused)
    {
        m_clockIteration = -1;
        m_run->gate.setPaused(false);
        setState(ui::MapRunState::Running);
    }
    else if (m_state == ui::MapRunState::Stopped)
    {
        launch();
    }
}

void MapRun::goOn(int iterations, double exaggeration)
{
    if (m_run == nullptr || (m_state != ui::MapRunState::Stopped && m_state != ui::MapRunState::Finished))
        return;
    TsneOptions& options = m_run->request.options;
    const int done = m_progress.iteration;
    if (options.lateExaggeration != exaggeration)
    {
        const auto turns = m_run->history.turns();
        const bool first =
            std::ranges::none_of(turns, [](const MapTurn& turn) { return turn.kind == MapTurn::Kind::Exaggeration; });
        if (first && options.lateExaggeration != 1.0)
            m_run->history.noteTurn({0, MapTurn::Kind::Exaggeration, options.lateExaggeration, {}});
        m_run->history.noteTurn({done, MapTurn::Kind::Exaggeration, exaggeration, {}});
    }
    if (options.autoStop) // so many more were asked for
        m_run->history.noteTurn({done, MapTurn::Kind::FixedLength, 0, {}});
    options.autoStop = false;
    // What remains of the early exaggeration gives way to the one asked for.
    options.exaggerationIterations = std::min(options.exaggerationIterations, done);
    options.lateExaggeration = exaggeration;
    options.iterations = done + iterations;
    m_progress.iterations = options.iterations;
    launch();
}

void MapRun::perturb(double share, int iterations)
{
    if (m_run == nullptr || m_state == ui::MapRunState::None)
        return;
    {
        const std::lock_guard lock(m_run->noiseMutex);
        m_run->noiseWanted.push_back(share);
    }
    if (m_state == ui::MapRunState::Finished)
        goOn(iterations, m_run->request.options.lateExaggeration);
    else if (m_state != ui::MapRunState::Running)
        resume();
}

std::shared_ptr<const MapHistory> MapRun::history() const
{
    // Shares the life of the run, whose part it is.
    return m_run == nullptr ? nullptr : std::shared_ptr<const MapHistory>(m_run, &m_run->history);
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
    if (std::exchange(m_state, ui::MapRunState::None) != ui::MapRunState::None)
        Q_EMIT stateChanged(m_state, m_progress);
}

} // namespace headscope::desktop
