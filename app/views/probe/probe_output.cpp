// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/views/probe/probe_output.h"

#include "app/commands/command_line.h"
#include "app/commands/probe_command.h"
#include "app/desktop/shell/copied_command.h"
#include "app/results/frame_output.h"
#include "app/results/probe_text.h"
#include "app/results/provenance.h"
#include "model/data/head_ranges.h"
#include "model/data/results/probe_frame.h"
#include "ui/words/wording.h"

#include <algorithm>
#include <map>
#include <set>

namespace headscope::desktop
{
namespace
{

bool anyControl(const std::vector<ui::ProbeRow>& rows)
{
    return std::any_of(rows.begin(), rows.end(), [](const ui::ProbeRow& row) { return row.control != nullptr; });
}

/// What made the probes, as the verb says it.
Provenance provenanceOf(const std::vector<ui::ProbeRow>& rows, const ModelInfo& model, const std::string& cache,
                        const std::vector<std::int64_t>& documents)
{
    Provenance provenance;
    provenance.add("verb", std::string("probe"));
    provenance.add("cache", std::filesystem::path(cache).filename().string());
    if (!model.name.empty())
        provenance.add("model", model.name);
    if (!documents.empty())
        provenance.add("documents", documentRows(documents));
    addProbeOptions(provenance, rows.front().result->options);
    if (rows.size() == 1)
        provenance.setInputHash(rows.front().result->inputHash);
    return provenance;
}

} // namespace

Frame probeRowsFrame(const std::vector<ui::ProbeRow>& rows, bool withBaselines)
{
    std::vector<ProbeResult> results;
    std::vector<std::shared_ptr<const ProbeResult>> controls;
    for (const ui::ProbeRow& row : rows)
    {
        results.push_back(*row.result);
        controls.push_back(row.control);
    }
    if (!anyControl(rows))
        controls.clear();
    return probesFrame(results, controls, withBaselines);
}

Status writeProbeRows(const std::vector<ui::ProbeRow>& rows, const ModelInfo& model, const std::string& cache,
                      const std::vector<std::int64_t>& documents, const std::filesystem::path& target)
{
    return writeFrameFile(target, probeRowsFrame(rows, target.extension() != ".tex"),
                          provenanceOf(rows, model, cache, documents));
}

viz::ProbeFigure probeFigure(const std::vector<ui::ProbeRow>& rows,
                             const std::optional<ui::ProbeTableModel::Place>& shown,
                             const viz::ConfusionStyle& confusion)
{
    viz::ProbeFigure figure;
    for (const ui::ProbeRow& row : rows)
    {
        figure.results.push_back(row.result);
        if (row.control != nullptr)
            figure.controls.push_back(row.control);
        if (shown && row.result->layer == shown->first.value() && row.result->stage == shown->second)
            figure.shown = row.result;
    }
    figure.confusion = confusion;
    return figure;
}

QString probeCommand(const std::vector<ui::ProbeRow>& rows, const QString& cache,
                     const std::vector<std::int64_t>& heads, const std::vector<std::int64_t>& documents,
                     const ui::CacheOverview& overview)
{
    std::map<LayerIndex, std::set<Stage>> places;
    for (const ui::ProbeRow& row : rows)
        if (row.result->layer && row.result->stage)
            places[LayerIndex(*row.result->layer)].insert(*row.result->stage);
    const ProbeOptions& options = rows.front().result->options;
    std::vector<commands::CommandLine<commands::ProbeCommand>> probes;
    const auto add = [&](const std::string& layer, const std::set<Stage>& stages) {
        auto& line = probes.emplace_back();
        commands::InputOptions& input = line.command.input;
        input.cache = ui::toStdString(cache);
        input.layer = layer;
        input.stage.clear();
        for (const Stage stage : stages)
            input.stage.append(input.stage.empty() ? "" : ",").append(stageName(stage));
        if (std::ssize(heads) != overview.model.heads)
            input.heads = formatHeadRanges(heads);
        input.documents = documentRows(documents);
        line.command.probe = options;
        line.command.probe.control = false; // runs of their own, below
        line.common.seed = options.seed;
    };
    const bool all = places.size() > 1 && places.size() == overview.stages.size() &&
                     std::all_of(places.begin(), places.end(),
                                 [&](const auto& each) { return each.second == places.begin()->second; });
    if (all)
        add("all", places.begin()->second);
    else
        for (const auto& [layer, stages] : places)
            add(std::to_string(layer.value()), stages);
    QStringList lines;
    for (const bool control : {false, true})
    {
        if (control && !anyControl(rows))
            continue;
        for (auto& line : probes)
        {
            line.command.probe.control = control;
            lines << ui::toQString(line.text());
        }
    }
    return lines.join(u'\n');
}

} // namespace headscope::desktop
