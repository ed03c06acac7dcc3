// SPDX-License-Identifier: GPL-3.0-or-later
// What the heads tab gives out: the table, the mask, the line of the shell.
#include "app/commands/command_line.h"
#include "app/commands/heads_command.h"
#include "app/desktop/heads/heads_controller.h"
#include "app/desktop/shell/command_line.h"
#include "app/desktop/shell/view_files.h"
#include "app/desktop/shell/view_parts.h"
#include "app/results/heads_table.h"
#include "app/results/result_table.h"
#include "model/base/output/output_file.h"
#include "model/io/results/mask_file.h"
#include "ui/dialogs/dialog_service.h"
#include "ui/dialogs/replace_question.h"
#include "ui/settings/settings.h"
#include "ui/views/heads/heads_view.h"
#include "ui/views/heads/likeness_panel.h"
#include "ui/words/wording.h"

#include <QDir>
#include <QFileInfo>

#include <filesystem>
#include <limits>
#include <utility>

namespace headscope::desktop
{
namespace
{

/// The table as `headscope heads -o` writes it, of the heads that are chosen.
results::ResultTable tableOf(const HeadReport& report, const ModelInfo& model, const std::vector<std::int64_t>& heads)
{
    return results::headsTable(
        {report.stage, report.statistics, report.answers ? &*report.answers : nullptr, report.topTopic}, model, heads);
}

/// All pairs of the heads that are chosen, the most alike first.
results::ResultTable pairsOf(const HeadReport& report, const std::vector<std::int64_t>& heads)
{
    const std::string unit(unitName(report.stage));
    results::ResultTable table({"rank", unit, "other " + unit, "cka", "mean cosine", "neighbor overlap"});
    std::int64_t rank = 0;
    for (const ui::LikePair& pair : ui::likePairs(*report.redundancy, heads))
        table.add({++rank, shownNumber(HeadIndex(pair.first)), shownNumber(HeadIndex(pair.second)), pair.cka,
                   pair.meanCosine, pair.neighborOverlap});
    return table;
}

/// The greedy order, step by step; a segment saves nothing.
results::ResultTable orderOf(const std::vector<PruningStep>& steps, Stage stage, bool groups)
{
    const bool saves = unitName(stage) == "head";
    results::ResultTable table({"step", groups ? std::string("group") : std::string(unitName(stage)), "match5",
                                "change", "parameters saved", "kv bytes saved"});
    for (std::size_t at = 1; at < steps.size(); ++at)
    {
        const PruningStep& step = steps[at];
        const auto saved = [saves](std::int64_t count) {
            return saves ? results::ResultTable::Cell(count) : results::ResultTable::Cell(std::string());
        };
        table.add({static_cast<std::int64_t>(at), step.unit + 1, step.value, step.value - steps.front().value,
                   saved(step.parametersSaved), saved(step.kvBytesSaved)});
    }
    return table;
}

/// "heads.csv" and "pairs": "heads-pairs.csv" in the same folder.
std::filesystem::path besides(const std::filesystem::path& target, const char* what)
{
    return target.parent_path() / (target.stem().string() + "-" + what + target.extension().string());
}

} // namespace

void HeadsController::saveTables(const QString& path)
{
    std::vector<std::pair<std::filesystem::path, results::ResultTable>> tables;
    const std::filesystem::path target = ui::toStdString(path);
    const auto report = m_view->report();
    tables.emplace_back(target, tableOf(*report, m_study.cache()->overview->model, m_study.heads()));
    if (report->redundancy && m_study.heads().size() > 1)
        tables.emplace_back(besides(target, "pairs"), pairsOf(*report, m_study.heads()));
    if (m_order.size() > 1)
        tables.emplace_back(besides(target, "order"), orderOf(m_order, report->stage, m_view->byGroups()));
    // The file dialog has asked about the first alone.
    QStringList others;
    for (std::size_t i = 1; i < tables.size(); ++i)
        others << ui::toQString(tables[i].first.string());
    ui::MainWindow& window = m_study.window();
    ui::askToReplace(window.dialogs(), &window, others, [this, path, tables = std::move(tables)] {
        m_save.start(path, [tables]() -> Status {
            for (const auto& [file, table] : tables)
                HEADSCOPE_CHECK(writeFileAtomically(file, table.csv()));
            return {};
        });
    });
}

void HeadsController::askSaveMask()
{
    ui::MainWindow& window = m_study.window();
    const QDir folder(window.settings().text(ui::SettingKey::LastFolder));
    window.dialogs().saveFile(
        &window, tr("Save the %1 that are on").arg(ui::unitsText(m_study.stage())),
        folder.filePath(QStringLiteral("mask.json")), tr("Head mask (*.json)"), [this](const QString& path) {
            m_study.window().settings().setText(ui::SettingKey::LastFolder, QFileInfo(path).absolutePath());
            HeadMask mask;
            mask.heads = std::ssize(m_kept);
            for (std::int64_t head = 0; head < mask.heads; ++head)
                if (m_kept[static_cast<std::size_t>(head)])
                    mask.kept.push_back(head);
            mask.layer = m_study.layer().value();
            mask.stage = stageName(m_study.stage());
            mask.units = "heads";
            mask.measure = "match5";
            if (m_view->mask())
            {
                mask.value = m_view->mask()->match[1];
                mask.baseline = m_view->mask()->matchAll[1];
            }
            m_save.start(path, [mask, target = std::filesystem::path(ui::toStdString(path))] {
                return writeHeadMask(target, mask);
            });
        });
}

QString HeadsController::commandLine() const
{
    if (!m_study.cache() || m_view->report() == nullptr)
        return {};
    commands::CommandLine<commands::HeadsCommand> line;
    commands::InputOptions& input = line.command.input;
    input.cache = m_study.cache()->overview->path;
    input.layer = std::to_string(m_study.layer().value());
    input.stage = stageName(m_study.stage());
    input.heads = chosenHeads(m_study);
    if (const std::string label = m_study.labelColumn(); !label.empty() && !m_study.cache()->merged.contains(label))
        input.label = label;
    input.documents = documentRows(documentsLookedAt());
    return ui::toQString(line.text());
}

void HeadsController::save(const QString& path)
{
    const auto report = m_view->report();
    if (report == nullptr)
        return m_study.window().showNotice(tr("There is nothing to save yet."));
    if (path.endsWith(QStringLiteral(".csv")))
        return saveTables(path);
    const viz::FigureOptions options = figureOptions(m_study);
    savePartsView(m_save, path, headsParts(*m_view, viz::contentWidth(options)), options, commandLine(),
                  [report, model = m_study.cache()->overview->model, heads = m_study.heads()] {
                      return tableOf(*report, model, heads);
                  });
}

void HeadsController::copy()
{
    const auto report = m_view->report();
    if (report == nullptr)
        return m_study.window().showNotice(tr("There is nothing to copy yet."));
    copyView(m_study.window(), tableOf(*report, m_study.cache()->overview->model, m_study.heads()),
             m_view->content()->grab().toImage());
}

} // namespace headscope::desktop
