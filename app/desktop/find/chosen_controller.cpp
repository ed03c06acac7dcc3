// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/desktop/find/chosen_controller.h"

#include "app/desktop/find/chosen_csv.h"
#include "app/desktop/find/keep_choice.h"
#include "app/views/map/map_view.h"
#include "model/base/output/output_file.h"
#include "ui/canvas/scatter/scatter_widget.h"
#include "ui/dialogs/dialog_service.h"
#include "ui/dialogs/replace_question.h"
#include "ui/models/chosen_bars_model.h"
#include "ui/models/chosen_model.h"
#include "ui/panels/chosen/chosen_panel.h"
#include "ui/settings/settings.h"
#include "ui/window/side_panels.h"
#include "ui/words/wording.h"

#include <QAction>
#include <QDir>
#include <QFileInfo>
#include <QMenu>
#include <QTableView>

#include <algorithm>
#include <utility>

namespace headscope::desktop
{
namespace
{

const QString kPanelId = QStringLiteral("chosen");

/// A choice counted, and its rows in the order that was asked for.
struct Counted
{
    std::shared_ptr<const ui::ChosenTable> table;
    std::vector<std::int64_t> rows;
};

} // namespace

ChosenController::ChosenController(Study& study, ui::MapView& map, QObject* parent)
    : Controller(parent), m_study(study), m_map(map), m_save(study)
{
    ui::MainWindow& window = m_study.window();
    m_panel = new ui::ChosenPanel(&window);
    window.addSidePanel(kPanelId, tr("Selected"), m_panel);
    window.actions().add({.id = QStringLiteral("actionChosen"),
                          .text = tr("List selection"),
                          .tip = tr("Show the selected documents with their labels and heads in the side panel"),
                          .keys = QKeySequence(QStringLiteral("Ctrl+Shift+L")),
                          .place = {ui::MenuId::Edit, 40},
                          .act = [this] { showPage(); }});
    addTools();
    connectPanel();
    connectStudy();
    connect(&m_save, &SaveJob::saved, this, &Controller::saved);
    refresh();
}

void ChosenController::connectPanel()
{
    connect(m_panel, &ui::ChosenPanel::orderChanged, this, &ChosenController::arrange);
    connect(m_panel, &ui::ChosenPanel::barClicked, this, &ChosenController::filterByBar);
    connect(m_panel, &ui::ChosenPanel::keepRequested, this, &ChosenController::keep);
    connect(m_panel, &ui::ChosenPanel::saveRequested, this, &ChosenController::askSave);
    connect(m_panel, &ui::ChosenPanel::showOnlyRequested, this, [this] {
        hub().showOnly({{}, hub().selection().documents});
    });
    const auto headOf = [this](DocumentIndex document) -> std::optional<HeadIndex> {
        const auto& points = hub().selection().points;
        if (points == nullptr)
            return hub().selection().primaryHead;
        const auto& documents = points->documents();
        const auto found = std::ranges::lower_bound(documents, document.value());
        if (found == documents.end() || *found != document.value())
            return std::nullopt;
        return HeadIndex(points->headsOf(static_cast<std::size_t>(found - documents.begin())).front());
    };
    connect(m_panel, &ui::ChosenPanel::documentClicked, this,
            [this, headOf](DocumentIndex document) { hub().setPrimary(document, headOf(document)); });
    connect(m_panel, &ui::ChosenPanel::documentOpened, this,
            [this, headOf](DocumentIndex document) { hub().showDocument(document, headOf(document)); });
    connect(m_panel, &ui::ChosenPanel::lassoRequested, this, [this] { takeTool(ui::ScatterTool::Lasso); });
}

void ChosenController::addTools()
{
    using Tool = ui::ScatterTool;
    const auto add = [this](const char* id, const QString& text, const QString& tip, Tool tool) {
        m_study.window().actions().add({.id = QLatin1StringView(id),
                                        .text = text,
                                        .tip = tip,
                                        .place = {ui::MenuId::Edit, 20},
                                        .act = [this, tool] { takeTool(tool); },
                                        .enabled = [this] { return m_study.cache().has_value(); }});
    };
    add("actionLasso", tr("Select with lasso"), tr("Go to the map and draw around points (L on the map)"), Tool::Lasso);
    add("actionRectangle", tr("Select in rectangle"), tr("Go to the map and drag a rectangle (R on the map)"),
        Tool::Rectangle);
    add("actionBrush", tr("Select with brush"), tr("Go to the map and brush over points (B on the map)"), Tool::Brush);
}

void ChosenController::takeTool(ui::ScatterTool tool)
{
    m_study.window().setView(ui::kMapView);
    scatter().setTool(tool);
    scatter().setFocus();
}

void ChosenController::connectStudy()
{
    ui::SidePanels& side = m_study.window().sidePanels();
    connect(m_panel, &ui::ChosenPanel::shown, this, [this] {
        if (m_stale)
            count();
    });
    connect(&hub(), &ui::SelectionHub::pickedInView, this, [this, &side] {
        // What a gesture has caught is listed where a single document stood; Find and runs keep their place.
        if (!hub().selection().documents.empty() && side.currentPage() == QStringLiteral("document"))
            side.showPage(kPanelId);
    });
    connect(&hub(), &ui::SelectionHub::documentsChanged, this, &ChosenController::refresh);
    connect(&hub(), &ui::SelectionHub::primaryChanged, this,
            [this] { m_panel->setPrimary(hub().selection().primary); });
    connect(&m_study, &Study::cacheChanged, this, &ChosenController::refresh);
    connect(&m_study, &Study::labelsChanged, this, &ChosenController::refresh);
    connect(&m_study, &Study::headsChanged, this, &ChosenController::refresh);
    connect(&m_study, &Study::sourceChanged, this, &ChosenController::refresh);
    connect(&m_study, &Study::paletteChanged, this, [this] { m_panel->setHeadPalette(m_study.palette()); });
    connect(&scatter(), &ui::ScatterWidget::mapChanged, this, [this](bool samePoints) {
        if (!samePoints)
            refresh();
    });
}

void ChosenController::stop()
{
    m_runner.cancel();
    m_orderRunner.cancel();
    m_barRunner.cancel();
    m_save.stop();
}

ui::ScatterWidget& ChosenController::scatter() const
{
    return *m_map.scatter();
}

void ChosenController::showPage()
{
    m_study.window().showSidePanel(kPanelId);
    if (m_panel->isEmptyShown())
        return;
    m_panel->table()->setFocus(Qt::ShortcutFocusReason);
}

void ChosenController::refresh()
{
    m_runner.cancel();
    m_orderRunner.cancel();
    m_barRunner.cancel();
    const Selection& chosen = hub().selection();
    const std::int64_t all = m_study.cache() ? m_study.cache()->overview->documents->count() : 0;
    m_panel->setCounts(m_study.cache() ? std::ssize(chosen.documents) : 0, all,
                       chosen.points ? std::optional(chosen.points->count()) : std::nullopt);
    m_panel->setFreeName(hub().sets().freeName());
    m_stale = true;
    // Rows of before must not be clicked for those of now.
    if (!m_study.cache() || chosen.documents.empty() || !m_panel->isVisible())
        m_panel->setTable(nullptr, {});
    if (m_panel->isVisible())
        count();
}

ChosenQuestion ChosenController::question() const
{
    const ui::CacheOverview& overview = *m_study.cache()->overview;
    const Selection& chosen = hub().selection();
    ChosenQuestion question;
    question.documents = overview.documents;
    question.chosen = chosen.documents;
    question.points = chosen.points;
    const auto map = scatter().map();
    if (map != nullptr && map->stage == m_study.stage())
        question.map = map->points;
    question.heads = m_study.heads();
    // KV groups share keys and values at stage 1 alone; where each head has its own there are none to speak of.
    const bool grouped = m_study.stage() == Stage::HeadOutput && overview.model.groupSize() < overview.model.heads;
    question.groupSize = grouped ? overview.model.groupSize() : 1;
    return question;
}

void ChosenController::count()
{
    m_stale = false;
    if (!m_study.cache() || hub().selection().documents.empty())
        return;
    m_study.run<Counted>(
        m_runner,
        [question = question(), stage = m_study.stage(), order = m_panel->order()](JobContext& job) -> Result<Counted> {
            HEADSCOPE_TRY(ChosenSummary summary, summarizeChoice(question, job));
            Counted counted;
            counted.table = std::make_shared<const ui::ChosenTable>(
                std::make_shared<const ChosenSummary>(std::move(summary)), stage);
            HEADSCOPE_TRY(counted.rows, counted.table->arranged(order, job));
            return counted;
        },
        [this](Result<Counted> counted) {
            if (!counted)
                return m_study.report(counted.error());
            m_panel->setHeadPalette(m_study.palette());
            m_panel->setTable(std::move(counted->table), std::move(counted->rows));
            m_panel->setPrimary(hub().selection().primary);
        });
}

void ChosenController::arrange()
{
    const auto table = m_panel->model()->table();
    if (m_runner.running())
        return count(); // in the order that is wanted now
    if (table == nullptr)
        return;
    m_study.run<std::vector<std::int64_t>>(
        m_orderRunner, [table, order = m_panel->order()](JobContext& job) { return table->arranged(order, job); },
        [this, table](Result<std::vector<std::int64_t>> rows) {
            if (!rows || table != m_panel->model()->table())
                return;
            m_panel->setRows(std::move(*rows));
            m_panel->setPrimary(hub().selection().primary);
        });
}

void ChosenController::filterByBar(int row, bool takeOut)
{
    const auto summary = m_panel->barsModel()->summary();
    if (summary == nullptr)
        return;
    const ChosenChart& chart = m_panel->barsModel()->chartOf(row);
    const ChosenBar& bar = m_panel->barsModel()->barOf(row);
    const SetOperation operation = takeOut ? SetOperation::Remove : SetOperation::Intersect;
    if (chart.kind == ChosenChart::Kind::Heads || chart.kind == ChosenChart::Kind::Groups)
    {
        const PointSet points = summary->points.withinHeads(headsOfBar(*summary, chart, bar));
        if (summary->byPoints)
            return hub().pickPoints(points, operation, m_study.heads());
        // Of whole documents some points are left: they are chosen by themselves from here on.
        return hub().pickPoints(combinePoints(summary->points, points, operation), SetOperation::Replace,
                                m_study.heads());
    }
    m_study.run<std::vector<std::int64_t>>(
        m_barRunner,
        [summary, chart, bar](JobContext&) -> Result<std::vector<std::int64_t>> {
            return documentsOfBar(*summary, chart, bar);
        },
        [this, operation](const Result<std::vector<std::int64_t>>& documents) {
            if (documents)
                hub().pick(*documents, operation);
        });
}

void ChosenController::keep(const QString& name)
{
    if (const QString kept = keepChoice(hub(), name); !kept.isEmpty())
        m_study.window().showNotice(kept);
}

void ChosenController::askSave()
{
    const auto table = m_panel->model()->table();
    if (table == nullptr)
        return;
    ui::MainWindow& window = m_study.window();
    const QString start = QDir(window.settings().text(ui::SettingKey::LastFolder)).filePath(tr("selection.csv"));
    window.dialogs().saveFile(&window, tr("Save selected documents"), start, tr("CSV table (*.csv)"),
                              [this, table, rows = m_panel->model()->rows()](const QString& path) {
                                  ui::MainWindow& asking = m_study.window();
                                  ui::withEnding(asking.dialogs(), &asking, path, QStringLiteral("csv"),
                                                 [this, table, rows](const QString& target) {
                                                     m_save.start(
                                                         target, [table, rows, file = ui::toStdString(target)] {
                                                             return writeCsvFile(file, chosenCsv(*table, rows));
                                                         });
                                                 });
                              });
}

} // namespace headscope::desktop
