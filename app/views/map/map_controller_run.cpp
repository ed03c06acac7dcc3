// SPDX-License-Identifier: GPL-3.0-or-later
// The panel of the map's run: what of it is shown, kept and given out.
#include "app/views/map/map_controller.h"

#include "app/colorings/colorings.h"
#include "app/views/map/map_coloring.h"
#include "app/views/map/map_command.h"
#include "app/views/map/map_output.h"
#include "app/views/map/map_view.h"
#include "model/base/fields/fields.h"
#include "model/base/hash.h"
#include "model/data/head_ranges.h"
#include "model/data/maps/map_state.h"
#include "model/data/maps/map_text.h"
#include "model/data/maps/point_range.h"
#include "model/data/result_store.h"
#include "model/io/results/map_table.h"
#include "ui/canvas/scatter/scatter_widget.h"
#include "ui/jobs/job_strip.h"
#include "ui/panels/runs/run_form.h"
#include "ui/panels/runs/run_list.h"
#include "ui/panels/runs/run_panel.h"
#include "ui/settings/field_settings.h"
#include "ui/settings/settings.h"
#include "ui/state/json_values.h"
#include "ui/theme/theme.h"
#include "ui/words/wording.h"

#include <QAction>
#include <QClipboard>
#include <QGuiApplication>
#include <QJsonArray>
#include <QMenu>

#include <algorithm>
#include <span>
#include <utility>
#include <vector>

namespace headscope::desktop
{

void MapController::addCommands()
{
    constexpr ui::MenuPlace kRun{ui::MenuId::Map, 10};
    ui::Actions& actions = window().actions();
    m_pauseAction = actions.add({.id = QStringLiteral("actionMapPause"),
                                 .text = tr("Pause or continue the run"),
                                 .tip = tr("Pause the map, or continue it"),
                                 .place = kRun,
                                 .act = [this] {
                                     if (m_run.state() == ui::MapRunState::Running)
                                         m_run.pause();
                                     else
                                         m_run.resume();
                                 }});
    m_stopAction = actions.add({.id = QStringLiteral("actionMapStop"),
                                .text = tr("Stop the run"),
                                .tip = tr("Stop the run and use the current map"),
                                .place = kRun,
                                .act = [this] { m_run.stop(); }});
    m_moreAction = actions.add(
        {.id = QStringLiteral("actionMapMore"),
         .text = tr("More iterations"),
         .tip = tr("Continue from this map, with the settings of the Map run tab"),
         .place = kRun,
         .act = [this] { m_run.goOn(m_panel->steps().moreIterations, m_panel->form()->options().lateExaggeration); }});
    m_perturbAction =
        actions.add({.id = QStringLiteral("actionMapPerturb"),
                     .text = tr("Perturb the map"),
                     .tip = tr("Move the points by random noise and continue, with the settings of the Map run tab"),
                     .place = kRun,
                     .act = [this] {
                         const ui::RunSteps& steps = m_panel->steps();
                         m_run.perturb(steps.noise / 100.0, steps.moreIterations);
                     }});
    m_storeAction = actions.add({.id = QStringLiteral("actionMapStore"),
                                 .text = tr("Store the map in the cache"),
                                 .tip = tr("Save the map in the cache file"),
                                 .place = kRun,
                                 .act = [this] {
                                     if (const std::uint64_t id = m_kept.value_or(m_runEntry); id != 0)
                                         m_keeper.store(id);
                                 }});
}

void MapController::connectPanel()
{
    connect(m_panel, &ui::RunPanel::runRequested, this, [this] {
        bringForward();
        runMap();
    });
    connect(m_panel, &ui::RunPanel::pauseRequested, &m_run, &MapRun::pause);
    connect(m_panel, &ui::RunPanel::continueRequested, &m_run, &MapRun::resume);
    connect(m_panel, &ui::RunPanel::stopRequested, &m_run, &MapRun::stop);
    connect(m_panel, &ui::RunPanel::goOnRequested, &m_run, &MapRun::goOn);
    connect(m_panel, &ui::RunPanel::perturbRequested, &m_run, &MapRun::perturb);
    connect(m_panel, &ui::RunPanel::iterationRequested, this, &MapController::showIteration);
    connect(m_panel, &ui::RunPanel::newestRequested, this, &MapController::showNewest);
    connect(m_panel, &ui::RunPanel::showRequested, this, [this](quint64 id) {
        bringForward();
        showKept(id);
    });
    connect(m_panel, &ui::RunPanel::storeRequested, &m_keeper, &MapKeeper::store);
    connect(m_panel, &ui::RunPanel::measureRequested, &m_keeper, &MapKeeper::measure);
    connect(m_panel, &ui::RunPanel::copyCommandRequested, this, [this](quint64 id) {
        const ui::KeptMap* kept = m_study.maps().find(id);
        if (kept == nullptr || !m_study.cache())
            return;
        const QString line = lineOf(*kept->map);
        QGuiApplication::clipboard()->setText(line);
        m_study.window().showNotice(tr("Copied: %1").arg(line));
    });
}

void MapController::showNewest()
{
    m_iteration.reset();
    m_kept.reset();
    if (m_newest != nullptr)
        showMap(m_newest);
    m_view->setRun(m_run.state(), m_run.progress());
    refreshPanel();
}

void MapController::showIteration(int iteration)
{
    const auto history = m_run.history();
    auto map = history == nullptr ? nullptr : history->at(iteration);
    if (map == nullptr)
        return;
    m_kept.reset();
    m_iteration = map->iteration;
    m_panel->setLookedAt(m_iteration, map->kl);
    showMap(std::move(map));
    refreshPanel();
}

void MapController::showKept(std::uint64_t id)
{
    const ui::KeptMap* kept = m_study.maps().find(id);
    if (kept == nullptr)
        return;
    if (id == m_runEntry && m_run.state() != ui::MapRunState::None)
        return showNewest();
    m_iteration.reset();
    m_kept = id;
    showMap(kept->map);
    // The bar under the view is about what is in it.
    m_view->setRun(ui::MapRunState::None, {});
    refreshPanel();
}

void MapController::forgetKept(std::uint64_t id)
{
    std::erase_if(m_lastShown, [id](const auto& last) { return last.second == id; });
    if (m_runEntry == id)
        m_runEntry = 0;
    if (m_kept == id)
        m_kept.reset(); // what is on the screen stays there
    refreshPanel();
}

void MapController::refreshPanel()
{
    // Curve, slider and what goes on from the run's end speak of the map in view; a run that is on its way is told of
    // whatever is looked at.
    m_panelState = m_run.state();
    const bool another = m_kept && !m_run.active();
    const auto history = another ? nullptr : m_run.history();
    if (another)
        m_panel->setRun(ui::MapRunState::None, {});
    else
        m_panel->setRun(m_run.state(), m_run.progress());
    m_panel->setAside(m_kept.has_value());
    if (history != nullptr)
    {
        m_panel->setCurve(history->curve());
        m_panel->setHistory(history->iterations(), m_newest == nullptr ? 0 : m_newest->iteration);
    }
    else
    {
        m_panel->setCurve({});
        m_panel->setHistory({}, 0);
    }
    if (!m_iteration)
        m_panel->setLookedAt(std::nullopt, 0);
    m_view->setLookedBack(m_iteration.has_value());
    m_panel->form()->setPresentMap(scatter().map() != nullptr);
    const std::uint64_t shown = m_iteration ? 0 : m_kept.value_or(m_runEntry);
    m_panel->list()->runs()->setShown(shown == 0 ? std::nullopt : std::optional(shown));
    if (shown != 0 && !m_panel->list()->currentIndex().isValid())
        m_panel->list()->setCurrentId(shown);

    const ui::MapRunState state = another ? ui::MapRunState::None : m_run.state();
    const bool atRest = state == ui::MapRunState::Stopped || state == ui::MapRunState::Finished;
    m_pauseAction->setEnabled(m_run.active() || state == ui::MapRunState::Stopped);
    m_stopAction->setEnabled(m_run.active());
    m_moreAction->setEnabled(atRest);
    m_perturbAction->setEnabled(state != ui::MapRunState::None && m_run.progress().iteration > 0);
    const ui::KeptMap* kept = m_study.maps().find(shown);
    m_storeAction->setEnabled(kept != nullptr && !kept->stored && m_study.cache().has_value());
}

QString MapController::commandLine() const
{
    const auto map = scatter().map();
    if (map == nullptr || !m_study.cache())
        return {};
    const ui::ColorChoice color = m_study.choices().now().color;
    MapPicture picture;
    if (const std::string word = colorings::wordOfChoice(coloringOf(color), color.column); !word.empty())
        picture.color = word;
    else
        picture.omitted.push_back("the colours of the window (" + color.key() + ")");
    if (!m_study.window().selection().selection().documents.empty())
        picture.omitted.emplace_back("the selection");
    if (scatter().regionsShown() && !scatter().regionLabels().empty())
        picture.omitted.emplace_back("the names of regions");
    picture.palette = ui::toStdString(viz::paletteId(ui::Theme::instance().palette()));
    const auto shown = scatter().points().headsShown();
    if (!shown.empty() && shown != headsOf(*map->points))
        picture.showHeads = formatHeadRanges(shown);
    const ui::KeptMap* kept = m_study.maps().find(m_kept.value_or(m_runEntry));
    picture.isStored = kept != nullptr && kept->stored && kept->map == map;
    return ui::toQString(pictureCommand(describedRun(*map), originOf(*map), picture));
}

QString MapController::lineOf(const HeadMap& map) const
{
    return ui::toQString(tsneCommand(describedRun(map), originOf(map)));
}

MapOrigin MapController::originOf(const HeadMap& map) const
{
    const auto& reader = m_study.cache()->reader;
    const VectorsInfo* vectors = reader->find(map.layer, map.stage);
    return {reader->path().string(), vectors == nullptr ? 0 : vectors->heads};
}

HeadMap MapController::describedRun(const HeadMap& map) const
{
    HeadMap described;
    described.name = map.name;
    described.points = map.points;
    described.stage = map.stage;
    described.layer = map.layer;
    described.options = map.options;
    described.iteration = map.iteration;
    described.turns = map.turns;
    // A frame of a run on its way does not say what was done to it.
    if (const auto history = m_run.history(); history != nullptr && m_newest.get() == &map)
        described.turns = history->turns();
    return described;
}

std::optional<ViewOutput> MapController::output(const QString& path, const viz::FigureOptions&)
{
    ui::ScatterWidget& canvas = scatter();
    if (canvas.map() == nullptr)
        return nothing(tr("There is no map to save yet."));
    if (path.endsWith(QLatin1StringView(".csv"), Qt::CaseInsensitive))
        return table(path);
    return ViewOutput{canvasFigure(m_study, canvas)};
}

ViewOutput MapController::table(const QString& path) const
{
    const auto map = scatter().map();
    auto vectors = m_study.source().vectors;
    if (vectors != nullptr && (vectors->layer() != map->layer || vectors->stage() != map->stage))
        vectors = nullptr;
    return {{},
            [map, vectors, documents = m_study.cache()->overview->documents,
             selected = m_study.window().selection().selection().documents, states = scatter().points().stateBlock(),
             target = std::filesystem::path(ui::toStdString(path))] {
                JobContext job;
                MapTableColumns columns;
                std::vector<float> strengths;
                if (vectors != nullptr &&
                    expectPointsOf(*map->points, vectors->documents(), vectors->heads(), map->name))
                    strengths = viz::strengthsOfPoints(*map->points, *vectors);
                columns.strengths = strengths;
                std::vector<char> chosen(static_cast<std::size_t>(documents->count()), 0);
                for (const std::int64_t document : selected)
                    if (document >= 0 && document < documents->count())
                        chosen[static_cast<std::size_t>(document)] = 1;
                columns.chosen = chosen;
                std::vector<char> shown(static_cast<std::size_t>(map->xy.rows()), 1);
                if (states->size() == shown.size()) // otherwise all are
                    std::ranges::transform(*states, shown.begin(), [](viz::PointState state) -> char {
                        return state == viz::PointState::Hidden ? 0 : 1;
                    });
                columns.shown = shown;
                return writeMapTable(target, *map, *documents, columns, job);
            }};
}

void MapController::copy()
{
    if (scatter().map() == nullptr)
        return m_study.window().showNotice(tr("There is no map to copy yet."));
    QGuiApplication::clipboard()->setPixmap(scatter().grab());
    m_study.window().showNotice(tr("Copied the map as an image"));
}

std::shared_ptr<const HeadMap> MapController::presentMap() const
{
    if (m_newest == nullptr || m_newest->iteration == 0 || !m_newest->hash.empty())
        return m_newest == nullptr || m_newest->iteration == 0 ? nullptr : m_newest;
    // A frame of a run on its way knows neither its hash nor what was done to it.
    auto map = std::make_shared<HeadMap>(*m_newest);
    map->hash = xxh3Hex(std::as_bytes(std::span(map->xy.values())));
    if (const auto history = m_run.history())
        map->turns = history->turns();
    return map;
}

QString MapController::lossOfStopping() const
{
    if (!m_run.active())
        return {};
    const ui::MapRunProgress& progress = m_run.progress();
    if (presentMap() == nullptr)
        return tr("The map is not ready yet, so there is nothing to save.");
    return tr("The map will be saved as it is at iteration %1 of %2. This run cannot be continued later.")
        .arg(progress.iteration)
        .arg(progress.iterations);
}

void MapController::addWork(ResultStore& work) const
{
    const ui::MapLibrary& maps = m_study.maps();
    const auto running = m_run.active() ? presentMap() : nullptr;
    const auto named = [&running](const std::string& name) {
        auto map = std::make_shared<HeadMap>(*running);
        map->name = name;
        return map;
    };
    bool isThere = false;
    for (const ui::KeptMap& kept : maps.entries())
    {
        const bool isRun = running != nullptr && kept.id == m_runEntry;
        isThere = isThere || isRun;
        if (isRun)
            work.maps.push_back(named(kept.map->name));
        else if (!kept.stored && kept.map->points != nullptr)
            work.maps.push_back(kept.map);
    }
    if (running != nullptr && !isThere)
        work.maps.push_back(named(ui::toStdString(tr("run %1").arg(freeRunNumber()))));
}

int MapController::freeRunNumber() const
{
    int number = m_runNumber + 1; // a project that was opened may have it
    for (QString name = tr("run %1").arg(number); m_study.maps().freeName(name) != name;
         name = tr("run %1").arg(number))
        ++number;
    return number;
}

void MapController::saveState(QJsonObject& state) const
{
    const auto named = [](const HeadMap& map) {
        return QJsonObject{{QStringLiteral("layer"), static_cast<qint64>(map.layer.value())},
                           {QStringLiteral("stage"), ui::toQString(stageName(map.stage))},
                           {QStringLiteral("name"), ui::toQString(map.name)},
                           {QStringLiteral("hash"), ui::toQString(map.hash)}};
    };
    const std::uint64_t shown = m_kept.value_or(m_runEntry);
    const ui::KeptMap* kept = m_study.maps().find(shown);
    const bool isRunning = m_run.active() && !m_kept && m_newest != nullptr && m_newest->iteration > 0;
    QJsonArray last;
    for (const auto& [source, id] : m_lastShown)
    {
        const bool isReplaced = isRunning && source == SourceKey(m_newest->layer, m_newest->stage);
        if (const ui::KeptMap* other = m_study.maps().find(id); other != nullptr && id != shown && !isReplaced)
            last.append(named(*other->map));
    }
    if (isRunning)
    {
        // A run on its way changes with every frame: it is known by the name under which addWork() keeps it.
        HeadMap running;
        running.layer = m_newest->layer;
        running.stage = m_newest->stage;
        running.name = kept != nullptr ? kept->map->name : ui::toStdString(tr("run %1").arg(freeRunNumber()));
        last.append(named(running));
    }
    else if (kept != nullptr)
    {
        last.append(named(*kept->map));
    }
    state[QStringLiteral("maps")] = last;
}

void MapController::restoreState(const QJsonObject& state)
{
    if (const QJsonValue words = state.value(QStringLiteral("figure_map")); words.isArray())
        return showFigureMap(words.toArray());
    for (const QJsonValue& value : state.value(QStringLiteral("maps")).toArray())
    {
        const QJsonObject wanted = value.toObject();
        const std::string name = ui::toStdString(wanted.value(QStringLiteral("name")).toString());
        const std::string hash = ui::toStdString(wanted.value(QStringLiteral("hash")).toString());
        const ui::KeptMap* found = nullptr;
        for (const ui::KeptMap& kept : m_study.maps().entries())
            if (hash.empty() ? kept.map->name == name
                             : kept.map->hash == hash && (found == nullptr || kept.map->name == name))
                found = &kept;
        if (found == nullptr)
        {
            m_study.window().showError(
                tr("Missing map"),
                tr("The map “%1” of this project was found neither in the cache nor in %2.headscope. Run it again.")
                    .arg(ui::toQString(name), ui::toQString(m_study.cache()->reader->path().filename().string())));
            continue;
        }
        const SourceKey key(found->map->layer, found->map->stage);
        m_lastShown[key] = found->id;
        if (key == SourceKey(m_study.layer(), m_study.stage()))
        {
            m_wanted = false;
            showKept(found->id);
        }
    }
}

void MapController::settleWork()
{
    if (m_run.active())
        keepRunMap(); // leave() ends it
}

void MapController::forgetWork()
{
    std::vector<std::uint64_t> gone;
    for (const ui::KeptMap& kept : m_study.maps().entries())
        if (!kept.stored)
            gone.push_back(kept.id);
    for (const std::uint64_t id : gone)
        m_study.maps().remove(id);
}

} // namespace headscope::desktop
