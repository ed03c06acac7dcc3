// SPDX-License-Identifier: GPL-3.0-or-later
// What is measured of the grid, and what leaves it: files, the clipboard, the command line.
#include "app/commands/command_line.h"
#include "app/commands/tsne_command.h"
#include "app/desktop/shell/view_files.h"
#include "app/views/grid/grid_colors.h"
#include "app/views/grid/grid_controller.h"
#include "app/views/grid/grid_view.h"
#include "app/views/grid/map_grid.h"
#include "app/views/grid/set_heads.h"
#include "app/views/map/keep_map.h"
#include "app/views/map/map_output.h"
#include "model/data/head_ranges.h"
#include "model/data/maps/map_state.h"
#include "model/data/result_store.h"
#include "model/io/cache/cache_writer.h"
#include "model/io/results/result_writer.h"
#include "ui/canvas/legend/legend_panel.h"
#include "ui/jobs/job_strip.h"
#include "ui/models/run_list_model.h"
#include "ui/theme/theme.h"
#include "ui/words/wording.h"
#include "viz/grid/grid_contents.h"
#include "viz/grid/grid_figure.h"

#include <QFileInfo>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <utility>

namespace headscope::desktop
{

bool GridController::measurable() const
{
    // The vectors that a stored set was made of are not known for certain.
    return m_view->bar()->choice().kind != ui::GridChoice::Kind::Stored && m_whole != nullptr && !m_run.active() &&
           !m_measure.running() && !m_whole->hash.empty();
}

bool GridController::floorable() const
{
    return measurable() && !hasVerdictTwins(m_whole->maps.front().map);
}

void GridController::measureFloor()
{
    measureBy(floorGrid, tr("Noise floor of the grid"));
}

void GridController::measureBy(Measure measure, const QString& title)
{
    if (m_whole == nullptr || m_run.active() || m_whole->maps.empty())
        return;
    GridRequest wanted = m_plan.request();
    wanted.heads = headsOf(*m_whole);
    m_study.beginJob(QStringLiteral("gridMeasure"), title, m_measure);
    m_study.run<HeadMapSet>(
        m_measure, [measure, wanted, whole = m_whole](JobContext& job) { return measure(wanted, *whole, job); },
        [this, key = m_plan.key(), whole = m_whole](Result<HeadMapSet> measured) {
            if (!measured)
                return m_study.report(measured.error());
            if (const auto known = m_sets.find(key); known == m_sets.end() || known->second != whole)
                return; // of maps that are gone
            m_sets[key] = std::make_shared<const HeadMapSet>(std::move(*measured));
            Q_EMIT workChanged();
            if (key == m_plan.key())
                showChoice();
        });
    refreshMeasurable();
}

std::optional<ViewOutput> GridController::output(const QString& path, const viz::FigureOptions&)
{
    const auto made = set();
    if (made == nullptr)
        return nothing(tr("There is no grid to save yet."));
    const auto target = std::filesystem::path(ui::toStdString(path));
    const QString ending = QFileInfo(path).suffix().toLower();
    if (ending == QStringLiteral("csv"))
        return ViewOutput{{}, [made, target, documents = m_study.cache()->overview->documents] {
                              return writeMapSetCsv(target, *made, documents.get());
                          }};
    if (ending == QStringLiteral("h5"))
        return ViewOutput{{}, [whole = m_whole, target] {
                              JobContext job;
                              return writeMapSetFile(target, *whole, job);
                          }};
    if (m_view->openedCell())
        return ViewOutput{canvasFigure(m_study, *m_view->full())};
    const ui::MapGrid& grid = *m_view->grid();
    viz::GridFigure figure;
    GridColors::Coloring colors = m_colors->coloring(ui::Theme::instance().paperTheme());
    figure.coloring = std::move(colors.documents);
    figure.mapColorings = std::move(colors.maps);
    figure.mapLegend = std::move(colors.legend);
    figure.states = grid.points().states();
    figure.faded = m_view->legend()->faded();
    figure.primary = m_study.window().selection().selection().primary;
    figure.numThreads = m_study.threads();
    for (std::size_t cell = 0; grid.moved() && cell < grid.contents().cells.size(); ++cell)
    {
        const viz::ViewTransform& fit = grid.fittedView(cell);
        figure.windows.push_back({grid.view(cell).scale() / fit.scale(),
                                  (grid.view(cell).centre() - fit.centre()) * (fit.scale() / fit.viewSize().width())});
    }
    return ViewOutput{viz::figureOfGrid(made, m_study.cache()->overview->model, std::move(figure))};
}

void GridController::copy()
{
    if (set() == nullptr)
        return m_study.window().showNotice(tr("There is no grid to copy yet."));
    if (m_view->openedCell())
        copyPictureOf(*m_view);
    else
        copyPictureOf(*m_view->grid());
    m_study.window().showNotice(tr("Copied the grid as an image"));
}

void GridController::store()
{
    if (m_whole == nullptr || !m_study.cache() || m_run.active() || m_store.running())
        return;
    if (const QString path = ui::toQString(m_study.cache()->overview->path); m_study.window().isDemo(path))
        return m_study.window().showNotice(
            tr("The bundled demo is read-only. Open a copy of %1 to store maps in it.").arg(path));
    const CacheInfo& info = m_study.cache()->reader->info();
    const auto taken = [&info](const std::string& name) {
        return std::ranges::find(info.maps, name) != info.maps.end() ||
               std::ranges::find(info.mapSets, name) != info.mapSets.end();
    };
    auto named = std::make_shared<HeadMapSet>(*m_whole);
    const QString key = m_plan.key();
    named->name = ui::toStdString(key);
    for (int next = 2; taken(named->name); ++next)
        named->name = ui::toStdString(tr("%1 (%2)").arg(key).arg(next));
    m_study.beginJob(QStringLiteral("gridStore"), tr("Storing the maps of the grid"), m_store);
    m_store.start<std::shared_ptr<CacheReader>>(
        [cache = m_study.cache()->reader, named](JobContext& job) { return storeMapSet(*cache, *named, false, job); },
        [this, named, whole = m_whole,
         path = m_study.cache()->reader->path()](Result<std::shared_ptr<CacheReader>> reader) {
            if (!reader)
            {
                m_study.report(reader.error());
            }
            else
            {
                m_study.setReader(std::move(*reader));
                m_stored.insert(whole);
                Q_EMIT workChanged();
                refreshChoices();
                QString text = tr("Stored “%1” in %2")
                                   .arg(ui::toQString(named->name), QFileInfo(ui::toQString(path.string())).fileName());
                if (wasStopped(*named))
                    text += QStringLiteral(", ") % ui::iterationsText(named->maps.front().map);
                m_study.window().jobStrip().addLog(text);
                m_study.window().showNotice(text);
            }
            refreshMeasurable();
        });
    refreshMeasurable();
}

QString GridController::lossOfStopping() const
{
    if (!m_run.active())
        return {};
    return tr("The maps of the grid will be saved as they are now. This run cannot be continued later.");
}

void GridController::addWork(ResultStore& work) const
{
    for (const auto& [key, set] : m_sets)
    {
        const bool begun = std::ranges::any_of(set->maps, [](const MapOfSet& each) { return each.map.iteration > 0; });
        if (begun && !m_stored.contains(set) && !key.startsWith(kStoredKey))
            work.grids.push_back({ui::toStdString(key), set});
    }
}

void GridController::forgetWork()
{
    if (m_run.active())
        return;
    std::erase_if(m_sets, [](const auto& entry) { return !entry.first.startsWith(kStoredKey); });
    if (m_whole == nullptr || m_sets.contains(m_plan.key()))
        return;
    showSet(nullptr);
    describeEmpty();
}

QString GridController::storedName() const
{
    const ui::GridChoice choice = m_view->bar()->choice();
    return choice.kind == ui::GridChoice::Kind::Stored ? choice.stored : QString();
}

QString GridController::commandLine() const
{
    const bool begun = m_run.active() && m_runKey == m_plan.key(); // no map of it has come yet
    if (!m_study.cache() || !storedName().isEmpty() || (m_whole == nullptr && !begun))
        return {};
    const GridRequest wanted = m_plan.request();
    const TsneOptions& options = m_whole != nullptr ? m_whole->maps.front().map.options : wanted.options;
    commands::CommandLine<commands::TsneCommand> line;
    commands::InputOptions& input = line.command.input;
    input.cache = m_study.cache()->overview->path;
    input.layer.clear();
    for (const LayerIndex layer : wanted.layers)
        input.layer += fmt::format("{}{}", input.layer.empty() ? "" : ",", layer.value());
    input.stage.clear();
    for (const Stage stage : wanted.stages)
        input.stage.append(input.stage.empty() ? "" : ",").append(stageName(stage));
    input.heads = formatHeadRanges(m_whole != nullptr ? headsOf(*m_whole) : wanted.heads);
    line.command.setOptions(options);
    line.command.aligned = true;
    line.command.output = kFile;
    line.common.seed = options.seed;
    return ui::toQString(line.text());
}

} // namespace headscope::desktop
