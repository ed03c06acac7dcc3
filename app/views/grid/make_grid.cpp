// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/views/grid/make_grid.h"

#include "model/analysis/maps/aligned_heads.h"
#include "model/analysis/maps/measure_noise_floor.h"
#include "model/io/cache/full_vectors.h"
#include "ui/words/wording.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace headscope::desktop
{
namespace
{

struct GridMembers
{
    std::vector<AlignedMember> members;
    std::string fullSource;
};

/// The vectors of a request: full first, then layer by layer, stage by stage, head by head. What the
/// cache does not hold is left out.
Result<GridMembers> loadMembers(const GridRequest& request, JobContext& job)
{
    GridMembers loaded;
    job.report("reading vectors", 0, 0);
    HEADSCOPE_TRY(const FullPair full,
                  fullVectors(*request.reader, request.layers.front(), request.stages.front(), std::nullopt, job));
    loaded.members.push_back({"full", full.documents.vectors, -1});
    loaded.fullSource = full.documents.source;
    for (const LayerIndex layer : request.layers)
        for (const Stage stage : request.stages)
        {
            if (request.reader->find(layer, stage) == nullptr)
                continue;
            HEADSCOPE_TRY(const auto vectors, request.reader->load(layer, stage, {}, job));
            const std::vector<std::int64_t> heads =
                vectors->heads() == 1 ? std::vector<std::int64_t>{0} : request.heads;
            for (const std::int64_t head : heads)
                if (head < vectors->heads())
                    loaded.members.push_back({memberName(*vectors, head, request.layers.size() > 1), vectors, head});
        }
    return loaded;
}

} // namespace

std::vector<LayerIndex> spreadLayers(const std::vector<LayerIndex>& there, int count)
{
    if (count <= 0 || static_cast<std::size_t>(count) >= there.size())
        return there;
    std::vector<LayerIndex> chosen;
    const double step = count > 1 ? static_cast<double>(there.size() - 1) / (count - 1) : 0;
    for (int i = 0; i < count; ++i)
        chosen.push_back(there[count > 1 ? static_cast<std::size_t>(std::lround(i * step)) : there.size() - 1]);
    return chosen;
}

Result<HeadMapSet> measureGrid(const GridRequest& request, HeadMapSet set, JobContext& job)
{
    HEADSCOPE_TRY(const GridMembers loaded, loadMembers(request, job));
    HEADSCOPE_CHECK(measureHeadMaps(loaded.members, set, request.numThreads, job));
    return set;
}

Result<HeadMapSet> floorGrid(const GridRequest& request, HeadMapSet set, JobContext& job)
{
    HEADSCOPE_TRY(const GridMembers loaded, loadMembers(request, job));
    HEADSCOPE_CHECK(measureHeadFloors(loaded.members, set, {}, request.numThreads, job));
    return set;
}

/// What the worker uses; outlives the job.
struct GridRun::Run
{
    GridRequest request;
    ui::PauseGate gate;
    std::unique_ptr<LatestValue<HeadMapSet>> latest;

    Result<HeadMapSet> make(JobContext& job)
    {
        HEADSCOPE_TRY(const GridMembers loaded, loadMembers(request, job));
        AlignedHeadsOptions options;
        options.tsne = request.options;
        options.fullSource = loaded.fullSource;
        options.origin = request.reader->origin();
        AlignedHeadsViewer viewer;
        viewer.wanted = [this] { return latest->wanted(); };
        viewer.show = [this](std::shared_ptr<const HeadMapSet> set) { latest->publish(std::move(set)); };
        viewer.between = [this, &job] { gate.wait(job.stopToken()); };
        return alignedHeadMaps(loaded.members, allIndices(request.reader->info().documents), options,
                               request.numThreads, job, &viewer);
    }
};

GridRun::GridRun(QObject* parent) : QObject(parent)
{
    connect(&m_runner, &ui::JobRunner::progressed, this, [this](const Progress& progress) {
        if (m_state != ui::MapRunState::Running)
            return;
        const bool iterating = progress.unit == "iterations" && progress.total > 0;
        if (iterating)
        {
            const double share = static_cast<double>(progress.done) / static_cast<double>(progress.total);
            m_progress.iteration = std::max(m_progress.iteration, static_cast<int>(share * m_progress.iterations));
            m_progress.eta = progress.eta;
        }
        else if (m_progress.iteration == 0)
            m_progress.stage = ui::toQString(progress.stage);
        Q_EMIT stateChanged(m_state, m_progress);
    });
}

GridRun::~GridRun()
{
    blockSignals(true); // who would hear them is being destroyed
    drop();
}

bool GridRun::stands() const
{
    return m_run != nullptr && m_run->gate.holds();
}

void GridRun::start(GridRequest request)
{
    drop();
    const std::uint64_t id = ++m_id;
    m_run = std::make_shared<Run>();
    m_run->request = std::move(request);
    m_run->latest = std::make_unique<LatestValue<HeadMapSet>>([this, id] {
        QMetaObject::invokeMethod(
            this, [this, id] { takeLatest(id); }, Qt::QueuedConnection);
    });
    m_last = nullptr;
    m_progress = {};
    m_progress.iterations = m_run->request.options.iterations;
    m_progress.kl = std::nan("");
    m_progress.stage = tr("starting");
    setState(ui::MapRunState::Running);
    m_runner.start<HeadMapSet>([run = m_run](JobContext& job) { return run->make(job); },
                               [this](Result<HeadMapSet> result) { finish(std::move(result)); });
}

void GridRun::takeLatest(std::uint64_t id)
{
    if (id != m_id || m_run == nullptr)
        return;
    const auto set = m_run->latest->take();
    if (set == nullptr)
        return;
    m_last = set;
    Q_EMIT setChanged(set);
}

void GridRun::finish(Result<HeadMapSet> result)
{
    ++m_id; // what is still under way is older
    m_run.reset();
    if (result)
    {
        m_last = std::make_shared<const HeadMapSet>(std::move(*result));
        m_progress.iteration = m_progress.iterations;
        Q_EMIT setChanged(m_last);
        return setState(ui::MapRunState::Finished);
    }
    if (result.error().code == ErrorCode::Cancelled)
        return setState(m_last != nullptr ? ui::MapRunState::Stopped : ui::MapRunState::None);
    m_state = ui::MapRunState::None;
    Q_EMIT failed(result.error());
    setState(ui::MapRunState::None);
}

void GridRun::setState(ui::MapRunState state)
{
    m_state = state;
    Q_EMIT stateChanged(m_state, m_progress);
}

void GridRun::pause()
{
    if (m_state != ui::MapRunState::Running)
        return;
    m_run->gate.setPaused(true);
    setState(ui::MapRunState::Paused);
}

void GridRun::resume()
{
    if (m_run == nullptr || (m_state != ui::MapRunState::Paused && m_state != ui::MapRunState::Stopped))
        return;
    m_run->gate.setPaused(false);
    setState(ui::MapRunState::Running);
}

void GridRun::stop()
{
    if (!active())
        return;
    if (m_last == nullptr)
        return m_runner.requestStop();
    m_run->gate.setPaused(true); // its worker waits there until it goes on or is dropped
    setState(ui::MapRunState::Stopped);
}

void GridRun::drop()
{
    ++m_id;
    m_runner.cancel();
    m_run.reset();
    m_last = nullptr;
    if (std::exchange(m_state, ui::MapRunState::None) != ui::MapRunState::None)
        Q_EMIT stateChanged(m_state, m_progress);
}

} // namespace headscope::desktop
