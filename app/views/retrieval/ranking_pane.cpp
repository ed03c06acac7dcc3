// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/views/retrieval/ranking_pane.h"

#include "app/views/retrieval/ranking_columns.h"
#include "app/views/retrieval/vote_bars.h"
#include "model/data/head_ranges.h"
#include "ui/models/roles.h"
#include "ui/state/bind_controls.h"
#include "ui/theme/theme.h"
#include "ui/view/view_pages.h"
#include "ui/widgets/widgets.h"
#include "ui/words/decimal_text.h"
#include "ui/words/wording.h"

#include <QComboBox>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QSignalBlocker>
#include <QTableView>
#include <QVBoxLayout>

#include <algorithm>

namespace headscope::ui
{
namespace
{

constexpr VotingStrategy kStrategies[] = {
    VotingStrategy::Multirag, VotingStrategy::Decay, VotingStrategy::Distance,      VotingStrategy::ReciprocalRank,
    VotingStrategy::Borda,    VotingStrategy::Split, VotingStrategy::SplitWeighted, VotingStrategy::Standard};

/// "success 0.40 · weighted 0.53 · nDCG 0.61 · first relevant at 2"
QString sentenceOf(const RetrievalMetrics& metrics)
{
    return RankingPane::tr("relevant found %1 · weighted %2 · nDCG %3 · MRR %4")
        .arg(decimalText(metrics.successRatio.back(), 2), decimalText(metrics.weightedSuccess.back(), 2),
             decimalText(metrics.ndcg.back(), 2), decimalText(metrics.reciprocalRank, 2));
}

/// "Heads 2-3 have no direction for the query and do not vote: their vectors are zero."; "" where all have one.
QString silentText(const RankedDocuments& ranked, Stage stage)
{
    const bool isOne = ranked.silent.size() == 1;
    if (ranked.silent.empty())
        return {};
    if (ranked.strategy == VotingStrategy::Standard)
        return ranked.anyNotFinite
                   ? RankingPane::tr("No results. The full vector of the query contains NaN or infinity.")
                   : RankingPane::tr("No results. The full vector of the query is zero and has no direction.");
    const Stage voters = ranked.onFullVector ? Stage::OutputSegment : stage;
    const QString who =
        (isOne ? unitText(voters, HeadIndex(ranked.silent.front()))
               : RankingPane::tr("%1 %2").arg(unitsText(voters), toQString(formatHeadRanges(ranked.silent))));
    QString text = isOne ? RankingPane::tr("%1 has no direction for the query and does not vote: its vector %2.")
                         : RankingPane::tr("%1 have no direction for the query and do not vote: their vectors %2.");
    text = text.arg(who.left(1).toUpper() + who.mid(1),
                    ranked.anyNotFinite ? (isOne ? RankingPane::tr("contains NaN or infinity")
                                                 : RankingPane::tr("are zero, or contain NaN or infinity"))
                    : isOne             ? RankingPane::tr("is zero")
                                        : RankingPane::tr("are zero"));
    return ranked.isAnswered ? text : RankingPane::tr("No results. %1").arg(text);
}

} // namespace

RankingPane::RankingPane(RankingModel::Side side, QWidget* parent) : QWidget(parent), m_side(side)
{
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(Metrics::kGrid);
    buildHead();
    auto* head = new QHBoxLayout;
    head->setSpacing(Metrics::kRelated);
    head->addWidget(m_strategy);
    head->addWidget(m_metrics, 1);
    layout->addLayout(head);
    buildTable();
    layout->addWidget(m_table, 1);
    connect(m_strategy, &QComboBox::currentIndexChanged, this, [this] {
        m_strategy->setToolTip(m_strategy->currentData(Qt::ToolTipRole).toString());
        Q_EMIT strategyChanged();
    });
    // What is chosen counts, not where the keyboard is: to pass through a table by Tab says nothing.
    connect(m_table->selectionModel(), &QItemSelectionModel::selectionChanged, this,
            [this](const QItemSelection& chosen) {
                if (!chosen.isEmpty())
                    openResult(chosen.indexes().constFirst().row(), false);
            });
    connect(m_table, &QTableView::activated, this, [this](const QModelIndex& index) { openResult(index.row(), true); });
}

void RankingPane::buildHead()
{
    const bool isFirst = m_side == RankingModel::Side::First;
    m_strategy = new QComboBox(this);
    m_strategy->setObjectName(isFirst ? QStringLiteral("strategyFirst") : QStringLiteral("strategySecond"));
    m_strategy->setAccessibleName(isFirst ? tr("Voting strategy of the left list")
                                          : tr("Voting strategy of the right list"));
    for (const VotingStrategy strategy : kStrategies)
    {
        m_strategy->addItem(strategyTitle(strategy), static_cast<int>(strategy));
        m_strategy->setItemData(m_strategy->count() - 1, strategyHint(strategy), Qt::ToolTipRole);
    }
    m_strategy->setCurrentIndex(isFirst ? 0 : m_strategy->count() - 1);
    m_strategy->setToolTip(m_strategy->currentData(Qt::ToolTipRole).toString());
    m_metrics = makeMutedLabel({}, this);
    m_metrics->setFont(Theme::smallFont());
    m_metrics->setWordWrap(true);
}

void RankingPane::bindTo(ViewState& state)
{
    bind(state,
         m_side == RankingModel::Side::First ? QStringLiteral("strategyFirst") : QStringLiteral("strategySecond"),
         *m_strategy);
}

void RankingPane::buildTable()
{
    const bool isFirst = m_side == RankingModel::Side::First;
    m_model = new RankingModel(m_side, this);
    m_bars = new VoteBars(this);
    m_table = new QTableView(this);
    m_table->setObjectName(isFirst ? QStringLiteral("rankingFirst") : QStringLiteral("rankingSecond"));
    m_table->setAccessibleName(isFirst ? tr("Results, left list") : tr("Results, right list"));
    m_table->setModel(m_model);
    m_table->setItemDelegateForColumn(RankingModel::VotesColumn, m_bars);
    dressTable(m_table);
    QHeaderView& header = *m_table->horizontalHeader();
    header.setSectionResizeMode(QHeaderView::Fixed);
    header.setSectionResizeMode(RankingModel::DocumentColumn, QHeaderView::Stretch);
    header.setMinimumSectionSize(24);
    header.setDefaultAlignment(Qt::AlignLeft | Qt::AlignVCenter);
}

void RankingPane::setStage(Stage stage)
{
    m_stage = stage;
    m_model->setStage(stage);
}

void RankingPane::setHeadPalette(const viz::HeadPalette& palette)
{
    m_bars->setHeadPalette(palette);
    m_table->viewport()->update();
}

void RankingPane::setComparison(const std::shared_ptr<const RetrievalComparison>& comparison,
                                const std::shared_ptr<const DocumentSet>& documents, const std::string& labelColumn)
{
    {
        const QSignalBlocker quiet(m_table->selectionModel());
        const QModelIndex before = m_table->currentIndex();
        const QVariant document = before.isValid() ? before.data(DocumentRole) : QVariant();
        m_model->setComparison(comparison, documents, labelColumn);
        for (int row = 0; document.isValid() && row < m_model->rowCount(); ++row)
            if (m_model->index(row, 0).data(DocumentRole) == document)
                m_table->selectRow(row);
    }
    QStringList parts;
    if (comparison != nullptr)
    {
        const RankedDocuments& ranked = m_side == RankingModel::Side::First ? comparison->first : comparison->second;
        parts << silentText(ranked, m_stage);
        if (ranked.notRanked > 0)
            parts << tr("%1 without a direction, which cannot be found")
                         .arg(countText(ranked.notRanked, tr("document"), tr("documents")));
        parts.removeAll(QString());
        if (ranked.metrics)
            parts << sentenceOf(*ranked.metrics);
        if (ranked.measuredQueries > 0)
            parts << tr("mean of %1: %2")
                         .arg(countText(ranked.measuredQueries, tr("query"), tr("queries")),
                              sentenceOf(ranked.meanMetrics));
    }
    m_metrics->setText(parts.join(u'\n'));
}

void RankingPane::fit(int rowHeight, int width, int ranks, bool withLabels)
{
    m_table->setWordWrap(rowHeight == kTallRow);
    m_table->verticalHeader()->setDefaultSectionSize(rowHeight);
    const int height = m_table->horizontalHeader()->sizeHint().height() + std::max(3, m_model->rowCount()) * rowHeight +
                       2 * m_table->frameWidth() + 2;
    m_table->setMaximumHeight(height);
    const int metrics = m_metrics->heightForWidth(std::max(1, m_metrics->width()));
    setMaximumHeight(std::max(m_strategy->sizeHint().height(), m_metrics->text().isEmpty() ? 0 : metrics) +
                     Metrics::kGrid + height);
    fitRankingColumns(*m_table, width, ranks, withLabels);
}

VotingStrategy RankingPane::strategy() const
{
    return static_cast<VotingStrategy>(m_strategy->currentData().toInt());
}

QString RankingPane::metricsText() const
{
    return m_metrics->text();
}

void RankingPane::openResult(int row, bool ask)
{
    if (row < 0 || row >= m_model->rowCount())
        return;
    const RetrievedDocument& result = m_model->result(row);
    if (ask)
        return Q_EMIT documentAsked(result.document);
    std::vector<std::int64_t> heads;
    for (const HeadVote& vote : result.byHead)
        heads.push_back(vote.head.value());
    std::sort(heads.begin(), heads.end());
    Q_EMIT resultClicked(result.document, heads);
}

} // namespace headscope::ui
