// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/views/grid/grid_controller.h"

#include "app/desktop/shell/cards.h"
#include "app/desktop/shell/run_job.h"
#include "app/views/grid/grid_colors.h"
#include "app/views/grid/grid_view.h"
#include "app/views/grid/map_grid.h"
#include "app/views/grid/set_heads.h"
#include "app/views/map/map_coloring.h"
#include "model/data/result_store.h"
#include "ui/canvas/scatter/scatter_widget.h"
#include "ui/jobs/job_strip.h"
#include "ui/settings/settings.h"
#include "ui/state/linked_selection.h"
#include "ui/theme/theme.h"
#include "ui/widgets/widgets.h"
#include "ui/words/wording.h"
#include "viz/grid/grid_contents.h"

#include <QAction>
#include <QMenu>

#include <algorithm>
#include <utility>

namespace headscope::desktop
{
namespace
{

/// The grid runs by itself where it takes a moment only: cells times documents.
constexpr std::int64_t kAtOnce = 20'000;

} // namespace

GridController::GridController(Study& study, QObject* parent)
    : AnalysisController(
          study,
          {ui::kGridView,
           tr("Grid"),
           tr("One small t-SNE map per head or segment, aligned. Point at a document to see it in all maps; "
              "click to enlarge a map."),
           pictureFilters() + QStringList{tr("CSV table (*.csv)"), tr("HDF5 maps (*.h5)")},
           {QStringLiteral("grid")},
           tr("All maps show the same documents, start from the same initialization, and are aligned (generalized "
              "Procrustes, Gower 1975). Click a map to enlarge it and to select the document under the pointer; "
              "Shift+click selects only the document.\n\nr is the Procrustes correlation with the mean of all maps, "
              "which includes the map itself: unrelated maps reach about 1/√(number of maps). A segment has the colour "
              "of the head with the same number, but it is not the output of that head."),
           tr("a map of each head (tsne --aligned), noise floor")},
          parent),
      m_view(new ui::GridView(&study.window())), m_plan(study, *m_view->bar())
{
    addView(m_view);
    m_colors = new GridColors(study, *m_view, this);
    own({&m_measure, &m_store});
    ownQuietly({&m_load});
    window().actions().add({.id = QStringLiteral("actionRunGrid"),
                            .text = tr("Run grid"),
                            .tip = tr("Compute an aligned map of each head and stage"),
                            .place = {ui::MenuId::Map, 20},
                            .act = [this] {
                                const bool again = m_run.active();
                                bringForward(); // which may begin one by itself
                                if (again || !m_run.active())
                                    run();
                            }});
    connectView();
    connectRun();
    listRun();
    connect(&m_study, &Study::cacheChanged, this, &GridController::onCacheOpened);
    connect(&m_study, &Study::sourceChanged, this, [this] {
        refreshChoices();
        showChoice();
    });
    connect(&m_study, &Study::headsChanged, this, [this] {
        if (m_whole != nullptr)
            showSet(m_whole);
    });
    connect(&m_study, &Study::paletteChanged, this, [this] { m_view->setPalette(m_study.palette()); });
    connect(&m_study, &Study::openFailed, this, [this](const Error& error) {
        if (!m_study.cache())
            m_view->setError(error, tr("Open…"));
    });
    m_view->grid()->setThreads(m_study.threads());
    m_view->full()->setThreads(m_study.threads());
    describeEmpty();
}

GridController::~GridController()
{
    m_view->grid()->setCardSource({});
    m_view->full()->setCardSource({});
}

void GridController::connectView()
{
    ui::GridBar* bar = m_view->bar();
    connect(bar, &ui::GridBar::choiceChanged, this, &GridController::showChoice);
    connect(bar, &ui::GridBar::runRequested, this, &GridController::run);
    connect(bar, &ui::GridBar::pauseRequested, &m_run, &GridRun::pause);
    connect(bar, &ui::GridBar::continueRequested, &m_run, &GridRun::resume);
    connect(bar, &ui::GridBar::stopRequested, &m_run, &GridRun::stop);
    connect(bar, &ui::GridBar::measureRequested, this,
            [this] { measureBy(measureGrid, tr("Measuring the maps of the grid")); });
    connect(bar, &ui::GridBar::floorRequested, this, &GridController::measureFloor);
    connect(bar, &ui::GridBar::storeRequested, this, &GridController::store);
    connect(m_view, &ui::GridView::emptyActionRequested, this, [this] {
        if (m_study.cache())
            run();
        else
            m_study.window().askOpen();
    });
    ui::linkSelection(m_view, m_study.window().selection());
    const auto card = [this](const HeadMap& map, std::int64_t point) {
        if (!m_study.cache())
            return ui::HoverContent{};
        const auto index = static_cast<std::size_t>(point);
        if (viz::isFullMap(map))
        {
            ui::HoverContent content = documentCard(m_study, map.points->documentOf(index), std::nullopt, map.stage);
            content.title = tr("Full vector");
            return content;
        }
        // Strengths are known for the chosen layer alone.
        return map.layer == m_study.layer()
                   ? headVectorCard(m_study, map.points->documentOf(index), map.points->headOf(index), map.stage)
                   : documentCard(m_study, map.points->documentOf(index), map.points->headOf(index), map.stage);
    };
    m_view->grid()->setCardSource(card);
    m_view->full()->setCardSource([this, card](std::int64_t point) {
        const auto opened = m_view->openedCell();
        const auto shownSet = m_view->set();
        if (!opened || shownSet == nullptr)
            return ui::HoverContent{};
        return card(shownSet->maps[m_view->grid()->contents().cells[*opened].map].map, point);
    });
}

void GridController::connectRun()
{
    connect(&m_run, &GridRun::setChanged, this, [this](const std::shared_ptr<const HeadMapSet>& made) {
        if (!(made->origin == m_study.origin()))
            return;
        m_sets[m_runKey] = made;
        if (m_runKey == m_plan.key())
            showSet(made);
        if (!made->hash.empty())
            Q_EMIT workChanged();
    });
    connect(&m_run, &GridRun::stateChanged, this, [this](ui::MapRunState state, const ui::MapRunProgress& progress) {
        m_view->bar()->setRun(state, progress);
        if (state == ui::MapRunState::Running && set() == nullptr && m_runKey == m_plan.key())
            m_view->setEmpty(tr("Preparing the grid"), progress.stage);
        QString activity;
        if (state == ui::MapRunState::Running)
            activity = tr("Grid running, %1").arg(ui::countText(m_study.threads(), tr("thread"), tr("threads")));
        else if (state == ui::MapRunState::Paused)
            activity = tr("Grid paused");
        m_study.setActivity(QStringLiteral("grid"), activity);
        refreshMeasurable();
        if (state == ui::MapRunState::None && set() == nullptr)
            describeEmpty();
        if (state == ui::MapRunState::Finished || state == ui::MapRunState::Stopped)
        {
            Q_EMIT setSettled();
            settle();
            Q_EMIT workChanged();
        }
    });
    connect(&m_run, &GridRun::failed, this, [this](const Error& error) {
        m_study.report(error);
        m_failure = error; // the view says so when the run has ended
    });
}

void GridController::listRun()
{
    auto* job = new RunJob(m_study,
                           {QStringLiteral("grid"), [this] { return tr("Grid: %1").arg(m_runKey); },
                            [this] { return m_runKey == m_plan.key() ? commandLine() : QString(); },
                            [this] { m_run.pause(); }, [this] { m_run.resume(); }, [this] { m_run.stop(); }},
                           this);
    connect(&m_run, &GridRun::stateChanged, job, &RunJob::take);
    connect(&m_run, &GridRun::failed, job, &RunJob::fail);
}

void GridController::stop()
{
    m_run.drop();
    ViewController::stop();
    m_view->bar()->setRun(ui::MapRunState::None, {});
    m_study.setActivity(QStringLiteral("grid"), {});
}

std::shared_ptr<const HeadMapSet> GridController::set() const
{
    return m_view->set();
}

void GridController::leave()
{
    if (m_run.active())
        m_study.noteEnded(QStringLiteral("grid"), tr("the grid"));
    m_run.drop();
    m_runKey.clear();
    m_failure.reset();
    m_sets.clear();
    m_view->bar()->setRun(ui::MapRunState::None, {});
    m_study.setActivity(QStringLiteral("grid"), {});
    showSet(nullptr);
}

void GridController::onCacheOpened()
{
    m_stored.clear();
    if (m_study.cache()->work)
        for (const KeptGrid& kept : m_study.cache()->work->work.grids)
            m_sets[ui::toQString(kept.key)] = kept.set;
    m_view->setPalette(m_study.palette());
    refreshChoices();
    m_colors->open();
    m_view->bar()->show();
}

void GridController::refreshChoices()
{
    if (!m_study.cache())
        return;
    int layers = 0;
    for (const auto& [layer, stages] : m_study.cache()->overview->stages)
        layers += std::find(stages.begin(), stages.end(), m_study.stage()) != stages.end() ? 1 : 0;
    QStringList stored;
    for (const std::string& name : m_study.cache()->reader->info().mapSets)
        stored << ui::toQString(name);
    const std::vector<Stage> stages = m_study.cache()->overview->stagesOf(m_study.layer());
    m_view->bar()->setChoices(stages, m_study.stage(), layers, stored);
}

void GridController::showChoice()
{
    if (!m_study.cache())
        return;
    const auto known = m_sets.find(m_plan.key());
    if (known != m_sets.end())
    {
        showSet(known->second);
        Q_EMIT setSettled();
        return settle();
    }
    showSet(nullptr);
    describeEmpty();
    const ui::GridChoice choice = m_view->bar()->choice();
    if (choice.kind == ui::GridChoice::Kind::Stored)
        return loadStored(choice.stored);
    if (mayRunByItself())
        run();
}

bool GridController::mayRunByItself() const
{
    const ui::CacheOverview& overview = *m_study.cache()->overview;
    const bool failed = m_failure && m_runKey == m_plan.key(); // it would fail again
    return inFront() && !failed && !m_run.active() && !m_study.headsOfLayers().empty() && !overview.stages.empty() &&
           overview.documents->count() > 1 && m_plan.cells() * overview.documents->count() <= kAtOnce;
}

void GridController::run()
{
    if (!m_study.cache() || m_study.cache()->overview->stages.empty())
        return;
    if (m_view->bar()->choice().kind == ui::GridChoice::Kind::Stored)
        m_view->bar()->setChoice({});
    GridRequest wanted = m_plan.request();
    if (wanted.heads.empty() || wanted.stages.empty() || wanted.layers.empty())
        return m_study.window().showNotice(
            tr("A grid needs %1. Select some in the Data panel.").arg(ui::unitsText(m_study.stage())));
    m_load.cancel();
    m_measure.cancel();
    m_runKey = m_plan.key();
    m_failure.reset();
    m_sets.erase(m_runKey);
    showSet(nullptr);
    if (const int asked = m_study.window().settings().number(ui::settingNamed("map/perplexity"));
        wanted.options.perplexities.front() < asked)
        m_study.window().showNotice(
            tr("The grid uses perplexity %1 instead of %2: with %3, a larger perplexity is not possible.")
                .arg(wanted.options.perplexities.front())
                .arg(ui::countText(asked),
                     ui::countText(m_study.cache()->overview->documents->count(), tr("document"), tr("documents"))));
    m_run.start(std::move(wanted));
}

void GridController::loadStored(const QString& name)
{
    m_study.beginJob(QStringLiteral("gridLoad"), tr("Reading the maps of %1").arg(name), m_load);
    m_view->setEmpty(tr("Reading maps"), tr("The maps are read from the set “%1” of this cache.").arg(name));
    m_study.run<HeadMapSet>(
        m_load,
        [reader = m_study.cache()->reader, set = ui::toStdString(name)](JobContext& job) {
            return reader->mapSet(set, job);
        },
        [this, key = m_plan.key()](Result<HeadMapSet> loaded) {
            if (!loaded)
            {
                m_study.report(loaded.error());
                return m_view->setError(loaded.error());
            }
            m_sets[key] = std::make_shared<const HeadMapSet>(std::move(*loaded));
            if (key == m_plan.key())
                showChoice();
        });
}

void GridController::showSet(std::shared_ptr<const HeadMapSet> set)
{
    m_whole = set;
    m_view->setSet(set != nullptr && !m_study.headsOfLayers().empty() ? withHeads(set, m_study.headsOfLayers()) : set);
    if (m_whole != nullptr)
        m_colors->takePoints();
    refreshMeasurable();
    if (m_whole == nullptr)
        Q_EMIT setSettled();
}

void GridController::refreshMeasurable()
{
    // The vectors that a stored set was made of are not known for certain.
    const bool own = m_view->bar()->choice().kind != ui::GridChoice::Kind::Stored;
    m_view->bar()->setMeasurable(measurable() && !m_whole->maps.front().map.trust);
    m_view->bar()->setFloorable(floorable());
    m_view->bar()->setMayGoOn(own && m_run.state() == ui::MapRunState::Stopped && m_runKey == m_plan.key());
    m_view->bar()->setStorable(own && m_whole != nullptr && !m_run.active() && !m_store.running());
}

void GridController::describeEmpty()
{
    if (!m_study.cache())
        return m_view->setEmpty(
            tr("No cache is open"),
            tr("The grid shows one small map per head and stage. Open a cache, or extract one from a model and texts."),
            tr("Open…"));
    if (m_study.cache()->overview->stages.empty())
        return m_view->setEmpty(tr("No grid"), tr("The cache holds no head vectors."), {}, true);
    if (m_study.cache()->overview->documents->count() < 2)
        return m_view->setEmpty(tr("No grid"), tr("A map needs at least 2 points. The cache has one document."));
    if (m_failure && m_runKey == m_plan.key())
        return describeFailure(*m_failure);
    const std::int64_t cells = m_plan.cells();
    m_view->setEmpty(
        tr("No grid yet"),
        tr("Run the grid to compute %1, each of %2. The maps are aligned with one another.")
            .arg(ui::countText(cells, tr("small map"), tr("small maps")),
                 ui::countText(m_study.cache()->overview->documents->count(), tr("document"), tr("documents"))),
        tr("Run grid"));
}

void GridController::describeFailure(const Error& error)
{
    QString text = ui::errorText(error);
    if (error.code == ErrorCode::InvalidArgument)
        text += QStringLiteral("\n\n") % tr("Perplexity and iterations are set in the Map run tab.");
    m_view->setEmpty(ui::errorHeading(error.code), text, tr("Run grid"), true);
}

} // namespace headscope::desktop
