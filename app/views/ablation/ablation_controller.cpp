// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/views/ablation/ablation_controller.h"

#include "app/commands/attention/importance_command.h"
#include "app/commands/command_line.h"
#include "app/desktop/shell/copied_command.h"
#include "app/desktop/shell/model_choice.h"
#include "app/results/as_cache.h"
#include "app/views/ablation/ablation_panel.h"
#include "app/views/ablation/ablation_tables.h"
#include "app/views/ablation/ablation_text.h"
#include "app/views/ablation/importance_panel.h"
#include "app/views/ablation/importance_state.h"
#include "app/views/ablation/measure_importance.h"
#include "app/views/ablation/model_texts.h"
#include "app/views/ablation/running_page.h"
#include "app/views/ablation/switch_off.h"
#include "app/views/heads/heads_view.h"
#include "app/views/heatmap/make_heatmaps.h"
#include "model/base/output/output_file.h"
#include "model/data/results/importance_frame.h"
#include "ui/canvas/scatter/moved_overlay.h"
#include "ui/canvas/scatter/scatter_widget.h"
#include "ui/dialogs/dialog_service.h"
#include "ui/jobs/job_strip.h"
#include "ui/settings/settings.h"
#include "ui/words/wording.h"

#include <QAction>
#include <QDir>
#include <QFileInfo>
#include <QTreeView>

#include <algorithm>
#include <filesystem>
#include <utility>

namespace headscope::desktop
{
namespace
{

const QString kMeasureJob = QStringLiteral("importance");
const QString kOffJob = QStringLiteral("switchoff");
const QString kImportanceState = QStringLiteral("importance"); ///< in a work file

} // namespace

AblationController::AblationController(Study& study, ui::HeadsView& heads, ui::ScatterWidget& canvas,
                                       EngineServers& engines, QObject* parent)
    : Controller(parent), m_study(study), m_heads(heads), m_page(*heads.running()), m_canvas(canvas),
      m_engines(engines), m_save(study)
{
    m_overlay = new ui::MovedOverlay(canvas, this);
    addCommand();
    connectPage();
    connectStudy();
    refreshObstacle();
}

void AblationController::addCommand()
{
    QAction* action =
        m_study.window().actions().add({.id = QStringLiteral("actionSwitchOffInModel"),
                                        .text = tr("Ablate in the model…"),
                                        .tip = tr("Run the documents through the model with the highlighted heads "
                                                  "ablated, and compare the vectors with the original ones"),
                                        .place = {ui::MenuId::Heads, 20},
                                        .act = [this] { askSwitchOff(); },
                                        .enabled = [this] { return m_study.cache().has_value(); }});
    m_heads.table()->addAction(action);
    m_heads.table()->setContextMenuPolicy(Qt::ActionsContextMenu);
}

void AblationController::connectPage()
{
    using ui::AblationPanel;
    using ui::ImportancePanel;
    ImportancePanel* importance = m_page.importance();
    connect(importance, &ImportancePanel::runRequested, this, &AblationController::measure);
    connect(importance, &ImportancePanel::obstacleActionRequested, this, &AblationController::chooseModel);
    connect(importance, &ImportancePanel::saveRequested, this, &AblationController::askSaveTable);
    connect(importance, &ImportancePanel::headsClicked, this,
            [this](const std::vector<std::int64_t>& heads) { m_study.window().selection().setLitHeads(heads); });
    AblationPanel* off = m_page.switchOff();
    connect(off, &AblationPanel::runRequested, this, &AblationController::runSwitchOff);
    connect(off, &AblationPanel::obstacleActionRequested, this, &AblationController::chooseModel);
    connect(off, &AblationPanel::forgetRequested, this, &AblationController::forgetResult);
    connect(off, &AblationPanel::columnRequested, this, &AblationController::addColumn);
    connect(off, &AblationPanel::linesToggled, m_overlay, &ui::MovedOverlay::setShown);
    connect(off, &AblationPanel::documentClicked, this,
            [this](DocumentIndex document) { m_study.window().selection().showDocument(document); });
}

void AblationController::connectStudy()
{
    connect(&m_study, &Study::cacheChanged, this, [this] {
        const ui::CacheOverview& overview = *m_study.cache()->overview;
        m_page.importance()->setModel(overview.model, m_study.palette(), overview.documents->count());
        m_page.switchOff()->setModel(overview.model, overview.documents);
        refreshObstacle();
    });
    connect(&m_study, &Study::sourceChanged, this, [this] {
        m_page.importance()->setLayer(m_study.layer().value());
        m_page.switchOff()->setLayer(m_study.layer().value());
        m_offRunner.cancel(); // what it compares with is no longer shown
    });
    connect(&m_study, &Study::labelsChanged, this, &AblationController::showKept);
    connect(&m_study, &Study::paletteChanged, this, [this] { m_page.importance()->setHeadPalette(m_study.palette()); });
    connect(&m_study.window(), &ui::MainWindow::viewChanged, this, &AblationController::refreshObstacle);
    // Cancelled in the strip of jobs: nothing is delivered any more.
    connect(&m_measureRunner, &ui::JobRunner::cancelled, this, [this] {
        m_page.importance()->setBusy(false);
        m_page.importance()->setComparison(std::exchange(m_before, nullptr));
    });
    connect(&m_offRunner, &ui::JobRunner::cancelled, this, [this] { m_page.switchOff()->setBusy(false); });
    ui::SelectionHub& hub = m_study.window().selection();
    connect(&hub, &ui::SelectionHub::hoveredChanged, this, &AblationController::refreshPointed);
    connect(&hub, &ui::SelectionHub::primaryChanged, this, &AblationController::refreshPointed);
}

void AblationController::stop()
{
    m_measureRunner.cancel();
    m_offRunner.cancel();
    m_save.stop();
}

void AblationController::leave()
{
    m_measureRunner.cancel();
    m_offRunner.cancel();
    m_kept = {};
    m_page.importance()->setComparison(nullptr);
    forgetResult();
}

void AblationController::saveState(QJsonObject& state) const
{
    if (!m_study.cache())
        return;
    if (const auto shown = m_page.importance()->comparison())
        state[kImportanceState] = importanceJson(*shown, *m_study.cache()->overview->documents);
    else if (!m_kept.isEmpty())
        state[kImportanceState] = m_kept;
}

void AblationController::restoreState(const QJsonObject& state)
{
    if (!state.contains(kImportanceState))
        return; // of a figure, or of a work without one
    m_kept = state.value(kImportanceState).toObject();
    m_measureRunner.cancel();
    showKept();
}

void AblationController::showKept()
{
    if (m_kept.isEmpty() || !m_study.cache() || m_measureRunner.running())
        return;
    const ui::CacheOverview& overview = *m_study.cache()->overview;
    auto found = importanceOf(m_kept, m_study.origin(), overview.model, *overview.documents);
    if (!found)
        return;
    m_kept = {};
    m_page.importance()->setComparison(std::make_shared<const ImportanceComparison>(std::move(*found)));
}

QString AblationController::commandLine() const
{
    const auto shown = m_page.importance()->comparison();
    if (shown == nullptr || !m_study.cache() || shown->rows.empty() || shown->inModel.players.empty() ||
        modelOfCache(m_study).isEmpty())
        return {};
    const CacheInfo& info = m_study.cache()->reader->info();
    const ImportanceResult& result = shown->inModel;
    const bool matched = result.find(ImportanceMeasure::Match) != nullptr;
    if (matched && std::ranges::find(info.labels, result.label) == info.labels.end())
        return {}; // merged or joined in the window
    commands::CommandLine<commands::ImportanceCommand> line;
    commands::ImportanceCommand& typed = line.command;
    typed.model = ui::toStdString(modelOfCache(m_study));
    typed.inputs = {m_study.cache()->overview->path};
    if (std::ssize(shown->rows) < m_study.cache()->overview->documents->count())
        typed.rows = documentRows(shown->rows);
    typed.layers = std::to_string(result.players.front().layer);
    typed.units = result.groups ? "groups" : "heads";
    typed.ablation = result.ablation;
    typed.label = matched ? result.label : std::string();
    const CacheHeader& header = info.header;
    encodeAsCache(header, typed);
    typed.prompt = header.prompt;
    if (matched)
        typed.topicTemplate = header.topicTemplate;
    line.common.seed = result.seed;
    return ui::toQString(line.text());
}

void AblationController::refreshObstacle()
{
    QString obstacle;
    QString action;
    if (!m_study.cache())
        obstacle = tr("Open a cache first. Its documents are run through the model that made the cache.");
    else
    {
        const OpenedCache& cache = *m_study.cache();
        obstacle = ui::toQString(obstacleToRunning(cache.reader->info().header, *cache.overview->documents));
        if (obstacle.isEmpty() && modelOfCache(m_study).isEmpty())
        {
            obstacle = tr("Ablation needs the model that made the cache (%1).")
                           .arg(cache.overview->model.name.empty() ? tr("name not recorded")
                                                                   : ui::toQString(cache.overview->model.name));
            action = tr("Open model…");
        }
    }
    m_page.importance()->setObstacle(obstacle, action);
    m_page.switchOff()->setObstacle(obstacle, action);
}

void AblationController::chooseModel()
{
    askModelOfCache(m_study, [this](const QString&) { refreshObstacle(); });
}

void AblationController::measure()
{
    const QString model = modelOfCache(m_study);
    if (model.isEmpty() || m_measureRunner.running())
        return;
    const OpenedCache& cache = *m_study.cache();
    ImportanceRequest ask{.model = ui::toStdString(model),
                          .reader = cache.reader,
                          .labels = topicLabels(cache, m_study.labelColumn()),
                          .documents = m_study.window().selection().shownDocuments(),
                          .chosen = m_page.importance()->choices(),
                          .seed = m_study.window().settings().seed(),
                          .threads = m_study.threads()};
    m_before = m_page.importance()->comparison();
    m_page.importance()->setComparison(nullptr);
    m_page.importance()->setBusy(true);
    m_study.beginJob(kMeasureJob, tr("Ablating heads in the model"), m_measureRunner);
    m_study.run<std::shared_ptr<const ImportanceComparison>>(
        m_measureRunner,
        [ask = std::move(ask),
         engine = m_engines.of(model)](JobContext& job) -> Result<std::shared_ptr<const ImportanceComparison>> {
            HEADSCOPE_TRY(auto comparison, measureImportance(*engine, ask, job));
            return std::make_shared<const ImportanceComparison>(std::move(comparison));
        },
        [this](Result<std::shared_ptr<const ImportanceComparison>> comparison) {
            ui::ImportancePanel* panel = m_page.importance();
            panel->setBusy(false);
            m_before.reset();
            if (comparison)
            {
                m_study.noteResult(kMeasureJob,
                                   ui::countText((*comparison)->inModel.documents, tr("document"), tr("documents")));
                m_kept = {};
                panel->setComparison(std::move(*comparison));
                if (ui::JobRow* row = m_study.window().jobStrip().row(kMeasureJob))
                    row->setCommandLine(commandLine());
            }
            else if (comparison.error().code != ErrorCode::Cancelled)
            {
                m_study.report(comparison.error());
                panel->setProblem(ui::errorHeading(comparison.error().code), ui::errorText(comparison.error()));
            }
            Q_EMIT measured();
        });
}

std::vector<std::int64_t> AblationController::headsAtHand() const
{
    if (unitName(m_study.stage()) != "head")
        return {};
    if (const auto& lit = m_study.window().selection().litHeads(); !lit.empty())
        return lit;
    std::vector<std::int64_t> off;
    const std::vector<bool>& kept = m_heads.kept();
    for (std::size_t head = 0; head < kept.size(); ++head)
        if (!kept[head])
            off.push_back(static_cast<std::int64_t>(head));
    if (!off.empty())
        return off;
    return m_study.allHeads() ? std::vector<std::int64_t>() : m_study.heads();
}

void AblationController::askSwitchOff()
{
    const std::vector<std::int64_t> heads = headsAtHand();
    m_study.window().setView(ui::kHeadsView);
    m_heads.setRunningShown(true);
    if (!heads.empty())
        m_page.switchOff()->setHeads(m_study.layer().value(), heads);
    m_page.showSwitchOff();
}

void AblationController::switchOff(LayerIndex layer, const std::vector<std::int64_t>& heads)
{
    m_study.window().setView(ui::kHeadsView);
    m_heads.setRunningShown(true);
    m_page.switchOff()->setHeads(layer.value(), heads);
    m_page.showSwitchOff();
    runSwitchOff();
}

void AblationController::runSwitchOff()
{
    const QString model = modelOfCache(m_study);
    const std::vector<std::int64_t> heads = m_page.switchOff()->heads();
    if (model.isEmpty() || heads.empty() || m_offRunner.running())
        return;
    if (m_study.source().vectors == nullptr)
        return m_study.window().showNotice(tr("Please wait until the vectors are read."));
    SwitchOffAsk ask{.model = ui::toStdString(model),
                     .reader = m_study.cache()->reader,
                     .documents = m_study.window().selection().shownDocuments(),
                     .chosen = m_page.switchOff()->choices(),
                     .heads = heads,
                     .vectors = m_study.source().vectors,
                     .map = m_canvas.map(),
                     .seed = m_study.window().settings().seed(),
                     .threads = m_study.threads()};
    forgetResult();
    m_page.switchOff()->setBusy(true);
    m_study.beginJob(kOffJob, tr("Running the model with ablated heads"), m_offRunner);
    m_study.run<SwitchOffResult>(
        m_offRunner,
        [ask = std::move(ask), engine = m_engines.of(model)](JobContext& job) {
            return desktop::switchOff(*engine, ask, job);
        },
        [this](Result<SwitchOffResult> result) { takeResult(std::move(result)); });
}

void AblationController::takeResult(Result<SwitchOffResult> result)
{
    ui::AblationPanel* panel = m_page.switchOff();
    panel->setBusy(false);
    if (result)
    {
        auto shared = std::make_shared<const SwitchOffResult>(std::move(*result));
        m_study.noteResult(kOffJob, ui::countText(std::ssize(shared->documents), tr("document"), tr("documents")));
        panel->setResult(shared);
        if (panel->result() != nullptr && shared->moved)
            m_overlay->setMoved(std::shared_ptr<const MovedPoints>(shared, &*shared->moved),
                                tr("%1 off").arg(ui::headsOffText(*shared)));
        refreshPointed();
    }
    else if (result.error().code != ErrorCode::Cancelled)
    {
        m_study.report(result.error());
        panel->setProblem(ui::errorHeading(result.error().code), ui::errorText(result.error()));
    }
    Q_EMIT switchedOff();
}

void AblationController::forgetResult()
{
    m_overlay->setMoved(nullptr, {});
    m_page.switchOff()->setResult(nullptr);
}

void AblationController::addColumn()
{
    const auto result = m_page.switchOff()->result();
    if (result == nullptr || !m_study.cache())
        return;
    const std::string name = columnName(*result);
    m_study.setOverview(withCosines(*m_study.cache()->overview, *result, name), m_study.labelColumn());
    m_study.window().showNotice(tr("“%1” is now a number column of the documents. Use it to colour, sort and filter.")
                                    .arg(ui::toQString(name)));
}

void AblationController::askSaveTable()
{
    const auto comparison = m_page.importance()->comparison();
    if (comparison == nullptr)
        return;
    ui::MainWindow& window = m_study.window();
    const QDir folder(window.settings().text(ui::SettingKey::LastFolder));
    window.dialogs().saveFile(
        &window, tr("Save ablation results"), folder.filePath(QStringLiteral("importance.csv")), tr("Table (*.csv)"),
        [this, comparison](const QString& path) {
            m_study.window().settings().setText(ui::SettingKey::LastFolder, QFileInfo(path).absolutePath());
            m_save.start(path, [comparison, target = std::filesystem::path(ui::toStdString(path))] {
                return writeCsvFile(target, importanceCsv(comparison->inModel, CsvTexts::Safe, comparison.get()));
            });
        });
}

void AblationController::refreshPointed()
{
    const Selection& selection = m_study.window().selection().selection();
    const auto document = selection.hovered ? selection.hovered : selection.primary;
    m_page.switchOff()->setPointed(document);
    m_overlay->setMarked(document);
}

} // namespace headscope::desktop
