// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/desktop/map_controller.h"

#include "app/desktop/cards.h"
#include "app/desktop/map_coloring.h"
#include "model/analysis/affinities.h"
#include "ui/dialogs/map_dialog.h"
#include "ui/panels/data_panel.h"
#include "ui/plots/map_view.h"
#include "ui/plots/scatter_widget.h"
#include "ui/settings/settings.h"
#include "ui/theme/theme.h"
#include "ui/wording.h"
#include "viz/export/figures.h"

#include <algorithm>
#include <set>
#include <utility>

namespace headscope::desktop
{

MapController::MapController(Study& study, QObject* parent) : Controller(parent), m_study(study), m_save(study)
{
    registerView();
    connectRun();
    ui::MainWindow& window = m_study.window();
    connect(&window, &ui::MainWindow::mapRequested, this, &MapController::runMap);
    connect(&window, &ui::MainWindow::mapOptionsRequested, this, &MapController::askOptions);
    connect(&window.dataPanel(), &ui::DataPanel::colorChanged, this, &MapController::refreshColoring);
    connect(&m_study, &Study::cacheChanged, this, &MapController::takeCache);
    connect(&m_study, &Study::sourceChanged, this, &MapController::showSource);
    connect(&m_study, &Study::sourceLoaded, this, [this] {
        if (m_study.window().dataPanel().colorChoice().kind == ui::ColorChoice::Kind::Strength)
            refreshColoring();
        if (std::exchange(m_wanted, false))
            runMap();
    });
    connect(&m_study, &Study::sourceFailed, this, [this](const Error& error) {
        if (m_wanted)
            describeEmpty(ui::errorText(error), true);
    });
    connect(&m_study, &Study::openFailed, this, [this](const Error& error) {
        if (!m_study.cache())
            m_study.window().mapView().setEmpty(ui::errorHeading(error.code), ui::errorText(error), tr("Open…"), true);
    });
    connect(&m_study, &Study::headsChanged, this, &MapController::noteMissingHeads);
    connect(&m_study, &Study::paletteChanged, this, [this] {
        m_coloredPoints.reset();
        refreshColoring();
    });
    connect(&m_save, &SaveJob::saved, this, &Controller::saved);
    scatter().setThreads(m_study.threads());
    scatter().setCardSource([this](std::int64_t point) {
        const auto map = scatter().map();
        if (map == nullptr || !m_study.cache())
            return ui::HoverContent{};
        const auto index = static_cast<std::size_t>(point);
        return headVectorCard(m_study, map->points->document[index], map->points->head[index], map->stage);
    });
    describeEmpty({}, false);
}

MapController::~MapController()
{
    scatter().setCardSource({});
}

ui::ScatterWidget& MapController::scatter() const
{
    return *m_study.window().mapView().scatter();
}

void MapController::registerView()
{
    ui::ViewEntry entry;
    entry.id = ui::View::Map;
    entry.title = tr("Map");
    entry.widget = &m_study.window().mapView();
    entry.help = tr("A dot per document and head; t-SNE puts vectors of high cosine side by side. Far distances and "
                    "the sizes of islands mean nothing.");
    entry.filters = pictureFilters();
    entry.save = [this](const QString& path) { save(path); };
    m_study.window().addView(std::move(entry));
}

void MapController::connectRun()
{
    ui::MapView& view = m_study.window().mapView();
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
    connect(&m_run, &MapRun::mapChanged, this, [this](const std::shared_ptr<const HeadMap>& map) {
        m_maps[{map->layer, map->stage}] = map;
        showMap(map);
    });
    connect(&m_run, &MapRun::stateChanged, this, [this](ui::RunState state, const ui::RunProgress& progress) {
        ui::MapView& target = m_study.window().mapView();
        target.setRun(state, progress);
        if (state == ui::RunState::Running && target.scatter()->map() == nullptr)
            target.setEmpty(tr("Preparing the map"), progress.stage);
        QString activity;
        if (state == ui::RunState::Running)
            activity = tr("t-SNE running, %1").arg(ui::countText(m_study.threads(), tr("thread"), tr("threads")));
        else if (state == ui::RunState::Paused)
            activity = tr("t-SNE paused");
        m_study.setActivity(QStringLiteral("tsne"), activity);
        if (state == ui::RunState::Finished || state == ui::RunState::Stopped)
            Q_EMIT shown(ui::View::Map); // stored, finished or stopped
    });
    connect(&m_run, &MapRun::failed, this, [this](const Error& error) {
        m_study.report(error);
        m_study.setActivity(QStringLiteral("tsne"), {});
        if (scatter().map() == nullptr)
            m_study.window().mapView().setEmpty(ui::errorHeading(error.code), ui::errorText(error), {}, true);
    });
}

void MapController::stop()
{
    m_run.drop();
    m_save.stop();
    m_study.setActivity(QStringLiteral("tsne"), {});
}

void MapController::takeCache()
{
    m_maps.clear();
    m_coloredPoints.reset();
    for (const auto& map : m_study.cache()->maps)
        m_maps.try_emplace({map->layer, map->stage}, map);
}

void MapController::showSource()
{
    m_run.drop();
    m_study.setActivity(QStringLiteral("tsne"), {});
    const auto stored = m_maps.find({m_study.layer(), m_study.stage()});
    m_wanted = stored == m_maps.end();
    ui::MapView& view = m_study.window().mapView();
    view.setRun(ui::RunState::None, {});
    showMap(m_wanted ? nullptr : stored->second);
    if (m_wanted)
        view.setEmpty(tr("Reading vectors"), tr("The map starts by itself as soon as they are there."));
    else
        Q_EMIT shown(ui::View::Map); // stored, finished or stopped
    if (m_study.cache()->overview->stages.empty())
        describeEmpty(tr("The cache holds no head vectors."), true);
}

void MapController::describeEmpty(const QString& why, bool isError)
{
    ui::MapView& view = m_study.window().mapView();
    if (!m_study.cache())
        return view.setEmpty(tr("No cache is open"),
                             tr("A map of head vectors would be here: one point per document and head. Open a cache "
                                "(.h5), or extract one from a model and texts. Files can be dropped onto the window."),
                             tr("Open…"));
    view.setEmpty(isError ? tr("No map") : tr("No map yet"), why, isError ? QString() : tr("Run map"), isError);
}

void MapController::askOptions()
{
    ui::MainWindow& window = m_study.window();
    const auto overview = window.overview();
    const std::int64_t documents = overview ? overview->documents->count() : 0;
    const auto points = documents * static_cast<std::int64_t>(m_study.heads().size());
    auto* dialog = new ui::MapDialog(window.settings(), largestPerplexity(points), &window);
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    connect(dialog, &ui::MapDialog::runRequested, this, [this] {
        m_study.window().setView(ui::View::Map);
        runMap();
    });
    dialog->open();
}

void MapController::runMap()
{
    if (!m_study.cache())
        return;
    if (m_study.source().vectors == nullptr)
    {
        m_wanted = true; // the vectors are on their way
        return;
    }
    const auto heads = m_study.heads();
    if (heads.empty())
        return m_study.window().showNotice(
            tr("A map needs %1: choose some in the data panel.").arg(ui::unitsText(m_study.stage())));
    const ui::Settings& settings = m_study.window().settings();
    MapRequest request{m_study.source().vectors, heads, {}, m_study.threads()};
    request.options.perplexities = {static_cast<double>(settings.number(ui::SettingKey::Perplexity))};
    request.options.iterations = settings.number(ui::SettingKey::Iterations);
    request.options.exaggerationIterations =
        std::min(request.options.exaggerationIterations, request.options.iterations);
    request.options.seed = static_cast<std::uint64_t>(settings.number(ui::SettingKey::Seed));
    if (request.vectors->heads() == 1)
        request.heads = {0}; // a stage that is kept uncut has one row a document
    m_run.start(std::move(request));
}

void MapController::showMap(std::shared_ptr<const HeadMap> map)
{
    const bool otherPoints = map != nullptr && map->points != m_coloredPoints;
    m_study.window().mapView().setMap(std::move(map));
    if (otherPoints)
        refreshColoring();
}

void MapController::refreshColoring()
{
    const auto map = scatter().map();
    if (map == nullptr || !m_study.cache())
        return;
    m_coloredPoints = map->points;
    scatter().setColoring(mapColoring(m_study, *map, ui::Theme::instance().vizTheme()));
}

void MapController::noteMissingHeads()
{
    const auto map = scatter().map();
    if (map == nullptr || m_run.active())
        return;
    const std::set<std::int64_t> held(map->points->head.begin(), map->points->head.end());
    const auto heads = m_study.heads();
    const auto missing =
        std::count_if(heads.begin(), heads.end(), [&held](std::int64_t head) { return !held.contains(head); });
    if (missing > 0)
        m_study.window().showNotice(tr("This map lacks %1 of the chosen %2: run a map to see them.")
                                        .arg(missing)
                                        .arg(ui::unitsText(map->stage)));
}

void MapController::save(const QString& path)
{
    const ui::ScatterWidget& canvas = scatter();
    if (canvas.map() == nullptr)
        return m_study.window().showNotice(tr("There is no map to save yet."));
    viz::FigureOptions options;
    options.overwrite = true; // the file dialog has asked
    viz::MapFigure figure;
    figure.coloring = mapColoring(m_study, *canvas.map(), viz::Theme::Light);
    figure.window = canvas.view().visibleData();
    figure.numThreads = m_study.threads();
    figure.mode = canvas.mode();
    std::vector<viz::PointState> states(canvas.states().begin(), canvas.states().end());
    m_save.start(path, [map = canvas.map(), model = m_study.cache()->overview->model, figure, states,
                        target = std::filesystem::path(ui::toStdString(path)), options]() mutable {
        figure.states = states;
        return viz::exportMap(*map, model, figure, target, options);
    });
}

} // namespace headscope::desktop
