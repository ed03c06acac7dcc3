// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/views/atlas/atlas_controller.h"

#include "app/desktop/shell/view_files.h"
#include "app/desktop/work/state_values.h"
#include "app/results/atlas_provenance.h"
#include "app/results/frame_output.h"
#include "app/views/atlas/atlas_canvas.h"
#include "app/views/atlas/atlas_text.h"
#include "app/views/atlas/atlas_view.h"
#include "model/data/key_sharing.h"
#include "model/data/results/atlas_frame.h"
#include "ui/settings/settings.h"
#include "ui/state/linked_selection.h"
#include "ui/words/wording.h"
#include "viz/atlas/atlas_figure.h"
#include "viz/export/figure_text.h"

#include <algorithm>
#include <utility>

namespace headscope::desktop
{

AtlasController::AtlasController(Study& study, EngineServers& engines, QObject* parent)
    : AnalysisController(
          study,
          {ui::kAtlasView,
           tr("Atlas"),
           tr("All heads or segments of the model, placed by two measures. Click one to select it in all views; drag "
              "to mark several."),
           tableAndPictureFilters(),
           {QStringLiteral("atlas"), QStringLiteral("atlasattention"), QStringLiteral("atlasprobe")},
           tr("Each point or cell is one head or segment of one layer. Click it to select it in all views, drag to "
              "mark several. The definitions of the measures shown are below the figure.\n\nSome measures need the "
              "model or a label: see the Measure menu. The menu also loads statistics from a file written by the "
              "command “headscope-engine attention”."),
           tr("every head of the model by two measures")},
          parent),
      m_engines(engines), m_view(new ui::AtlasView)
{
    addView(m_view, m_view->canvas());
    own({&m_vectorRunner, &m_probeRunner, &m_attentionRunner});
    ownQuietly({&m_fileRunner, &m_patternRunner});
    m_view->setEmpty(tr("No atlas yet"),
                     tr("The Atlas compares all heads of a model by any two measures. Open a cache first."));
    connectView();
    connectStudy();
}

void AtlasController::connectView()
{
    using ui::AtlasBar;
    using ui::AtlasView;
    connect(m_view, &AtlasView::headClicked, this, &AtlasController::chooseHead);
    connect(m_view, &AtlasView::headsPicked, this, &AtlasController::markHeads);
    connect(m_view, &AtlasView::unmarkRequested, this, [this] { markHeads({}, Qt::NoModifier); });
    connect(m_view, &AtlasView::emptyActionRequested, this, [this] { measureVectors(0); });
    connect(m_view, &AtlasView::lackActionRequested, this, [this] {
        if (isTooLong())
            measureVectors(0);
        else if (m_study.cache())
            Q_EMIT extractRequested(ui::toQString(m_study.cache()->overview->model.path));
    });
    connect(m_view, &AtlasView::shownChanged, this, [this] { showNote(); });
    connect(m_view, &AtlasView::fileDropped, this, &AtlasController::takeDropped);
    connect(m_view->bar(), &AtlasBar::clustersChanged, this, &AtlasController::refreshPattern);
    connect(m_view->bar(), &AtlasBar::stopRequested, this, [this] {
        for (ui::JobRunner* runner : {&m_vectorRunner, &m_probeRunner, &m_attentionRunner})
            runner->requestStop();
    });
    connect(m_view->bar(), &AtlasBar::measureRequested, this, [this](MeasureKind kind) {
        switch (kind)
        {
        case MeasureKind::Attention:
            return measureAttention();
        case MeasureKind::Labels:
            return probeLabels();
        case MeasureKind::File:
            return askFile();
        default:
            return measureVectors(0);
        }
    });
}

void AtlasController::connectStudy()
{
    connect(&m_study, &Study::cacheChanged, this, &AtlasController::onCacheOpened);
    connect(&m_study, &Study::sourceChanged, this, [this] {
        if (const auto shown = m_view->measures(); shown != nullptr && shown->stage != m_study.stage())
        {
            if (!fillView())
                return;
            takeInputs();
        }
        showChosen();
    });
    connect(&m_study, &Study::labelsChanged, this, &AtlasController::takeInputs);
    connect(&m_study, &Study::headsChanged, this, &AtlasController::showChosen);
    connect(&m_study, &Study::paletteChanged, this, [this] { m_view->setHeadPalette(m_study.palette()); });
    connect(&window().selection(), &ui::SelectionHub::shownChanged, this, [this] {
        m_attention.clear(); // of other documents
        m_pattern.reset();
        takeInputs();
    });
    ui::linkHeads(m_view, window().selection(), m_study.choices());
    for (ui::JobRunner* runner : {&m_vectorRunner, &m_probeRunner, &m_attentionRunner})
        connect(runner, &ui::JobRunner::cancelled, this, [this] {
            showOffers();
            showNote(tr("stopped"));
        });
}

void AtlasController::leave()
{
    forgetVectors();
    m_attention.clear();
    m_added.clear();
    m_pattern.reset();
    m_view->setMarked({});
    m_view->setPatternRanks({});
    m_view->setMeasures(nullptr);
}

void AtlasController::forgetVectors()
{
    m_vectorRunner.cancel();
    m_probeRunner.cancel();
    m_liveVectors.end();
    m_liveProbe.end();
    m_layers.clear();
    m_probed.reset();
    setTooLong(false);
    m_secondsOfLayer = 0;
}

/// @return false: there are no heads, which is said
bool AtlasController::fillView()
{
    const ui::CacheOverview& overview = *m_study.cache()->overview;
    m_view->setModel(groupedAt(overview.model, m_study.stage()), m_study.palette());
    const bool any = overview.model.layers > 0 && overview.model.heads > 0 && !overview.stages.empty();
    const bool embedding = m_study.stage() == Stage::Embedding;
    m_view->setFilled(any && !embedding);
    if (!any)
        m_view->setEmpty(tr("No heads"), tr("This cache holds no head vectors. Extract it again."));
    else if (embedding)
        m_view->setEmpty(tr("This stage has no heads"),
                         tr("The sentence embedding is one vector per document. Select stage 1 in the Data panel."));
    return any && !embedding;
}

void AtlasController::onCacheOpened()
{
    if (!fillView())
        return;
    takeInputs();
    showChosen();
}

void AtlasController::takeInputs()
{
    if (!m_study.cache())
        return;
    forgetVectors();
    showMeasures();
    renew();
}

void AtlasController::chooseHead(const HeadPlace& head)
{
    if (!m_study.cache())
        return;
    const ui::CacheOverview& overview = *m_study.cache()->overview;
    ui::Choices& choices = m_study.choices();
    if (LayerIndex(head.layer) == m_study.layer())
        return choices.isolateHeads({head.head});
    if (overview.stages.contains(LayerIndex(head.layer)))
        choices.setLayer(LayerIndex(head.layer));
    else
        window().showNotice(tr("Layer %1 is not in this cache. Instead, head %2 is selected in the current layer (%3).")
                                .arg(head.layer)
                                .arg(head.head + 1)
                                .arg(m_study.layer().value()));
    choices.setHeads({head.head});
}

void AtlasController::markHeads(const std::vector<HeadPlace>& heads, Qt::KeyboardModifiers keys)
{
    if (m_view->measures() == nullptr)
        return;
    const std::int64_t perLayer = m_view->measures()->heads;
    const auto numbers = [perLayer](const std::vector<HeadPlace>& places) {
        std::vector<std::int64_t> all;
        for (const HeadPlace& place : places)
            all.push_back(place.layer * perLayer + place.head);
        return all;
    };
    const auto operation = heads.empty() ? SetOperation::Replace : ui::pickOperation(keys);
    std::vector<HeadPlace> marked;
    std::vector<std::int64_t> ofLayer;
    for (const std::int64_t number : combineSets(numbers(m_view->marked()), numbers(heads), operation))
    {
        marked.push_back({number / perLayer, number % perLayer});
        if (marked.back().layer == m_study.layer().value())
            ofLayer.push_back(marked.back().head);
    }
    m_view->setMarked(std::move(marked));
    if (!ofLayer.empty())
        m_study.choices().setHeads(ofLayer);
    showNote();
}

void AtlasController::showChosen()
{
    if (m_study.cache())
        m_view->setChosen(m_study.layer(), m_study.heads());
}

void AtlasController::saveState(QJsonObject& state) const
{
    if (!m_study.cache())
        return;
    const viz::AtlasChoice& wanted = m_view->bar()->wanted();
    QJsonObject atlas;
    atlas[QStringLiteral("x")] = ui::toQString(wanted.x);
    atlas[QStringLiteral("y")] = ui::toQString(wanted.y);
    atlas[QStringLiteral("size")] = ui::toQString(wanted.size);
    atlas[QStringLiteral("color")] = ui::toQString(wanted.color);
    std::vector<std::int64_t> marked;
    for (const HeadPlace& place : m_view->marked())
        marked.push_back(place.layer * m_study.cache()->overview->model.heads + place.head);
    state[QStringLiteral("atlas")] = atlas;
    state[QStringLiteral("atlas_marked")] = state::rangesText(marked); // of its own: a step of undo
}

void AtlasController::restoreState(const QJsonObject& state)
{
    constexpr qsizetype kLongestKey = 96;
    const QJsonObject atlas = state.value(QStringLiteral("atlas")).toObject();
    viz::AtlasChoice wanted;
    const auto take = [&atlas](const char* name, std::string& key) {
        const QString text = state::text(atlas, QLatin1StringView(name), kLongestKey);
        if (!text.isEmpty())
            key = ui::toStdString(text);
    };
    take("x", wanted.x);
    take("y", wanted.y);
    take("size", wanted.size);
    take("color", wanted.color);
    m_view->bar()->setWanted(wanted);
    if (!m_study.cache())
        return;
    const ModelInfo& model = m_study.cache()->overview->model;
    std::vector<HeadPlace> marked;
    const auto numbers =
        state::rangesOf(state.value(QStringLiteral("atlas_marked")).toString(), model.layers * model.heads);
    for (const std::int64_t number : numbers.value_or(std::vector<std::int64_t>()))
        marked.push_back({number / model.heads, number % model.heads});
    m_view->setMarked(std::move(marked));
}

std::optional<ViewOutput> AtlasController::output(const QString& path, const viz::FigureOptions&)
{
    const auto measures = m_view->measures();
    if (measures == nullptr || !m_study.cache())
        return nothing(tr("No heads measured yet."));
    const ModelInfo info = groupedAt(m_study.cache()->overview->model, measures->stage);
    const std::string cache = std::filesystem::path(m_study.cache()->overview->path).filename().string();
    if (const auto target = std::filesystem::path(ui::toStdString(path)); isTextTable(target))
        return ViewOutput{{}, [measures, info, cache, target] {
                              return writeFrameFile(target, atlasFrame(*measures, info),
                                                    atlasProvenance(*measures, info, cache));
                          }};
    viz::AtlasFigure figure{{}, m_view->marks()};
    if (m_view->bar()->form() == ui::AtlasBar::Form::Grid)
        figure.shown = m_view->paperGrid();
    else
        figure.shown = m_view->paperDots();
    return ViewOutput{viz::describedFigure(viz::figureOfAtlas(std::move(figure)),
                                           tr("Heads of %1. %2").arg(viz::modelName(info), m_view->summary()) % u' ' %
                                               m_view->definitions().replace(u'\n', u' '),
                                           {{QStringLiteral("model"), viz::modelName(info)},
                                            {QStringLiteral("stage"), ui::toQString(stageName(measures->stage))}})};
}

void AtlasController::copy()
{
    const auto measures = m_view->measures();
    if (measures == nullptr || !m_study.cache())
        return window().showNotice(tr("No heads measured yet."));
    copyView(window(), atlasFrame(*measures, groupedAt(m_study.cache()->overview->model, measures->stage)),
             m_view->canvas()->grab().toImage());
}

} // namespace headscope::desktop
