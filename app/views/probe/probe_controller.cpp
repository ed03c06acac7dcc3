// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/views/probe/probe_controller.h"

#include "app/desktop/shell/view_files.h"
#include "app/desktop/work/state_values.h"
#include "app/results/frame_output.h"
#include "app/results/probe_text.h"
#include "app/results/provenance.h"
#include "app/views/probe/confusion_pane.h"
#include "app/views/probe/confusion_picture.h"
#include "app/views/probe/join_probe_view.h"
#include "app/views/probe/probe_output.h"
#include "app/views/probe/probe_view.h"
#include "model/analysis/probe/probe_baselines.h"
#include "model/data/result_store.h"
#include "ui/jobs/job_strip.h"
#include "ui/settings/settings.h"
#include "ui/words/wording.h"

#include <QPixmap>

#include <algorithm>
#include <set>
#include <utility>
#include <vector>

namespace headscope::desktop
{

ProbeController::ProbeController(Study& study, QObject* parent)
    : ViewController(
          study,
          {ui::kProbeView,
           tr("Probe"),
           tr("How well a linear probe predicts which head (or segment) a vector comes from, on held-out documents."),
           tableAndPictureFilters(),
           {QStringLiteral("probe")},
           tr("Accuracy is measured on held-out documents (Teimouri et al., RANLP 2025, Table 1), with chance level "
              "and baselines. A segment is a part of a vector into which all heads write; it is not the output of one "
              "head.\n\nHigh accuracy does not show that heads are specialized: fixed offsets are enough. The "
              "Baselines tab compares the probe with noise of the same mean and variance, random partitions of the "
              "dimensions and a control task."),
           tr("which head a vector comes from (probe)")},
          parent),
      m_view(new ui::ProbeView)
{
    ui::joinProbeView(*m_view, window());
    addView(m_view);
    own({&m_runner});
    connectView();
    connect(&m_study, &Study::cacheChanged, this, &ProbeController::onCacheOpened);
    connect(&m_study, &Study::sourceChanged, this, &ProbeController::takeSource);
    connect(&m_study, &Study::headsChanged, this, &ProbeController::showNote);
    connect(&m_study.window().selection(), &ui::SelectionHub::shownChanged, this, &ProbeController::showNote);
    connect(&m_study, &Study::paletteChanged, this, [this] { m_view->setPalette(m_study.palette()); });
    m_view->setEmpty(tr("No probe yet"),
                     tr("A linear probe shows how well heads or segments can be distinguished. Open a cache first."));
}

void ProbeController::connectView()
{
    ui::ProbeView& view = *m_view;
    connect(&view, &ui::ProbeView::trainRequested, this, &ProbeController::train);
    connect(&view, &ui::ProbeView::emptyActionRequested, this, &ProbeController::train);
    connect(&view, &ui::ProbeView::stopRequested, &m_runner, &ui::JobRunner::requestStop);
    connect(view.bar(), &ui::ProbeBar::choiceChanged, this, &ProbeController::showNote);
    connect(
        &view, &ui::ProbeView::documentsChosen, this,
        [this](const std::vector<std::int64_t>& documents, SetOperation operation, const QString& what) {
            m_study.window().selection().pick(documents, operation);
            m_study.window().showNotice(
                tr("%1: %2 selected").arg(what, ui::countText(std::ssize(documents), tr("document"), tr("documents"))));
        });
    connect(&m_runner, &ui::JobRunner::cancelled, this, [this] {
        m_view->bar()->setRunning(false);
        m_view->setEmpty(tr("No probe yet"), tr("Training was cancelled."), tr("Train probe"));
        m_outcome = tr("stopped");
        showNote();
    });
}

void ProbeController::leave()
{
    m_live.end();
    m_made.reset();
    m_outcome.clear();
    m_view->clear();
}

void ProbeController::onCacheOpened()
{
    ui::ProbeView& view = *m_view;
    std::set<std::int64_t> held;
    for (const auto& [layer, stages] : m_study.cache()->overview->stages)
        held.insert(layer.value());
    view.setModelInfo(m_study.cache()->overview->model, m_study.palette(), std::move(held));
    view.bar()->setSeed(m_study.window().settings().seed());
    describeEmpty();
    bringBack();
}

void ProbeController::describeEmpty()
{
    m_view->setEmpty(tr("No probe yet"),
                     tr("A linear probe predicts which head or segment a vector comes from. The view shows accuracy "
                        "per stage and layer, and a confusion matrix."),
                     tr("Train probe"));
}

QString ProbeController::lossOfStopping() const
{
    if (!m_runner.running())
        return {};
    return m_made && m_taken > 0
               ? tr("%1 of %2 probes are trained and saved. Training the remaining probes would start over.")
                     .arg(m_taken)
                     .arg(m_made->places)
               : tr("No probe is trained yet. Training would start over.");
}

void ProbeController::addWork(ResultStore& work) const
{
    if (!m_made)
        return;
    for (const ui::ProbeRow& row : m_view->model()->rows())
        work.probes.push_back({m_made->heads, row.result, row.control, m_made->documents});
}

void ProbeController::forgetWork()
{
    if (m_runner.running())
        return;
    m_made.reset();
    m_outcome.clear();
    m_view->clear();
    describeEmpty();
    m_view->bar()->setNote({});
}

void ProbeController::saveState(QJsonObject& state) const
{
    QJsonObject probe{{QStringLiteral("page"), static_cast<int>(m_view->page())}};
    if (const auto place = m_view->shownPlace())
    {
        probe[QStringLiteral("layer")] = static_cast<qint64>(place->first.value());
        probe[QStringLiteral("stage")] = ui::toQString(stageName(place->second));
    }
    state[QStringLiteral("probe")] = probe;
}

void ProbeController::restoreState(const QJsonObject& state)
{
    constexpr auto kLastPage = static_cast<std::int64_t>(ui::ProbeView::Page::Baselines);
    const QJsonObject probe = state.value(QStringLiteral("probe")).toObject();
    if (const auto page = state::whole(probe, QStringLiteral("page"), 0, kLastPage))
        m_view->setPage(static_cast<ui::ProbeView::Page>(*page));
    const auto layer = state::whole(probe, QStringLiteral("layer"), 0, m_study.cache()->overview->model.layers);
    const auto stage = stageFromName(ui::toStdString(probe.value(QStringLiteral("stage")).toString()));
    if (layer && stage)
        m_view->showPlace({LayerIndex(*layer), *stage});
}

void ProbeController::bringBack()
{
    if (!m_study.cache()->work || m_study.cache()->work->work.probes.empty())
        return;
    const std::vector<KeptProbe>& probes = m_study.cache()->work->work.probes;
    // Another window may have left others: those that were made like the last one stand together.
    m_made = Made{probes.back().result->options, probes.back().heads, probes.back().documents, 0};
    for (const KeptProbe& probe : probes)
    {
        if (!comparable(probe.result->options, probe.heads, probe.documents))
            continue;
        addFit({probe.result, probe.control});
        ++m_made->places;
    }
    m_taken = m_made->places;
    showNote();
}

void ProbeController::takeSource()
{
    ui::ProbeView& view = *m_view;
    view.setChosen({m_study.layer(), m_study.stage()});
    view.bar()->setLayers(m_study.layer(), std::ssize(m_study.cache()->overview->stages));
    showNote();
}

bool ProbeController::comparable(const ProbeOptions& options, const std::vector<std::int64_t>& heads,
                                 const std::vector<std::int64_t>& documents) const
{
    ProbeOptions made = m_made->options;
    ProbeOptions asked = options;
    Fields first;
    Fields second;
    fields(first, made);
    fields(second, asked);
    return differences(first, second, kIdentityUse).empty() && m_made->heads == heads && m_made->documents == documents;
}

void ProbeController::train()
{
    if (!m_study.cache() || m_runner.running())
        return;
    ui::ProbeView& view = *m_view;
    const ui::ProbeChoice choice = view.bar()->choice();
    const auto& stages = m_study.cache()->overview->stages;
    const LayerIndex layer = m_study.layer();
    ProbeRequest request;
    request.places = choice.allLayers ? placesOf(stages, layer)
                                      : placesOf({{layer, m_study.cache()->overview->stagesOf(layer)}}, layer);
    request.heads = m_study.headsOfLayers();
    request.documents = m_study.window().selection().shownDocuments();
    if (request.heads.size() < 2)
    {
        const QString units = ui::unitsText(m_study.stage());
        view.setEmpty(tr("A probe needs at least 2 %1").arg(units),
                      tr("The probe distinguishes %1. Select at least 2, or all, in the Data panel.").arg(units),
                      tr("Train probe"));
        return m_study.window().showNotice(
            tr("A probe needs at least 2 %1. Select more in the Data panel.").arg(units));
    }
    request.options = choice.options;
    request.control = choice.control;
    request.numThreads = m_study.threads();
    const ModelInfo& model = m_study.cache()->overview->model;
    const std::int64_t documents =
        request.documents.empty() ? m_study.cache()->overview->documents->count() : std::ssize(request.documents);
    request.baselines = documents * model.heads * model.headDim * std::ssize(request.places) <= kMaxBaselineNumbers;
    if (m_made && !comparable(request.options, request.heads, request.documents))
        view.clear();
    m_made = Made{request.options, request.heads, request.documents, request.places.size()};
    m_taken = 0;
    m_outcome.clear();
    view.setEmpty(tr("Training the probe"),
                  choice.allLayers ? tr("One probe per stage of %1. Each probe appears when it is trained.")
                                         .arg(ui::countText(std::ssize(stages), tr("layer"), tr("layers")))
                                   : tr("One probe per stage of layer %1.").arg(layer.value()));
    view.bar()->setRunning(true);
    const auto live = m_live.begin(this, [this](const ProbeFits& fits) { takeFits(fits); });
    m_study.beginJob(QStringLiteral("probe"), tr("Training the probe"), m_runner);
    m_study.run<ProbeFits>(
        m_runner,
        [reader = m_study.cache()->reader, request, live](JobContext& job) {
            return trainProbes(
                *reader, request,
                [&live](const ProbeFits& fits) { live->publishFinal(std::make_shared<const ProbeFits>(fits)); }, job);
        },
        [this](Result<ProbeFits> done) { finish(std::move(done)); });
    showNote();
}

void ProbeController::takeFits(const ProbeFits& fits)
{
    for (; m_taken < fits.fits.size(); ++m_taken)
        addFit(fits.fits[m_taken]);
    showNote();
    Q_EMIT workChanged();
}

void ProbeController::addFit(const ProbeFit& fit)
{
    ui::ProbeRow row{fit.result, fit.control, {}};
    for (const std::string& notice : probeNotices({*fit.result}))
        row.notices << ui::toQString(notice);
    m_view->addRow(std::move(row));
}

void ProbeController::finish(Result<ProbeFits> done)
{
    ui::ProbeView& view = *m_view;
    view.bar()->setRunning(false);
    m_live.end();
    if (!done)
    {
        if (done.error().code == ErrorCode::Cancelled)
            return view.setEmpty(tr("No probe yet"), tr("Training was stopped before the first probe was finished."),
                                 tr("Train probe"));
        m_study.report(done.error());
        return view.setError(done.error(), tr("Train probe"));
    }
    takeFits(*done);
    for (const Error& failure : done->failures)
        m_study.window().jobStrip().addLog(ui::errorText(failure));
    m_outcome = done->stopped ? tr("stopped") : QString();
    if (!done->failures.empty())
        m_outcome = tr("%1 could not be trained. See the log.")
                        .arg(ui::countText(std::ssize(done->failures), tr("probe"), tr("probes")));
    showNote();
    settle();
}

void ProbeController::showNote()
{
    if (!m_study.cache())
        return;
    ui::ProbeView& view = *m_view;
    QStringList parts;
    if (const auto fits = view.model()->rowCount(); fits > 0)
    {
        parts << (m_runner.running() ? tr("%1 of %2 trained").arg(m_taken).arg(m_made ? m_made->places : m_taken)
                                     : ui::countText(fits, tr("probe"), tr("probes")));
        std::vector<Stage> stages;
        for (const ui::ProbeRow& row : view.model()->rows())
            stages.push_back(row.result->stage.value_or(Stage::HeadOutput));
        parts << ui::chosenHeadsText(m_made ? std::ssize(m_made->heads) : 0, m_study.cache()->overview->model.heads,
                                     stages);
        if (m_made && !m_made->documents.empty())
            parts << tr("the %1 shown out of %2")
                         .arg(ui::countText(std::ssize(m_made->documents)),
                              ui::countText(m_study.cache()->overview->documents->count(), tr("document"),
                                            tr("documents")));
        const ProbeResult& first = *view.model()->rows().front().result;
        parts << tr("chance %1").arg(ui::numberText(1 / static_cast<double>(std::max<std::int64_t>(1, first.classes))));
    }
    if (!m_outcome.isEmpty())
        parts << m_outcome;
    if (m_made && view.model()->rowCount() > 0 && !m_runner.running() &&
        !comparable(view.bar()->choice().options, m_study.headsOfLayers(),
                    m_study.window().selection().shownDocuments()))
        parts << tr("trained with other options, heads, segments or documents: train again");
    view.bar()->setNote(parts.join(QStringLiteral(" · ")));
}

QString ProbeController::commandLine() const
{
    const auto& rows = m_view->model()->rows();
    if (!m_study.cache() || !m_made || rows.empty())
        return {};
    return probeCommand(rows, ui::toQString(m_study.cache()->overview->path), m_made->heads, m_made->documents,
                        *m_study.cache()->overview);
}

bool ProbeController::isDrawnByCommand() const
{
    const auto& rows = m_view->model()->rows();
    const viz::ConfusionStyle usual;
    const viz::ConfusionStyle style = m_view->confusion()->matrix()->picture().confusionStyle();
    return m_made && style.values == usual.values && style.scale == usual.scale &&
           std::ranges::all_of(rows, [&rows](const ui::ProbeRow& row) {
               return row.control == nullptr && row.result->layer == rows.front().result->layer;
           });
}

std::optional<ViewOutput> ProbeController::output(const QString& path, const viz::FigureOptions&)
{
    const auto rows = m_view->model()->rows();
    if (rows.empty())
        return nothing(tr("There is no probe to save yet."));
    const ModelInfo& model = m_study.cache()->overview->model;
    if (const std::filesystem::path target = ui::toStdString(path); isTextTable(target))
        return ViewOutput{{},
                          [rows, model, target, cache = m_study.cache()->overview->path,
                           documents = m_made ? m_made->documents : std::vector<std::int64_t>()] {
                              return writeProbeRows(rows, model, cache, documents, target);
                          }};
    return ViewOutput{viz::figureOfProbes(
        probeFigure(rows, m_view->shownPlace(), m_view->confusion()->matrix()->picture().confusionStyle()), model)};
}

void ProbeController::copy()
{
    ui::ProbeView& view = *m_view;
    if (view.model()->rowCount() == 0)
        return m_study.window().showNotice(tr("There is no probe to copy yet."));
    copyView(m_study.window(), probeRowsFrame(view.model()->rows()), view.grab().toImage());
}

} // namespace headscope::desktop
