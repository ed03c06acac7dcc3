// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/desktop/heads_controller.h"

#include "app/cli/result_table.h"
#include "app/desktop/command_line.h"
#include "app/desktop/view_files.h"
#include "model/analysis/pruning.h"
#include "model/io/mask_file.h"
#include "ui/dialogs/dialog_service.h"
#include "ui/models/head_table_model.h"
#include "ui/panels/data_panel.h"
#include "ui/panels/head_picker.h"
#include "ui/plots/heads_view.h"
#include "ui/plots/pruning_curve.h"
#include "ui/settings/settings.h"
#include "ui/wording.h"

#include <QAction>
#include <QDir>
#include <QFileInfo>
#include <QMenu>

#include <algorithm>
#include <filesystem>
#include <utility>

namespace headscope::desktop
{
namespace
{

constexpr std::size_t kUndoDepth = 100;

/// The table as `headscope heads -o` writes it.
cli::ResultTable tableOf(const HeadReport& report, const ModelInfo& model)
{
    cli::ResultTable table({std::string(unitName(report.stage)), "group", "mean norm", "spread", "score",
                            "mean similarity", "sd similarity", "selectivity", "follows full", "match", "evenness",
                            "top topic", "top similarity"});
    for (std::size_t h = 0; h < report.statistics.size(); ++h)
    {
        const auto head = static_cast<std::int64_t>(h);
        const auto answer = [&report, h](const std::vector<double> HeadAnswers::*values) {
            return report.answers ? (*report.answers.*values)[h] : std::numeric_limits<double>::quiet_NaN();
        };
        table.add({shownNumber(HeadIndex(head)), shownNumber(model.groupOf(HeadIndex(head))),
                   report.statistics[h].meanNorm, report.statistics[h].spread, report.statistics[h].score,
                   answer(&HeadAnswers::meanSimilarity), answer(&HeadAnswers::sdSimilarity),
                   answer(&HeadAnswers::selectivity), answer(&HeadAnswers::followsFull), answer(&HeadAnswers::match),
                   answer(&HeadAnswers::evenness), report.topTopic[h], answer(&HeadAnswers::topSimilarity)});
    }
    return table;
}

} // namespace

HeadsController::HeadsController(Study& study, QObject* parent) : Controller(parent), m_study(study), m_save(study)
{
    m_view = new ui::HeadsView;
    registerView();
    connectView();
    connect(&m_study, &Study::cacheChanged, this, [this] {
        const ModelInfo& model = m_study.cache()->overview->model;
        m_kept.assign(static_cast<std::size_t>(model.heads), true);
        m_undo.clear();
        m_redo.clear();
        m_view->setModel(model, m_study.palette());
        showKept();
    });
    connect(&m_study, &Study::sourceChanged, this, &HeadsController::forget);
    connect(&m_study, &Study::sourceLoaded, this, &HeadsController::refresh);
    connect(&m_study, &Study::labelsChanged, this, [this] {
        forget();
        refresh();
    });
    connect(&m_study, &Study::relevantChanged, this, [this] {
        m_retrieval.reset();
        loadRelevant();
    });
    connect(&m_study, &Study::paletteChanged, this, [this] { m_view->setHeadPalette(m_study.palette()); });
    connect(&m_study.window(), &ui::MainWindow::viewChanged, this, &HeadsController::refresh);
    ui::SelectionHub& selection = m_study.window().selection();
    connect(&selection, &ui::SelectionHub::documentsChanged, this, [this] {
        describe(); // also when other documents are shown
    });
    connect(&selection, &ui::SelectionHub::hoveredHeadChanged, this,
            [this] { m_view->setHoveredHead(m_study.window().selection().hoveredHead()); });
    connect(&m_save, &SaveJob::saved, this, &Controller::saved);
    m_view->setEmpty(tr("No cache is open"),
                     tr("What each head answers to, how alike heads are, and what is lost without some of them, would "
                        "be here. Open a cache first."));
}

void HeadsController::registerView()
{
    ui::MainWindow& window = m_study.window();
    ui::ViewEntry entry;
    entry.id = ui::View::Heads;
    entry.title = tr("Heads");
    entry.widget = m_view;
    entry.help =
        tr("Statistics of the heads over all, or the chosen, documents; likeness by linear CKA (Kornblith et al. "
           "2019). A head without its tick is off.");
    entry.filters = tableAndPictureFilters();
    entry.save = [this](const QString& path) { save(path); };
    entry.copy = [this] { copyPictureOf(*m_view); };
    entry.commandLine = [this] { return commandLineOf(); };
    window.addView(std::move(entry));
    m_undoAction = window.makeAction(QStringLiteral("actionUndoSwitch"), tr("Undo switch of heads"),
                                     tr("The heads that were on before"), QKeySequence(QStringLiteral("Ctrl+Alt+Z")));
    m_redoAction = window.makeAction(QStringLiteral("actionRedoSwitch"), tr("Redo switch of heads"),
                                     tr("The heads that were on after"), QKeySequence(QStringLiteral("Ctrl+Alt+Y")));
    window.menu(ui::MenuId::Heads)->addSeparator();
    window.menu(ui::MenuId::Heads)->addActions({m_undoAction, m_redoAction});
    connect(m_undoAction, &QAction::triggered, this, [this] { exchange(m_undo, m_redo); });
    connect(m_redoAction, &QAction::triggered, this, [this] { exchange(m_redo, m_undo); });
}

void HeadsController::connectView()
{
    using ui::HeadsView;
    connect(m_view, &HeadsView::headsSwitched, this, &HeadsController::switchHeads);
    connect(m_view, &HeadsView::undoRequested, this, [this] { exchange(m_undo, m_redo); });
    connect(m_view, &HeadsView::redoRequested, this, [this] { exchange(m_redo, m_undo); });
    connect(m_view, &HeadsView::allOnRequested, this, [this] { setKept(Kept(m_kept.size(), true)); });
    connect(m_view, &HeadsView::saveMaskRequested, this, &HeadsController::askSaveMask);
    connect(m_view, &HeadsView::unitChanged, this, &HeadsController::order);
    connect(m_view, &HeadsView::stepClicked, this, &HeadsController::takeStep);
    connect(m_view, &HeadsView::probeRequested, this, &HeadsController::measureProbe);
    connect(m_view, &HeadsView::emptyActionRequested, this, &HeadsController::refresh);
    connect(m_view, &HeadsView::headsClicked, this,
            [this](const std::vector<std::int64_t>& heads) { m_study.window().selection().setLitHeads(heads); });
    connect(m_view, &HeadsView::headHovered, &m_study.window().selection(), &ui::SelectionHub::setHoveredHead);
}

void HeadsController::stop()
{
    for (ui::JobRunner* runner :
         {&m_baseRunner, &m_reportRunner, &m_maskRunner, &m_probeRunner, &m_orderRunner, &m_relevantRunner})
        runner->cancel();
    m_save.stop();
}

bool HeadsController::busy() const
{
    return m_baseRunner.running() || m_reportRunner.running() || m_probeRunner.running() || m_orderRunner.running() ||
           m_save.busy();
}

void HeadsController::forget()
{
    for (ui::JobRunner* runner :
         {&m_baseRunner, &m_reportRunner, &m_maskRunner, &m_probeRunner, &m_orderRunner, &m_relevantRunner})
        runner->cancel();
    m_base.reset();
    m_ofAll.reset();
    m_retrieval.reset();
    m_order.clear();
    m_probeOfAll.reset();
    m_view->setReport(nullptr);
    m_view->setMask({});
    m_view->setCurve({}, m_view->byGroups());
    m_view->setEmpty(tr("Reading the heads"), tr("Their statistics come as soon as the vectors are there."));
}

void HeadsController::refresh()
{
    const SourceData& source = m_study.source();
    if (m_study.window().view() != ui::View::Heads || source.vectors == nullptr || m_base != nullptr ||
        m_baseRunner.running())
        return;
    const OpenedCache& cache = *m_study.cache();
    if (source.vectors->heads() != cache.overview->model.heads)
        return m_view->setEmpty(tr("This stage is not cut into heads"),
                                tr("The cache keeps it whole, one vector a document. Choose stage 1 at the left."));
    HeatmapLabels labels{cache.overview->documents, m_study.labelColumn(), m_study.labelColumn(), {}};
    if (const auto merged = cache.merged.find(labels.column); merged != cache.merged.end())
    {
        labels.topicColumn = merged->second.source;
        labels.topicRows = merged->second.topicRows;
    }
    m_study.beginJob(QStringLiteral("heads"), tr("Describing the heads"), m_baseRunner);
    m_baseRunner.start<std::shared_ptr<const HeadBase>>(
        [reader = cache.reader, vectors = source.vectors, labels, count = m_study.threads()](JobContext& job) {
            return makeHeadBase(*reader, vectors, labels, count, job);
        },
        [this](Result<std::shared_ptr<const HeadBase>> base) {
            if (!base)
                return m_view->setEmpty(ui::errorHeading(base.error().code), ui::errorText(base.error()), {}, true);
            m_base = *base;
            describe();
            measure();
            order();
            loadRelevant();
        });
}

void HeadsController::describe()
{
    if (m_base == nullptr)
        return;
    const ui::SelectionHub& hub = m_study.window().selection();
    std::vector<std::int64_t> documents = hub.selection().documents;
    if (const auto shown = hub.shownOnly())
    {
        documents = combineSets(documents, shown->documents, SetOperation::Intersect);
        if (documents.empty())
            documents = shown->documents;
    }
    if (documents.empty() && m_ofAll != nullptr)
    {
        m_reportRunner.cancel();
        return m_view->setReport(m_ofAll);
    }
    m_study.beginJob(QStringLiteral("headreport"), tr("Describing the heads"), m_reportRunner);
    m_reportRunner.start<std::shared_ptr<const HeadReport>>(
        [base = m_base, documents, known = m_ofAll, count = m_study.threads()](JobContext& job) {
            return describeHeads(*base, documents, known.get(), count, job);
        },
        [this, ofAll = documents.empty()](Result<std::shared_ptr<const HeadReport>> report) {
            if (!report)
                return m_study.report(report.error());
            if (ofAll)
                m_ofAll = *report;
            m_view->setReport(*report);
            m_study.window().refreshActions();
            Q_EMIT shown(ui::View::Heads);
        });
}

void HeadsController::switchHeads(const std::vector<std::int64_t>& heads, bool on)
{
    Kept kept = m_kept;
    for (const std::int64_t head : heads)
        kept[static_cast<std::size_t>(head)] = on;
    setKept(std::move(kept));
}

void HeadsController::setKept(Kept kept)
{
    if (kept == m_kept)
        return;
    if (m_undo.size() == kUndoDepth)
        m_undo.erase(m_undo.begin());
    m_undo.push_back(std::exchange(m_kept, std::move(kept)));
    m_redo.clear();
    showKept();
}

void HeadsController::exchange(std::vector<Kept>& from, std::vector<Kept>& to)
{
    if (from.empty())
        return;
    to.push_back(std::exchange(m_kept, from.back()));
    from.pop_back();
    showKept();
}

void HeadsController::showKept()
{
    m_view->setKept(m_kept);
    m_view->setHistory(!m_undo.empty(), !m_redo.empty());
    m_undoAction->setEnabled(!m_undo.empty());
    m_redoAction->setEnabled(!m_redo.empty());
    measure();
}

void HeadsController::measure()
{
    if (m_base == nullptr)
        return;
    m_probeRunner.cancel();
    m_maskRunner.start<MaskValues>(
        [base = m_base, retrieval = m_retrieval, kept = m_kept, model = m_study.cache()->overview->model,
         count = m_study.threads()](JobContext& job) {
            return measureMask(*base, retrieval.get(), kept, model, count, job);
        },
        [this](Result<MaskValues> values) {
            if (!values)
                return m_study.report(values.error());
            values->probeAll = m_probeOfAll;
            m_view->setMask(*values);
            // Is this set one of the greedy order's?
            std::optional<std::int64_t> at;
            Kept kept(m_kept.size(), true);
            const std::int64_t size = m_view->byGroups() ? m_study.cache()->overview->model.groupSize() : 1;
            for (std::size_t step = 0; step < m_order.size(); ++step)
            {
                for (std::int64_t member = 0; step > 0 && member < size; ++member)
                    kept[static_cast<std::size_t>(m_order[step].unit * size + member)] = false;
                if (kept == m_kept)
                    at = static_cast<std::int64_t>(step);
            }
            m_view->setCurrentStep(at);
        });
}

void HeadsController::measureProbe()
{
    if (m_base == nullptr)
        return;
    const auto seed = static_cast<std::uint64_t>(m_study.window().settings().number(ui::SettingKey::Seed));
    m_study.beginJob(QStringLiteral("headprobe"), tr("Probing the heads that are on"), m_probeRunner);
    m_probeRunner.start<std::pair<double, double>>(
        [base = m_base, kept = m_kept, known = m_probeOfAll, seed,
         count = m_study.threads()](JobContext& job) -> Result<std::pair<double, double>> {
            std::pair<double, double> values; // all, on
            if (known)
                values.first = *known;
            else
            {
                HEADSCOPE_TRY(values.first, probeOfMask(*base, Kept(kept.size(), true), seed, count, job));
            }
            HEADSCOPE_TRY(values.second, probeOfMask(*base, kept, seed, count, job));
            return values;
        },
        [this](Result<std::pair<double, double>> values) {
            if (!values)
                return m_study.report(values.error());
            m_probeOfAll = values->first;
            std::optional<MaskValues> mask = m_view->mask();
            if (!mask || mask->kept != m_kept)
                return;
            mask->probeAll = values->first;
            mask->probe = values->second;
            m_view->setMask(mask);
        });
}

void HeadsController::order()
{
    m_order.clear();
    m_view->setCurve({}, m_view->byGroups());
    if (m_base == nullptr || m_base->match == nullptr)
        return;
    const bool groups = m_view->byGroups();
    m_study.beginJob(QStringLiteral("headorder"), tr("Finding the greedy order"), m_orderRunner);
    m_orderRunner.start<std::vector<PruningStep>>(
        [base = m_base, model = m_study.cache()->overview->model, groups,
         count = m_study.threads()](JobContext& job) -> Result<std::vector<PruningStep>> {
            HEADSCOPE_TRY(auto steps,
                          backwardElimination(*base->match, model, groups ? PruningUnit::Groups : PruningUnit::Heads,
                                              count, job));
            markFront(steps);
            return steps;
        },
        [this, groups](Result<std::vector<PruningStep>> steps) {
            if (!steps)
                return m_study.report(steps.error());
            m_order = std::move(*steps);
            m_view->setCurve(m_order, groups);
            measure();
        });
}

void HeadsController::takeStep(std::int64_t off)
{
    Kept kept(m_kept.size(), true);
    const std::int64_t size = m_view->byGroups() ? m_study.cache()->overview->model.groupSize() : 1;
    for (std::int64_t step = 1; step <= off && step < std::ssize(m_order); ++step)
        for (std::int64_t member = 0; member < size; ++member)
            kept[static_cast<std::size_t>(m_order[static_cast<std::size_t>(step)].unit * size + member)] = false;
    setKept(std::move(kept));
}

void HeadsController::loadRelevant()
{
    if (m_base == nullptr || m_study.relevant() == nullptr)
        return measure();
    m_relevantRunner.start<std::shared_ptr<const HeadRetrieval>>(
        [base = m_base, documents = m_study.cache()->overview->documents, relevant = m_study.relevant(),
         count = m_study.threads()](JobContext& job) {
            return makeRetrievalMeasure(*base, *documents, *relevant, count, job);
        },
        [this](Result<std::shared_ptr<const HeadRetrieval>> retrieval) {
            if (!retrieval)
                return m_study.report(retrieval.error());
            m_retrieval = *retrieval;
            measure();
        });
}

void HeadsController::askSaveMask()
{
    ui::MainWindow& window = m_study.window();
    const QDir folder(window.settings().text(ui::SettingKey::LastFolder));
    window.dialogs().saveFile(&window, tr("Save the heads that are on"), folder.filePath(QStringLiteral("mask.json")),
                              tr("Head mask (*.json)"), [this](const QString& path) {
                                  m_study.window().settings().setText(ui::SettingKey::LastFolder,
                                                                      QFileInfo(path).absolutePath());
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

QString HeadsController::commandLineOf() const
{
    if (!m_study.cache() || m_view->report() == nullptr)
        return {};
    QStringList words = {QStringLiteral("heads"),   ui::toQString(m_study.cache()->overview->path),
                         QStringLiteral("--layer"), QString::number(m_study.layer().value()),
                         QStringLiteral("--stage"), ui::toQString(stageName(m_study.stage()))};
    if (const std::string label = m_study.labelColumn(); !label.empty() && !m_study.cache()->merged.contains(label))
        words << QStringLiteral("--label") << ui::toQString(label);
    if (const auto& documents = m_study.window().selection().selection().documents; !documents.empty())
    {
        QStringList rows;
        for (const std::int64_t document : documents)
            rows << QString::number(document);
        words << QStringLiteral("--documents") << rows.join(u',');
    }
    return commandLine(words);
}

void HeadsController::save(const QString& path)
{
    const auto report = m_view->report();
    if (report == nullptr)
        return m_study.window().showNotice(tr("There is nothing to save yet."));
    saveWidgetView(m_save, path, *m_view, commandLineOf(),
                   [report, model = m_study.cache()->overview->model] { return tableOf(*report, model); });
}

} // namespace headscope::desktop
