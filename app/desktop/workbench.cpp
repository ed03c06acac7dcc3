// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/desktop/workbench.h"

#include "model/base/parallel.h"
#include "ui/dialogs/dialog_service.h"
#include "ui/dialogs/extract_dialog.h"
#include "ui/file_kind.h"
#include "ui/jobs/job_strip.h"
#include "ui/models/probe_table_model.h"
#include "ui/panels/data_panel.h"
#include "ui/panels/inspector.h"
#include "ui/plots/heatmap_view.h"
#include "ui/plots/heatmap_widget.h"
#include "ui/plots/map_view.h"
#include "ui/plots/probe_view.h"
#include "ui/plots/scatter_widget.h"
#include "ui/settings/settings.h"
#include "ui/theme/theme.h"
#include "ui/wording.h"

#include <QFileInfo>

#include <algorithm>
#include <cmath>
#include <utility>

namespace headscope::desktop
{

Workbench::Workbench(ui::MainWindow& window, const QString& engine, QObject* parent)
    : QObject(parent), m_window(window), m_engine(engine)
{
    connectWindow();
    connectMap();
    connectEngine();
    m_window.setCloseGuard([this] { return mayClose(); });
    describeEmptyMap({}, false);
    m_window.heatmapView().setEmpty(
        tr("No heatmap yet"),
        tr("Each cell would be the cosine of one head vector with the vector of its document’s own "
           "topic. Open a cache with labels and topic vectors."));
    m_window.probeView().setEmpty(
        tr("No probe yet"), tr("A linear probe would say how well the heads can be told apart, stage by stage. Open "
                               "a cache first."));
}

Workbench::~Workbench()
{
    m_window.setCloseGuard({});
    m_window.mapView().scatter()->setCardSource({});
    m_window.heatmapView().heatmap()->setCardSource({});
}

void Workbench::connectWindow()
{
    using ui::MainWindow;
    connect(&m_window, &MainWindow::openRequested, this, &Workbench::open);
    connect(&m_window, &MainWindow::extractRequested, this, [this] { askExtract({}, {}); });
    connect(&m_window, &MainWindow::mapRequested, this, &Workbench::runMap);
    connect(&m_window, &MainWindow::probeRequested, this, &Workbench::trainProbe);
    connect(&m_window, &MainWindow::savePictureRequested, this, &Workbench::savePicture);
    connect(&m_window, &MainWindow::viewChanged, this, [this](MainWindow::View view) {
        if (view == MainWindow::View::Heatmap && m_heatmapStale)
            makeHeatmap();
    });
    ui::DataPanel& panel = m_window.dataPanel();
    connect(&panel, &ui::DataPanel::sourceChanged, this, &Workbench::showSource);
    connect(&panel, &ui::DataPanel::headsChanged, this, &Workbench::noteMissingHeads);
    connect(&panel, &ui::DataPanel::colorChanged, this, &Workbench::refreshColoring);
    connect(&panel, &ui::DataPanel::labelChanged, this, [this] {
        m_heatmapStale = true;
        if (m_window.view() == MainWindow::View::Heatmap)
            makeHeatmap();
    });
    connect(&m_window, &MainWindow::labelMapRequested, this, &Workbench::applyLabelMap);
    connect(&m_window.selection(), &ui::SelectionHub::primaryChanged, this, &Workbench::findNearest);
    connect(&m_window.heatmapView(), &ui::HeatmapView::optionsChanged, this, &Workbench::makeHeatmap);
    connect(&m_window.heatmapView(), &ui::HeatmapView::emptyActionRequested, this, &Workbench::makeHeatmap);
    connect(&m_window.probeView(), &ui::ProbeView::trainRequested, this, &Workbench::trainProbe);
    connect(&m_window.probeView(), &ui::ProbeView::emptyActionRequested, this, &Workbench::trainProbe);
    connect(&ui::Theme::instance(), &ui::Theme::changed, this, [this] {
        if (!m_cache)
            return;
        m_palette = viz::HeadPalette(m_cache->overview->model, ui::Theme::instance().vizTheme());
        m_window.dataPanel().setHeadPalette(m_palette);
        m_coloredPoints.reset();
        refreshColoring();
        m_window.inspector().setStrengths(m_source.strengths, m_window.dataPanel().stage(), m_palette);
        m_window.probeView().setResults(m_window.probeView().model()->results(), m_palette);
    });
    m_window.mapView().scatter()->setCardSource([this](std::int64_t point) { return pointCard(point); });
    m_window.mapView().scatter()->setThreads(threads());
    m_window.heatmapView().heatmap()->setCardSource(
        [this](const Heatmap& heatmap, viz::HeatmapCell cell) { return cellCard(heatmap, cell); });
}

int Workbench::threads() const
{
    const int asked = m_window.settings().number(ui::SettingKey::Threads);
    return asked > 0 ? asked : availableCores();
}

Workbench::SourceKey Workbench::sourceKey() const
{
    return {m_window.dataPanel().layer(), m_window.dataPanel().stage()};
}

ui::JobRow* Workbench::beginJob(const QString& key, const QString& title, ui::JobRunner& runner)
{
    ui::JobStrip& strip = m_window.jobStrip();
    constexpr int kShowAfterMs = 400;
    ui::JobRow* row = strip.begin(key, title, false, kShowAfterMs);
    connect(row, &ui::JobRow::cancelRequested, this, [&runner] { runner.cancel(); });
    connect(&runner, &ui::JobRunner::progressed, row, &ui::JobRow::setProgress);
    const auto end = [this, key] {
        m_window.jobStrip().end(key);
        refreshStatus();
    };
    connect(&runner, &ui::JobRunner::finished, row, end);
    connect(&runner, &ui::JobRunner::cancelled, row, end);
    refreshStatus();
    return row;
}

void Workbench::refreshStatus()
{
    QStringList parts;
    if (m_engine.running())
        parts << tr("Extracting");
    if (m_openRunner.running())
        parts << tr("Opening");
    if (m_sourceRunner.running())
        parts << tr("Reading vectors");
    if (m_mapRun.state() == ui::RunState::Running)
        parts << tr("t-SNE running, %1").arg(ui::countText(threads(), tr("thread"), tr("threads")));
    if (m_mapRun.state() == ui::RunState::Paused)
        parts << tr("t-SNE paused");
    if (m_heatmapRunner.running())
        parts << tr("Computing the heatmap");
    if (m_probeRunner.running())
        parts << tr("Training the probe");
    m_window.setStatus(parts.isEmpty() ? tr("Ready") : parts.join(QStringLiteral("   ")));
}

bool Workbench::anyJobRuns() const
{
    return m_engine.running() || m_mapRun.active() || m_openRunner.running() || m_probeRunner.running() ||
           m_heatmapRunner.running() || m_pictureRunner.running();
}

void Workbench::stopAll()
{
    m_engine.cancel();
    m_mapRun.drop();
    for (ui::JobRunner* runner :
         {&m_openRunner, &m_sourceRunner, &m_heatmapRunner, &m_probeRunner, &m_nearestRunner, &m_pictureRunner})
        runner->cancel();
}

bool Workbench::mayClose()
{
    // Asked once: a second close while the question stands changes nothing.
    if (m_closing || !anyJobRuns())
        return true;
    if (!std::exchange(m_closeAsked, true))
        m_window.dialogs().ask(&m_window,
                               {tr("Close Headscope?"),
                                tr("Work is still going on. Closing stops it; an extraction can go "
                                   "on later where it was."),
                                {tr("Keep open"), tr("Stop and close")}},
                               [this](int answer) {
                                   m_closeAsked = false;
                                   if (answer != 1)
                                       return;
                                   m_closing = true;
                                   stopAll();
                                   m_window.close();
                               });
    return false;
}

void Workbench::open(const QString& path)
{
    switch (ui::fileKind(path))
    {
    case ui::FileKind::Cache:
        return openCacheFile(path);
    case ui::FileKind::Model:
        return askExtract(path, {});
    case ui::FileKind::Texts:
        return askExtract({}, path);
    case ui::FileKind::Unknown:
        break;
    }
    const Error error = QFileInfo::exists(path)
                            ? Error{ErrorCode::Unsupported, ui::toStdString(ui::unknownFileReason(path)), {}, {}}
                            : Error{ErrorCode::FileNotFound, "no such file or folder", ui::toStdString(path), {}};
    m_window.showNotice(ui::errorText(error));
    Q_EMIT openFailed(error);
}

void Workbench::openCacheFile(const QString& path)
{
    beginJob(QStringLiteral("open"), tr("Opening %1").arg(QFileInfo(path).fileName()), m_openRunner);
    m_openRunner.start<OpenedCache>(
        [file = std::filesystem::path(ui::toStdString(path))](JobContext& job) { return openCache(file, job); },
        [this, path](Result<OpenedCache> opened) {
            if (opened)
            {
                m_window.settings().addRecentFile(QFileInfo(path).absoluteFilePath());
                return takeCache(std::move(*opened));
            }
            m_window.jobStrip().addLog(ui::errorText(opened.error()));
            m_window.showNotice(ui::errorText(opened.error()));
            if (!m_cache)
                m_window.mapView().setEmpty(ui::errorHeading(opened.error().code), ui::errorText(opened.error()),
                                            tr("Open…"), true);
            Q_EMIT openFailed(opened.error());
        });
    refreshStatus();
}

void Workbench::takeCache(OpenedCache opened)
{
    m_mapRun.drop();
    for (ui::JobRunner* runner : {&m_sourceRunner, &m_heatmapRunner, &m_probeRunner, &m_nearestRunner})
        runner->cancel();
    m_cache = std::move(opened);
    m_source = {};
    m_maps.clear();
    m_coloredPoints.reset();
    m_heatmapStale = true;
    for (const auto& map : m_cache->maps)
        m_maps.try_emplace({map->layer, map->stage}, map);
    for (const std::string& notice : m_cache->notices)
        m_window.jobStrip().addLog(ui::toQString(notice));
    const ModelInfo& model = m_cache->overview->model;
    m_palette = viz::HeadPalette(model, ui::Theme::instance().vizTheme());
    m_window.dataPanel().setHeadPalette(m_palette);
    m_window.setOverview(m_cache->overview);
    m_window.heatmapView().setHeatmaps({}, model, 0);
    m_window.probeView().setResults({}, m_palette);
    m_window.probeView().setEmpty(
        tr("No probe yet"),
        tr("A linear probe tells how well the heads can be told apart from one vector: accuracy per stage, as in the "
           "paper’s Table 1, and the recall of each head."),
        tr("Train probe"));
    showSource();
    Q_EMIT cacheOpened();
    if (m_window.view() == ui::MainWindow::View::Heatmap)
        makeHeatmap();
}

void Workbench::showSource()
{
    if (!m_cache)
        return;
    const SourceKey key = sourceKey();
    m_mapRun.drop();
    m_sourceRunner.cancel();
    m_nearestRunner.cancel();
    m_source = {};
    m_window.inspector().setStrengths(nullptr, key.second, m_palette);
    m_window.heatmapView().setHeads(m_cache->overview->model.heads, ui::unitText(key.second));
    m_heatmapStale = true;
    if (m_window.view() == ui::MainWindow::View::Heatmap)
        makeHeatmap();
    const auto stored = m_maps.find(key);
    m_mapWanted = stored == m_maps.end();
    m_window.mapView().setRun(ui::RunState::None, {});
    showMap(m_mapWanted ? nullptr : stored->second);
    if (m_mapWanted)
        m_window.mapView().setEmpty(tr("Reading vectors"), tr("The map starts by itself as soon as they are there."));
    else
        Q_EMIT mapSettled();
    if (m_cache->overview->stages.empty())
        return describeEmptyMap(tr("The cache holds no head vectors."), true);

    beginJob(QStringLiteral("source"), tr("Reading vectors"), m_sourceRunner);
    m_sourceRunner.start<SourceData>(
        [reader = m_cache->reader, key, count = threads()](JobContext& job) {
            return loadSource(*reader, key.first, key.second, count, job);
        },
        [this](Result<SourceData> data) {
            if (data)
                return takeSource(std::move(*data));
            m_window.jobStrip().addLog(ui::errorText(data.error()));
            m_window.showNotice(ui::errorText(data.error()));
            if (m_mapWanted)
                describeEmptyMap(ui::errorText(data.error()), true);
        });
    refreshStatus();
}

void Workbench::takeSource(SourceData data)
{
    m_source = std::move(data);
    m_window.inspector().setStrengths(m_source.strengths, m_window.dataPanel().stage(), m_palette);
    if (m_window.dataPanel().colorChoice().kind == ui::ColorChoice::Kind::Strength)
        refreshColoring();
    findNearest();
    if (std::exchange(m_mapWanted, false))
        runMap();
}

void Workbench::describeEmptyMap(const QString& why, bool isError)
{
    if (!m_cache)
        return m_window.mapView().setEmpty(tr("No cache is open"),
                                           tr("A map of head vectors would be here: one point per document and head. "
                                              "Open a cache (.h5), or extract one "
                                              "from a model and texts. Files can be dropped onto the window."),
                                           tr("Open…"));
    m_window.mapView().setEmpty(isError ? tr("No map") : tr("No map yet"), why, isError ? QString() : tr("Run map"),
                                isError);
}

viz::PointColoring Workbench::coloringOf(const HeadMap& map, viz::Theme theme) const
{
    const PointIds& points = *map.points;
    const QString unit = ui::toQString(unitName(map.stage));
    const viz::HeadPalette palette(m_cache->overview->model, theme);
    const ui::ColorChoice choice = m_window.dataPanel().colorChoice();
    if (choice.kind == ui::ColorChoice::Kind::Label)
    {
        if (const LabelColumn* column = m_cache->overview->documents->label(choice.column))
            return viz::colorByLabel(points, *column, theme);
    }
    if (choice.kind == ui::ColorChoice::Kind::Strength && m_source.strengths != nullptr)
    {
        std::vector<float> strengths;
        strengths.reserve(static_cast<std::size_t>(points.count()));
        for (std::int64_t i = 0; i < points.count(); ++i)
            strengths.push_back(m_source.strengths->values(points.document[static_cast<std::size_t>(i)],
                                                           points.head[static_cast<std::size_t>(i)]));
        return viz::colorByStrength(points, strengths, palette, unit);
    }
    return viz::colorByHead(points, palette, unit);
}

void Workbench::refreshColoring()
{
    ui::ScatterWidget* scatter = m_window.mapView().scatter();
    const auto map = scatter->map();
    if (map == nullptr || !m_cache)
        return;
    m_coloredPoints = map->points;
    scatter->setColoring(coloringOf(*map, ui::Theme::instance().vizTheme()));
}

ui::HoverContent Workbench::documentCard(std::int64_t document, std::optional<std::int64_t> head, Stage stage) const
{
    ui::HoverContent content;
    const DocumentSet& documents = *m_cache->overview->documents;
    const auto index = static_cast<std::size_t>(document);
    if (head)
    {
        content.color = m_palette.color(HeadIndex(*head));
        content.title = ui::unitText(stage, HeadIndex(*head));
        content.detail = tr("KV%1").arg(shownNumber(m_cache->overview->model.groupOf(HeadIndex(*head))));
    }
    if (const LabelColumn* column = documents.label(m_window.dataPanel().labelColumn()))
        content.subtitle = ui::toQString(column->category(index));
    content.text =
        documents.texts.empty() ? ui::toQString(documents.ids[index]) : ui::firstLine(documents.texts[index]);
    return content;
}

ui::HoverContent Workbench::pointCard(std::int64_t point) const
{
    const auto map = m_window.mapView().scatter()->map();
    if (map == nullptr || !m_cache)
        return {};
    const auto index = static_cast<std::size_t>(point);
    const std::int64_t document = map->points->document[index];
    const std::int64_t head = map->points->head[index];
    ui::HoverContent content = documentCard(document, head, map->stage);
    if (m_source.strengths != nullptr)
    {
        const float strength = m_source.strengths->values(document, head);
        content.detail +=
            tr(" · strength %1, top %2 %")
                .arg(ui::numberText(static_cast<double>(strength)))
                .arg(std::max(1, static_cast<int>(std::ceil(100 * m_source.strengths->topShare(strength)))));
    }
    return content;
}

ui::HoverContent Workbench::cellCard(const Heatmap& heatmap, viz::HeatmapCell cell) const
{
    if (!m_cache)
        return {};
    const auto column = static_cast<std::size_t>(cell.column);
    std::optional<std::int64_t> head;
    if (cell.row > 0)
        head = cell.row - 1;
    ui::HoverContent content = documentCard(heatmap.document[column], head, heatmap.stage);
    if (!head)
        content.title = tr("Full vector");
    content.detail = tr("stage %1 · cosine").arg(ui::toQString(stageName(heatmap.stage)));
    content.value = ui::numberText(static_cast<double>(heatmap.values(cell.row, cell.column)));
    return content;
}

} // namespace headscope::desktop
