// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/desktop/heatmap_controller.h"

#include "app/desktop/cards.h"
#include "app/desktop/workflows/make_heatmaps.h"
#include "ui/jobs/job_strip.h"
#include "ui/plots/heatmap_view.h"
#include "ui/plots/heatmap_widget.h"
#include "ui/wording.h"
#include "viz/export/figures.h"

#include <algorithm>
#include <utility>
#include <vector>

namespace headscope::desktop
{

using Heatmaps = std::vector<std::shared_ptr<const Heatmap>>;

HeatmapController::HeatmapController(Study& study, QObject* parent) : Controller(parent), m_study(study), m_save(study)
{
    registerView();
    ui::HeatmapView& view = m_study.window().heatmapView();
    connect(&view, &ui::HeatmapView::optionsChanged, this, &HeatmapController::compute);
    connect(&view, &ui::HeatmapView::emptyActionRequested, this, &HeatmapController::compute);
    connect(&m_study.window(), &ui::MainWindow::viewChanged, this, [this] {
        if (m_stale)
            refresh();
    });
    connect(&m_study, &Study::cacheChanged, this, [this] {
        m_runner.cancel();
        m_study.window().heatmapView().setHeatmaps({}, m_study.cache()->overview->model, 0);
    });
    connect(&m_study, &Study::sourceChanged, this, [this] {
        m_study.window().heatmapView().setHeads(m_study.cache()->overview->model.heads, ui::unitText(m_study.stage()));
        refresh();
    });
    connect(&m_study, &Study::labelsChanged, this, &HeatmapController::refresh);
    connect(&m_save, &SaveJob::saved, this, &Controller::saved);
    view.heatmap()->setCardSource(
        [this](const Heatmap& heatmap, viz::HeatmapCell cell) { return cellCard(heatmap, cell); });
    view.setEmpty(tr("No heatmap yet"),
                  tr("Each cell would be the cosine of one head vector with the vector of its document’s own "
                     "topic. Open a cache with labels and topic vectors."));
}

HeatmapController::~HeatmapController()
{
    m_study.window().heatmapView().heatmap()->setCardSource({});
}

void HeatmapController::registerView()
{
    ui::ViewEntry entry;
    entry.id = ui::View::Heatmap;
    entry.title = tr("Heatmap");
    entry.widget = &m_study.window().heatmapView();
    entry.help = tr("Each cell is the cosine of a head vector with the vector of its document’s own topic; rows are "
                    "the full vector and the heads, columns documents by topic (Figure 6 of the paper).");
    entry.filters = pictureFilters();
    entry.save = [this](const QString& path) { save(path); };
    m_study.window().addView(std::move(entry));
}

void HeatmapController::stop()
{
    m_runner.cancel();
    m_save.stop();
}

void HeatmapController::refresh()
{
    m_stale = true;
    if (m_study.window().view() == ui::View::Heatmap)
        compute();
}

void HeatmapController::compute()
{
    if (!m_study.cache())
        return;
    m_stale = false;
    ui::HeatmapView& view = m_study.window().heatmapView();
    const std::string column = m_study.labelColumn();
    const ui::CacheOverview& overview = *m_study.cache()->overview;
    const bool any =
        std::find(overview.topicColumns.begin(), overview.topicColumns.end(), column) != overview.topicColumns.end();
    if (!any)
    {
        m_runner.cancel();
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
    const LayerIndex layer = m_study.layer();
    HeatmapLabels source{overview.documents, column, column, {}};
    if (const auto merged = m_study.cache()->merged.find(column); merged != m_study.cache()->merged.end())
    {
        source.topicColumn = merged->second.source;
        source.topicRows = merged->second.topicRows;
    }
    m_study.beginJob(QStringLiteral("heatmap"), tr("Computing the heatmap"), m_runner);
    m_runner.start<Heatmaps>(
        [reader = m_study.cache()->reader, layer, stages = overview.stagesOf(layer), source, options = view.options(),
         count = m_study.threads()](JobContext& job) {
            return makeHeatmaps(*reader, layer, stages, source, options, count, job);
        },
        [this, column](Result<Heatmaps> heatmaps) {
            ui::HeatmapView& target = m_study.window().heatmapView();
            const ui::CacheOverview& open = *m_study.cache()->overview;
            if (!heatmaps)
            {
                target.setHeatmaps({}, open.model, 0);
                target.setEmpty(ui::errorHeading(heatmaps.error().code), ui::errorText(heatmaps.error()), {}, true);
                return m_study.window().jobStrip().addLog(ui::errorText(heatmaps.error()));
            }
            const LabelColumn* labels = open.documents->label(column);
            target.setHeatmaps(std::move(*heatmaps), open.model,
                               labels == nullptr ? 0 : static_cast<std::int64_t>(labels->categories.size()));
            Q_EMIT shown(ui::View::Heatmap);
        });
}

ui::HoverContent HeatmapController::cellCard(const Heatmap& heatmap, viz::HeatmapCell cell) const
{
    if (!m_study.cache())
        return {};
    std::optional<std::int64_t> head;
    if (cell.row > 0)
        head = cell.row - 1;
    ui::HoverContent content =
        documentCard(m_study, heatmap.document[static_cast<std::size_t>(cell.column)], head, heatmap.stage);
    if (!head)
        content.title = tr("Full vector");
    content.detail = tr("stage %1 · cosine").arg(ui::toQString(stageName(heatmap.stage)));
    content.value = ui::numberText(static_cast<double>(heatmap.values(cell.row, cell.column)));
    return content;
}

void HeatmapController::save(const QString& path)
{
    std::vector<Heatmap> heatmaps;
    for (const auto& heatmap : m_study.window().heatmapView().heatmap()->heatmaps())
        heatmaps.push_back(*heatmap);
    if (heatmaps.empty())
        return m_study.window().showNotice(tr("There is no heatmap to save yet."));
    viz::FigureOptions options;
    options.overwrite = true; // the file dialog has asked
    options.sizeInches = {6.75, 2.4 * static_cast<double>(heatmaps.size()) + 0.8};
    m_save.start(path, [heatmaps, model = m_study.cache()->overview->model,
                        target = std::filesystem::path(ui::toStdString(path)),
                        options] { return viz::exportHeatmap(heatmaps, model, target, options); });
}

} // namespace headscope::desktop
