// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/desktop/probe_output.h"

#include "app/cli/probe_table.h"
#include "app/cli/provenance.h"
#include "app/desktop/command_line.h"
#include "model/data/head_ranges.h"
#include "ui/wording.h"
#include "viz/export/layer_figures.h"

#include <algorithm>
#include <map>
#include <set>

namespace headscope::desktop
{
namespace
{

bool isTable(const std::filesystem::path& target)
{
    const auto ending = target.extension();
    return ending == ".csv" || ending == ".tex";
}

bool anyControl(const std::vector<ui::ProbeRow>& rows)
{
    return std::any_of(rows.begin(), rows.end(), [](const ui::ProbeRow& row) { return row.control != nullptr; });
}

/// What made the probes, as the verb says it.
cli::Provenance provenanceOf(const std::vector<ui::ProbeRow>& rows, const ModelInfo& model, const std::string& cache,
                             const std::vector<std::int64_t>& documents)
{
    const ProbeOptions& options = rows.front().result->options;
    cli::Provenance provenance;
    provenance.add("verb", std::string("probe"));
    provenance.add("cache", std::filesystem::path(cache).filename().string());
    if (!model.name.empty())
        provenance.add("model", model.name);
    if (!documents.empty())
        provenance.add("documents", ui::toStdString(documentRows(documents)));
    provenance.add("c", options.c);
    provenance.add("split", std::string(options.split == ProbeSplit::Rows ? "rows" : "documents"));
    provenance.add("test", options.testShare);
    provenance.add("seed", static_cast<std::int64_t>(options.seed));
    if (rows.size() == 1)
        provenance.setInputHash(rows.front().result->inputHash);
    return provenance;
}

} // namespace

cli::ResultTable probeRowsTable(const std::vector<ui::ProbeRow>& rows)
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
    return cli::probeTable(results, controls);
}

Status writeProbeRows(const std::vector<ui::ProbeRow>& rows, const std::optional<ui::ProbeTableModel::Place>& shown,
                      const ModelInfo& model, const std::string& cache, const std::vector<std::int64_t>& documents,
                      const viz::ConfusionStyle& confusion, const viz::FigureOptions& options,
                      const std::filesystem::path& target)
{
    if (isTable(target))
        return probeRowsTable(rows).write(target, "probe", provenanceOf(rows, model, cache, documents));
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
    return viz::exportProbes(figure, model, target, options);
}

QString probeCommand(const std::vector<ui::ProbeRow>& rows, const QString& cache,
                     const std::vector<std::int64_t>& heads, const std::vector<std::int64_t>& documents,
                     const ui::CacheOverview& overview)
{
    std::map<LayerIndex, std::set<Stage>> places;
    for (const ui::ProbeRow& row : rows)
        if (row.result->layer && row.result->stage)
            places[LayerIndex(*row.result->layer)].insert(*row.result->stage);
    const auto stagesText = [](const std::set<Stage>& stages) {
        QStringList names;
        for (const Stage stage : stages)
            names << ui::toQString(stageName(stage));
        return names.join(u',');
    };
    const ProbeOptions& options = rows.front().result->options;
    QStringList common;
    if (std::ssize(heads) != overview.model.heads)
        common << QStringLiteral("--heads") << ui::toQString(formatHeadRanges(heads));
    if (!documents.empty())
        common << QStringLiteral("--documents") << documentRows(documents);
    if (options.c != 1)
        common << QStringLiteral("--c") << QString::number(options.c, 'g', 12);
    if (options.testShare != ProbeOptions().testShare)
        common << QStringLiteral("--test") << QString::number(options.testShare, 'g', 6);
    if (options.split == ProbeSplit::Rows)
        common << QStringLiteral("--split") << QStringLiteral("rows");
    if (options.seed != 1)
        common << QStringLiteral("--seed") << QString::number(options.seed);

    QList<QStringList> commands;
    const auto add = [&](const QString& layer, const std::set<Stage>& stages) {
        commands << QStringList{QStringLiteral("probe"),   cache,
                                QStringLiteral("--layer"), layer,
                                QStringLiteral("--stage"), stagesText(stages)} +
                        common;
    };
    const bool all = places.size() > 1 && places.size() == overview.stages.size() &&
                     std::all_of(places.begin(), places.end(),
                                 [&](const auto& each) { return each.second == places.begin()->second; });
    if (all)
        add(QStringLiteral("all"), places.begin()->second);
    else
        for (const auto& [layer, stages] : places)
            add(QString::number(layer.value()), stages);
    QStringList lines;
    for (const QStringList& words : commands)
        lines << desktop::commandLine(words);
    if (anyControl(rows))
        for (const QStringList& words : commands)
            lines << desktop::commandLine(words + QStringList{QStringLiteral("--control")});
    return lines.join(u'\n');
}

} // namespace headscope::desktop
