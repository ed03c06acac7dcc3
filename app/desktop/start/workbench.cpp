// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/desktop/start/workbench.h"

#include "app/desktop/card/card_controller.h"
#include "app/desktop/extract/extract_controller.h"
#include "app/desktop/find/chosen_controller.h"
#include "app/desktop/find/find_controller.h"
#include "app/desktop/find/inspector_controller.h"
#include "app/desktop/find/join_controller.h"
#include "app/desktop/find/labels_controller.h"
#include "app/desktop/lesson/lesson_controller.h"
#include "app/desktop/shell/autosave.h"
#include "app/desktop/shell/cache_watch.h"
#include "app/desktop/work/figure_list.h"
#include "app/desktop/work/figure_work.h"
#include "app/desktop/work/undo_history.h"
#include "app/desktop/work/work_session.h"
#include "app/views/ablation/ablation_controller.h"
#include "app/views/atlas/atlas_controller.h"
#include "app/views/attention/attention_controller.h"
#include "app/views/attention/attention_view.h"
#include "app/views/circuits/circuits_controller.h"
#include "app/views/compare/compare_controller.h"
#include "app/views/grid/grid_controller.h"
#include "app/views/head_corpus/head_corpus_controller.h"
#include "app/views/heads/head_tree.h"
#include "app/views/heads/heads_controller.h"
#include "app/views/heads/heads_view.h"
#include "app/views/heatmap/heatmap_controller.h"
#include "app/views/heatmap/heatmap_widget.h"
#include "app/views/layers/layers_controller.h"
#include "app/views/layers/schema_controller.h"
#include "app/views/map/canvas_controller.h"
#include "app/views/map/map_coloring.h"
#include "app/views/map/map_controller.h"
#include "app/views/map/map_job.h"
#include "app/views/map/map_view.h"
#include "app/views/probe/probe_controller.h"
#include "app/views/retrieval/retrieval_controller.h"
#include "ui/canvas/scatter/scatter_widget.h"
#include "ui/dialogs/dialog_service.h"
#include "ui/panels/document/document_menu.h"
#include "ui/panels/find/find_panel.h"
#include "ui/settings/settings.h"
#include "ui/theme/theme.h"
#include "ui/window/notice_bar.h"
#include "ui/words/opened_file_kind.h"
#include "ui/words/wording.h"

#include <QFileInfo>
#include <QMenu>

#include <algorithm>
#include <utility>

namespace headscope::desktop
{

template <class T, class... Rest>
T& Workbench::add(Rest&&... rest)
{
    auto* controller = new T(m_study, std::forward<Rest>(rest)..., this);
    m_controllers.push_back(controller);
    return *controller;
}

Workbench::Workbench(ui::MainWindow& window, const QString& engine, QObject* parent)
    : QObject(parent), m_study(window), m_engines(engine)
{
    const ui::StyleSheetPause unstyled;             // while all views are made
    m_study.choices().setColorSource(colorEntries); // of the colourings the program has
    m_extract = &add<ExtractController>(m_engines);
    m_map = &add<MapController>();
    new MapJob(m_study, m_map->run(), m_map); // the run goes with its controller
    add<CanvasController>(m_map->view());
    auto& grid = add<GridController>(); // here and below: in the order of the tabs
    auto& compare = add<CompareController>(grid);
    add<HeatmapController>();
    add<ProbeController>();
    auto& heads = add<HeadsController>();
    m_ablation = &add<AblationController>(heads.view(), *m_map->view().scatter(), m_engines);
    heads.setRunningLine([this] { return m_ablation->commandLine(); });
    m_retrieval = &add<RetrievalController>(m_engines);
    auto& layers = add<LayersController>();
    m_attention = &add<AttentionController>(m_engines);
    connectAttention();
    auto& atlas = add<AtlasController>(m_engines);
    add<HeadCorpusController>(m_engines);
    m_circuits = &add<CircuitsController>(m_engines);
    // Pages at the right, and what belongs to no view.
    add<InspectorController>();
    m_find = &add<FindController>(m_map->view());
    m_chosen = &add<ChosenController>(m_map->view());
    auto& labels = add<LabelsController>();
    m_join = &add<JoinController>();
    add<SchemaController>();
    m_figures = &add<FigureList>();
    m_lessons = &add<LessonController>(m_engines);
    new CacheWatch(m_study, this);
    addMenus();
    m_keeper = new Autosave(m_study, m_controllers, this);
    m_work = new WorkSession(m_study, m_controllers, m_find->panel().state(), this); // after all that it puts back
    m_figures->follow(*m_work, m_controllers);
    m_lessons->follow(*m_work);
    m_lessons->setAttention(m_attention->view());
    m_undo = new UndoHistory(m_study, *m_work, heads, this);
    connect(m_work, &WorkSession::cacheWanted, this, [this](const QString& path) {
        m_keeper->keepBefore(tr("Open without saving"), [this, path] { m_study.openCache(path); });
    });
    connect(&m_engines, &EngineServers::memoryChanged, this, [this] { m_study.setStanding(m_engines.memoryText()); });
    connect(&window, &ui::MainWindow::openRequested, this, &Workbench::open);
    connect(&m_study, &Study::openFailed, this, &Workbench::openFailed);
    connect(&m_study, &Study::cacheClosing, this, [this] {
        for (Controller* controller : m_controllers)
            controller->leave();
    });
    // After the controllers' own: they have taken the cache when others hear of it.
    connect(&m_study, &Study::cacheChanged, this, &Workbench::cacheOpened);
    connectExtraction();
    connect(&layers, &LayersController::extractRequested, m_extract, &ExtractController::askAllLayers);
    connect(&atlas, &AtlasController::extractRequested, m_extract, &ExtractController::askAllLayers);
    connect(&compare, &CompareController::mapRequested, m_map, &MapController::runMap);
    tellOfControllers();
    connect(&labels, &LabelsController::merged, this, &Workbench::labelsMerged);
    connect(&window.settings(), &ui::Settings::changed, this, [this](ui::SettingKey key) {
        if (key == ui::SettingKey::Threads)
            m_map->view().scatter()->setThreads(m_study.threads());
    });
    window.setCloseGuard([this] { return mayClose(); });
}

void Workbench::connectExtraction()
{
    connect(m_extract, &ExtractController::extracted, this, &Workbench::offerExtracted);
    connect(&m_study, &Study::cacheChanged, this, [this] {
        const QString path = QFileInfo(ui::toQString(m_study.cache()->overview->path)).absoluteFilePath();
        if (m_offers.contains(path))
            m_study.window().notices().settle(m_offers.take(path));
    });
    connect(m_extract, &ExtractController::asked, this, &Workbench::extractAsked);
}

void Workbench::tellOfControllers()
{
    for (const Controller* controller : m_controllers)
    {
        connect(controller, &Controller::shown, this, &Workbench::viewShown);
        connect(controller, &Controller::saved, this, &Workbench::viewSaved);
    }
    connect(this, &Workbench::viewShown, this, [this](ui::ViewId view) {
        if (view == ui::kMapView)
            Q_EMIT mapSettled();
    });
}

void Workbench::connectAttention()
{
    connect(&m_attention->view(), &ui::AttentionView::movedDocumentsWanted, m_ablation,
            [this](LayerIndex layer, const std::vector<HeadIndex>& off) {
                std::vector<std::int64_t> numbers;
                for (const HeadIndex head : off)
                    numbers.push_back(head.value());
                m_ablation->switchOff(layer, numbers);
            });
}

ui::DocumentMenu* Workbench::addDocumentMenu()
{
    ui::MainWindow& window = m_study.window();
    auto* menu = new ui::DocumentMenu(window, this);
    menu->add({tr("Show this document"), tr("Show its text, norms and nearest documents in the side panel"),
               [&window](DocumentIndex document) { window.selection().showDocument(document); }});
    menu->add({tr("Attention of this document"), tr("Show the attention of each head in this document"),
               [this](DocumentIndex document) { m_attention->askDocument(document); },
               [this] { return m_attention->whyNoDocument(); }});
    menu->add({tr("Why is it similar?"),
               tr("Split its cosine with the shown document, or in Retrieval with the query, into parts of heads"),
               [this, &window](DocumentIndex document) {
                   const auto other = otherOfPair(document);
                   if (other)
                       m_circuits->explainPair(*other, document);
                   else
                       window.showNotice(tr("Show another document first: the two are compared."));
               },
               [this] { return m_circuits->whyNoDocument(); }});
    menu->add({tr("Which heads?"), tr("Rank heads by what they add to the cosine of the query and this result"),
               [this](DocumentIndex document) { m_retrieval->explain(document); },
               [this] { return m_circuits->whyNoDocument(); },
               [this, &window] { return window.view() == m_retrieval->id() && m_retrieval->hasAsked(); }});
    for (ui::HeatmapWidget* heatmap : window.findChildren<ui::HeatmapWidget*>())
        connect(heatmap, &ui::HeatmapWidget::menuMade, menu, [menu](QMenu* own) { menu->fillForHovered(*own); });
    connect(m_find, &FindController::pointMenuMade, menu,
            [menu](QMenu* own, DocumentIndex document) { menu->fill(*own, document); });
    return menu;
}

void Workbench::addMenus()
{
    const ui::DocumentMenu* documents = addDocumentMenu();
    auto& cards = add<CardController>();
    ui::MainWindow& window = m_study.window();
    for (ui::HeadTree* tree : window.findChildren<ui::HeadTree*>())
        if (tree->contextMenuPolicy() == Qt::ActionsContextMenu)
            cards.offerIn(*tree);
    connect(documents, &ui::DocumentMenu::menuMade, &cards,
            [&cards](QMenu* menu, const QWidget* part) { cards.offerIn(*menu, part); });
    for (ui::HeatmapWidget* heatmap : window.findChildren<ui::HeatmapWidget*>())
        connect(heatmap, &ui::HeatmapWidget::menuMade, &cards, [&cards](QMenu* menu) { cards.offerIn(*menu); });
    connect(m_find, &FindController::pointMenuMade, &cards, [&cards](QMenu* menu) { cards.offerIn(*menu); });
}

std::optional<DocumentIndex> Workbench::otherOfPair(DocumentIndex document) const
{
    ui::MainWindow& window = m_study.window();
    const auto asked = m_retrieval->askedDocument();
    const auto primary = window.selection().selection().primary;
    const auto& first = window.view() == m_retrieval->id() && asked ? asked : primary;
    return first && *first != document ? first : std::nullopt;
}

Workbench::~Workbench()
{
    m_study.window().setCloseGuard({});
    delete std::exchange(m_undo, nullptr);
    delete std::exchange(m_keeper, nullptr); // writes what the controllers have
    delete std::exchange(m_work, nullptr);
    // Before the study they all refer to.
    for (Controller* controller : std::exchange(m_controllers, {}))
        delete controller;
}

MapRun& Workbench::mapRun()
{
    return m_map->run();
}

bool Workbench::anyJobRuns() const
{
    return m_study.opening() || std::any_of(m_controllers.begin(), m_controllers.end(),
                                            [](const Controller* controller) { return controller->busy(); });
}

bool Workbench::rests() const
{
    return !isLoading() && std::ranges::none_of(m_controllers, &Controller::works);
}

void Workbench::stopAll()
{
    m_study.stop();
    for (Controller* controller : m_controllers)
        controller->stop();
}

bool Workbench::mayClose()
{
    // Asked once: a second close while the question stands changes nothing.
    if (m_closing || (!anyJobRuns() && !m_keeper->unsaved() && !m_work->unsaved()))
        return true;
    if (std::exchange(m_closeAsked, true))
        return false;
    m_work->askBefore([this] { closeOnceSaved(); }, [this] { m_closeAsked = false; });
    return m_closing;
}

void Workbench::closeOnceSaved()
{
    if (anyJobRuns())
        askToStop();
    else
        keepAndClose();
}

QString Workbench::lossesOfStopping() const
{
    QStringList losses;
    bool others = m_study.opening();
    for (const Controller* controller : m_controllers)
    {
        if (const QString loss = controller->lossOfStopping(); !loss.isEmpty())
            losses << loss;
        else
            others = others || controller->busy();
    }
    if (others)
        losses << (losses.isEmpty() ? tr("Jobs are still running. Their results would be lost.")
                                    : tr("Other running jobs would be stopped, too."));
    return losses.join(QStringLiteral("\n\n"));
}

void Workbench::askToStop()
{
    ui::MainWindow& window = m_study.window();
    // What runs goes on while the question stands, and may end.
    const auto now = [this]() -> std::optional<QString> {
        if (!anyJobRuns())
            return std::nullopt;
        return lossesOfStopping();
    };
    window.dialogs().ask(
        &window, {tr("Stop running jobs and close?"), lossesOfStopping(), {tr("Cancel"), tr("Stop and close")}, now},
        [this](int answer) {
            if (answer != 1)
            {
                m_closeAsked = false;
                if (!anyJobRuns())
                    m_study.window().showNotice(tr("The running jobs have finished. You can close now."));
                return;
            }
            stopAll();
            keepAndClose();
        });
}

void Workbench::keepAndClose()
{
    m_keeper->keepBefore(
        tr("Close without saving"),
        [this] {
            m_closing = true;
            m_study.window().close();
        },
        [this] { m_closeAsked = false; });
}

void Workbench::offerExtracted(const QString& cache)
{
    if (!m_study.cache() && !m_study.opening())
        return open(cache);
    const QString path = QFileInfo(cache).absoluteFilePath();
    const QString name = QFileInfo(path).fileName();
    constexpr int kLongest = 40;
    const QString job = tr("Extracting %1").arg(name);
    m_offers[path] = job;
    m_study.window().notices().offer(
        tr("Extraction finished"), tr("Open %1 to use it. The current cache stays open until then.").arg(name), job,
        tr("Open %1").arg(ui::firstLine(ui::toStdString(name), kLongest)), [this, path] { open(path); });
}

void Workbench::open(const QString& path)
{
    if (isRecipeFile(path))
        return m_work->askBefore([this, path] { m_work->openFigure(path); });
    switch (ui::fileKind(path))
    {
    case ui::FileKind::Cache:
        return m_work->askBefore([this, path] {
            m_work->forgetWaiting();
            m_keeper->keepBefore(tr("Open without saving"), [this, path] { m_study.openCache(path); });
        });
    case ui::FileKind::Work:
        return m_work->askBefore([this, path] { m_work->open(path); });
    case ui::FileKind::Figure:
        return m_work->askBefore([this, path] { m_work->openFigure(path); });
    case ui::FileKind::Model:
        return m_extract->ask(path, {});
    case ui::FileKind::Texts:
        return m_extract->ask({}, path);
    case ui::FileKind::Unknown:
        break;
    }
    const Error error = QFileInfo::exists(path)
                            ? Error{ErrorCode::Unsupported, ui::toStdString(ui::unknownFileReason(path)), {}, {}}
                            : Error{ErrorCode::FileNotFound, "no such file or folder", ui::toStdString(path), {}};
    m_study.tellOpenFailed(error);
}

} // namespace headscope::desktop
