// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/views/layers/layers_controller.h"

#include "app/desktop/shell/view_files.h"
#include "app/desktop/work/result_values.h"
#include "app/views/layers/layers_chart.h"
#include "app/views/layers/layers_state.h"
#include "app/views/layers/layers_view.h"
#include "ui/settings/settings.h"
#include "ui/state/linked_selection.h"
#include "ui/words/wording.h"

#include <QTimer>

#include <algorithm>
#include <numeric>
#include <set>
#include <utility>
#include <vector>

namespace headscope::desktop
{
namespace
{

const QString kLayersState = QStringLiteral("layers"); ///< in a work file

/// Every stage that the cache holds somewhere, each once or more.
std::vector<Stage> heldStages(const ui::CacheOverview& overview)
{
    std::vector<Stage> held;
    for (const auto& [layer, stages] : overview.stages)
        held.insert(held.end(), stages.begin(), stages.end());
    return held;
}

/// What is measured: "3 layers × 3 stages", or "7 stages of 3 layers" where the layers hold unlike many.
QString placesText(const ui::CacheOverview& overview)
{
    std::size_t all = 0;
    std::set<std::size_t> counts;
    for (const auto& [layer, stages] : overview.stages)
    {
        all += stages.size();
        counts.insert(stages.size());
    }
    const QString layers =
        ui::countText(std::ssize(overview.stages), LayersController::tr("layer"), LayersController::tr("layers"));
    const bool alike = counts.size() == 1;
    const QString stages = ui::countText(static_cast<std::int64_t>(alike ? *counts.begin() : all),
                                         LayersController::tr("stage"), LayersController::tr("stages"));
    return alike ? LayersController::tr("%1 × %2").arg(layers, stages)
                 : LayersController::tr("%1 of %2").arg(stages, layers);
}

} // namespace

LayersController::LayersController(Study& study, QObject* parent)
    : AnalysisController(
          study,
          {ui::kLayersView,
           tr("Layers"),
           tr("Probe accuracy, label purity and similarity (CKA) of the selected heads or segments in every "
              "layer. Bars: 95% CI."),
           tableAndPictureFilters(),
           {QStringLiteral("layers")},
           tr("Probe: how well a linear probe predicts which head or segment a vector comes from. Purity: the "
              "proportion of a document’s nearest documents (by cosine) that share its label. Similarity: linear CKA "
              "between heads, debiased (Song et al. 2012).\n\nBars are 95% confidence intervals over documents. "
              "Differences between layers are not tested, because the same documents are used for all layers."),
           tr("curves over the layers (layers)")},
          parent),
      m_view(new ui::LayersView)
{
    addView(m_view);
    own({&m_runner});
    m_view->setEmpty(tr("No layers yet"), tr("Layers shows how probe accuracy, label purity and similarity change from "
                                             "layer to layer. Open a cache first."));
    connectView();
    connect(&m_study, &Study::cacheChanged, this, &LayersController::onCacheOpened);
    connect(&m_study, &Study::sourceChanged, this, [this] {
        m_view->setCurrent(m_study.layer());
        m_view->setStage(m_study.stage());
    });
    connect(&m_study, &Study::labelsChanged, this, &LayersController::renew);
    connect(&m_study, &Study::headsChanged, this, &LayersController::takeChoice);
    connect(&m_study.window().selection(), &ui::SelectionHub::shownChanged, this, &LayersController::takeChoice);
    ui::linkHeads(m_view, window().selection(), m_study.choices());
    connect(&m_runner, &ui::JobRunner::cancelled, this, [this] {
        m_view->setRunning(false);
        showNote(tr("stopped"));
    });
}

void LayersController::connectView()
{
    connect(m_view, &ui::LayersView::measureRequested, this, &LayersController::measure);
    connect(m_view, &ui::LayersView::emptyActionRequested, this, &LayersController::measure);
    connect(m_view, &ui::LayersView::stopRequested, &m_runner, &ui::JobRunner::requestStop);
    connect(m_view, &ui::LayersView::optionsChanged, this, &LayersController::renew);
    connect(m_view, &ui::LayersView::layerChosen, this, &LayersController::goTo);
    connect(m_view, &ui::LayersView::extractRequested, this, [this] {
        if (m_study.cache())
            Q_EMIT extractRequested(ui::toQString(m_study.cache()->overview->model.path));
    });
}

void LayersController::leave()
{
    m_live.end();
    m_known.clear();
    m_heads.clear();
    m_documents.clear();
    m_labels.clear();
    m_view->setMeasures({});
}

void LayersController::saveState(QJsonObject& state) const
{
    const LayerList& shown = m_view->chart()->picture().measures();
    if (shown.empty() || m_runner.running())
        return;
    if (shown != m_state.first) // it is asked for again and again
        m_state = {shown, layersJson({m_heads, m_documents, m_labels, shown}, m_study.origin())};
    state[kLayersState] = m_state.second;
}

void LayersController::restoreState(const QJsonObject& state)
{
    if (!m_study.cache() || !state.contains(kLayersState))
        return;
    const ui::CacheOverview& overview = *m_study.cache()->overview;
    auto measured =
        layersOf(state.value(kLayersState).toObject(), m_study.origin(), overview.model, overview.documents->count());
    if (!measured)
        return;
    m_live.end();
    m_runner.cancel(); // that looking at the tab began
    m_heads = std::move(measured->heads);
    m_documents = std::move(measured->documents);
    m_labels = std::move(measured->labels);
    m_known.clear();
    for (const auto& each : measured->measures)
        m_known[{each->layer, each->stage}] = each;
    m_view->setMeasures(measured->measures);
    m_view->setWaiting({}, {}, {});
    showNote();
    // When the controls are as they were, too: then it is known whether this is what they ask for.
    QTimer::singleShot(0, this, &LayersController::renew);
}

void LayersController::onCacheOpened()
{
    m_view->setAnyHead(!m_study.headsOfLayers().empty());
    const ui::CacheOverview& overview = *m_study.cache()->overview;
    std::set<std::int64_t> held;
    for (const auto& [layer, stages] : overview.stages)
        held.insert(layer.value());
    const std::int64_t least = held.empty() ? 0 : *held.rbegin() + 1;
    m_view->setLayers(std::max(overview.model.layers, least), held);
    if (held.empty())
        m_view->setEmpty(tr("No layers"), tr("This cache holds no head vectors. Extract it again."));
    showNote();
    renew();
}

void LayersController::takeChoice()
{
    m_view->setAnyHead(!m_study.headsOfLayers().empty());
    if (!m_study.cache() || m_study.headsOfLayers().empty())
        return;
    if (!isOfNow())
        m_runner.cancel();
    renew();
}

bool LayersController::isOfNow() const
{
    const auto& shown = m_view->chart()->picture().measures();
    if (shown.empty() || m_runner.running() || !m_study.cache())
        return false;
    LayerOptions wanted = m_view->options();
    wanted.probe.seed = m_study.window().settings().seed();
    return m_study.headsOfLayers() == m_heads && m_study.window().selection().shownDocuments() == m_documents &&
           shown.front()->options == wanted &&
           state::labelDigest(m_study.cache()->overview->documents->label(m_study.labelColumn())) == m_labels;
}

void LayersController::begin()
{
    if (isOfNow())
        return m_view->setWaiting({}, {}, {});
    if (m_study.headsOfLayers().empty() || m_study.cache()->overview->stages.empty())
        return;
    const ui::CacheOverview& overview = *m_study.cache()->overview;
    const LayersRequest asked = request();
    const double seconds = estimate(asked);
    if (seconds <= kByItself && !isTooLong())
        return start(kByItself);
    m_runner.cancel();
    m_view->setWaiting(
        tr("Layers not measured yet"),
        tr("Measure %1 with %2 and %3. This takes about %4%5. Each stage appears when it is done.")
            .arg(placesText(overview),
                 ui::chosenHeadsText(std::ssize(asked.heads), overview.model.heads, heldStages(overview)),
                 documentsText(asked.documents), ui::durationText(seconds),
                 m_pace.measured() ? tr(" (estimated on this machine)") : QString()),
        tr("Measure"));
}

std::int64_t LayersController::countOf(const std::vector<std::int64_t>& documents) const
{
    return documents.empty() ? m_study.cache()->overview->documents->count() : std::ssize(documents);
}

QString LayersController::documentsText(const std::vector<std::int64_t>& documents) const
{
    const QString all = ui::countText(m_study.cache()->overview->documents->count(), tr("document"), tr("documents"));
    return documents.empty() ? tr("all %1").arg(all)
                             : tr("the %1 shown out of %2").arg(ui::countText(std::ssize(documents)), all);
}

LayersRequest LayersController::request() const
{
    const ui::CacheOverview& overview = *m_study.cache()->overview;
    LayersRequest request;
    request.places = coarseToFine(overview.stages, m_study.layer());
    request.heads = m_study.headsOfLayers();
    request.documents = m_study.window().selection().shownDocuments();
    if (const LabelColumn* labels = overview.documents->label(m_study.labelColumn()))
        request.labels = labels->codes;
    request.options = m_view->options();
    request.options.probe.seed = m_study.window().settings().seed();
    request.numThreads = m_study.threads();
    if (m_heads == request.heads && m_documents == request.documents)
        for (const auto& [place, measures] : m_known)
            request.known.push_back(measures);
    request.work = workOf(request, overview.model, countOf(request.documents));
    return request;
}

double LayersController::estimate(const LayersRequest& request) const
{
    return m_pace.secondsFor(std::accumulate(request.work.begin(), request.work.end(), 0.0), request.numThreads);
}

void LayersController::measure()
{
    start(0);
}

void LayersController::start(double limit)
{
    if (!m_study.cache() || m_study.cache()->overview->stages.empty() || m_study.headsOfLayers().empty())
        return;
    settleOn();
    LayersRequest asked = request();
    asked.limit = limit;
    m_workOfAll = std::accumulate(asked.work.begin(), asked.work.end(), 0.0);
    m_progress = {};
    m_runThreads = asked.numThreads;
    if (asked.heads != m_heads || asked.documents != m_documents)
        m_known.clear();
    m_heads = asked.heads;
    m_documents = asked.documents;
    m_labels = state::labelDigest(m_study.cache()->overview->documents->label(m_study.labelColumn()));
    m_view->setWaiting({}, {}, {});
    m_view->setMeasures({});
    m_view->setRunning(true);
    const auto live = m_live.begin(this, [this](const LayersMeasured& measured) { take(measured); });
    m_study.beginJob(QStringLiteral("layers"), tr("Measuring the layers"), m_runner);
    m_study.run<LayersMeasured>(
        m_runner,
        [reader = m_study.cache()->reader, asked, live](JobContext& job) {
            return measureLayers(
                *reader, asked,
                [&live](const LayersMeasured& done) {
                    live->publishFinal(std::make_shared<const LayersMeasured>(done));
                },
                job);
        },
        [this](Result<LayersMeasured> done) { finish(std::move(done)); });
    showNote();
}

void LayersController::take(const LayersMeasured& measured)
{
    m_view->setMeasures(measured.measures);
    for (const auto& each : measured.measures)
        m_known[{each->layer, each->stage}] = each;
    m_progress.seconds = measured.seconds;
    m_progress.workDone = measured.workDone;
    showNote();
}

void LayersController::finish(Result<LayersMeasured> done)
{
    m_view->setRunning(false);
    m_live.end();
    if (!done)
        return showNote(failed(done.error()));
    take(*done);
    m_pace.add(done->workDone, done->seconds, m_runThreads);
    if (done->tooLong)
    {
        setTooLong(true);
        renewLater();
        showNote();
        return look();
    }
    showNote(outcome(done->stopped, done->failures, tr("stage"), tr("stages")));
    settle();
}

void LayersController::showNote(const QString& outcome)
{
    if (!m_study.cache())
        return;
    const ui::CacheOverview& overview = *m_study.cache()->overview;
    std::int64_t all = 0;
    for (const auto& [layer, stages] : overview.stages)
        all += std::ssize(stages);
    const auto done = std::ssize(m_view->chart()->picture().measures());
    QStringList parts;
    parts << (done < all ? tr("%1 of %2 measured (%3)").arg(done).arg(all).arg(placesText(overview))
                         : placesText(overview));
    if (m_runner.running() && done < all)
    {
        // What this run itself has taken so far says more than any guess.
        double seconds = extrapolatedSeconds(m_progress.seconds, m_progress.workDone, m_workOfAll);
        if (seconds <= 0)
            seconds = m_pace.secondsFor(m_workOfAll, m_runThreads);
        parts << tr("measuring, about %1 in total").arg(ui::durationText(std::max(1.0, seconds)));
    }
    if (!m_study.headsOfLayers().empty()) // else the page says that none is chosen
        parts << ui::chosenHeadsText(m_heads.empty() ? std::ssize(m_study.headsOfLayers()) : std::ssize(m_heads),
                                     overview.model.heads, heldStages(overview));
    parts << documentsText(m_documents);
    if (!m_study.labelColumn().empty())
        parts << tr("labels: %1").arg(ui::toQString(m_study.labelColumn()));
    if (!outcome.isEmpty())
        parts << outcome;
    m_view->setNote(parts.join(QStringLiteral(" · ")));
}

void LayersController::goTo(LayerIndex layer)
{
    m_study.choices().setLayer(layer);
}

} // namespace headscope::desktop
