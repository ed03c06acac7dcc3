// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/views/compare/compare_controller.h"

#include "app/desktop/shell/cards.h"
#include "app/desktop/shell/view_files.h"
#include "app/views/compare/compare_view.h"
#include "app/views/compare/pair_floors.h"
#include "app/views/grid/grid_colors.h"
#include "app/views/grid/grid_controller.h"
#include "app/views/grid/grid_view.h"
#include "app/views/map/map_coloring.h"
#include "app/views/map/map_command.h"
#include "app/views/map/map_view.h"
#include "model/analysis/maps/map_difference.h"
#include "model/io/results/result_writer.h"
#include "ui/canvas/scatter/move_lines.h"
#include "ui/canvas/scatter/scatter_widget.h"
#include "ui/jobs/job_strip.h"
#include "ui/models/map_library.h"
#include "ui/state/linked_selection.h"
#include "ui/theme/theme.h"
#include "ui/words/wording.h"
#include "viz/export/comparison_figure.h"
#include "viz/export/figure_text.h"
#include "viz/grid/grid_contents.h"

#include <QFileInfo>

#include <algorithm>
#include <cmath>
#include <utility>

namespace headscope::desktop
{
namespace
{

const QString kChanged = QStringLiteral("changed");
/// How the sources are named: a map of the library by its number, a map of the grid by its name.
const QString kMapId = QStringLiteral("map:");
const QString kGridId = QStringLiteral("grid:");

} // namespace

CompareController::CompareController(Study& study, GridController& grid, QObject* parent)
    : AnalysisController(
          study,
          {ui::kCompareView,
           tr("Compare"),
           tr("Two maps of the same documents; map B is rotated and scaled to fit map A. Drag the slider to "
              "move the points."),
           pictureFilters() + QStringList{tr("CSV table (*.csv)")},
           {QStringLiteral("compare"), QStringLiteral("compareFloor")},
           tr("Map B is rotated and scaled to fit map A (Procrustes). The colour of a point shows how many of its 10 "
              "nearest neighbours in A are not among its 10 nearest neighbours in B.\n\nFor the noise floor, both maps "
              "are computed again from the same vectors plus a little noise. A difference no larger than the noise "
              "floor may be noise. Maps with different points are matched by document."),
           tr("two maps (quality --against), noise floor")},
          parent),
      m_grid(grid), m_view(new ui::CompareView(&study.window()))
{
    addView(m_view);
    own({&m_runner, &m_floor});
    connectView();
    connect(&m_study, &Study::cacheChanged, this, &CompareController::onCacheOpened);
    connect(&m_study, &Study::labelsChanged, this, [this] {
        refreshColors();
        refreshColoring();
    });
    connect(&m_study, &Study::paletteChanged, this, &CompareController::refreshColoring);
    connect(&m_study, &Study::headsChanged, this, [this] { m_view->setShownHeads(m_study.heads()); });
    connect(&m_study.choices(), &ui::Choices::colorChanged, this, &CompareController::takePanelColors);
    connect(&m_study, &Study::sourceLoaded, this, [this] {
        if (m_view->color() == kPanelColors)
            refreshColoring(); // strengths are there
    });
    connect(&m_grid, &GridController::setSettled, this, &CompareController::refreshSources);
    for (const auto signal : {&ui::MapLibrary::added, &ui::MapLibrary::removed, &ui::MapLibrary::changed})
        connect(&m_study.maps(), signal, this, &CompareController::refreshSources);
    m_view->setThreads(m_study.threads());
    describeEmpty();
}

CompareController::~CompareController()
{
    m_view->setCardSource({});
}

void CompareController::connectView()
{
    connect(m_view, &ui::CompareView::choiceChanged, this, &CompareController::compare);
    connect(m_view, &ui::CompareView::colorChanged, this, &CompareController::refreshColoring);
    connect(m_view, &ui::CompareView::emptyActionRequested, this, [this] {
        if (!m_study.cache())
            return m_study.window().askOpen();
        runPartner();
    });
    connect(m_view, &ui::CompareView::floorRequested, this, &CompareController::measureFloors);
    ui::linkSelection(m_view, m_study.window().selection());
    m_view->setCardSource([this](std::int64_t point) {
        const auto& pair = m_view->pair();
        if (pair == nullptr || !m_study.cache())
            return ui::HoverContent{};
        const auto index = static_cast<std::size_t>(point);
        std::optional<HeadIndex> head;
        if (pair->match == MapMatch::Points && !viz::isFullMap(*pair->a))
            head = pair->points->headOf(index);
        ui::HoverContent content = documentCard(m_study, pair->points->documentOf(index), head, pair->a->stage);
        if (!head)
            content.title = tr("Document");
        content.detail =
            tr("%1 of %2 neighbours changed")
                .arg(std::lround(pair->difference.changed[index] * static_cast<float>(pair->difference.neighbors)))
                .arg(pair->difference.neighbors);
        return content;
    });
}

void CompareController::leave()
{
    m_compared = {};
    m_sources.clear();
    m_view->setPair(nullptr);
}

void CompareController::onCacheOpened()
{
    m_panelColors = m_study.choices().now().color;
    refreshSources();
    refreshColors();
    describeEmpty();
}

void CompareController::refreshSources()
{
    std::vector<Source> sources;
    for (const ui::KeptMap& kept : m_study.maps().entries())
        if (kept.map->points != nullptr)
            sources.push_back({kMapId + QString::number(kept.id),
                               tr("%1: stage %2, layer %3")
                                   .arg(ui::toQString(kept.map->name), ui::toQString(stageName(kept.map->stage)),
                                        QString::number(kept.map->layer.value())),
                               kept.map});
    if (const auto set = m_grid.set(); set != nullptr && !m_grid.gridRun().active())
        for (const MapOfSet& each : set->maps)
            sources.push_back({kGridId + ui::toQString(each.map.name), tr("Grid: %1").arg(viz::mapTitle(each.map)),
                               std::shared_ptr<const HeadMap>(set, &each.map)});
    m_sources = std::move(sources);
    std::vector<ui::MapOption> options;
    std::vector<PointsKey> keys;
    for (const Source& source : m_sources)
    {
        // Cells of a run keep their points while their maps form: nothing is counted twice.
        const auto known = std::ranges::find(m_keys, source.map->points, &PointsKey::first);
        keys.emplace_back(source.map->points, known == m_keys.end() ? pointsKey(*source.map) : known->second);
        options.push_back({source.id, source.title, keys.back().second, source.id.startsWith(kGridId)});
    }
    m_keys = std::move(keys);
    m_view->setOptions(options);
    if (std::pair(mapOf(m_view->idA()), mapOf(m_view->idB())) != m_compared)
        renew();
    else
        settleOn();
}

std::shared_ptr<const HeadMap> CompareController::mapOf(const QString& id) const
{
    const auto found =
        std::find_if(m_sources.begin(), m_sources.end(), [&id](const Source& source) { return source.id == id; });
    return found == m_sources.end() ? nullptr : found->map;
}

void CompareController::compare()
{
    const auto a = mapOf(m_view->idA());
    const auto b = mapOf(m_view->idB());
    settleOn();
    m_compared = {a, b};
    if (a == nullptr || b == nullptr || m_sources.size() < 2)
    {
        m_runner.cancel();
        m_view->setPair(nullptr);
        return describeEmpty();
    }
    m_study.beginJob(QStringLiteral("compare"), tr("Comparing two maps"), m_runner);
    m_study.run<MapPair>(
        m_runner, [a, b, count = m_study.threads()](JobContext& job) { return pairMaps(a, b, count, job); },
        [this](Result<MapPair> pair) {
            if (!pair)
            {
                m_study.window().jobStrip().addLog(ui::errorText(pair.error()));
                m_view->setPair(nullptr);
                return m_view->setError(pair.error());
            }
            m_view->setShownHeads(m_study.heads());
            m_view->setPair(std::make_shared<const MapPair>(std::move(*pair)));
            refreshColoring();
            refreshFloorable();
            settle();
        });
}

void CompareController::refreshColors()
{
    if (!m_study.cache())
        return;
    std::vector<ui::ColorOption> colors = documentColors(m_study);
    colors.insert(colors.begin(), {kChanged, tr("Colour: neighbours changed")});
    m_view->setColors(colors);
}

viz::PointColoring CompareController::pairColoring(viz::InkTheme theme) const
{
    const MapPair& pair = *m_view->pair();
    const QString id = m_view->color();
    if (id == kChanged)
    {
        const viz::ColorScale scale(viz::sequentialMap(theme), {0, 1});
        return viz::colorByNumber(pair.difference.changed, scale, tr("Neighbours changed"), theme);
    }
    if (id == kPanelColors && pair.points->head.size() == pair.points->document.size())
        return panelColoring(m_study, pair.points, pair.a->layer, pair.a->stage, theme);
    if (auto coloring = documentColoring(m_study, id, theme))
    {
        std::vector<std::uint16_t> index;
        for (const std::int32_t document : pair.points->document)
            index.push_back(coloring->index[static_cast<std::size_t>(document)]);
        coloring->index = std::move(index);
        return *coloring;
    }
    const viz::HeadPalette palette(m_study.cache()->overview->model, theme);
    return viz::colorByHead(*pair.points, palette, ui::toQString(unitName(pair.a->stage)));
}

void CompareController::refreshColoring()
{
    if (m_study.cache() && m_view->pair() != nullptr)
        m_view->setColoring(pairColoring(ui::Theme::instance().vizTheme()));
}

void CompareController::takePanelColors()
{
    const ui::ColorChoice now = m_study.choices().now().color;
    const bool other = !(std::exchange(m_panelColors, now) == now);
    if (other && inFront() && m_view->color() != kPanelColors)
        return m_view->setColor(kPanelColors);
    if (m_view->color() == kPanelColors)
        refreshColoring();
}

void CompareController::describeEmpty()
{
    if (!m_study.cache())
        return m_view->setEmpty(tr("No cache is open"),
                                tr("Compare shows how points move between two maps. Open a cache first."), tr("Open…"));
    const auto newest = newestMap();
    if (newest == nullptr)
        return m_view->setEmpty(tr("Nothing to compare yet"),
                                tr("Run a second map (another layer, stage or seed), or run the grid."),
                                tr("Open grid"));
    const auto partner = partnerOf(*newest);
    const QString title = m_sources.size() < 2 ? tr("Nothing to compare yet") : tr("No two maps with the same points");
    QString text = tr("There is only one map of these documents and %2 so far: %1.")
                       .arg(ui::toQString(newest->name), ui::unitsText(newest->stage));
    text += QLatin1Char(' ');
    text += partner ? tr("Run a second map, for example of layer %1, stage %2.")
                          .arg(QString::number(partner->first.value()), ui::toQString(stageName(partner->second)))
                    : tr("Run it again with another seed.");
    if (m_sources.size() > 1)
        text += QLatin1Char(' ') %
                tr("Above, you can also select maps with other points. Their points are matched by document.");
    m_view->setEmpty(title, text, partner ? tr("Run this map") : tr("Go to map"));
}

std::shared_ptr<const HeadMap> CompareController::newestMap() const
{
    const auto& kept = m_study.maps().entries();
    const auto found =
        std::find_if(kept.rbegin(), kept.rend(), [](const ui::KeptMap& each) { return each.map->points != nullptr; });
    return found == kept.rend() ? nullptr : found->map;
}

std::optional<std::pair<LayerIndex, Stage>> CompareController::partnerOf(const HeadMap& map) const
{
    const CacheReader& reader = *m_study.cache()->reader;
    const VectorsInfo* own = reader.find(map.layer, map.stage);
    const auto fits = [&](LayerIndex layer, Stage stage) {
        const VectorsInfo* other = reader.find(layer, stage);
        return own != nullptr && other != nullptr && other != own && stage != Stage::Contribution &&
               other->heads == own->heads;
    };
    const ui::CacheOverview& overview = *m_study.cache()->overview;
    for (const Stage stage : overview.stagesOf(map.layer))
        if (fits(map.layer, stage))
            return std::pair(map.layer, stage);
    for (const auto& [layer, stages] : overview.stages)
        if (fits(layer, map.stage))
            return std::pair(layer, map.stage);
    return std::nullopt;
}

void CompareController::runPartner()
{
    ui::MainWindow& window = m_study.window();
    const auto newest = newestMap();
    if (newest == nullptr)
        return window.setView(ui::kGridView);
    window.setView(ui::kMapView);
    const auto partner = partnerOf(*newest);
    if (!partner)
        return;
    std::vector<std::int64_t> heads(newest->points->head.begin(), newest->points->head.end());
    std::ranges::sort(heads);
    heads.erase(std::unique(heads.begin(), heads.end()), heads.end());
    ui::Choices& choices = m_study.choices();
    if (m_study.cache()->reader->find(newest->layer, newest->stage)->heads > 1)
        choices.setHeads(heads);
    choices.setLayer(partner->first);
    choices.setStage(partner->second);
    Q_EMIT mapRequested();
}

std::optional<ViewOutput> CompareController::output(const QString& path, const viz::FigureOptions&)
{
    const auto pair = m_view->pair();
    if (pair == nullptr)
        return nothing(tr("There is no comparison to save yet."));
    const auto target = std::filesystem::path(ui::toStdString(path));
    if (QFileInfo(path).suffix().toLower() == QStringLiteral("csv"))
        return ViewOutput{{}, [pair, target, documents = m_study.cache()->overview->documents] {
                              return writeMapPairCsv(target, *pair, documents.get());
                          }};
    const ui::CompareView& view = *m_view;
    const bool side = view.layoutKind() == ui::CompareView::Layout::SideBySide;
    const QString caption =
        tr("%1 (A) and %2 (B), B rotated and scaled to fit A (Procrustes): %3. Of the 10 nearest neighbours, %4. "
           "Shown: %5.")
            .arg(viz::mapTitle(*pair->a), viz::mapTitle(*pair->b), view.matchText(), view.changedText(),
                 side ? tr("A and B") : tr("%1% of the way from A to B").arg(std::lround(100 * view.share()))) +
        floorCaption(*pair);
    viz::ComparisonFigure figure;
    figure.panels.push_back(
        {view.left()->map(), side ? tr("A: %1").arg(viz::mapTitle(*pair->a)) : QString(), view.left()->dataInView()});
    if (side)
        figure.panels.push_back(
            {view.right()->map(), tr("B: %1").arg(viz::mapTitle(*pair->b)), view.right()->dataInView()});
    figure.coloring = pairColoring(ui::Theme::instance().paperTheme());
    // The canvas that shows the legend says what is hidden.
    const ui::ScatterWidget& leading = side ? *view.right() : *view.left();
    figure.states.assign(leading.points().states().begin(), leading.points().states().end());
    figure.faded = leading.shot().faded;
    figure.lines = view.lines()->moves();
    figure.note = view.lines()->badge();
    figure.numThreads = m_study.threads();
    return ViewOutput{viz::describedFigure(viz::figureOfComparison(std::move(figure), m_study.cache()->overview->model),
                                           caption, {})};
}

ComparedMap CompareController::comparedMap(const QString& id) const
{
    const CacheReader& reader = *m_study.cache()->reader;
    const std::string cache = reader.path().string();
    const HeadMap& map = *mapOf(id);
    const std::string name = commands::TsneCommand().name; // of what tsne writes
    if (id.startsWith(kGridId))
    {
        if (const QString set = m_grid.storedName(); !set.isEmpty())
            return storedMap(cache, ui::toStdString(set), map.name);
        // A cell comes with its whole grid: what it is laid onto is part of it.
        ComparedMap cell = storedMap(GridController::kFile, name, map.name);
        cell.making = ui::toStdString(m_grid.commandLine());
        return cell;
    }
    const ui::KeptMap* kept = m_study.maps().find(id.mid(kMapId.size()).toULongLong());
    if (kept != nullptr && kept->stored)
        return storedMap(cache, {}, map.name);
    const VectorsInfo* vectors = reader.find(map.layer, map.stage);
    const std::string file = map.name + ".h5";
    ComparedMap made = storedMap(file, {}, name);
    for (const TsneLine& run : tsneLines(map, {cache, vectors == nullptr ? 0 : vectors->heads}, file))
        made.making += (made.making.empty() ? "" : " && ") + run.text();
    made.note = noiseNote(map);
    return made;
}

QString CompareController::commandLine() const
{
    if (m_view->pair() == nullptr || !m_study.cache() || mapOf(m_view->idA()) == nullptr ||
        mapOf(m_view->idB()) == nullptr)
        return {};
    return ui::toQString(comparisonCommand(m_study.cache()->reader->path().string(), comparedMap(m_view->idA()),
                                           comparedMap(m_view->idB())));
}

void CompareController::copy()
{
    copyPictureOf(*m_view);
    m_study.window().showNotice(tr("Copied the comparison as an image"));
}

} // namespace headscope::desktop
