// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/views/layers/layers_controller.h"

#include "app/commands/command_line.h"
#include "app/commands/layers_command.h"
#include "app/desktop/shell/copied_command.h"
#include "app/desktop/shell/view_files.h"
#include "app/results/frame_output.h"
#include "app/results/layers_frame.h"
#include "app/results/provenance.h"
#include "app/views/layers/layers_chart.h"
#include "app/views/layers/layers_view.h"
#include "model/base/fields/fields.h"
#include "model/data/head_ranges.h"
#include "ui/words/wording.h"
#include "viz/export/layer_figures.h"

#include <QPixmap>

#include <algorithm>
#include <filesystem>
#include <set>

namespace headscope::desktop
{

QString LayersController::commandLine() const
{
    if (!m_study.cache() || m_view->chart()->picture().measures().empty())
        return {};
    const ui::CacheOverview& overview = *m_study.cache()->overview;
    std::set<Stage> held;
    for (const auto& [layer, stages] : overview.stages)
        held.insert(stages.begin(), stages.end());
    commands::CommandLine<commands::LayersCommand> line;
    commands::InputOptions& input = line.command.input;
    input.cache = overview.path;
    input.stage.clear();
    for (const Stage stage : held)
        input.stage.append(input.stage.empty() ? "" : ",").append(stageName(stage));
    if (std::ssize(m_heads) != overview.model.heads)
        input.heads = formatHeadRanges(m_heads);
    input.documents = documentRows(m_documents);
    if (overview.documents->labels.size() > 1)
        input.label = m_study.labelColumn();
    const LayerOptions& options = m_view->chart()->picture().measures().front()->options;
    line.command.layers = options;
    line.common.seed = options.probe.seed;
    return ui::toQString(line.text());
}

bool LayersController::isDrawnByCommand() const
{
    if (!m_study.cache())
        return false;
    const std::vector<std::string>& labels = m_study.cache()->reader->info().labels;
    const std::string& label = m_study.labelColumn(); // merged and joined ones are in no file of the cache
    return label.empty() || std::ranges::find(labels, label) != labels.end();
}

std::optional<ViewOutput> LayersController::output(const QString& path, const viz::FigureOptions&)
{
    const auto measures = m_view->chart()->picture().measures();
    if (measures.empty())
        return nothing(tr("No layers measured yet."));
    const std::filesystem::path target = ui::toStdString(path);
    if (!isTextTable(target))
        return ViewOutput{viz::figureOfLayers(measures, purityQ(measures), m_study.cache()->overview->model)};
    return ViewOutput{{},
                      [measures, target, cache = m_study.cache()->overview->path, label = m_study.labelColumn(),
                       documents = m_documents] {
                          Provenance provenance;
                          provenance.add("verb", std::string("layers"));
                          provenance.add("cache", std::filesystem::path(cache).filename().string());
                          if (!label.empty())
                              provenance.add("label", label);
                          if (!documents.empty())
                              provenance.add("documents", documentRows(documents));
                          LayerOptions made = measures.front()->options;
                          Fields rows;
                          fields(rows, made);
                          provenance.add(rows, {"neighbors", "permutations", "cka", "seed"});
                          return writeFrameFile(target, sortedLayersFrame(measures), provenance);
                      }};
}

void LayersController::copy()
{
    if (m_view->chart()->picture().measures().empty())
        return m_study.window().showNotice(tr("No layers measured yet."));
    copyView(m_study.window(), sortedLayersFrame(m_view->chart()->picture().measures()),
             m_view->chart()->grab().toImage());
}

} // namespace headscope::desktop
