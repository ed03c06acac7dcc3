// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/views/heatmap/heatmap_view.h"

#include "model/data/key_sharing.h"
#include "ui/canvas/legend/color_bar.h"
#include "ui/charts/match_chart.h"
#include "ui/models/topic_list_model.h"
#include "ui/state/border.h"
#include "ui/theme/theme.h"
#include "ui/views/heatmap/heatmap_bar.h"
#include "ui/views/heatmap/similarity_page.h"
#include "ui/views/heatmap/topic_chooser.h"
#include "ui/views/heatmap/topic_key.h"
#include "ui/views/heatmap/topic_means_page.h"
#include "ui/views/view_pages.h"
#include "ui/widgets/widgets.h"
#include "ui/widgets/wrap_row.h"
#include "ui/words/wording.h"

#include <QAbstractButton>
#include <QButtonGroup>
#include <QComboBox>
#include <QHBoxLayout>
#include <QScrollBar>
#include <QSignalBlocker>
#include <QStackedWidget>
#include <QToolButton>
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
constexpr int kLeastForMatch = 720;
constexpr int kScrollSteps = 10'000;

/// Heads whose cells are all alike, so that nothing can be said of their order or selectivity.
std::int64_t constantHeads(const HeatmapPanel& panel)
{
    const auto& sd = panel.statistics.sd;
    return sd.size() < 2 ? 0 : std::count_if(sd.begin() + 1, sd.end(), [](double each) { return !(each > 0); });
}

} // namespace

HeatmapView::HeatmapView(QWidget* parent) : QWidget(parent)
{
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(0);
    layout->addWidget(buildModes());
    m_pages = new QStackedWidget(this);
    layout->addWidget(m_pages, 1);
    m_empty = new EmptyState(m_pages);
    m_noHeads = makeNoHeadsState(m_pages);
    m_documents = buildDocuments();
    m_similarity = new SimilarityPage(m_pages);
    m_means = new TopicMeansPage(m_pages);
    for (QWidget* page : std::initializer_list<QWidget*>{m_empty, m_noHeads, m_documents, m_similarity, m_means})
        m_pages->addWidget(page);
    connectParts();
    showPage();
}

QWidget* HeatmapView::buildModes()
{
    auto* row = new QWidget(this);
    row->setObjectName(QStringLiteral("canvas"));
    row->setAttribute(Qt::WA_StyledBackground);
    auto* layout = new WrapRow(row);
    layout->setContentsMargins(Metrics::kPanel, 6, Metrics::kPanel, 4);
    layout->setSpacing(Metrics::kGrid);
    m_modes = new QButtonGroup(this);
    const auto mode = [&](Mode which, const char* name, const QString& text, const QString& tip) {
        auto* button = new QToolButton(row);
        button->setObjectName(QLatin1StringView(name));
        button->setProperty("boxed", true);
        button->setFocusPolicy(Qt::StrongFocus);
        button->setCheckable(true);
        button->setText(text);
        button->setToolTip(tip);
        button->setAccessibleName(tip);
        m_modes->addButton(button, static_cast<int>(which));
        return button;
    };
    QToolButton* documents = mode(Mode::Documents, "modeDocuments", tr("Documents"),
                                  tr("Heads or segments by documents, as in Figure 6 of Teimouri et al."));
    QToolButton* similarity =
        mode(Mode::Similarity, "modeSimilarity", tr("Topic similarity"),
             tr("Similarity of the topics, as in Figure 1 of Teimouri et al., and which to merge"));
    QToolButton* means =
        mode(Mode::Means, "modeMeans", tr("Means"), tr("Mean of each row in each topic, and contrasts"));
    layout->addWidget(makeTogether({documents, similarity, means}, Metrics::kGrid, row));
    m_modes->button(static_cast<int>(Mode::Documents))->setChecked(true);
    layout->addSpacing(Metrics::kRelated);
    m_stages = new QComboBox(row);
    m_stages->setObjectName(QStringLiteral("heatmapStages"));
    m_stages->setAccessibleName(tr("Stages shown"));
    m_stages->setToolTip(tr("All stages one under the other, with the same columns, or one of them"));
    m_stages->addItem(tr("All stages"), -1);
    m_pooling = new QComboBox(row);
    m_pooling->setObjectName(QStringLiteral("heatmapPooling"));
    m_pooling->setAccessibleName(tr("What a pixel shows that several documents share"));
    m_pooling->addItem(tr("Mean per pixel"), static_cast<int>(viz::CellPooling::Mean));
    m_pooling->addItem(tr("Largest per pixel"), static_cast<int>(viz::CellPooling::Largest));
    m_pooling->setToolTip(tr("Where several documents share a pixel: their mean, or the largest, so that single ones "
                             "stay to be seen"));
    m_matchButton = new QToolButton(row);
    m_matchButton->setObjectName(QStringLiteral("heatmapMatch"));
    m_matchButton->setProperty("boxed", true);
    m_matchButton->setCheckable(true);
    m_matchButton->setChecked(true);
    m_matchButton->setText(tr("Match"));
    m_matchButton->setToolTip(tr("Bars: how often a document’s own topic is among the nearest"));
    layout->addWidget(m_stages);
    layout->addWidget(m_pooling);
    layout->addStretch(1);
    layout->addWidget(m_matchButton);
    return row;
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
    m_matchPanel = buildMatch(page);
    row->addWidget(m_matchPanel);
    auto* letters = new QVBoxLayout; // under both: more of them stand side by side
    letters->setContentsMargins(Metrics::kPanel + Metrics::kRelated, 0, Metrics::kPanel, Metrics::kRelated);
    letters->addWidget(m_key);
    outer->addLayout(letters);
    m_bar = new HeatmapBar(page);
    outer->addWidget(m_bar);
    return page;
}

QWidget* HeatmapView::buildMatch(QWidget* parent)
{
    auto* panel = new QWidget(parent);
    panel->setObjectName(QStringLiteral("matchPanel"));
    auto* layout = new QVBoxLayout(panel);
    layout->setContentsMargins(0, Metrics::kPanel, Metrics::kPanel, Metrics::kRelated);
    layout->setSpacing(Metrics::kGrid);
    m_matchTitle = makeSectionLabel(tr("Match"), panel);
    layout->addWidget(m_matchTitle);
    m_matchHint = makeMutedLabel({}, panel);
    m_matchHint->setObjectName(QStringLiteral("matchHint"));
    m_matchHint->setFont(Theme::smallFont());
    m_matchHint->setWordWrap(true);
    layout->addWidget(m_matchHint);
    m_match = new MatchChart(panel);
    m_matchHint->setText(m_match->hint());
    layout->addWidget(m_match, 1);
    panel->hide();
    return panel;
}

void HeatmapView::connectParts()
{
    connect(m_empty, &EmptyState::actionRequested, this, &HeatmapView::emptyActionRequested);
    connect(m_noHeads, &EmptyState::actionRequested, this, &HeatmapView::allHeadsRequested);
    connect(m_bar, &HeatmapBar::optionsChanged, this, [this] {
        m_similarity->setLetterOrder(m_bar->chooser()->topics()->inLetterOrder());
        Q_EMIT optionsChanged();
    });
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
    connect(m_modes, &QButtonGroup::idToggled, this, [this](int, bool checked) {
        if (!checked)
            return;
        showPage();
        Q_EMIT modeChanged();
    });
    connect(m_stages, &QComboBox::currentIndexChanged, this, &HeatmapView::showStages);
    connect(m_pooling, &QComboBox::currentIndexChanged, this, [this] {
        m_heatmap->setPooling(static_cast<viz::CellPooling>(m_pooling->currentData().toInt()));
        refreshShown();
    });
    connect(m_matchButton, &QToolButton::toggled, this, [this](bool checked) {
        (width() < kLeastForMatch ? m_matchNarrow : m_matchWide) = checked;
        showPage();
        Q_EMIT matchToggled();
    });
    connect(m_key, &TopicKey::topicActivated, m_heatmap, &HeatmapWidget::zoomToTopic);
}

HeatmapView::Mode HeatmapView::mode() const
{
    return static_cast<Mode>(m_modes->checkedId());
}

void HeatmapView::setMode(Mode mode)
{
    m_modes->button(static_cast<int>(mode))->setChecked(true);
}

bool HeatmapView::matchWanted() const
{
    return m_matchButton->isChecked() && mode() == Mode::Documents;
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
    m_stages->setVisible(mode() != Mode::Similarity && m_panels.size() > 1 && page != m_noHeads);
    m_pooling->setVisible(page == m_documents);
    m_matchButton->setVisible(page == m_documents);
    // From the start, so that nothing moves when the bars come.
    m_matchPanel->setFixedWidth(width() < kLeastForMatch ? kNarrowMatch : kMatchWidth);
    m_matchPanel->setVisible(m_matchButton->isChecked());
}

void HeatmapView::resizeEvent(QResizeEvent* event)
{
    QWidget::resizeEvent(event);
    // Narrow and wide views remember each for itself; the button says what is so now.
    m_matchButton->setChecked(width() < kLeastForMatch ? m_matchNarrow : m_matchWide);
    showPage();
}

HeatmapWidget::Panels HeatmapView::shownPanels() const
{
    const int stage = m_stages->currentData().toInt();
    HeatmapWidget::Panels shown;
    for (const auto& panel : m_panels)
        if (stage < 0 || panel->heatmap->stage == static_cast<Stage>(stage))
            shown.push_back(panel);
    return shown;
}

void HeatmapView::refreshStages()
{
    const QSignalBlocker quiet(m_stages);
    const QVariant before = m_stages->currentData();
    m_stages->clear();
    m_stages->addItem(tr("All stages"), -1);
    for (const auto& panel : m_panels)
        m_stages->addItem(tr("Stage %1").arg(toQString(stageName(panel->heatmap->stage))),
                          static_cast<int>(panel->heatmap->stage));
    m_stages->setCurrentIndex(std::max(0, m_stages->findData(before)));
}

void HeatmapView::showStages()
{
    const HeatmapWidget::Panels shown = shownPanels();
    m_heatmap->setPanels(shown, m_info);
    m_means->setPanels(shown, m_info);
    refreshShown();
}

void HeatmapView::setPanels(HeatmapWidget::Panels panels, const ModelInfo& info, std::int64_t topicsInCache)
{
    std::erase_if(panels, [](const auto& panel) { return !Border::instance().admits(panel->origin, "a heatmap"); });
    m_panels = std::move(panels);
    m_info = info;
    m_topicsInCache = topicsInCache;
    refreshStages();
    showHeads();
    refreshScale();
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
    if (path != nullptr && !Border::instance().admits(path->origin, "the similarity of topics"))
        path = nullptr;
    m_similarity->setPath(std::move(path));
    showPage();
}

void HeatmapView::setMatch(std::shared_ptr<const TopicMatch> match, const viz::HeadPalette& palette)
{
    if (match != nullptr && !Border::instance().admits(match->origin, "the match of topics"))
        match = nullptr;
    const QString full = match == nullptr ? QString() : toQString(match->result.fullSource);
    m_match->setMatch(std::move(match), palette);
    m_matchTitle->setText(m_match->title());
    // The full row is not of the stage that the title names.
    m_matchHint->setText(m_match->hint() % (full.isEmpty() ? QString() : tr("\nfull: %1").arg(full)));
    showPage();
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
    m_match->setHeads(heads);
}

QString HeatmapView::headsText() const
{
    std::vector<Stage> stages;
    for (const auto& panel : m_panels)
        stages.push_back(panel->heatmap->stage);
    return chosenHeadsText(m_chosenHeads ? std::ssize(*m_chosenHeads) : m_info.heads, m_info.heads, stages);
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
        tip << tr("Row full: %1").arg(toQString(first.fullSource));
    std::int64_t missing = 0;
    for (const auto& panel : shown)
    {
        missing += std::count_if(panel->heatmap->values.values().begin(), panel->heatmap->values.values().end(),
                                 [](float value) { return !std::isfinite(value); });
        if (const std::int64_t constant = constantHeads(*panel); constant > 0)
            tip << tr("Stage %1: %2 without variance, which no order can place: they stand last")
                       .arg(toQString(stageName(panel->heatmap->stage)),
                            countText(constant, unitText(panel->heatmap->stage), unitsText(panel->heatmap->stage)));
    }
    if (missing > 0)
    {
        parts << countText(missing, tr("cell without a value"), tr("cells without a value"));
        tip << tr("Cells of zero or non-finite vectors have no value: they are grey and count in no mean");
    }
    if (!m_notice.isEmpty())
        parts << m_notice;
    tip << parts.mid(counts);
    tip.removeDuplicates();
    m_bar->setShown(parts.join(QStringLiteral(" · ")), tip.join(QLatin1Char('\n')));
}

void HeatmapView::setEmpty(const QString& title, const QString& text, const QString& action, bool isError)
{
    m_empty->setMessage(title, text, action, isError);
    showPage();
}

} // namespace headscope::ui
