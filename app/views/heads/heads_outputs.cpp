// SPDX-License-Identifier: GPL-3.0-or-later
// The order in which heads go, and what the heads tab gives out: the tables, the mask, the line of the shell.
#include "app/commands/command_line.h"
#include "app/commands/heads_command.h"
#include "app/desktop/shell/copied_command.h"
#include "app/desktop/shell/view_files.h"
#include "app/desktop/shell/view_parts.h"
#include "app/views/heads/heads_controller.h"
#include "app/views/heads/heads_view.h"
#include "app/views/heads/likeness_panel.h"
#include "model/analysis/heads/pruning.h"
#include "model/base/output/output_file.h"
#include "model/data/frame/frame_text.h"
#include "model/data/results/head_pairs.h"
#include "model/data/results/heads_frame.h"
#include "model/data/results/prune_frame.h"
#include "model/io/results/mask_file.h"
#include "ui/dialogs/dialog_service.h"
#include "ui/dialogs/replace_question.h"
#include "ui/settings/settings.h"
#include "ui/words/wording.h"

#include <fmt/format.h>

#include <QDir>
#include <QFileInfo>

#include <filesystem>
#include <utility>

namespace headscope::desktop
{
namespace
{

/// The table as `headscope heads -o` writes it, of the heads that are chosen.
Frame tableOf(const HeadReport& report, const ModelInfo& model, const std::vector<std::int64_t>& heads)
{
    return headsFrame(headRowsOf(report), model, heads);
}

std::string unitOf(Stage stage, bool groups)
{
    return groups ? std::string("group") : std::string(unitName(stage));
}

/// "heads.csv" and "pairs": "heads-pairs.csv" in the same folder.
std::filesystem::path besides(const std::filesystem::path& target, const char* what)
{
    return target.parent_path() / (target.stem().string() + "-" + what + target.extension().string());
}

} // namespace

std::uint64_t HeadsController::seed() const
{
    return m_study.window().settings().seed();
}

void HeadsController::order()
{
    m_orderRunner.cancel();
    m_judgeRunner.cancel();
    m_findings = {};
    m_view->setCurve({}, m_view->byGroups());
    if (m_part == nullptr || m_part->match == nullptr)
        return;
    const bool groups = m_view->byGroups();
    m_study.beginJob(QStringLiteral("headorder"), tr("Finding the greedy removal order"), m_orderRunner);
    m_study.run<PruningFindings>(
        m_orderRunner,
        [base = m_part, model = m_study.cache()->overview->model, groups,
         count = m_study.threads()](JobContext& job) -> Result<PruningFindings> {
            PruningFindings findings;
            findings.matchAt = base->match->k();
            HEADSCOPE_TRY(findings.steps,
                          backwardElimination(*base->match, model, groups ? PruningUnit::Groups : PruningUnit::Heads,
                                              count, job));
            if (!base->match->isCertain())
                markFront(findings.steps);
            return findings;
        },
        [this, groups](Result<PruningFindings> findings) {
            if (!findings)
                return m_study.report(findings.error());
            m_findings = std::move(*findings);
            m_view->setCurve(m_findings, groups);
            measure();
            judge();
        });
}

void HeadsController::judge()
{
    const bool groups = m_view->byGroups();
    m_study.beginJob(QStringLiteral("headhalves"), tr("Evaluating the order on held-out documents"), m_judgeRunner);
    m_study.run<PruningFindings>(
        m_judgeRunner,
        [base = m_part, findings = m_findings, model = m_study.cache()->overview->model, groups, seed = seed(),
         count = m_study.threads()](JobContext& job) {
            return judgeOrder(*base, findings, model, groups, seed, count, job);
        },
        [this, groups](Result<PruningFindings> findings) {
            if (!findings)
                return m_study.report(findings.error());
            m_findings = std::move(*findings);
            m_view->setCurve(m_findings, groups);
            measure(); // rings the step that is on
        });
}

void HeadsController::takeStep(std::int64_t off)
{
    Kept kept(m_kept.size(), true);
    const std::int64_t size = m_view->byGroups() ? m_study.cache()->overview->model.groupSize() : 1;
    for (std::int64_t step = 1; step <= off && step < std::ssize(m_findings.steps); ++step)
        for (std::int64_t member = 0; member < size; ++member)
            kept[static_cast<std::size_t>(m_findings.steps[static_cast<std::size_t>(step)].unit * size + member)] =
                false;
    setKept(std::move(kept));
}

ViewOutput HeadsController::tables(const QString& path) const
{
    std::vector<std::pair<std::filesystem::path, Frame>> tables;
    const std::filesystem::path target = ui::toStdString(path);
    const auto report = m_view->report();
    tables.emplace_back(target, tableOf(*report, m_study.cache()->overview->model, m_study.heads()));
    if (report->redundancy && m_study.heads().size() > 1)
        tables.emplace_back(besides(target, "pairs"),
                            headPairsFrame(likePairs(*report->redundancy, m_study.heads()), unitName(report->stage)));
    const std::string unit = unitOf(report->stage, m_view->byGroups());
    if (m_findings.steps.size() > 1)
        tables.emplace_back(besides(target, "order"), orderFrame(m_findings, unit));
    if (!m_findings.differences.empty())
        tables.emplace_back(besides(target, "alone"), aloneFrame(m_findings, unit));
    ViewOutput output;
    for (std::size_t i = 1; i < tables.size(); ++i)
        output.others << ui::toQString(tables[i].first.string());
    output.file = [tables = std::move(tables)]() -> Status {
        for (const auto& [file, table] : tables)
            HEADSCOPE_CHECK(writeCsvFile(file, frameCsv(table)));
        return {};
    };
    return output;
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
            const auto& effects = m_view->mask();
            const std::size_t at = effects ? effects->orderingMatch() : 0;
            mask.measure = fmt::format("match{}", MaskEffects::kMatchAt[at]);
            if (effects)
            {
                mask.value = effects->match[at];
                mask.baseline = effects->matchAll[at];
            }
            m_save.start(path, [mask, target = std::filesystem::path(ui::toStdString(path))] {
                return writeHeadMask(target, mask);
            });
        });
}

QString HeadsController::commandLine() const
{
    return m_view->isRunningShown() ? (m_runningLine ? m_runningLine() : QString()) : describingLine();
}

QString HeadsController::describingLine() const
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
    if (const auto& answers = m_view->report()->answers)
        line.common.seed = answers->options.seed;
    return ui::toQString(line.text());
}

std::optional<ViewOutput> HeadsController::output(const QString& path, const viz::FigureOptions& paper)
{
    const auto report = m_view->report();
    if (report == nullptr)
        return nothing(tr("There is nothing to save yet."));
    if (path.endsWith(QStringLiteral(".csv")))
        return tables(path);
    return partsOutput(path, headsParts(*m_view, viz::contentWidth(paper)), describingLine(),
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
