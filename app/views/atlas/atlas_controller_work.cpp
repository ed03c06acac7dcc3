// SPDX-License-Identifier: GPL-3.0-or-later
// What is measured, and what the view says of it.
#include "app/desktop/engine/engine_server.h"
#include "app/desktop/shell/model_choice.h"
#include "app/results/as_cache.h"
#include "app/views/atlas/added_statistics.h"
#include "app/views/atlas/atlas_controller.h"
#include "app/views/atlas/atlas_view.h"
#include "app/views/atlas/measure_attention.h"
#include "app/views/layers/measure_layers.h"
#include "model/analysis/statistics/drawn_documents.h"
#include "model/data/key_sharing.h"
#include "model/io/results/attention/head_statistics_file.h"
#include "ui/dialogs/dialog_service.h"
#include "ui/jobs/job_strip.h"
#include "ui/settings/settings.h"
#include "ui/words/wording.h"

#include <QFileInfo>

#include <algorithm>
#include <cmath>
#include <utility>

#include <nlohmann/json.hpp>

namespace headscope::desktop
{
namespace
{

constexpr int kSplits = 10; // as `headscope label-probe`

} // namespace

std::vector<LayerIndex> AtlasController::heldLayers() const
{
    std::map<LayerIndex, std::vector<Stage>> held;
    for (const auto& [layer, stages] : m_study.cache()->overview->stages)
        if (std::ranges::find(stages, m_study.stage()) != stages.end())
            held[layer] = {m_study.stage()};
    std::vector<LayerIndex> layers;
    for (const auto& [layer, stage] : coarseToFine(held, m_study.layer()))
        layers.push_back(layer);
    return layers;
}

std::vector<LayerIndex> AtlasController::layersToMeasure() const
{
    std::vector<LayerIndex> layers = heldLayers();
    std::erase_if(layers, [this](LayerIndex layer) { return m_layers.contains(layer); });
    return layers;
}

AtlasRequest AtlasController::request() const
{
    AtlasRequest asked;
    asked.stage = m_study.stage();
    asked.labels = topicLabels(*m_study.cache(), m_study.labelColumn());
    asked.documents = m_study.window().selection().shownDocuments();
    asked.answers.seed = window().settings().seed();
    asked.numThreads = m_study.threads();
    return asked;
}

void AtlasController::measureVectors(double limit)
{
    if (!m_study.cache())
        return;
    AtlasRequest asked = request();
    asked.layers = layersToMeasure();
    asked.limit = limit;
    setTooLong(false);
    showLack();
    if (asked.layers.empty())
    {
        showOffers();
        return showNote();
    }
    const auto live = m_liveVectors.begin(this, [this](const AtlasMeasured& done) { takeVectors(done); });
    m_study.beginJob(QStringLiteral("atlas"), tr("Measuring the %1 of all layers").arg(ui::unitsText(asked.stage)),
                     m_vectorRunner);
    m_study.run<AtlasMeasured>(
        m_vectorRunner,
        [reader = m_study.cache()->reader, asked, live](JobContext& job) {
            return measureHeads(
                *reader, asked,
                [&live](const AtlasMeasured& done) { live->publish(std::make_shared<const AtlasMeasured>(done)); },
                job);
        },
        [this](Result<AtlasMeasured> done) { finishVectors(std::move(done)); });
    showOffers();
    showNote();
}

void AtlasController::takeVectors(const AtlasMeasured& measured)
{
    for (const auto& each : measured.layers)
        m_layers[each->layer] = each;
    if (!measured.layers.empty())
        m_secondsOfLayer = measured.seconds / static_cast<double>(measured.layers.size());
    showMeasures();
}

void AtlasController::finishVectors(Result<AtlasMeasured> done)
{
    m_liveVectors.end();
    if (!done)
    {
        showOffers();
        return showNote(failed(done.error()));
    }
    setTooLong(done->tooLong || done->stopped);
    takeVectors(*done);
    showNote(outcome(done->stopped, done->failures, tr("layer"), tr("layers")));
    settle();
}

void AtlasController::probeLabels()
{
    if (!m_study.cache() || m_study.labelColumn().empty())
        return;
    AtlasRequest asked = request();
    asked.layers = heldLayers();
    const auto live = m_liveProbe.begin(this, [this](const HeadMeasure& measure) {
        m_probed = measure;
        showMeasures();
    });
    m_study.beginJob(QStringLiteral("atlasprobe"), tr("Training a label probe for each head"), m_probeRunner);
    m_study.run<HeadMeasure>(
        m_probeRunner,
        [reader = m_study.cache()->reader, asked, live](JobContext& job) {
            return probeHeads(
                *reader, asked, kSplits,
                [&live](const HeadMeasure& measure) { live->publish(std::make_shared<const HeadMeasure>(measure)); },
                job);
        },
        [this](Result<HeadMeasure> measure) {
            m_liveProbe.end();
            if (measure)
                m_probed = std::move(*measure);
            else
                failed(measure.error());
            showMeasures();
            settle();
        });
    showOffers();
}

QString AtlasController::lackOfAttention() const
{
    const ui::CacheOverview& overview = *m_study.cache()->overview;
    if (m_study.stage() != Stage::HeadOutput)
        return tr("Attention is measured per head: select stage 1 in the Data panel");
    if (overview.documents->texts.empty())
        return tr("Attention needs texts, and this cache holds none: extract it again with texts");
    if (overview.model.changes.any())
        return tr("The cache was made with ablated heads or merged KV groups, so the original model’s attention does "
                  "not match the cache");
    return {};
}

void AtlasController::measureAttention()
{
    if (!m_study.cache() || !lackOfAttention().isEmpty())
        return;
    const QString model = modelOfCache(m_study);
    if (model.isEmpty())
        return askModelOfCache(m_study, [this](const QString&) { measureAttention(); });
    const OpenedCache& cache = *m_study.cache();
    AtlasAttentionRequest asked;
    asked.command.model = ui::toStdString(model);
    encodeAsCache(cache.reader->info().header, asked.command);
    asked.info = cache.overview->model;
    asked.documents = cache.overview->documents;
    asked.seed = window().settings().seed();
    const std::vector<std::int64_t> shown = window().selection().shownDocuments();
    asked.of = shown.empty() ? asked.documents->count() : std::ssize(shown);
    asked.rows = drawnDocuments(*asked.documents, shown, m_view->bar()->documents(), asked.seed);
    asked.origin = m_study.origin();
    const QString what = ui::countText(std::ssize(asked.rows), tr("document"), tr("documents"));
    m_study.beginJob(QStringLiteral("atlasattention"),
                     tr("Attention of %1 over %2").arg(QFileInfo(model).fileName(), what), m_attentionRunner);
    m_study.run<Measured>(
        m_attentionRunner,
        [asked, engine = m_engines.of(model)](JobContext& job) {
            return headscope::desktop::measureAttention(
                [&engine](const nlohmann::json& params, JobContext& inner) {
                    return engine->ask("attention", params, inner);
                },
                asked, job);
        },
        [this](Result<Measured> measures) { takeAttention(std::move(measures)); });
    showOffers();
    showNote();
}

void AtlasController::takeAttention(Result<Measured> measures)
{
    if (!measures)
    {
        showOffers();
        return showNote(failed(measures.error()));
    }
    m_attention = std::move(*measures);
    m_pattern.reset();
    showMeasures();
    refreshPattern();
    settle();
}

void AtlasController::refreshPattern()
{
    if (m_attention.empty() || !m_study.cache())
        return;
    HeadMeasures measures;
    measures.layers = m_study.cache()->overview->model.layers;
    measures.heads = m_study.cache()->overview->model.heads;
    measures.measures = m_attention;
    measures.origin = m_study.origin();
    m_study.run<std::shared_ptr<const PatternClusters>>(
        m_patternRunner,
        [measures,
         clusters = m_view->bar()->clusters()](JobContext&) -> Result<std::shared_ptr<const PatternClusters>> {
            HEADSCOPE_TRY(PatternClusters found, clusterPatterns(measures, clusters));
            return std::make_shared<const PatternClusters>(std::move(found));
        },
        [this](Result<std::shared_ptr<const PatternClusters>> found) {
            if (!found)
                return m_study.report(found.error());
            m_pattern = std::move(*found);
            showMeasures();
        });
}

void AtlasController::askFile()
{
    window().dialogs().openFile(
        &window(), tr("Open head statistics"), window().settings().text(ui::SettingKey::LastFolder),
        tr("Statistics (*.h5 *.hdf5);;All files (*)"), [this](const QString& path) { addFile(path); });
}

void AtlasController::addFile(const QString& path)
{
    if (!m_study.cache())
        return window().showNotice(tr("First open a cache of the model that the statistics describe. The statistics "
                                      "are then added to its heads."));
    m_study.run<Measured>(
        m_fileRunner,
        [file = std::filesystem::path(ui::toStdString(path)), info = m_study.cache()->overview->model,
         origin = m_study.origin()](JobContext& job) { return readStatistics(file, info, origin, job); },
        [this, path](Result<Measured> measures) {
            if (!measures)
                return m_study.report(measures.error());
            m_added = std::move(*measures);
            showMeasures();
            showNote(m_study.stage() == Stage::HeadOutput
                         ? tr("%1 of %2 added")
                               .arg(ui::countText(std::ssize(m_added), tr("measure"), tr("measures")),
                                    QFileInfo(path).fileName())
                         : tr("the statistics in %1 are per head: select stage 1 to see them")
                               .arg(QFileInfo(path).fileName()));
            settle();
        });
}

void AtlasController::takeDropped(const QString& path)
{
    m_study.run<bool>(
        m_fileRunner,
        [file = std::filesystem::path(ui::toStdString(path))](JobContext& job) -> Result<bool> {
            return isHeadStatistics(file, job);
        },
        [this, path](Result<bool> statistics) {
            if (statistics && *statistics)
                addFile(path);
            else
                Q_EMIT window().openRequested(path);
        });
}

void AtlasController::showMeasures()
{
    if (!m_study.cache())
        return;
    const ModelInfo& model = m_study.cache()->overview->model;
    const Stage stage = m_study.stage();
    HeadMeasures base;
    base.stage = stage;
    base.layers = model.layers;
    base.heads = model.heads;
    base.origin = m_study.origin();
    base.measures = placeMeasures(stage, model.layers, model.heads);
    AtlasLayers layers;
    for (const auto& [layer, measured] : m_layers)
        layers.push_back(measured);
    Measured all = measuresOf(layers, model, stage, base.origin);
    if (m_probed)
        all.push_back(*m_probed);
    if (stage == Stage::HeadOutput)
    {
        all.insert(all.end(), m_attention.begin(), m_attention.end());
        all.insert(all.end(), m_added.begin(), m_added.end());
    }
    auto measures = withMeasures(base, std::move(all));
    std::vector<std::int64_t> ranks;
    if (stage == Stage::HeadOutput && m_pattern != nullptr)
    {
        std::vector<HeadMeasure> pattern;
        pattern.push_back(patternMeasure(*measures, *m_pattern));
        measures = withMeasures(*measures, std::move(pattern));
        ranks = m_pattern->ranks;
    }
    m_view->setMeasures(measures);
    m_view->setPatternRanks(std::move(ranks));
    showOffers();
    showLack();
    showNote();
}

bool AtlasController::anyRuns() const
{
    return m_vectorRunner.running() || m_probeRunner.running() || m_attentionRunner.running();
}

void AtlasController::showOffers()
{
    ui::AtlasBar* const bar = m_view->bar();
    bar->setRunning(anyRuns());
    if (!m_study.cache())
        return;
    const auto left = std::ssize(layersToMeasure());
    bar->setOffer(MeasureKind::Vectors, left > 0 && !m_vectorRunner.running(), tr("Vectors of all layers"),
                  left > 0 ? tr("%1 left").arg(ui::countText(left, tr("layer"), tr("layers")))
                           : tr("All layers of the cache are measured"));
    const QString lack = lackOfAttention();
    bar->setOffer(MeasureKind::Attention, lack.isEmpty() && !m_attentionRunner.running(),
                  tr("Attention on documents and random ids"),
                  lack.isEmpty() ? tr("Run the model on documents of the cache and on repeated random ids") : lack);
    const bool labelled = !m_study.labelColumn().empty();
    bar->setOffer(
        MeasureKind::Labels, labelled && !m_probeRunner.running(), tr("Label probe of each head"),
        labelled
            ? tr("Train a probe that predicts the label from each head, on %1 splits of the documents").arg(kSplits)
            : tr("The documents have no labels"));
    bar->setOffer(MeasureKind::File, true, tr("Statistics from a file…"),
                  tr("Load statistics saved by the command “headscope-engine attention”"));
}

void AtlasController::showLack()
{
    if (!m_study.cache())
        return;
    const ui::CacheOverview& overview = *m_study.cache()->overview;
    const auto left = std::ssize(layersToMeasure());
    if (isTooLong() && left > 0)
        return m_view->setLack(tr("%1 of %2 measured. The rest takes about %3.")
                                   .arg(m_layers.size())
                                   .arg(ui::countText(left + std::ssize(m_layers), tr("layer"), tr("layers")),
                                        ui::durationText(std::max(1.0, m_secondsOfLayer * static_cast<double>(left)))),
                               tr("Measure remaining layers"));
    const auto held = std::ssize(heldLayers());
    if (held < overview.model.layers)
        return m_view->setLack(tr("This cache holds stage %1 for %2 of %3. The remaining layers can be extracted.")
                                   .arg(ui::toQString(stageName(m_study.stage())))
                                   .arg(held)
                                   .arg(ui::countText(overview.model.layers, tr("layer"), tr("layers"))),
                               tr("Extract all layers…"));
    m_view->setLack({}, {});
}

void AtlasController::showNote(const QString& outcome)
{
    if (!m_study.cache())
        return;
    QStringList parts;
    if (m_vectorRunner.running())
    {
        const auto left = std::ssize(layersToMeasure());
        const auto done = std::ssize(m_layers);
        QString text = tr("%1 of %2 measured").arg(done).arg(ui::countText(done + left, tr("layer"), tr("layers")));
        if (m_secondsOfLayer > 0 && left > 0)
            text += tr(", %1 left").arg(ui::durationText(std::max(1.0, m_secondsOfLayer * static_cast<double>(left))));
        parts << text;
    }
    if (const auto measures = m_view->measures(); measures != nullptr)
    {
        if (m_view->bar()->form() == ui::AtlasBar::Form::Dots)
        {
            const auto shown = std::ssize(m_view->shownDots());
            parts << tr("%1 of %2")
                         .arg(ui::countText(shown), ui::countText(measures->count(), ui::unitText(measures->stage),
                                                                  ui::unitsText(measures->stage)));
        }
        if (!m_view->marked().empty())
            parts << tr("%1 marked").arg(m_view->marked().size());
    }
    if (!outcome.isEmpty())
        parts << outcome;
    m_view->bar()->setNote(parts.join(QStringLiteral(" · ")));
}

} // namespace headscope::desktop
