// SPDX-License-Identifier: GPL-3.0-or-later
// The map's part of the workbench: runs, stored maps, nearest documents.
#include "app/desktop/workbench.h"
#include "app/desktop/workflows/find_nearest.h"
#include "model/analysis/affinities.h"
#include "ui/dialogs/map_dialog.h"
#include "ui/jobs/job_strip.h"
#include "ui/panels/data_panel.h"
#include "ui/panels/inspector.h"
#include "ui/plots/map_view.h"
#include "ui/plots/scatter_widget.h"
#include "ui/settings/settings.h"
#include "ui/wording.h"

#include <algorithm>
#include <set>

namespace headscope::desktop
{
namespace
{

constexpr std::int64_t kNearest = 6;

struct Nearest
{
    std::vector<ui::NearDocument> byHead;
    std::vector<ui::NearDocument> byFull;
    std::shared_ptr<const FullVectors> full; ///< kept, so that the next click reads no file
};

} // namespace

void Workbench::connectMap()
{
    ui::MapView& view = m_window.mapView();
    connect(&view, &ui::MapView::pauseRequested, &m_mapRun, &MapRun::pause);
    connect(&view, &ui::MapView::continueRequested, &m_mapRun, &MapRun::resume);
    connect(&view, &ui::MapView::stopRequested, &m_mapRun, &MapRun::stop);
    connect(&view, &ui::MapView::goOnRequested, &m_mapRun, &MapRun::goOn);
    connect(&view, &ui::MapView::emptyActionRequested, this, [this] {
        if (m_cache)
            runMap();
        else
            m_window.askOpen();
    });
    connect(&m_window, &ui::MainWindow::mapOptionsRequested, this, [this] {
        const auto overview = m_window.overview();
        const std::int64_t documents = overview ? overview->documents->count() : 0;
        const auto points = documents * static_cast<std::int64_t>(m_window.dataPanel().heads().size());
        auto* dialog = new ui::MapDialog(m_window.settings(), largestPerplexity(points), &m_window);
        dialog->setAttribute(Qt::WA_DeleteOnClose);
        connect(dialog, &ui::MapDialog::runRequested, this, [this] {
            m_window.setView(ui::MainWindow::View::Map);
            runMap();
        });
        dialog->open();
    });
    connect(&m_mapRun, &MapRun::mapChanged, this, [this](const std::shared_ptr<const HeadMap>& map) {
        m_maps[{map->layer, map->stage}] = map;
        showMap(map);
    });
    connect(&m_mapRun, &MapRun::stateChanged, this, [this](ui::RunState state, const ui::RunProgress& progress) {
        ui::MapView& shown = m_window.mapView();
        shown.setRun(state, progress);
        if (state == ui::RunState::Running && shown.scatter()->map() == nullptr)
            shown.setEmpty(tr("Preparing the map"), progress.stage);
        refreshStatus();
        if (state == ui::RunState::Finished || state == ui::RunState::Stopped)
            Q_EMIT mapSettled();
    });
    connect(&m_mapRun, &MapRun::failed, this, [this](const Error& error) {
        m_window.jobStrip().addLog(ui::errorText(error));
        m_window.showNotice(ui::errorText(error));
        if (m_window.mapView().scatter()->map() == nullptr)
            m_window.mapView().setEmpty(ui::errorHeading(error.code), ui::errorText(error), {}, true);
        refreshStatus();
    });
}

void Workbench::runMap()
{
    if (!m_cache)
        return;
    if (m_source.vectors == nullptr)
    {
        m_mapWanted = true; // the vectors are on their way
        return;
    }
    const auto heads = m_window.dataPanel().heads();
    if (heads.empty())
    {
        const QString unit = ui::unitsText(m_window.dataPanel().stage());
        m_window.showNotice(tr("A map needs %1: choose some in the data panel.").arg(unit));
        return;
    }
    const ui::Settings& settings = m_window.settings();
    MapRequest request{m_source.vectors, heads, {}, threads()};
    request.options.perplexities = {static_cast<double>(settings.number(ui::SettingKey::Perplexity))};
    request.options.iterations = settings.number(ui::SettingKey::Iterations);
    request.options.exaggerationIterations =
        std::min(request.options.exaggerationIterations, request.options.iterations);
    request.options.seed = static_cast<std::uint64_t>(settings.number(ui::SettingKey::Seed));
    if (m_source.vectors->heads() == 1)
        request.heads = {0}; // a stage that is kept uncut has one row a document
    m_mapRun.start(std::move(request));
}

void Workbench::showMap(std::shared_ptr<const HeadMap> map)
{
    ui::MapView& view = m_window.mapView();
    const bool otherPoints = map != nullptr && map->points != m_coloredPoints;
    view.setMap(std::move(map));
    if (otherPoints)
        refreshColoring();
}

void Workbench::noteMissingHeads()
{
    const auto map = m_window.mapView().scatter()->map();
    if (map == nullptr || m_mapRun.active())
        return;
    const std::set<std::int64_t> held(map->points->head.begin(), map->points->head.end());
    const auto heads = m_window.dataPanel().heads();
    const auto missing =
        std::count_if(heads.begin(), heads.end(), [&held](std::int64_t head) { return !held.contains(head); });
    if (missing > 0)
        m_window.showNotice(tr("This map lacks %1 of the chosen %2: run a map to see them.")
                                .arg(missing)
                                .arg(ui::unitsText(map->stage)));
}

void Workbench::findNearest()
{
    const Selection& chosen = m_window.selection().selection();
    if (!chosen.primary || m_source.vectors == nullptr)
        return m_nearestRunner.cancel();
    m_nearestRunner.start<Nearest>(
        [reader = m_cache->reader, vectors = m_source.vectors, full = m_source.full, document = *chosen.primary,
         head = chosen.primaryHead, count = threads()](JobContext& job) -> Result<Nearest> {
            Nearest nearest{{}, {}, full};
            if (head && *head < vectors->heads())
            {
                HEADSCOPE_TRY(nearest.byHead, nearestRows(vectors->head(*head), document, kNearest, count, job));
            }
            if (nearest.full == nullptr)
            {
                HEADSCOPE_TRY(FullPair read,
                              fullVectors(*reader, vectors->layer(), vectors->stage(), std::nullopt, job));
                nearest.full = std::make_shared<const FullVectors>(std::move(read.documents));
            }
            HEADSCOPE_TRY(nearest.byFull, nearestRows(nearest.full->matrix(), document, kNearest, count, job));
            return nearest;
        },
        [this](Result<Nearest> nearest) {
            if (!nearest)
                return m_window.jobStrip().addLog(ui::errorText(nearest.error()));
            m_source.full = nearest->full;
            m_window.inspector().setNearest(std::move(nearest->byHead), std::move(nearest->byFull),
                                            ui::toQString(nearest->full->source));
        });
}

} // namespace headscope::desktop
