// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/views/heatmap/heatmap_view.h"

#include "app/views/heatmap/bind_heatmap.h"
#include "app/views/heatmap/heatmap_bar.h"
#include "app/views/heatmap/match_panel.h"
#include "app/views/heatmap/similarity_page.h"
#include "app/views/heatmap/topic_chooser.h"
#include "app/views/heatmap/topic_key.h"
#include "app/views/heatmap/topic_means_page.h"
#include "model/data/key_sharing.h"
#include "ui/canvas/legend/color_bar.h"
#include "ui/charts/match_chart.h"
#include "ui/models/topic_list_model.h"
#include "ui/state/bind_canvas.h"
#include "ui/state/origin_guard.h"
#include "ui/state/view_state.h"
#include "ui/theme/theme.h"
#include "ui/view/view_pages.h"
#include "ui/widgets/widgets.h"
#include "ui/words/wording.h"

#include <QHBoxLayout>
#include <QScrollBar>
#include <QSignalBlocker>
#include <QStackedWidget>
#include <QVBoxLayout>

#include <algorithm>
#include <cmath>
#include <utility>

namespace headscope::ui
{
namespace
{

constexpr int kMatchWidth = 236;
constexpr int kNarrowMatch = 196;
/// In a narrower view the heatmap has the room to itself until the bars are asked for.
constexpr int kMinForMatch = 720;
constexpr int kScrollSteps = 10'000;

/// Heads whose cells are all alike, so that nothing can be said of their order or selectivity.
std::int64_t constantHeads(const HeatmapPanel& panel)
{
    const auto& sd = panel.statistics.sd;
    return sd.size() < 2 ? 0 : std::count_if(sd.begin() + 1, sd.end(), [](double each) { return !(each > 0); });
}

} // namespace

HeatmapView::HeatmapView(QWidget* parent) : View(parent)
{
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(0);
    m_modes = new HeatmapModes(this);
    layout->addWidget(m_modes);
    m_pages = new QStackedWidget(this);
    layout->addWidget(m_pages, 1);
    m_empty = new EmptyState(m_pages);
    m_noHeads = makeNoHeadsState(m_pages);
    m_documents = buildDocuments();
    m_similarity = new SimilarityPage(m_pages);
    m_means = new TopicMeansPage(m_pages);
    for (QWidget* page : std::initializer_list<QWidget*>{m_empty, m_noHeads, m_documents, m_similarity, m_means})
        m_pages->addWidget(page);
    bindState();
    connectParts();
    showPage();
}

QWidget* HeatmapView::buildDocuments()
{
    auto* page = new QWidget(m_pages);
    page->setObjectName(QStringLiteral("canvas"));
    page->setAttribute(Qt::WA_StyledBackground);
    auto* outer = new QVBoxLayout(page);
    outer->setContentsMargins(0, 0, 0, 0);
    outer->setSpacing(0);
    auto* row = new QHBoxLayout;
    row->setSpacing(0);
    outer->addLayout(row, 1);
    auto* left = new QVBoxLayout;
    left->setSpacing(0);
    m_heatmap = new HeatmapWidget(page);
    left->addWidget(m_heatmap, 1);
    m_scroll = new QScrollBar(Qt::Horizontal, page);
    m_scroll->setObjectName(QStringLiteral("heatmapScroll"));
    m_scroll->setAccessibleName(tr("Columns shown"));
    m_scroll->setFocusPolicy(Qt::StrongFocus);
    m_scroll->hide();
    auto* around = new QVBoxLayout;
    around->setContentsMargins(Metrics::kPanel + Metrics::kRelated, 0, Metrics::kPanel + Metrics::kRelated,
                               Metrics::kGrid);
    m_key = new TopicKey(page);
    around->addWidget(m_scroll);
    left->addLayout(around);
    row->addLayout(left, 1);
    m_matchPanel = new MatchPanel(page);
    m_matchPanel->hide();
    row->addWidget(m_matchPanel);
    auto* letters = new QVBoxLayout; // under both: more of them stand side by side
    letters->setContentsMargins(Metrics::kPanel + Metrics::kRelated, 0, Metrics::kPanel, Metrics::kRelated);
    letters->addWidget(m_key);
    outer->addLayout(letters);
    m_bar = new HeatmapBar(page);
    outer->addWidget(m_bar);
    return page;
}

void HeatmapView::bindState()
{
    m_modes->bindTo(viewState());
    m_means->bindTo(viewState());
    m_similarity->bindTo(viewState());
    bind(viewState(), QStringLiteral("heatmap0"), *m_heatmap);
    m_bar->bindTo(viewState());
    // Work files count the scales from those that are hidden to that which is shown.
    for (std::size_t i = 0; i < 3; ++i)
        bind(viewState(), QStringLiteral("scale%1").arg(i), [this, i]() -> ColorBar& {
            std::array<std::pair<HeatmapModes::Mode, ColorBar*>, 3> bars = {
                {{HeatmapModes::Mode::Means, m_means->scale()},
                 {HeatmapModes::Mode::Similarity, m_similarity->scale()},
                 {HeatmapModes::Mode::Documents, m_bar->scale()}}};
            std::stable_partition(bars.begin(), bars.end(),
                                  [this](const auto& bar) { return bar.first != m_modes->mode(); });
            return *bars.at(i).second;
        });
}

void HeatmapView::connectParts()
{
    useEmptyState(m_empty, m_noHeads);
    connect(m_bar, &HeatmapBar::optionsChanged, this, [this] {
        m_similarity->setLetterOrder(m_bar->chooser()->topics()->inLetterOrder());
        Q_EMIT optionsChanged();
    });
    connect(m_bar, &HeatmapBar::topicVectorsChanged, this, &HeatmapView::topicVectorsChanged);
    connect(m_bar, &HeatmapBar::rowsChanged, this, [this] {
        m_heatmap->setRows(m_bar->rows());
        m_means->setRows(m_bar->rows());
        refreshShown();
    });
    connectScale();
    connect(m_heatmap, &HeatmapWidget::valueHovered, m_bar->scale(), &ColorBar::setMarked);
    connect(m_heatmap, &HeatmapWidget::sortRequested, m_bar, &HeatmapBar::setOrder);
    connect(m_heatmap, &HeatmapWidget::windowChanged, this, [this] {
        refreshScrollBar();
        refreshShown();
    });
    connect(m_scroll, &QScrollBar::valueChanged, this,
            [this](int value) { m_heatmap->moveTo(static_cast<double>(value) / kScrollSteps); });
    connect(m_modes, &HeatmapModes::modeChanged, this, [this] {
        showPage();
        Q_EMIT modeChanged();
    });
    connect(m_modes, &HeatmapModes::stageChanged, this, &HeatmapView::showStages);
    connect(m_modes, &HeatmapModes::poolingChanged, this, [this] {
        m_heatmap->setPooling(m_modes->pooling());
        refreshShown();
    });
    connect(m_modes, &HeatmapModes::matchToggled, this, [this](bool wanted) {
        (width() < kMinForMatch ? m_matchNarrow : m_matchWide) = wanted;
        showPage();
        Q_EMIT matchToggled();
    });
    connect(m_key, &TopicKey::topicActivated, m_heatmap, &HeatmapWidget::zoomToTopic);
}

HeatmapView::Mode HeatmapView::mode() const
{
    return m_modes->mode();
}

void HeatmapView::setMode(Mode mode)
{
    m_modes->setMode(mode);
}

bool HeatmapView::matchWanted() const
{
    return m_modes->matchWanted() && mode() == Mode::Documents;
}

void HeatmapView::showPage()
{
    QWidget* page = m_empty;
    if (mode() == Mode::Similarity)
        page = m_similarity->path() != nullptr ? static_cast<QWidget*>(m_similarity) : m_empty;
    else if (!m_panels.empty() && m_chosenHeads && m_chosenHeads->empty())
        page = m_noHeads;
    else if (!m_panels.empty())
        page = mode() == Mode::Means ? static_cast<QWidget*>(m_means) : m_documents;
    m_pages->setCurrentWidget(page);
    m_modes->showChoices(mode() != Mode::Similarity && m_panels.size() > 1 && page != m_noHeads, page == m_documents);
    // From the start, so that nothing moves when the bars come.
    m_matchPanel->setFixedWidth(width() < kMinForMatch ? kNarrowMatch : kMatchWidth);
    m_matchPanel->setVisible(m_modes->matchWanted());
}

void HeatmapView::resizeEvent(QResizeEvent* event)
{
    QWidget::resizeEvent(event);
    // Narrow and wide views remember each for itself; the button says what is so now.
    m_modes->setMatchWanted(width() < kMinForMatch ? m_matchNarrow : m_matchWide);
    showPage();
}

HeatmapWidget::Panels HeatmapView::shownPanels() const
{
    const auto stage = m_modes->stage();
    HeatmapWidget::Panels shown;
    for (const auto& panel : m_panels)
        if (!stage || panel->heatmap->stage == *stage)
            shown.push_back(panel);
    return shown;
}

std::vector<Stage> HeatmapView::stages() const
{
    std::vector<Stage> stages;
    for (const auto& panel : m_panels)
        stages.push_back(panel->heatmap->stage);
    return stages;
}

void HeatmapView::showStages()
{
    refreshScale();
    const HeatmapWidget::Panels shown = shownPanels();
    m_heatmap->setPanels(shown, m_info);
    m_means->setPanels(shown, m_info);
    refreshShown();
}

void HeatmapView::setPanels(HeatmapWidget::Panels panels, const ModelInfo& info, std::int64_t topicsInCache)
{
    std::erase_if(panels,
                  [](const auto& panel) { return !OriginGuard::instance().admits(panel->origin, "a heatmap"); });
    m_panels = std::move(panels);
    m_info = info;
    m_topicsInCache = topicsInCache;
    m_modes->setStages(stages());
    showHeads();
    m_key->setTopics(m_panels.empty() ? std::vector<std::string>() : m_panels.front()->heatmap->topicNames);
    showStages();
    showPage();
}

void HeatmapView::setHeatmaps(const std::vector<std::shared_ptr<const Heatmap>>& heatmaps, const ModelInfo& info,
                              std::int64_t topicsInCache)
{
    HeatmapWidget::Panels panels;
    for (const auto& heatmap : heatmaps)
        panels.push_back(std::make_shared<const HeatmapPanel>(HeatmapPanel{heatmap, {}, {}}));
    setPanels(std::move(panels), info, topicsInCache);
}

void HeatmapView::setMerge(std::shared_ptr<const TopicMergePath> path)
{
    if (path != nullptr && !OriginGuard::instance().admits(path->origin, "the similarity of topics"))
        path = nullptr;
    m_similarity->setPath(std::move(path));
    showPage();
}

void HeatmapView::setMatch(std::shared_ptr<const TopicMatch> match, const viz::HeadPalette& palette)
{
    if (match != nullptr && !OriginGuard::instance().admits(match->origin, "the match of topics"))
        match = nullptr;
    m_matchPanel->setMatch(std::move(match), palette);
    showPage();
}

PictureOf<MatchChart>* HeatmapView::match() const
{
    return m_matchPanel->chart();
}

void HeatmapView::setNotice(const QString& notice)
{
    m_notice = notice;
    refreshShown();
}

void HeatmapView::setLabels(const LabelColumn& labels)
{
    m_bar->chooser()->topics()->setLabels(labels);
    m_bar->refreshTopicsText();
    m_similarity->setLetterOrder(m_bar->chooser()->topics()->inLetterOrder());
}

void HeatmapView::setShownHeads(const std::vector<std::int64_t>& heads)
{
    m_chosenHeads = heads;
    showHeads();
    showPage();
    refreshShown();
}

void HeatmapView::showHeads()
{
    std::vector<std::int64_t> heads = m_chosenHeads.value_or(std::vector<std::int64_t>());
    if (std::ssize(heads) == m_info.heads)
        heads.clear(); // all of them, also of a stage that is not cut into as many
    m_heatmap->setHeads(heads);
    m_means->setHeads(heads);
    match()->picture().setHeads(heads);
}

QString HeatmapView::headsText() const
{
    return chosenHeadsText(m_chosenHeads ? std::ssize(*m_chosenHeads) : m_info.heads, m_info.heads, stages());
}

void HeatmapView::setHeads(std::int64_t heads, Stage stage)
{
    m_bar->setHeads(heads, unitText(stage));
    sayNoHeads(*m_noHeads, stage);
    m_bar->setGrouped(hasKvGroups(m_info, Stage::HeadOutput));
}

HeatmapOptions HeatmapView::options() const
{
    return m_bar->options();
}

TopicVectorChoice HeatmapView::topicVectors() const
{
    return m_bar->topicVectors();
}

QString HeatmapView::shownText() const
{
    return m_bar->shownText();
}

void HeatmapView::refreshScrollBar()
{
    const auto [begin, share] = m_heatmap->visibleShare();
    const QSignalBlocker quiet(m_scroll);
    const int page = std::max(1, static_cast<int>(std::lround(share * kScrollSteps)));
    m_scroll->setRange(0, std::max(0, kScrollSteps - page));
    m_scroll->setPageStep(page);
    m_scroll->setSingleStep(std::max(1, page / 10));
    m_scroll->setValue(static_cast<int>(std::lround(begin * kScrollSteps)));
    m_scroll->setVisible(share < 1);
}

void HeatmapView::refreshShown()
{
    const HeatmapWidget::Panels shown = shownPanels();
    if (shown.empty())
        return m_bar->setShown({}, {});
    const Heatmap& first = *shown.front()->heatmap;
    const auto columns = std::ssize(first.document);
    const auto topics = std::ssize(first.topicOrder);
    QStringList parts = {countText(columns, tr("document"), tr("documents"))};
    if (topics != m_topicsInCache) // the chooser beside says all
        parts << tr("%1 of %2 topics").arg(topics).arg(m_topicsInCache);
    parts << headsText();
    QStringList tip = parts;
    const qsizetype counts = parts.size();
    if (const QString note = m_heatmap->note(); !note.isEmpty())
        tip << note; // stands beside the titles
    if (!first.fullSource.empty())
        tip << tr("Row “full”: %1").arg(toQString(first.fullSource));
    std::int64_t missing = 0;
    for (const auto& panel : shown)
    {
        missing += std::count_if(panel->heatmap->values.values().begin(), panel->heatmap->values.values().end(),
                                 [](float value) { return !std::isfinite(value); });
        if (const std::int64_t constant = constantHeads(*panel); constant > 0)
            tip << tr("Stage %1: %2 without variance, shown last because they cannot be ordered")
                       .arg(toQString(stageName(panel->heatmap->stage)),
                            countText(constant, unitText(panel->heatmap->stage), unitsText(panel->heatmap->stage)));
    }
    if (missing > 0)
    {
        parts << countText(missing, tr("cell without a value"), tr("cells without a value"));
        tip << tr("Cells of vectors that are zero or not finite have no value: they are grey and excluded from means");
    }
    if (!m_notice.isEmpty())
        parts << m_notice;
    tip << parts.mid(counts);
    tip.removeDuplicates();
    m_bar->setShown(parts.join(QStringLiteral(" · ")), tip.join(QLatin1Char('\n')));
}

void HeatmapView::setEmpty(const QString& title, const QString& text, const QString& action, bool isError)
{
    View::setEmpty(title, text, action, isError);
    showPage();
}

} // namespace headscope::ui
