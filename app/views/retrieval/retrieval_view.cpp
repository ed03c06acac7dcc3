// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/views/retrieval/retrieval_view.h"

#include "app/views/retrieval/head_mixer.h"
#include "app/views/retrieval/query_row.h"
#include "app/views/retrieval/ranking_pane.h"
#include "app/views/retrieval/result_heads.h"
#include "ui/canvas/canvas_summary.h"
#include "ui/models/roles.h"
#include "ui/state/bind_controls.h"
#include "ui/state/origin_guard.h"
#include "ui/theme/theme.h"
#include "ui/view/view_pages.h"
#include "ui/widgets/widgets.h"
#include "ui/widgets/wrap_row.h"
#include "ui/words/wording.h"

#include <QButtonGroup>
#include <QComboBox>
#include <QFileInfo>
#include <QFrame>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QPushButton>
#include <QScrollArea>
#include <QSignalBlocker>
#include <QStackedWidget>
#include <QTableView>
#include <QToolButton>
#include <QVBoxLayout>

#include <algorithm>
#include <utility>

namespace headscope::ui
{
namespace
{

constexpr int kMinDesk = 158; // and room for a scroll bar under 64 heads
constexpr int kHighestDesk = 292;

} // namespace

RetrievalView::RetrievalView(QWidget* parent)
    : View(parent), m_form([this](Fields& f) { fields(f, m_options); }, QStringLiteral("retrieval"), this)
{
    setObjectName(QStringLiteral("retrievalView"));
    setAccessibleName(tr("Retrieval"));
    setCanvasSummary(this, [this] { return summary(); });
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(0);
    m_query = new QueryRow(this);
    layout->addWidget(m_query);
    m_pages = new ViewPages(this);
    buildPage(m_pages->page());
    layout->addWidget(m_pages, 1);
    buildBar();
    layout->addWidget(m_bar);
    useEmptyState(m_pages);
    m_query->bindTo(viewState());
    m_first->bindTo(viewState());
    m_second->bindTo(viewState());
    bind(viewState(), QStringLiteral("resultHeadsTable"), *m_heads->table());
    m_form.bindTo(viewState());
    connect(m_pages, &ViewPages::pageShownChanged, m_bar, &QWidget::setVisible);
    m_bar->hide();
    setComparison(nullptr);
}

void RetrievalView::buildPage(QWidget* page)
{
    auto* layout = new QVBoxLayout(page);
    layout->setContentsMargins(Metrics::kPanel, 0, Metrics::kPanel, Metrics::kRelated);
    layout->setSpacing(Metrics::kRelated);
    auto* panes = new QHBoxLayout;
    panes->setSpacing(Metrics::kGroups);
    m_first = makePane(RankingModel::Side::First, page);
    m_second = makePane(RankingModel::Side::Second, page);
    for (RankingPane* pane : {m_first, m_second})
        panes->addWidget(pane, 1);
    // The tables are as high as their rows; what is below them follows, up to its need.
    layout->addLayout(panes, 100);
    layout->addWidget(buildBelow(page), 1);
    layout->addStretch(0);
    connect(m_reset, &QPushButton::clicked, m_mixer, &HeadMixer::reset);
    connect(m_mixer, &HeadMixer::factorsChanged, this, [this] {
        m_reset->setEnabled(!m_mixer->isPlain());
        refreshShown();
        Q_EMIT votesChanged();
    });
}

QWidget* RetrievalView::buildBelow(QWidget* page)
{
    auto* below = new QWidget(page);
    auto* layout = new QVBoxLayout(below);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(Metrics::kRelated);
    auto* title = new QHBoxLayout;
    title->setSpacing(Metrics::kGrid);
    m_belowButtons = new QButtonGroup(below);
    const auto add = [this, title, below](const char* name, const QString& text, const QString& tip) {
        QToolButton* button = makePageButton(name, text, tip, below);
        m_belowButtons->addButton(button, static_cast<int>(m_belowButtons->buttons().size()));
        title->addWidget(button);
        bind(viewState(), QString::fromLatin1(name), *button);
    };
    add("retrievalWeights", tr("Vote weights"), tr("Weight of each vote"));
    add("retrievalHeads", tr("Which heads?"), tr("Heads by what they add to the cosine of query and selected result"));
    m_belowButtons->button(0)->setChecked(true);
    title->addStretch(1);
    m_reset = new QPushButton(tr("Reset weights"), below);
    m_reset->setObjectName(QStringLiteral("mixerReset"));
    m_reset->setToolTip(tr("Reset all sliders to the voters’ own scores and clear mute and solo"));
    m_reset->setEnabled(false);
    title->addWidget(m_reset);
    layout->addLayout(title);
    m_below = new QStackedWidget(below);
    m_below->addWidget(buildDesk(m_below));
    m_heads = new ResultHeads(m_below);
    m_below->addWidget(m_heads);
    m_below->setSizePolicy(QSizePolicy::Preferred, QSizePolicy::Ignored); // what the tables leave
    m_below->setMinimumHeight(kMinDesk);
    m_below->setMaximumHeight(kHighestDesk);
    layout->addWidget(m_below, 1);
    connect(m_belowButtons, &QButtonGroup::idToggled, this, [this](int id, bool checked) {
        if (!checked)
            return;
        m_below->setCurrentIndex(id);
        m_reset->setVisible(id == 0);
        if (id == 1)
            Q_EMIT headsWanted();
    });
    return below;
}

bool RetrievalView::headsShown() const
{
    return m_belowButtons->checkedId() == 1;
}

void RetrievalView::showHeads()
{
    if (headsShown())
        Q_EMIT headsWanted();
    else
        m_belowButtons->button(1)->setChecked(true);
}

std::optional<DocumentIndex> RetrievalView::selectedResult() const
{
    const RankingPane* const focused = m_second->table()->hasFocus() ? m_second : m_first;
    for (const RankingPane* pane :
         {focused, static_cast<const RankingPane*>(m_first), static_cast<const RankingPane*>(m_second)})
        if (const QModelIndexList rows = pane->table()->selectionModel()->selectedRows(); !rows.isEmpty())
            return DocumentIndex(rows.constFirst().data(DocumentRole).toLongLong());
    return std::nullopt;
}

QWidget* RetrievalView::buildDesk(QWidget* page)
{
    auto* desk = new QScrollArea(page);
    desk->setFrameShape(QFrame::NoFrame);
    desk->setWidgetResizable(true);
    desk->setVerticalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    desk->setFocusPolicy(Qt::NoFocus);
    m_mixer = new HeadMixer(desk);
    desk->setWidget(m_mixer);
    desk->viewport()->setAutoFillBackground(false);
    m_mixer->setAutoFillBackground(false);
    return desk;
}

RankingPane* RetrievalView::makePane(RankingModel::Side side, QWidget* parent)
{
    auto* pane = new RankingPane(side, parent);
    connect(pane, &RankingPane::strategyChanged, this, [this] {
        refreshScores();
        refreshShown();
        Q_EMIT votesChanged();
    });
    connect(pane, &RankingPane::documentAsked, this, &RetrievalView::documentAsked);
    connect(pane, &RankingPane::resultClicked, this, &RetrievalView::resultClicked);
    return pane;
}

void RetrievalView::buildBar()
{
    WrapRow* row = nullptr;
    QFrame* bar = makeViewBar(this, &row);
    m_bar = bar;
    row->addWidget(m_form.makeAlone("top", bar)); // first, for Tab
    m_relevant = new QPushButton(tr("Relevant documents…"), bar);
    m_relevant->setObjectName(QStringLiteral("retrievalRelevant"));
    m_relevant->setToolTip(
        tr("Open a JSONL file with lines {\"id\", \"relevant\": [document ids]} to evaluate both lists"));
    m_shown = makeMutedLabel({}, bar);
    row->addWidget(m_relevant);
    row->addStretch(1);
    row->addWidget(m_shown);
    connect(&m_form, &FieldForm::edited, this, &RetrievalView::topChanged);
    connect(m_relevant, &QPushButton::clicked, this, &RetrievalView::relevantRequested);
}

void RetrievalView::setStudy(const ModelInfo& info, const viz::HeadPalette& palette,
                             std::shared_ptr<const DocumentSet> documents, const std::string& labelColumn)
{
    m_documents = std::move(documents);
    m_labelColumn = labelColumn;
    m_headScores.clear();
    m_segmentScores.clear();
    {
        const QSignalBlocker quiet(m_mixer);
        m_mixer->setModel(info, palette, m_stage);
    }
    m_heads->setModel(info, palette);
    m_reset->setEnabled(false);
    for (RankingPane* pane : {m_first, m_second})
        pane->setHeadPalette(palette);
    setRelevant({}, 0);
    setComparison(nullptr);
}

void RetrievalView::setStage(Stage stage, const ModelInfo& info, const viz::HeadPalette& palette)
{
    if (stage == std::exchange(m_stage, stage))
        return;
    m_pages->setStage(stage);
    const QSignalBlocker quiet(m_mixer);
    m_mixer->setModel(info, palette, stage); // other voters: their faders stand as scored
    for (RankingPane* pane : {m_first, m_second})
        pane->setStage(stage);
    m_reset->setEnabled(false);
}

void RetrievalView::setHeadPalette(const viz::HeadPalette& palette)
{
    m_mixer->setHeadPalette(palette);
    m_heads->setHeadPalette(palette);
    for (RankingPane* pane : {m_first, m_second})
        pane->setHeadPalette(palette);
}

void RetrievalView::setLabelColumn(std::shared_ptr<const DocumentSet> documents, const std::string& labelColumn)
{
    m_documents = std::move(documents);
    m_labelColumn = labelColumn;
    setComparison(m_comparison);
}

void RetrievalView::setScores(std::vector<double> headScores, std::vector<double> segmentScores)
{
    m_headScores = std::move(headScores);
    m_segmentScores = std::move(segmentScores);
    refreshScores();
}

void RetrievalView::refreshScores()
{
    // The desk shows what the left list votes with.
    if (first() == VotingStrategy::Multirag)
        m_mixer->setScores(m_headScores);
    else if (first() == VotingStrategy::SplitWeighted)
        m_mixer->setScores(m_segmentScores);
    else
        m_mixer->setScores({});
}

void RetrievalView::setComparison(std::shared_ptr<const RetrievalComparison> comparison)
{
    if (comparison != nullptr && !OriginGuard::instance().admits(comparison->origin, "a ranking"))
        comparison = nullptr;
    m_comparison = std::move(comparison);
    const bool any = m_comparison != nullptr;
    m_pages->setFilled(any);
    for (RankingPane* pane : {m_first, m_second})
        pane->setComparison(m_comparison, m_documents, m_labelColumn);
    QString query;
    if (any && m_comparison->document)
        query = tr("Query: document %1").arg(toQString(m_comparison->query));
    else if (any)
        query = tr("Query: text “%1”").arg(toQString(m_comparison->query));
    if (any && m_comparison->document && m_documents != nullptr && !m_documents->texts.empty())
        query += tr(": %1").arg(firstLine(m_documents->texts[m_comparison->document->index()]));
    m_query->setQuery(query);
    refreshShown();
    fitTables();
    noteCanvasChanged(this);
}

void RetrievalView::refreshShown()
{
    if (m_comparison == nullptr || m_documents == nullptr)
        return;
    const auto heads = static_cast<std::int64_t>(m_mixer->factors().size());
    const RankedDocuments& ranked = m_comparison->first;
    const bool isVoted = ranked.strategy != VotingStrategy::Standard;
    const std::int64_t voting = m_mixer->votingCount() - (isVoted ? std::ssize(ranked.silent) : 0);
    const std::int64_t searched =
        (m_comparison->candidates > 0 ? m_comparison->candidates : m_documents->count()) - ranked.notRanked;
    m_shown->setText(tr("%1 searched · %2")
                         .arg(countText(searched, tr("document"), tr("documents")),
                              voting == 1 && heads > 1
                                  ? tr("1 of %1 votes").arg(countText(heads, unitText(m_stage), unitsText(m_stage)))
                                  : tr("%1 vote").arg(chosenHeadsText(voting, heads, m_stage))));
}

QString RetrievalView::shownText() const
{
    return m_shown->text();
}

void RetrievalView::setShownHeads(const std::vector<std::int64_t>& heads)
{
    m_pages->setAnyHead(!heads.empty());
    m_mixer->setShownHeads(heads);
}

QString RetrievalView::summary() const
{
    if (m_comparison == nullptr || !m_pages->pageShown())
        return tr("No search.");
    QStringList parts = {m_query->query()};
    for (const RankingPane* pane : {m_first, m_second})
        if (const RankingModel& results = *pane->model(); results.rowCount() > 0)
            parts << tr("%1: %2, the first %3")
                         .arg(pane->strategyBox()->currentText(),
                              countText(results.rowCount(), tr("result"), tr("results")),
                              results.index(0, RankingModel::DocumentColumn).data().toString());
    parts << m_shown->text();
    return parts.join(QStringLiteral(". "));
}

void RetrievalView::fitTables()
{
    const int rows = std::max({3, m_first->model()->rowCount(), m_second->model()->rowCount()});
    const int header = m_first->table()->horizontalHeader()->sizeHint().height();
    constexpr int kAround = 96; // boxes above the tables, the title of the desk, gaps
    const int room = height() - m_query->height() - m_bar->height() - kMinDesk - kAround - header;
    const int row = rows * RankingPane::kTallRow <= room ? RankingPane::kTallRow : RankingPane::kRow;
    for (RankingPane* pane : {m_first, m_second})
        pane->fit(row, (width() - 2 * Metrics::kPanel - Metrics::kGroups) / 2, rows, !m_labelColumn.empty());
}

void RetrievalView::resizeEvent(QResizeEvent* event)
{
    QWidget::resizeEvent(event);
    fitTables();
}

void RetrievalView::setRelevant(const QString& file, std::int64_t queries)
{
    m_relevant->setText(file.isEmpty()
                            ? tr("Relevant documents…")
                            : tr("%1: %2").arg(QFileInfo(file).fileName(), countText(queries, tr("query in this cache"),
                                                                                     tr("queries in this cache"))));
}

void RetrievalView::setLitHeads(const std::vector<std::int64_t>& heads)
{
    m_mixer->setLit(heads);
}

const RankingPane& RetrievalView::pane(RankingModel::Side side) const
{
    return side == RankingModel::Side::First ? *m_first : *m_second;
}

VotingStrategy RetrievalView::first() const
{
    return m_first->strategy();
}

VotingStrategy RetrievalView::second() const
{
    return m_second->strategy();
}

RankingModel* RetrievalView::model(RankingModel::Side side) const
{
    return pane(side).model();
}

QTableView* RetrievalView::table(RankingModel::Side side) const
{
    return pane(side).table();
}

QComboBox* RetrievalView::strategyBox(RankingModel::Side side) const
{
    return pane(side).strategyBox();
}

QString RetrievalView::metricsText(RankingModel::Side side) const
{
    return pane(side).metricsText();
}

} // namespace headscope::ui
