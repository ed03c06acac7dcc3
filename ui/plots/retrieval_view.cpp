// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/plots/retrieval_view.h"

#include "ui/models/roles.h"
#include "ui/plots/head_mixer.h"
#include "ui/plots/vote_bars.h"
#include "ui/theme/theme.h"
#include "ui/widgets.h"
#include "ui/wording.h"

#include <QComboBox>
#include <QFileInfo>
#include <QFrame>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QKeyEvent>
#include <QLineEdit>
#include <QLocale>
#include <QPushButton>
#include <QScrollArea>
#include <QSignalBlocker>
#include <QSpinBox>
#include <QSplitter>
#include <QStackedLayout>
#include <QTableView>
#include <QVBoxLayout>

#include <algorithm>
#include <utility>

namespace headscope::ui
{
namespace
{

constexpr VotingStrategy kStrategies[] = {
    VotingStrategy::Multirag, VotingStrategy::Decay, VotingStrategy::Distance,      VotingStrategy::ReciprocalRank,
    VotingStrategy::Borda,    VotingStrategy::Split, VotingStrategy::SplitWeighted, VotingStrategy::Standard};
constexpr int kRowHeight = 28;
constexpr int kLargestTop = 200;

QString share(double value)
{
    return QLocale().toString(value, 'f', 2);
}

/// "success 0.40 · weighted 0.53 · nDCG 0.61 · first relevant at 2"
QString sentenceOf(const RetrievalMetrics& metrics)
{
    return RetrievalView::tr("found %1 of the relevant · weighted %2 · nDCG %3 · MRR %4")
        .arg(share(metrics.successRatio.back()), share(metrics.weightedSuccess.back()), share(metrics.ndcg.back()),
             share(metrics.reciprocalRank));
}

} // namespace

RetrievalView::RetrievalView(QWidget* parent) : QWidget(parent)
{
    setObjectName(QStringLiteral("retrievalView"));
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(0);
    auto* top = new QWidget(this);
    top->setObjectName(QStringLiteral("canvas"));
    top->setAttribute(Qt::WA_StyledBackground);
    buildQueryRow(top);
    layout->addWidget(top);

    auto* pages = new QWidget(this);
    m_stack = new QStackedLayout(pages);
    m_empty = new EmptyState(pages);
    m_page = new QWidget(pages);
    m_page->setObjectName(QStringLiteral("canvas"));
    m_page->setAttribute(Qt::WA_StyledBackground);
    m_stack->addWidget(m_empty);
    m_stack->addWidget(m_page);
    layout->addWidget(pages, 1);
    connect(m_empty, &EmptyState::actionRequested, this, &RetrievalView::emptyActionRequested);

    auto* page = new QVBoxLayout(m_page);
    page->setContentsMargins(Metrics::kPanel, 0, Metrics::kPanel, Metrics::kRelated);
    page->setSpacing(Metrics::kRelated);
    auto* panes = new QHBoxLayout;
    panes->setSpacing(Metrics::kGroups);
    m_first = makePane(RankingModel::Side::First, m_page);
    m_second = makePane(RankingModel::Side::Second, m_page);
    panes->addWidget(m_first.table->parentWidget(), 1);
    panes->addWidget(m_second.table->parentWidget(), 1);
    page->addLayout(panes, 1);

    auto* title = new QHBoxLayout;
    title->addWidget(makeSectionLabel(tr("What each head’s votes weigh"), m_page));
    title->addStretch(1);
    m_reset = new QPushButton(tr("As scored"), m_page);
    m_reset->setObjectName(QStringLiteral("mixerReset"));
    m_reset->setToolTip(tr("All faders back to the heads’ own scores, nothing muted or alone"));
    title->addWidget(m_reset);
    page->addLayout(title);
    auto* desk = new QScrollArea(m_page);
    desk->setFrameShape(QFrame::NoFrame);
    desk->setWidgetResizable(true);
    desk->setVerticalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    desk->setFocusPolicy(Qt::NoFocus);
    m_mixer = new HeadMixer(desk);
    desk->setWidget(m_mixer);
    desk->viewport()->setAutoFillBackground(false);
    m_mixer->setAutoFillBackground(false);
    constexpr int kDeskHeight = 212; // and room for a scroll bar under 64 heads
    desk->setFixedHeight(kDeskHeight);
    page->addWidget(desk);
    connect(m_reset, &QPushButton::clicked, m_mixer, &HeadMixer::reset);
    connect(m_mixer, &HeadMixer::factorsChanged, this, [this] {
        m_reset->setEnabled(!m_mixer->isPlain());
        refreshShown();
        Q_EMIT votesChanged();
    });
    m_reset->setEnabled(false);

    buildBar();
    layout->addWidget(m_bar);
    setComparison(nullptr);
}

void RetrievalView::buildQueryRow(QWidget* page)
{
    auto* row = new QHBoxLayout(page);
    row->setContentsMargins(Metrics::kPanel, Metrics::kRelated, Metrics::kPanel, Metrics::kRelated);
    row->setSpacing(Metrics::kRelated);
    m_text = new QLineEdit(page);
    m_text->setObjectName(QStringLiteral("queryText"));
    m_text->setAccessibleName(tr("Text to ask with"));
    m_text->setPlaceholderText(tr("Ask with a text…"));
    m_text->setClearButtonEnabled(true);
    m_text->setMinimumWidth(180);
    m_ask = new QPushButton(tr("Ask"), page);
    m_ask->setObjectName(QStringLiteral("queryAsk"));
    m_askDocument = new QPushButton(tr("Ask with the chosen document"), page);
    m_askDocument->setObjectName(QStringLiteral("queryDocument"));
    m_askDocument->setToolTip(tr("The document in the inspector becomes the query"));
    m_query = new ElidedLabel({}, page);
    m_query->setObjectName(QStringLiteral("queryShown"));
    row->addWidget(m_text, 2);
    row->addWidget(m_ask);
    row->addWidget(m_askDocument);
    row->addWidget(m_query, 3);
    const auto ask = [this] {
        if (const QString text = m_text->text().trimmed(); !text.isEmpty())
            Q_EMIT textAsked(text);
    };
    connect(m_text, &QLineEdit::returnPressed, this, ask);
    connect(m_ask, &QPushButton::clicked, this, ask);
    connect(m_askDocument, &QPushButton::clicked, this, &RetrievalView::chosenDocumentAsked);
}

RetrievalView::Pane RetrievalView::makePane(RankingModel::Side side, QWidget* parent)
{
    const bool isFirst = side == RankingModel::Side::First;
    auto* box = new QWidget(parent);
    auto* layout = new QVBoxLayout(box);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(Metrics::kGrid);
    Pane pane;
    pane.strategy = new QComboBox(box);
    pane.strategy->setObjectName(isFirst ? QStringLiteral("strategyFirst") : QStringLiteral("strategySecond"));
    pane.strategy->setAccessibleName(isFirst ? tr("Strategy of the left list") : tr("Strategy of the right list"));
    for (const VotingStrategy strategy : kStrategies)
    {
        pane.strategy->addItem(strategyTitle(strategy), static_cast<int>(strategy));
        pane.strategy->setItemData(pane.strategy->count() - 1, strategyHint(strategy), Qt::ToolTipRole);
    }
    pane.strategy->setCurrentIndex(isFirst ? 0 : pane.strategy->count() - 1);
    pane.metrics = makeMutedLabel({}, box);
    pane.metrics->setFont(Theme::smallFont());
    pane.metrics->setWordWrap(true);
    auto* head = new QHBoxLayout;
    head->setSpacing(Metrics::kRelated);
    head->addWidget(pane.strategy);
    head->addWidget(pane.metrics, 1);
    layout->addLayout(head);

    pane.model = new RankingModel(side, this);
    pane.bars = new VoteBars(this);
    pane.table = new QTableView(box);
    QTableView& table = *pane.table;
    table.setObjectName(isFirst ? QStringLiteral("rankingFirst") : QStringLiteral("rankingSecond"));
    table.setAccessibleName(isFirst ? tr("Results, left list") : tr("Results, right list"));
    table.setModel(pane.model);
    table.setItemDelegateForColumn(RankingModel::VotesColumn, pane.bars);
    table.setSelectionBehavior(QAbstractItemView::SelectRows);
    table.setSelectionMode(QAbstractItemView::SingleSelection);
    table.setShowGrid(false);
    table.setWordWrap(false);
    table.setTabKeyNavigation(false);
    table.verticalHeader()->hide();
    table.verticalHeader()->setDefaultSectionSize(kRowHeight);
    table.horizontalHeader()->setHighlightSections(false);
    table.horizontalHeader()->setSectionResizeMode(QHeaderView::Fixed);
    table.horizontalHeader()->setSectionResizeMode(RankingModel::DocumentColumn, QHeaderView::Stretch);
    table.horizontalHeader()->setMinimumSectionSize(24);
    table.horizontalHeader()->setDefaultAlignment(Qt::AlignLeft | Qt::AlignVCenter);
    table.setColumnWidth(RankingModel::RankColumn, 52);
    table.setColumnWidth(RankingModel::LabelColumn, 84);
    table.setColumnWidth(RankingModel::VotesColumn, 112);
    table.setColumnWidth(RankingModel::MovedColumn, 74);
    layout->addWidget(pane.table, 1);
    connect(pane.strategy, &QComboBox::currentIndexChanged, this, [this, box = pane.strategy] {
        box->setToolTip(box->currentData(Qt::ToolTipRole).toString());
        refreshScores();
        refreshShown();
        Q_EMIT votesChanged();
    });
    pane.strategy->setToolTip(pane.strategy->currentData(Qt::ToolTipRole).toString());
    connect(pane.table->selectionModel(), &QItemSelectionModel::currentRowChanged, this,
            [this, side](const QModelIndex& current) { openResult(side, current.row(), false); });
    connect(pane.table, &QTableView::activated, this,
            [this, side](const QModelIndex& index) { openResult(side, index.row(), true); });
    return pane;
}

void RetrievalView::buildBar()
{
    auto* bar = new QFrame(this);
    bar->setObjectName(QStringLiteral("bar"));
    bar->setFixedHeight(42);
    m_bar = bar;
    auto* row = new QHBoxLayout(bar);
    row->setContentsMargins(Metrics::kPanel, 0, Metrics::kPanel, 0);
    row->setSpacing(Metrics::kRelated);
    m_top = new QSpinBox(bar);
    m_top->setObjectName(QStringLiteral("retrievalTop"));
    m_top->setAccessibleName(tr("How many results"));
    m_top->setToolTip(tr("Results, and the length of each head’s list of nearest documents"));
    m_top->setRange(1, kLargestTop);
    m_top->setValue(10);
    m_top->setSuffix(tr(" results"));
    m_top->setKeyboardTracking(false);
    m_relevant = new QPushButton(tr("Relevant documents…"), bar);
    m_relevant->setObjectName(QStringLiteral("retrievalRelevant"));
    m_relevant->setToolTip(
        tr("A file (JSONL) of {\"id\", \"relevant\": [document ids]}: how well both lists find them"));
    m_shown = makeMutedLabel({}, bar);
    row->addWidget(m_top);
    row->addWidget(m_relevant);
    row->addStretch(1);
    row->addWidget(m_shown);
    connect(m_top, &QSpinBox::valueChanged, this, &RetrievalView::topChanged);
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
        m_mixer->setModel(info, palette);
    }
    m_reset->setEnabled(false);
    for (const Pane* pane : {&m_first, &m_second})
        pane->bars->setHeadPalette(palette);
    setRelevant({}, 0);
    setComparison(nullptr);
}

void RetrievalView::setHeadPalette(const viz::HeadPalette& palette)
{
    m_mixer->setHeadPalette(palette);
    for (const Pane* pane : {&m_first, &m_second})
    {
        pane->bars->setHeadPalette(palette);
        pane->table->viewport()->update();
    }
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
    m_comparison = std::move(comparison);
    const bool any = m_comparison != nullptr;
    m_stack->setCurrentWidget(any ? m_page : static_cast<QWidget*>(m_empty));
    m_bar->setVisible(any);
    m_query->setVisible(any);
    for (const Pane* pane : {&m_first, &m_second})
    {
        const QSignalBlocker quiet(pane->table->selectionModel());
        const QModelIndex before = pane->table->currentIndex();
        const QVariant document = before.isValid() ? before.data(DocumentRole) : QVariant();
        pane->model->setComparison(m_comparison, m_documents, m_labelColumn);
        // What was chosen stays chosen where it is still among the results.
        for (int row = 0; document.isValid() && row < pane->model->rowCount(); ++row)
            if (pane->model->index(row, 0).data(DocumentRole) == document)
                pane->table->selectRow(row);
    }
    if (any)
    {
        QString query = m_comparison->document ? tr("Document %1") : tr("“%1”");
        query = query.arg(toQString(m_comparison->query));
        if (m_comparison->document && m_documents != nullptr && !m_documents->texts.empty())
            query += tr(": %1").arg(firstLine(m_documents->texts[static_cast<std::size_t>(*m_comparison->document)]));
        m_query->setFullText(query);
    }
    refreshShown();
}

void RetrievalView::refreshShown()
{
    for (const auto side : {RankingModel::Side::First, RankingModel::Side::Second})
    {
        QStringList parts;
        if (m_comparison != nullptr)
        {
            const RankedDocuments& ranked =
                side == RankingModel::Side::First ? m_comparison->first : m_comparison->second;
            if (ranked.metrics)
                parts << sentenceOf(*ranked.metrics);
            if (ranked.measuredQueries > 0)
                parts << tr("mean of %1: %2")
                             .arg(countText(ranked.measuredQueries, tr("query"), tr("queries")),
                                  sentenceOf(ranked.meanMetrics));
        }
        pane(side).metrics->setText(parts.join(u'\n'));
    }
    if (m_comparison == nullptr || m_documents == nullptr)
        return;
    const auto heads = static_cast<std::int64_t>(m_mixer->factors().size());
    m_shown->setText(tr("%1 searched · %2 of %3 vote")
                         .arg(countText(m_documents->count(), tr("document"), tr("documents")))
                         .arg(m_mixer->votingCount())
                         .arg(countText(heads, tr("head"), tr("heads"))));
}

void RetrievalView::setEmpty(const QString& title, const QString& text, const QString& action, bool isError)
{
    m_empty->setMessage(title, text, action, isError);
}

void RetrievalView::setTextAllowed(bool allowed, const QString& why)
{
    m_text->setEnabled(allowed);
    m_ask->setEnabled(allowed);
    m_text->setToolTip(why);
    m_ask->setToolTip(why);
}

void RetrievalView::setDocumentAllowed(bool allowed)
{
    m_askDocument->setEnabled(allowed);
}

void RetrievalView::setRelevant(const QString& file, std::int64_t queries)
{
    m_relevant->setText(file.isEmpty() ? tr("Relevant documents…")
                                       : tr("%1: %2").arg(QFileInfo(file).fileName(),
                                                          countText(queries, tr("query here"), tr("queries here"))));
}

void RetrievalView::setLitHeads(const std::vector<std::int64_t>& heads)
{
    m_mixer->setLit(heads);
}

const RetrievalView::Pane& RetrievalView::pane(RankingModel::Side side) const
{
    return side == RankingModel::Side::First ? m_first : m_second;
}

VotingStrategy RetrievalView::first() const
{
    return static_cast<VotingStrategy>(m_first.strategy->currentData().toInt());
}

VotingStrategy RetrievalView::second() const
{
    return static_cast<VotingStrategy>(m_second.strategy->currentData().toInt());
}

int RetrievalView::top() const
{
    return m_top->value();
}

RankingModel* RetrievalView::model(RankingModel::Side side) const
{
    return pane(side).model;
}

QTableView* RetrievalView::table(RankingModel::Side side) const
{
    return pane(side).table;
}

QComboBox* RetrievalView::strategyBox(RankingModel::Side side) const
{
    return pane(side).strategy;
}

QString RetrievalView::metricsText(RankingModel::Side side) const
{
    return pane(side).metrics->text();
}

void RetrievalView::openResult(RankingModel::Side side, int row, bool ask)
{
    const RankingModel& model = *pane(side).model;
    if (row < 0 || row >= model.rowCount())
        return;
    const RetrievedDocument& result = model.result(row);
    if (ask)
        return Q_EMIT documentAsked(result.document);
    std::vector<std::int64_t> heads;
    for (const HeadVote& vote : result.byHead)
        heads.push_back(vote.head);
    std::sort(heads.begin(), heads.end());
    Q_EMIT resultClicked(result.document, heads);
}

} // namespace headscope::ui
