// SPDX-License-Identifier: GPL-3.0-or-later
// Heatmap, probe and pictures of the workbench.
#include "app/desktop/workbench.h"
#include "app/desktop/workflows/make_heatmaps.h"
#include "app/desktop/workflows/train_probes.h"
#include "ui/jobs/job_strip.h"
#include "ui/models/probe_table_model.h"
#include "ui/panels/data_panel.h"
#include "ui/plots/heatmap_view.h"
#include "ui/plots/heatmap_widget.h"
#include "ui/plots/map_view.h"
#include "ui/plots/probe_view.h"
#include "ui/plots/scatter_widget.h"
#include "ui/settings/settings.h"
#include "ui/wording.h"
#include "viz/export/figures.h"

#include <QFileInfo>

#include <algorithm>
#include <functional>

namespace headscope::desktop
{

void Workbench::makeHeatmap()
{
    if (!m_cache)
        return;
    m_heatmapStale = false;
    ui::HeatmapView& view = m_window.heatmapView();
    const std::string column = m_window.dataPanel().labelColumn();
    const ui::CacheOverview& overview = *m_cache->overview;
    const bool any =
        std::find(overview.topicColumns.begin(), overview.topicColumns.end(), column) != overview.topicColumns.end();
    if (!any)
    {
        m_heatmapRunner.cancel();
        view.setHeatmaps({}, overview.model, 0);
        return view.setEmpty(
            tr("No heatmap without topics"),
            column.empty()
                ? tr("Each cell would be the cosine of one head vector with the vector of its document’s own "
                     "topic. This cache has no labels: extract it again with --label-columns.")
                : tr("Each cell would be the cosine of one head vector with the vector of its document’s own "
                     "topic. This cache holds no topic vectors of “%1”: extract it again with --topics.")
                      .arg(ui::toQString(column)));
    }
    if (view.heatmap()->heatmaps().empty())
        view.setEmpty(tr("Computing the heatmap"), tr("Cosines of every head vector with its topic."));
    const LayerIndex layer = m_window.dataPanel().layer();
    HeatmapLabels source{overview.documents, column, column, {}};
    if (const auto merged = m_cache->merged.find(column); merged != m_cache->merged.end())
    {
        source.topicColumn = merged->second.source;
        source.topicRows = merged->second.topicRows;
    }
    beginJob(QStringLiteral("heatmap"), tr("Computing the heatmap"), m_heatmapRunner);
    m_heatmapRunner.start<std::vector<std::shared_ptr<const Heatmap>>>(
        [reader = m_cache->reader, layer, stages = overview.stagesOf(layer), source, options = view.options(),
         count = threads()](JobContext& job) {
            return makeHeatmaps(*reader, layer, stages, source, options, count, job);
        },
        [this, column](Result<std::vector<std::shared_ptr<const Heatmap>>> heatmaps) {
            ui::HeatmapView& shown = m_window.heatmapView();
            const ModelInfo& model = m_cache->overview->model;
            if (!heatmaps)
            {
                shown.setHeatmaps({}, model, 0);
                shown.setEmpty(ui::errorHeading(heatmaps.error().code), ui::errorText(heatmaps.error()), {}, true);
                return m_window.jobStrip().addLog(ui::errorText(heatmaps.error()));
            }
            const LabelColumn* labels = m_cache->overview->documents->label(column);
            shown.setHeatmaps(std::move(*heatmaps), model,
                              labels == nullptr ? 0 : static_cast<std::int64_t>(labels->categories.size()));
            Q_EMIT heatmapShown();
        });
    refreshStatus();
}

void Workbench::applyLabelMap(const QString& path)
{
    if (!m_cache || m_openRunner.running())
        return;
    const std::string column = m_window.dataPanel().labelColumn();
    beginJob(QStringLiteral("labels"), tr("Merging labels"), m_openRunner);
    m_openRunner.start<MergedOverview>(
        [cache = *m_cache, column, file = std::filesystem::path(ui::toStdString(path))](JobContext&) {
            return mergeColumn(cache, column, file);
        },
        [this](Result<MergedOverview> made) {
            if (!made)
            {
                m_window.jobStrip().addLog(ui::errorText(made.error()));
                return m_window.showNotice(ui::errorText(made.error()));
            }
            m_cache->overview = made->overview;
            m_cache->merged[made->name] = made->column;
            if (!made->notice.empty())
                m_window.jobStrip().addLog(ui::toQString(made->notice));
            m_window.setLabels(made->overview, made->name);
            const auto count = std::ssize(made->overview->documents->label(made->name)->categories);
            m_window.showNotice(tr("Labels merged into %1.").arg(ui::countText(count, tr("topic"), tr("topics"))));
            Q_EMIT labelsMerged();
        });
    refreshStatus();
}

void Workbench::trainProbe()
{
    if (!m_cache || m_probeRunner.running())
        return;
    const LayerIndex layer = m_window.dataPanel().layer();
    ProbeOptions options;
    options.split = m_window.probeView().split();
    options.seed = static_cast<std::uint64_t>(m_window.settings().number(ui::SettingKey::Seed));
    if (m_window.probeView().model()->rowCount() == 0)
        m_window.probeView().setEmpty(tr("Training the probe"),
                                      tr("One probe per stage of layer %1.").arg(layer.value()));
    beginJob(QStringLiteral("probe"), tr("Training the probe"), m_probeRunner);
    m_probeRunner.start<std::vector<std::shared_ptr<const ProbeResult>>>(
        [reader = m_cache->reader, layer, stages = m_cache->overview->stagesOf(layer),
         heads = m_window.dataPanel().heads(), options, count = threads()](JobContext& job) {
            return trainProbes(*reader, layer, stages, heads, options, count, job);
        },
        [this](Result<std::vector<std::shared_ptr<const ProbeResult>>> results) {
            if (results)
            {
                m_window.probeView().setResults(std::move(*results), m_palette);
                return Q_EMIT probeShown();
            }
            m_window.jobStrip().addLog(ui::errorText(results.error()));
            m_window.showNotice(ui::errorText(results.error()));
            m_window.probeView().setEmpty(ui::errorHeading(results.error().code), ui::errorText(results.error()),
                                          tr("Train probe"), true);
        });
    connect(
        &m_probeRunner, &ui::JobRunner::cancelled, this,
        [this] {
            m_window.probeView().setEmpty(tr("No probe yet"), tr("The training was cancelled."), tr("Train probe"));
        },
        Qt::SingleShotConnection);
    refreshStatus();
}

void Workbench::savePicture(const QString& path)
{
    if (!m_cache)
        return;
    const std::filesystem::path target = ui::toStdString(path);
    const ModelInfo model = m_cache->overview->model;
    viz::FigureOptions options;
    options.overwrite = true; // the file dialog has asked
    std::function<Status()> write;
    switch (m_window.view())
    {
    case ui::MainWindow::View::Map:
    {
        const ui::ScatterWidget& scatter = *m_window.mapView().scatter();
        if (scatter.map() == nullptr)
            return m_window.showNotice(tr("There is no map to save yet."));
        viz::MapFigure figure;
        figure.coloring = coloringOf(*scatter.map(), viz::Theme::Light);
        figure.window = scatter.view().visibleData();
        figure.numThreads = threads();
        figure.mode = scatter.mode();
        std::vector<viz::PointState> states(scatter.states().begin(), scatter.states().end());
        write = [map = scatter.map(), model, figure, states, target, options]() mutable {
            figure.states = states;
            return viz::exportMap(*map, model, figure, target, options);
        };
        break;
    }
    case ui::MainWindow::View::Heatmap:
    {
        std::vector<Heatmap> heatmaps;
        for (const auto& heatmap : m_window.heatmapView().heatmap()->heatmaps())
            heatmaps.push_back(*heatmap);
        if (heatmaps.empty())
            return m_window.showNotice(tr("There is no heatmap to save yet."));
        options.sizeInches = {6.75, 2.4 * static_cast<double>(heatmaps.size()) + 0.8};
        write = [heatmaps, model, target, options] { return viz::exportHeatmap(heatmaps, model, target, options); };
        break;
    }
    case ui::MainWindow::View::Probe:
    {
        std::vector<ProbeResult> results;
        for (const auto& result : m_window.probeView().model()->results())
            results.push_back(*result);
        if (results.empty())
            return m_window.showNotice(tr("There is no probe to save yet."));
        write = [results, model, target, options] { return viz::exportProbe(results, model, target, options); };
        break;
    }
    }
    beginJob(QStringLiteral("picture"), tr("Saving %1").arg(QFileInfo(path).fileName()), m_pictureRunner);
    // Figures are drawn with fonts, which Qt keeps on the GUI thread's side; QImage, QPdfWriter and
    // QSvgGenerator may be painted to from any thread (Qt: "Threads and Painting").
    m_pictureRunner.start<bool>(
        [write](JobContext&) -> Result<bool> {
            HEADSCOPE_CHECK(write());
            return true;
        },
        [this, path](const Result<bool>& written) {
            if (!written)
            {
                m_window.jobStrip().addLog(ui::errorText(written.error()));
                return m_window.showNotice(ui::errorText(written.error()));
            }
            m_window.showNotice(tr("Saved %1").arg(path));
            Q_EMIT pictureSaved(path);
        });
}

} // namespace headscope::desktop
