// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/views/heatmap/heatmap_controller.h"

#include "app/desktop/shell/cards.h"
#include "app/views/heatmap/heatmap_view.h"
#include "app/views/heatmap/heatmap_widget.h"
#include "app/views/heatmap/join_heatmap_view.h"
#include "app/views/heatmap/match_panel.h"
#include "app/views/heatmap/similarity_page.h"
#include "app/views/heatmap/topic_key.h"
#include "app/views/heatmap/topic_means_page.h"
#include "ui/canvas/picture_widget.h"
#include "ui/charts/match_chart.h"
#include "ui/dialogs/dialog_service.h"
#include "ui/jobs/job_strip.h"
#include "ui/state/linked_selection.h"
#include "ui/theme/theme.h"
#include "ui/words/wording.h"
#include "viz/heatmap/heatmap_scale.h"

#include <algorithm>
#include <utility>
#include <vector>

namespace headscope::desktop
{
namespace
{

/// Inputs above this are read again for every change, so that a large cache does not fill the memory.
constexpr std::size_t kMaxKept = std::size_t{2} << 30;

/// What one job computes.
struct Computed
{
    std::shared_ptr<const HeatmapInputs> inputs;
    std::vector<std::shared_ptr<const HeatmapPanel>> panels;
};

} // namespace

HeatmapController::HeatmapController(Study& study, QObject* parent)
    : AnalysisController(study,
                         {ui::kHeatmapView,
                          tr("Heatmap"),
                          tr("Cosine similarity of each vector with its document’s topic. Rows: full vector and "
                             "selected heads. Columns: documents."),
                          pictureFilters() + QStringList{tr("CSV table (*.csv)"), tr("LaTeX table (*.tex)")},
                          {QStringLiteral("heatmap")},
                          tr("Documents are ordered by topic (Teimouri et al., RANLP 2025, Figure 6). The full vector "
                             "is the embedding of the document; the other rows are the heads or segments selected in "
                             "the Data panel.\n\n“Topic similarity” shows cosines between topics (Figure 1) and "
                             "suggests topics to merge. “Means” shows the mean of each row in each topic; contrasts "
                             "subtract the mean over the other topics, or the mean of the full vector."),
                          tr("cosines with topics (heatmap), similarity of topics (similarity), merged labels")},
                         parent),
      m_view(new ui::HeatmapView)
{
    ui::joinHeatmapView(*m_view, window());
    addView(m_view);
    own({&m_runner, &m_matchRunner, &m_mergeRunner});
    connectStudy();
    connectSelection();
    connect(&view(), &ui::HeatmapView::optionsChanged, this, [this] {
        m_panelsStale = true;
        look();
    });
    connect(&view(), &ui::HeatmapView::topicVectorsChanged, this, [this] {
        m_inputs.reset();
        if (m_study.cache())
            refresh();
    });
    connect(&view(), &ui::HeatmapView::modeChanged, this, &HeatmapController::look);
    connect(&view(), &ui::HeatmapView::matchToggled, this, &HeatmapController::look);
    connect(&view(), &ui::HeatmapView::emptyActionRequested, this, &HeatmapController::look);
    // Cancelled in the strip of jobs; where the code did it, what it shows next replaces this.
    connect(&m_runner, &ui::JobRunner::cancelled, this, [this] {
        m_panelsStale = true;
        if (m_study.cache() && view().panels().empty() && view().mode() != ui::HeatmapView::Mode::Similarity)
            view().setEmpty(tr("No heatmap yet"), tr("You cancelled the computation."), tr("Compute"));
    });
    connect(&m_mergeRunner, &ui::JobRunner::cancelled, this, [this] {
        m_mergeStale = true;
        if (m_study.cache() && view().similarity()->path() == nullptr &&
            view().mode() == ui::HeatmapView::Mode::Similarity)
            view().setEmpty(tr("Topics not compared yet"), tr("You cancelled the comparison."), tr("Compare"));
    });
    connect(view().similarity(), &ui::SimilarityPage::applyRequested, this, &HeatmapController::applyMerge);
    connect(view().similarity(), &ui::SimilarityPage::saveRequested, this, &HeatmapController::saveLabelMap);
    view().heatmap()->setThreads(m_study.threads());
    view().heatmap()->setCardSource(
        [this](const Heatmap& heatmap, viz::HeatmapCell cell) { return cellCard(heatmap, cell); });
    showEmpty();
}

HeatmapController::~HeatmapController()
{
    view().heatmap()->setCardSource({});
}

void HeatmapController::connectStudy()
{
    connect(&m_study, &Study::cacheChanged, this, &HeatmapController::onCacheOpened);
    connect(&m_study, &Study::sourceChanged, this, &HeatmapController::takeSource);
    connect(&m_study, &Study::labelsChanged, this, &HeatmapController::takeLabels);
    connect(&m_study, &Study::headsChanged, this, [this] { view().setShownHeads(m_study.heads()); });
    connect(&m_study, &Study::paletteChanged, this,
            [this] { view().setMatch(view().match()->picture().match(), m_study.palette()); });
}

void HeatmapController::connectSelection()
{
    ui::SelectionHub& hub = window().selection();
    ui::Choices& choices = m_study.choices();
    ui::HeatmapWidget* heatmap = view().heatmap();
    connect(&hub, &ui::SelectionHub::shownChanged, this, &HeatmapController::takeShown);
    connect(heatmap, &ui::HeatmapWidget::stageClicked, &choices, &ui::Choices::setStage);
    ui::linkHeads(view().matchPanel(), hub, choices);
    ui::linkHeadChoice(view().matchPanel(), choices);
    ui::linkHeads(view().means(), hub, choices);
    ui::linkHeadChoice(view().means(), choices);
    ui::linkHeads(&view(), hub, choices);
    const auto chooseTopic = [this, heatmap](std::int64_t topic, Qt::KeyboardModifiers keys) {
        window().selection().pick(heatmap->documentsOf(topic), ui::pickOperation(keys));
    };
    connect(view().means(), &ui::TopicMeansPage::topicClicked, this, chooseTopic);
    connect(view().key(), &ui::TopicKey::topicClicked, this, chooseTopic);
}

void HeatmapController::leave()
{
    m_inputs.reset();
    m_matchOf.reset();
    m_panelsStale = true;
    m_mergeStale = true;
    view().forgetScale();
    clear();
}

void HeatmapController::clear()
{
    view().setPanels({}, m_study.cache()->overview->model, 0);
    view().setMerge(nullptr);
    view().setMatch(nullptr, m_study.palette());
}

void HeatmapController::onCacheOpened()
{
    view().setPanels({}, m_study.cache()->overview->model, 0);
    view().setShownHeads(m_study.heads());
    takeLabels();
}

void HeatmapController::takeLabels()
{
    if (!m_study.cache())
        return;
    m_inputs.reset();
    m_mergeStale = true;
    m_mergeRunner.cancel();
    const LabelColumn* column = m_study.cache()->overview->documents->label(m_study.labelColumn());
    view().setLabels(column == nullptr ? LabelColumn() : *column);
    refresh();
}

void HeatmapController::takeSource()
{
    view().setHeads(m_study.choices().headCount(), m_study.stage());
    if (m_inputsLayer != m_study.layer() || (m_inputs != nullptr && m_inputs->find(m_study.stage()) == nullptr))
        m_inputs.reset();
    m_mergeStale = true;
    m_mergeRunner.cancel();
    refresh();
}

void HeatmapController::takeShown()
{
    if (!m_study.cache())
        return;
    if (view().topicVectors() != TopicVectorChoice())
        m_inputs.reset(); // means are of the documents shown
    if (const auto now = labels(); now && m_inputs != nullptr)
    {
        auto inputs = std::make_shared<HeatmapInputs>(*m_inputs); // the same vectors
        inputs->labels = *now;
        m_inputs = std::move(inputs);
    }
    refresh();
}

void HeatmapController::refresh()
{
    m_panelsStale = true;
    m_runner.cancel(); // what it would deliver is of another layer or other labels
    m_matchRunner.cancel();
    look();
}

std::optional<HeatmapLabels> HeatmapController::labels() const
{
    const std::string column = m_study.labelColumn();
    const ui::CacheOverview& overview = *m_study.cache()->overview;
    const TopicVectorChoice vectors = view().topicVectors();
    const bool hasNames =
        std::find(overview.topicColumns.begin(), overview.topicColumns.end(), column) != overview.topicColumns.end();
    const bool hasLabels = !column.empty() && overview.documents->label(column) != nullptr;
    if (!(vectors.kind == TopicVectorKind::Names ? hasNames : hasLabels))
        return std::nullopt;
    HeatmapLabels labels = topicLabels(*m_study.cache(), column);
    labels.vectors = vectors;
    if (const auto shown = m_study.window().selection().shownOnly())
    {
        auto part = std::make_shared<LabelColumn>(*overview.documents->label(column));
        for (std::size_t document = 0; document < part->codes.size(); ++document)
            if (!std::binary_search(shown->documents.begin(), shown->documents.end(),
                                    static_cast<std::int64_t>(document)))
                part->codes[document] = -1;
        labels.part = std::move(part);
    }
    return labels;
}

void HeatmapController::showEmpty()
{
    const QString what = tr("Each cell is the cosine of a vector with its document’s topic vector. ");
    if (!m_study.cache())
        return view().setEmpty(tr("No heatmap yet"), what + tr("Open a cache with labels and topic vectors."));
    clear();
    const std::string column = m_study.labelColumn();
    view().setEmpty(
        tr("A heatmap needs topics"),
        column.empty()
            ? what + tr("This cache has no labels. Extract it again, and select a label column in the table of texts.")
            : what + tr("This cache holds no topic vectors of “%1”. Extract it again and set “Topic names” in the "
                        "options.")
                         .arg(ui::toQString(column)));
}

void HeatmapController::showError(const Error& error)
{
    view().setPanels({}, m_study.cache()->overview->model, 0);
    view().setMatch(nullptr, m_study.palette());
    view().setError(error);
    m_study.window().jobStrip().addLog(ui::errorText(error));
}

void HeatmapController::begin()
{
    if (!labels())
        return showEmpty();
    if (view().mode() == ui::HeatmapView::Mode::Similarity)
        return computeMerge();
    if (m_panelsStale)
        return computePanels();
    computeMatch();
}

/// Those of the layer, or the sentence embedding where that is selected.
std::vector<Stage> HeatmapController::stagesShown() const
{
    if (m_study.stage() == Stage::Embedding)
        return {Stage::Embedding};
    return m_study.cache()->overview->stagesOf(m_study.layer());
}

void HeatmapController::computePanels()
{
    m_panelsStale = false;
    if (view().panels().empty())
        view().setEmpty(tr("Computing the heatmap"),
                        tr("Computing the cosine of every vector with its document’s topic vector."));
    const LayerIndex layer = m_study.layer();
    m_study.beginJob(QStringLiteral("heatmap"), tr("Computing the heatmap"), m_runner);
    m_study.run<Computed>(
        m_runner,
        [reader = m_study.cache()->reader, layer, stages = stagesShown(), source = *labels(), inputs = m_inputs,
         reference = m_study.stage(), options = view().options(),
         count = m_study.threads()](JobContext& job) mutable -> Result<Computed> {
            Computed made{inputs, {}};
            if (made.inputs == nullptr)
            {
                HEADSCOPE_TRY(made.inputs, loadHeatmapInputs(*reader, layer, stages, source, count, job));
            }
            HEADSCOPE_TRY(made.panels, makeHeatmapPanels(*made.inputs, reference, options, count, job));
            return made;
        },
        [this, layer](Result<Computed> made) {
            if (!made)
                return showError(made.error());
            m_inputs = made->inputs->bytes() <= kMaxKept ? made->inputs : nullptr;
            m_inputsLayer = layer;
            const ui::CacheOverview& open = *m_study.cache()->overview;
            const LabelColumn* column = open.documents->label(m_study.labelColumn());
            view().setPanels(std::move(made->panels), open.model,
                             column == nullptr ? 0 : std::ssize(column->categories));
            noteMissingStages();
            if (!made->inputs->fault.empty() && m_faultSaid != made->inputs->fault)
                m_study.window().jobStrip().addLog(ui::toQString(m_faultSaid = made->inputs->fault));
            settle();
            computeMatch();
        });
}

void HeatmapController::noteMissingStages()
{
    QStringList missing;
    for (const Stage stage : stagesShown())
        if (std::none_of(view().panels().begin(), view().panels().end(),
                         [stage](const auto& panel) { return panel->heatmap->stage == stage; }))
            missing << ui::toQString(stageName(stage));
    view().setNotice(missing.isEmpty() ? QString()
                                       : tr("stage %1 has no topic vectors").arg(missing.join(QStringLiteral(", "))));
}

void HeatmapController::computeMatch()
{
    if (!view().matchWanted() || m_inputs == nullptr || m_runner.running() ||
        (m_matchOf == m_inputs && m_matchStage == m_study.stage()))
        return;
    m_study.beginJob(QStringLiteral("match"), tr("Matching topics"), m_matchRunner);
    m_study.run<std::shared_ptr<const TopicMatch>>(
        m_matchRunner,
        [inputs = m_inputs, stage = m_study.stage(), count = m_study.threads()](JobContext& job) {
            return makeTopicMatch(*inputs, stage, count, job);
        },
        [this, of = m_inputs, stage = m_study.stage()](Result<std::shared_ptr<const TopicMatch>> match) {
            if (!match)
                return m_study.report(match.error());
            m_matchOf = of;
            m_matchStage = stage;
            view().setMatch(std::move(*match), m_study.palette());
            settle();
        });
}

void HeatmapController::computeMerge()
{
    if (!m_mergeStale)
        return;
    m_mergeStale = false;
    // Of the cache's own labels: merging starts from them, whatever was merged before.
    const std::string column = labels()->topicColumn;
    const LayerIndex layer = m_study.layer();
    Stage stage = m_study.stage();
    const auto stages = m_study.cache()->overview->stagesOf(layer);
    if (!m_study.cache()->reader->hasTopics(column, layer, stage))
        for (const Stage other : stages)
            if (m_study.cache()->reader->hasTopics(column, layer, other))
                stage = other;
    if (view().similarity()->path() == nullptr)
        view().setEmpty(tr("Comparing topics"), tr("Computing cosines between the full vectors of topic names."));
    m_study.beginJob(QStringLiteral("similarity"), tr("Comparing topics"), m_mergeRunner);
    m_study.run<std::shared_ptr<const TopicMergePath>>(
        m_mergeRunner,
        [reader = m_study.cache()->reader, layer, stage, column, count = m_study.threads()](JobContext& job) {
            return makeMergePath(*reader, layer, stage, column, count, job);
        },
        [this](Result<std::shared_ptr<const TopicMergePath>> path) {
            if (!path)
            {
                view().setMerge(nullptr);
                view().setError(path.error());
                return m_study.window().jobStrip().addLog(ui::errorText(path.error()));
            }
            if ((*path)->similarity.names.size() < 2)
            {
                view().setMerge(nullptr);
                return view().setEmpty(tr("Nothing to compare"),
                                       tr("Topic similarity needs at least 2 topics. This cache has one."));
            }
            view().setMerge(std::move(*path));
            settle();
        });
}

ui::HoverContent HeatmapController::cellCard(const Heatmap& heatmap, viz::HeatmapCell cell) const
{
    if (!m_study.cache())
        return {};
    std::optional<HeadIndex> head;
    if (cell.row > 0)
        head = HeadIndex(cell.row - 1);
    const auto column = static_cast<std::size_t>(cell.column);
    ui::HoverContent content = documentCard(m_study, DocumentIndex(heatmap.document[column]), head, heatmap.stage);
    if (!head)
        content.title = tr("Full vector");
    content.detail = tr("%1 · cosine").arg(ui::rowSource(heatmap, cell.row));
    const auto value = static_cast<double>(heatmap.values(cell.row, cell.column));
    content.value = ui::numberText(value);
    const auto topic = std::upper_bound(heatmap.topicStart.begin(), heatmap.topicStart.end(), cell.column) -
                       heatmap.topicStart.begin() - 1;
    content.subtitle = viz::topicLetter(topic) + QStringLiteral("  ") +
                       ui::toQString(heatmap.topicNames[static_cast<std::size_t>(topic)]);
    return content;
}

} // namespace headscope::desktop
