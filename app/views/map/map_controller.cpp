// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/views/map/map_controller.h"

#include "app/desktop/shell/cards.h"
#include "app/views/map/join_map_view.h"
#include "app/views/map/map_job.h"
#include "app/views/map/map_view.h"
#include "model/analysis/tsne/affinities.h"
#include "model/data/maps/map_state.h"
#include "ui/canvas/scatter/scatter_widget.h"
#include "ui/panels/data/data_panel.h"
#include "ui/panels/runs/run_form.h"
#include "ui/panels/runs/run_panel.h"
#include "ui/settings/settings.h"
#include "ui/theme/theme.h"
#include "ui/words/wording.h"

#include <QAction>
#include <QJsonArray>
#include <QLocale>
#include <QMenu>

#include <algorithm>
#include <numeric>
#include <utility>
#include <vector>

namespace headscope::desktop
{
namespace
{

/// A map of so many points runs by itself where none is kept; more are somebody's minutes.
constexpr std::int64_t kAtOnce = 20'000;

} // namespace

MapController::MapController(Study& study, QObject* parent)
    : ViewController(
          study,
          {ui::kMapView,
           tr("Map"),
           tr("t-SNE map: one point per document and head. Cluster sizes and distances between clusters are not "
              "reliable."),
           pictureFilters() << tr("Points as CSV (*.csv)"),
           {},
           tr("t-SNE places similar vectors close together. Only close neighbours are meaningful: do not interpret the "
              "size of a cluster, the distance between clusters, or the density of points.\n\nA small amount of noise "
              "already changes some neighbours. The noise floor of the grid and of Compare measures how many "
              "neighbours change. Each saved map shows how many of the 10 nearest neighbours it preserves."),
           tr("t-SNE (tsne), quality of the map (quality)")},
          parent),
      m_view(new ui::MapView), m_keeper(study)
{
    constexpr int kPanelPaceMs = 100;
    m_panel = new ui::RunPanel(window().settings(), study.maps(), &window());
    window().addSidePanel(QStringLiteral("run"), tr("Map run"), m_panel);
    ui::joinMapView(*m_view, window());
    addView(m_view, m_view->scatter());
    m_panelPace.setSingleShot(true);
    m_panelPace.setInterval(kPanelPaceMs);
    connect(&m_panelPace, &QTimer::timeout, this, &MapController::refreshPanel);
    addCommands();
    connectRun();
    connectPanel();
    connectStudy();
    scatter().setThreads(m_study.threads());
    scatter().setCardSource([this](std::int64_t point) {
        const auto map = scatter().map();
        if (map == nullptr || !m_study.cache())
            return ui::HoverContent{};
        const auto index = static_cast<std::size_t>(point);
        // Strengths are known for the chosen layer alone.
        return map->layer == m_study.layer()
                   ? headVectorCard(m_study, map->points->documentOf(index), map->points->headOf(index), map->stage)
                   : documentCard(m_study, map->points->documentOf(index), map->points->headOf(index), map->stage);
    });
    describeEmpty({}, false);
    refreshReady();
    refreshPanel();
}

MapController::~MapController()
{
    scatter().setCardSource({});
}

ui::ScatterWidget& MapController::scatter() const
{
    return *m_view->scatter();
}

void MapController::connectStudy()
{
    connect(m_view, &ui::MapView::runRequested, this, &MapController::runMap);
    connect(m_view, &ui::MapView::optionsRequested, this, [this] { window().showSidePanel(QStringLiteral("run")); });
    connect(&m_study, &Study::cacheChanged, this, &MapController::onCacheOpened);
    connect(&m_study, &Study::sourceChanged, this, &MapController::showSource);
    connect(&m_study, &Study::sourceLoaded, this, [this] {
        if (std::exchange(m_wanted, false))
            m_isByItself ? runByItself() : runMap();
    });
    connect(&m_study, &Study::sourceFailed, this, [this](const Error& error) {
        if (m_wanted)
            describeEmpty(ui::errorText(error), true);
    });
    connect(&m_study, &Study::openFailed, this, [this](const Error& error) {
        if (!m_study.cache())
            m_view->setError(error, tr("Open…"));
    });
    connect(&m_study, &Study::headsChanged, this, [this] {
        noteMissingHeads();
        if (scatter().map() == nullptr && !m_wanted && !m_run.active() && m_study.cache() &&
            !m_study.cache()->overview->stages.empty() && !m_study.heads().empty())
            offerRun();
        refreshReady();
    });
    connect(&m_study.maps(), &ui::MapLibrary::removed, this, &MapController::forgetKept);
    connect(&m_study.maps(), &ui::MapLibrary::added, this, &MapController::workChanged);
    connect(&m_study.maps(), &ui::MapLibrary::changed, this, &MapController::workChanged);
    connect(&m_study.maps(), &ui::MapLibrary::removed, this, &MapController::workChanged);
}

void MapController::connectRun()
{
    ui::MapView& view = *m_view;
    connect(&view, &ui::MapView::pauseRequested, &m_run, &MapRun::pause);
    connect(&view, &ui::MapView::continueRequested, &m_run, &MapRun::resume);
    connect(&view, &ui::MapView::stopRequested, &m_run, &MapRun::stop);
    connect(&view, &ui::MapView::goOnRequested, &m_run, &MapRun::goOn);
    connect(&view, &ui::MapView::emptyActionRequested, this, [this] {
        if (m_study.cache())
            runMap();
        else
            m_study.window().askOpen();
    });
    connect(&m_run, &MapRun::mapChanged, this, &MapController::takeRunMap);
    connect(&m_run, &MapRun::stateChanged, this, &MapController::takeState);
    connect(&m_run, &MapRun::failed, this, [this](const Error& error) {
        m_study.report(error);
        m_study.window().endNotice(std::exchange(m_runNotice, {}));
        m_study.setActivity(QStringLiteral("tsne"), {});
        if (scatter().map() == nullptr)
            m_view->setError(error);
    });
}

void MapController::stop()
{
    if (m_run.active())
        keepRunMap();
    m_run.drop();
    ViewController::stop();
    m_keeper.stop();
    m_study.setActivity(QStringLiteral("tsne"), {});
    refreshPanel();
}

void MapController::leave()
{
    m_keeper.leave();
    if (m_run.active())
        m_study.noteEnded(MapJob::key(), tr("the map"));
    m_run.drop();
    m_study.window().endNotice(std::exchange(m_runNotice, {}));
    m_study.window().settings().forgetWhileOpen();
    m_panelPace.stop();
    m_wanted = false;
    m_newest.reset();
    m_iteration.reset();
    m_kept.reset();
    m_runEntry = 0;
    m_runNumber = 0;
    m_lastShown.clear();
    m_study.setActivity(QStringLiteral("tsne"), {});
    m_view->setRun(ui::MapRunState::None, {});
    showMap(nullptr);
}

void MapController::onCacheOpened()
{
    m_panel->setStorable(true);
}

void MapController::showSource()
{
    if (m_run.active())
        keepRunMap(); // a run that is cut off leaves what it has
    m_run.drop();
    m_keeper.setRunning(false);
    m_newest.reset();
    m_iteration.reset();
    m_kept.reset();
    m_ofFigure.reset();
    m_runEntry = 0;
    m_study.setActivity(QStringLiteral("tsne"), {});
    ui::MapView& view = *m_view;
    view.setRun(ui::MapRunState::None, {});
    const SourceKey key = {m_study.layer(), m_study.stage()};
    const auto last = m_lastShown.find(key);
    const ui::KeptMap* kept = last == m_lastShown.end() ? nullptr : m_study.maps().find(last->second);
    // What was run last, before what stands in the cache, before a run that did not come to its end: a program that was
    // killed has left it.
    const bool knowsLast = kept != nullptr;
    const auto rank = [](const ui::KeptMap& map) { return wasStopped(*map.map) ? 0 : map.stored ? 1 : 2; };
    for (const ui::KeptMap& other : m_study.maps().entries())
    {
        const bool isBetter = kept == nullptr || rank(other) > rank(*kept) ||
                              (rank(other) == rank(*kept) && !other.stored); // the newest; of stored ones the first
        if (!knowsLast && isBetter && SourceKey(other.map->layer, other.map->stage) == key)
            kept = &other;
    }
    m_isByItself = m_wanted = kept == nullptr && pointsOfChoice() <= kAtOnce;
    refreshReady();
    if (kept != nullptr)
    {
        showKept(kept->id);
        settle(); // stored, finished or stopped
    }
    else
    {
        showMap(nullptr);
        if (m_wanted)
            view.setEmpty(
                tr("Reading vectors"),
                tr("No map of this layer and stage is saved. The computation is short and starts automatically."));
        else
            offerRun();
        refreshPanel();
    }
    if (m_study.cache()->overview->stages.empty())
        describeEmpty(tr("The cache holds no head vectors."), true);
}

void MapController::describeEmpty(const QString& why, bool isError)
{
    ui::MapView& view = *m_view;
    if (!m_study.cache())
        return view.setEmpty(tr("No map yet"), tr("Open a cache, or extract one from a model and texts."), tr("Open…"));
    view.setEmpty(isError ? tr("No map") : tr("No map yet"), why, isError ? QString() : tr("Run map"), isError);
}

std::int64_t MapController::pointsOfChoice() const
{
    return m_study.cache()->overview->documents->count() * static_cast<std::int64_t>(m_study.heads().size());
}

void MapController::offerRun()
{
    const std::int64_t points = pointsOfChoice();
    const double seconds = estimatedMapSeconds(points, m_panel->form()->options().iterations, m_study.threads());
    m_view->setEmpty(
        tr("No map yet"),
        tr("Click Run map to compute a map of %1, with one point per document and %2. This takes about %3 on %4.")
            .arg(ui::countText(points, tr("point"), tr("points")), ui::toQString(unitName(m_study.stage())),
                 ui::durationText(seconds), ui::countText(m_study.threads(), tr("thread"), tr("threads"))),
        tr("Run map"));
}

void MapController::refreshReady()
{
    const auto overview = m_study.cache() ? m_study.cache()->overview : nullptr;
    if (overview == nullptr)
        return m_panel->setReady(false, tr("Open a cache first. A map needs vectors."));
    const auto heads = static_cast<std::int64_t>(m_study.heads().size());
    const std::int64_t points = overview->documents->count() * heads;
    const double largest = largestPerplexity(points);
    m_panel->form()->setLargestPerplexity(largest);
    if (heads == 0)
        return m_panel->setReady(
            false, tr("A map needs %1. Select some in the Data panel.").arg(ui::unitsText(m_study.stage())));
    if (points < 2)
        return m_panel->setReady(false, tr("Select at least 2 points to compute a map."));
    m_panel->setReady(true, tr("%1 of layer %2, stage %3")
                                .arg(ui::countText(points, tr("point"), tr("points")))
                                .arg(m_study.layer().value())
                                .arg(ui::toQString(stageName(m_study.stage()))));
}

void MapController::runMap()
{
    if (!m_study.cache())
        return;
    if (m_study.source().vectors == nullptr)
    {
        m_wanted = true; // the vectors are on their way
        m_isByItself = false;
        return;
    }
    runMapOf(m_study.heads());
}

void MapController::runByItself()
{
    std::vector<std::int64_t> heads = m_study.heads();
    const HeadVectors& vectors = *m_study.source().vectors;
    if (!heads.empty() && vectors.documents() * vectors.heads() <= kAtOnce)
    {
        heads.resize(static_cast<std::size_t>(vectors.heads()));
        std::iota(heads.begin(), heads.end(), 0);
    }
    const std::int64_t points = vectors.documents() * std::ssize(heads);
    runMapOf(std::move(heads));
    if (!m_run.active())
        return;
    m_runNotice = tr("No map of this layer and stage is saved, so a map of %1 is being computed")
                      .arg(ui::countText(points, tr("point"), tr("points")));
    m_study.window().showNotice(m_runNotice);
}

void MapController::runMapOf(std::vector<std::int64_t> heads)
{
    if (heads.empty())
        return m_study.window().showNotice(
            tr("A map needs %1. Select some in the Data panel.").arg(ui::unitsText(m_study.stage())));
    const auto ofFigure = std::exchange(m_ofFigure, std::nullopt);
    MapRequest request{m_study.source().vectors, std::move(heads), ofFigure.value_or(m_panel->form()->options()),
                       m_study.threads(),        nullptr,          m_study.source().origin};
    if (request.vectors->heads() == 1)
        request.heads = {0}; // a stage that is kept uncut has one row a document
    const double largest =
        largestPerplexity(request.vectors->documents() * static_cast<std::int64_t>(request.heads.size()));
    if (largest >= 1)
        request.options.perplexities = {std::min(request.options.perplexities.front(), largest)};
    if (request.options.start == TsneStart::Given)
    {
        request.start = scatter().map();
        if (const ui::KeptMap* kept = m_kept ? m_study.maps().find(*m_kept) : m_study.maps().find(m_runEntry))
            request.start = kept->map; // knows its name
        if (request.start == nullptr)
            request.options.start = TsneStart::Pca; // nothing to begin from yet
    }
    if (m_run.active())
        keepRunMap();
    m_newest.reset();
    m_iteration.reset();
    m_kept.reset();
    m_runEntry = 0;
    m_run.start(std::move(request));
}

void MapController::showFigureMap(const QJsonArray& words)
{
    std::vector<std::string> all;
    for (const QJsonValue& word : words)
        all.push_back(ui::toStdString(word.toString()));
    const auto wanted = figureMap(all);
    const SourceKey key(m_study.layer(), m_study.stage());
    for (const ui::KeptMap& kept : m_study.maps().entries())
        if (wanted && SourceKey(kept.map->layer, kept.map->stage) == key &&
            (wanted->stored.empty() ? isMadeWith(*kept.map, wanted->options, m_study.heads())
                                    : kept.stored && kept.map->name == wanted->stored))
        {
            m_wanted = false;
            return showKept(kept.id);
        }
    // Another map than the figure's is not shown for it.
    m_kept.reset();
    m_runEntry = 0;
    m_newest.reset();
    showMap(nullptr);
    const QString why =
        !wanted ? ui::toQString(wanted.error().message)
        : wanted->stored.empty()
            ? QString()
            : tr("the cache holds no map “%1” of this layer and stage").arg(ui::toQString(wanted->stored));
    if (!why.isEmpty())
    {
        m_view->setEmpty(tr("Not the map of the figure"),
                         tr("The map of this figure cannot be shown: %1. Run map computes another.").arg(why),
                         tr("Run map"));
        return refreshPanel();
    }
    m_ofFigure = wanted->options;
    if (pointsOfChoice() <= kAtOnce)
        return runMap();
    offerRun(); // with the options of the figure
    refreshPanel();
}

void MapController::takeRunMap(const std::shared_ptr<const HeadMap>& map)
{
    m_newest = map;
    if (!m_iteration && !m_kept)
        showMap(map);
}

void MapController::takeState(ui::MapRunState state, const ui::MapRunProgress& progress)
{
    ui::MapView& view = *m_view;
    if (!m_kept)
        view.setRun(state, progress);
    if (state == ui::MapRunState::Running && scatter().map() == nullptr)
        view.setEmpty(tr("Preparing the map"), progress.stage);
    QString activity;
    if (state == ui::MapRunState::Running)
        activity = tr("t-SNE running, %1").arg(ui::countText(m_study.threads(), tr("thread"), tr("threads")));
    else if (state == ui::MapRunState::Paused)
        activity = tr("t-SNE paused");
    m_study.setActivity(QStringLiteral("tsne"), activity);
    m_keeper.setRunning(m_run.active());
    if (!m_run.active())
        m_study.window().endNotice(std::exchange(m_runNotice, {}));
    const bool atRest = state == ui::MapRunState::Finished || state == ui::MapRunState::Stopped;
    if (atRest)
        keepRunMap();
    if (state != m_panelState || state != ui::MapRunState::Running || progress.iteration == 0)
        refreshPanel(); // what may be pressed now is not for later
    else if (!m_panelPace.isActive())
        m_panelPace.start();
    if (atRest)
        settle(); // stored, finished or stopped
}

void MapController::keepRunMap()
{
    const auto map = presentMap();
    if (map == nullptr)
        return;
    ui::MapLibrary& maps = m_study.maps();
    if (m_runEntry != 0 && maps.find(m_runEntry) != nullptr)
    {
        maps.replace(m_runEntry, map);
    }
    else
    {
        auto named = std::make_shared<HeadMap>(*map);
        m_runNumber = freeRunNumber();
        named->name = ui::toStdString(tr("run %1").arg(m_runNumber));
        m_runEntry = maps.add(std::move(named));
        if (m_runEntry == 0)
            return; // it is of another cache
    }
    m_lastShown[{map->layer, map->stage}] = m_runEntry;
    m_keeper.measure(m_runEntry);
}

void MapController::showMap(std::shared_ptr<const HeadMap> map)
{
    m_view->setMap(std::move(map));
}

void MapController::noteMissingHeads()
{
    const auto map = scatter().map();
    if (map == nullptr || m_run.active())
        return;
    std::vector<char> held; // by head
    for (const std::int32_t head : map->points->head)
    {
        if (head >= std::ssize(held))
            held.resize(static_cast<std::size_t>(head) + 1, 0);
        if (head >= 0)
            held[static_cast<std::size_t>(head)] = 1;
    }
    const auto heads = m_study.heads();
    const auto missing = std::ranges::count_if(heads, [&held](std::int64_t head) {
        return head < 0 || head >= std::ssize(held) || held[static_cast<std::size_t>(head)] == 0;
    });
    if (missing > 0)
        m_study.window().showNotice(tr("This map lacks %1 of the selected %2. Run a new map to show them.")
                                        .arg(missing)
                                        .arg(ui::unitsText(map->stage)));
}

} // namespace headscope::desktop
