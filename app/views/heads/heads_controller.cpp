// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/views/heads/heads_controller.h"

#include "app/desktop/work/state_values.h"

#include "app/desktop/shell/view_files.h"
#include "app/views/heads/heads_view.h"
#include "app/views/heads/pruning_curve.h"
#include "model/analysis/heads/pruning.h"
#include "ui/jobs/job_strip.h"
#include "ui/models/head_table_model.h"
#include "ui/settings/settings.h"
#include "ui/state/linked_selection.h"
#include "ui/state/value_change.h"
#include "ui/words/wording.h"

#include <algorithm>
#include <numeric>
#include <utility>

namespace headscope::desktop
{
namespace
{

constexpr int kUndoDepth = 100;

} // namespace

HeadsController::HeadsController(Study& study, QObject* parent)
    : AnalysisController(
          study,
          {ui::kHeadsView,
           tr("Heads"),
           tr("Statistics and similarity of the selected heads or segments. Switch rows off to measure the "
              "vectors without them."),
           tableAndPictureFilters(),
           {}, // the line of its jobs does not follow the page in front
           tr("Statistics cover the selected documents, or all documents if none are selected. Similarity is linear "
              "CKA, debiased (Song et al. 2012).\n\nThe check boxes switch rows on and off. Measures of the cached "
              "vectors are then computed without the rows that are off; the model is not run. The Full model tab runs "
              "the model with heads ablated."),
           tr("statistics (heads), match, greedy order and masks (prune), ablation in the model (importance)")},
          parent),
      m_view(new ui::HeadsView)
{
    addView(m_view);
    own({&m_baseRunner, &m_reportRunner, &m_probeRunner, &m_orderRunner, &m_judgeRunner});
    ownQuietly({&m_partRunner, &m_maskRunner, &m_relevantRunner});
    m_history.setUndoLimit(kUndoDepth);
    addCommands();
    connectView();
    connect(&m_study, &Study::cacheChanged, this, [this] {
        const ModelInfo& model = m_study.cache()->overview->model;
        m_kept.assign(static_cast<std::size_t>(model.heads), true);
        m_history.clear();
        m_view->setModel(model, m_study.palette(), m_study.stage());
        m_view->setShownHeads(m_study.heads());
        showKept();
    });
    connect(&m_study, &Study::sourceChanged, this, [this] {
        m_view->setStage(m_study.stage());
        forget();
    });
    connect(&m_study, &Study::sourceLoaded, this, &HeadsController::look);
    connect(&m_study, &Study::labelsChanged, this, [this] {
        forget();
        look();
    });
    connect(&m_study, &Study::relevantChanged, this, [this] {
        m_retrieval.reset();
        loadRelevant();
    });
    connect(&m_study, &Study::paletteChanged, this, [this] { m_view->setHeadPalette(m_study.palette()); });
    connect(&m_study, &Study::headsChanged, this, [this] { m_view->setShownHeads(m_study.heads()); });
    ui::SelectionHub& selection = m_study.window().selection();
    connect(&selection, &ui::SelectionHub::documentsChanged, this, [this] {
        takeDocuments(); // also when other documents are shown
    });
    ui::linkHeads(m_view, selection, m_study.choices());
    m_view->setEmpty(tr("No cache is open"), tr("Heads compares statistics and similarity of heads, and measures the "
                                                "vectors without some of the heads. Open a cache first."));
}

void HeadsController::addCommands()
{
    constexpr ui::MenuPlace kSwitches{ui::MenuId::Heads, 20};
    ui::Actions& actions = window().actions();
    actions.add({.id = QStringLiteral("actionUndoSwitch"),
                 .text = tr("Undo switching heads"),
                 .tip = tr("Undo the last change to which heads are on"),
                 .keys = QKeySequence(QStringLiteral("Ctrl+Alt+Z")),
                 .place = kSwitches,
                 .act = [this] { undoSwitch(); },
                 .enabled = [this] { return m_history.canUndo(); }});
    actions.add({.id = QStringLiteral("actionRedoSwitch"),
                 .text = tr("Redo switching heads"),
                 .tip = tr("Redo the last undone change to which heads are on"),
                 .keys = QKeySequence(QStringLiteral("Ctrl+Alt+Y")),
                 .place = kSwitches,
                 .act = [this] { redoSwitch(); },
                 .enabled = [this] { return m_history.canRedo(); }});
}

void HeadsController::connectView()
{
    using ui::HeadsView;
    connect(m_view, &HeadsView::headsSwitched, this, &HeadsController::switchHeads);
    connect(m_view, &HeadsView::undoRequested, this, &HeadsController::undoSwitch);
    connect(m_view, &HeadsView::redoRequested, this, &HeadsController::redoSwitch);
    connect(m_view, &HeadsView::allOnRequested, this, [this] { setKept(Kept(m_kept.size(), true)); });
    connect(m_view, &HeadsView::saveMaskRequested, this, &HeadsController::askSaveMask);
    connect(m_view, &HeadsView::unitChanged, this, &HeadsController::order);
    connect(m_view, &HeadsView::stepClicked, this, &HeadsController::takeStep);
    connect(m_view, &HeadsView::probeRequested, this, &HeadsController::measureProbe);
    connect(m_view, &HeadsView::emptyActionRequested, this, [this] { m_base == nullptr ? look() : describe(); });
    // Cancelled in the strip of jobs; where the code did it, what it shows next replaces this.
    for (const ui::JobRunner* runner : {&m_baseRunner, &m_reportRunner})
        connect(runner, &ui::JobRunner::cancelled, this, [this] {
            if (m_study.cache() && m_view->report() == nullptr)
                m_view->setEmpty(tr("No statistics yet"), tr("You cancelled the computation."),
                                 tr("Compute statistics"));
        });
    connect(m_view, &HeadsView::headsClicked, this,
            [this](const std::vector<std::int64_t>& heads) { m_study.window().selection().setLitHeads(heads); });
}

void HeadsController::forget()
{
    for (ui::JobRunner* runner : {&m_baseRunner, &m_partRunner, &m_reportRunner, &m_maskRunner, &m_probeRunner,
                                  &m_orderRunner, &m_judgeRunner, &m_relevantRunner})
        runner->cancel();
    m_base.reset();
    m_part.reset();
    m_ofAll.reset();
    m_retrieval.reset();
    m_findings = {};
    m_probeOfAll.clear();
    m_view->setReport(nullptr);
    m_view->setMask({});
    m_view->setCurve({}, m_view->byGroups());
    m_view->setEmpty(tr("Reading the heads"), tr("Statistics appear when the vectors are read."));
}

bool HeadsController::lacks() const
{
    return m_study.source().vectors != nullptr && m_base == nullptr && !m_baseRunner.running();
}

void HeadsController::begin()
{
    const SourceData& source = m_study.source();
    const OpenedCache& cache = *m_study.cache();
    if (source.vectors->heads() != cache.overview->model.heads)
        return m_view->setEmpty(
            tr("This stage has no heads"),
            tr("For this stage, the cache holds one vector per document. Select stage 1 in the Data panel."));
    const HeatmapLabels labels = topicLabels(cache, m_study.labelColumn());
    m_study.beginJob(QStringLiteral("heads"), tr("Computing head statistics"), m_baseRunner);
    m_study.run<std::shared_ptr<const HeadAnalysisInputs>>(
        m_baseRunner,
        [reader = cache.reader, vectors = source.vectors, labels, count = m_study.threads()](JobContext& job) {
            return makeHeadBase(*reader, vectors, labels, count, job);
        },
        [this](Result<std::shared_ptr<const HeadAnalysisInputs>> base) {
            if (!base)
                return m_view->setError(base.error());
            m_base = *base;
            takeDocuments();
        });
}

std::vector<std::int64_t> HeadsController::documentsLookedAt() const
{
    const ui::SelectionHub& hub = m_study.window().selection();
    std::vector<std::int64_t> documents = hub.selection().documents;
    if (const auto shown = hub.shownOnly())
    {
        documents = combineSets(documents, shown->documents, SetOperation::Intersect);
        if (documents.empty())
            documents = shown->documents;
    }
    return documents;
}

void HeadsController::takeDocuments()
{
    if (m_base == nullptr)
        return;
    describe();
    std::vector<std::int64_t> documents = documentsLookedAt();
    m_partRunner.cancel();
    if (documents.empty())
        return takePart(m_base);
    if (m_part != nullptr && m_part->documents == documents)
        return;
    m_study.run<std::shared_ptr<const HeadAnalysisInputs>>(
        m_partRunner,
        [base = m_base, documents, count = m_study.threads()](JobContext& job) {
            return headBaseOver(*base, documents, count, job);
        },
        [this](Result<std::shared_ptr<const HeadAnalysisInputs>> part) {
            if (!part)
                return m_study.report(part.error());
            takePart(std::move(*part));
        });
}

void HeadsController::takePart(std::shared_ptr<const HeadAnalysisInputs> part)
{
    if (part == m_part)
        return;
    m_part = std::move(part);
    m_retrieval.reset();
    m_probeOfAll.clear();
    order();
    loadRelevant(); // measures
}

void HeadsController::describe()
{
    const std::vector<std::int64_t> documents = documentsLookedAt();
    if (documents.empty() && m_ofAll != nullptr)
    {
        m_reportRunner.cancel();
        return m_view->setReport(m_ofAll);
    }
    HeadAnswerOptions asked;
    asked.seed = m_study.window().settings().seed();
    m_study.beginJob(QStringLiteral("headreport"), tr("Computing head statistics"), m_reportRunner);
    m_study.run<std::shared_ptr<const HeadReport>>(
        m_reportRunner,
        [base = m_base, documents, asked, known = m_ofAll, count = m_study.threads()](JobContext& job) {
            return describeHeads(*base, documents, asked, known.get(), count, job);
        },
        [this, ofAll = documents.empty()](Result<std::shared_ptr<const HeadReport>> report) {
            if (!report)
                return m_study.report(report.error());
            if (ofAll)
                m_ofAll = *report;
            m_view->setReport(*report);
            if (ui::JobRow* row = window().jobStrip().row(QStringLiteral("headreport")))
                row->setCommandLine(describingLine());
            m_study.window().actions().refresh();
            settle();
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
    const Kept before = m_kept;
    m_history.push(new ui::ValueChange<Kept>(m_kept, std::move(kept), [this](const Kept& value) { m_kept = value; }));
    showKept();
    Q_EMIT switchMade(before, m_kept);
}

void HeadsController::putKept(const std::vector<bool>& kept)
{
    if (kept.size() == m_kept.size())
        setKept(kept);
}

void HeadsController::saveState(QJsonObject& state) const
{
    std::vector<std::int64_t> off;
    for (std::size_t head = 0; head < m_kept.size(); ++head)
        if (!m_kept[head])
            off.push_back(static_cast<std::int64_t>(head));
    if (!off.empty())
        state[QStringLiteral("heads_off")] = state::rangesText(off);
}

void HeadsController::restoreState(const QJsonObject& state)
{
    const auto off = state::rangesOf(state.value(QStringLiteral("heads_off")).toString(), std::ssize(m_kept));
    Kept kept(m_kept.size(), true);
    for (const std::int64_t head : off.value_or(std::vector<std::int64_t>()))
        kept[static_cast<std::size_t>(head)] = false;
    setKept(std::move(kept));
}

void HeadsController::undoSwitch()
{
    const Kept before = m_kept;
    m_history.undo();
    showKept();
    if (before != m_kept)
        Q_EMIT switchMade(before, m_kept);
}

void HeadsController::redoSwitch()
{
    const Kept before = m_kept;
    m_history.redo();
    showKept();
    if (before != m_kept)
        Q_EMIT switchMade(before, m_kept);
}

void HeadsController::showKept()
{
    m_view->setKept(m_kept);
    m_view->setHistory(m_history.canUndo(), m_history.canRedo());
    window().actions().refresh();
    measure();
}

void HeadsController::measure()
{
    if (m_part == nullptr)
        return;
    m_probeRunner.cancel();
    m_study.run<MaskEffects>(
        m_maskRunner,
        [base = m_part, retrieval = m_retrieval, kept = m_kept, model = m_study.cache()->overview->model, seed = seed(),
         count = m_study.threads()](JobContext& job) {
            return measureMask(*base, retrieval.get(), kept, model, seed, count, job);
        },
        [this](Result<MaskEffects> values) {
            if (!values)
                return m_study.report(values.error());
            if (!m_probeOfAll.empty())
                values->probeAll =
                    static_cast<double>(std::accumulate(m_probeOfAll.begin(), m_probeOfAll.end(), std::int64_t{0})) /
                    static_cast<double>(m_probeOfAll.size());
            m_view->setMask(*values);
            // Is this set one of the greedy order's?
            std::optional<std::int64_t> at;
            Kept kept(m_kept.size(), true);
            const std::int64_t size = m_view->byGroups() ? m_study.cache()->overview->model.groupSize() : 1;
            for (std::size_t step = 0; step < m_findings.steps.size(); ++step)
            {
                for (std::int64_t member = 0; step > 0 && member < size; ++member)
                    kept[static_cast<std::size_t>(m_findings.steps[step].unit * size + member)] = false;
                if (kept == m_kept)
                    at = static_cast<std::int64_t>(step);
            }
            m_view->setCurrentStep(at);
        });
}

void HeadsController::measureProbe()
{
    if (m_part == nullptr)
        return;
    m_study.beginJob(QStringLiteral("headprobe"), tr("Probing the %1 that are on").arg(ui::unitsText(m_study.stage())),
                     m_probeRunner);
    m_study.run<MaskProbe>(
        m_probeRunner,
        [base = m_part, kept = m_kept, known = m_probeOfAll, seed = seed(),
         count = m_study.threads()](JobContext& job) { return probeOfMask(*base, kept, known, seed, count, job); },
        [this, part = m_part](Result<MaskProbe> probe) {
            if (part != m_part)
                return; // other documents are looked at
            if (!probe)
                return m_study.report(probe.error());
            m_probeOfAll = probe->right;
            std::optional<MaskEffects> mask = m_view->mask();
            if (!mask || mask->kept != m_kept)
                return;
            mask->probeAll = probe->all;
            mask->probe = probe->on;
            mask->probeDifference = probe->difference;
            m_view->setMask(mask);
        });
}

void HeadsController::loadRelevant()
{
    if (m_part == nullptr || m_study.relevant() == nullptr)
        return measure();
    m_study.run<std::shared_ptr<const HeadRetrieval>>(
        m_relevantRunner,
        [base = m_part, documents = m_study.cache()->overview->documents, relevant = m_study.relevant(),
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

} // namespace headscope::desktop
