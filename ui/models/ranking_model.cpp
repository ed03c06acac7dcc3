// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/models/ranking_model.h"

#include "model/data/results/retrieval_frame.h"
#include "ui/models/roles.h"
#include "ui/words/wording.h"

#include <algorithm>
#include <numeric>
#include <utility>

namespace headscope::ui
{
namespace
{

/// Pieces of the full vector, and neither heads nor segments of the stage.
bool votesByPieces(VotingStrategy strategy)
{
    return strategy == VotingStrategy::Split || strategy == VotingStrategy::SplitWeighted;
}

} // namespace

RankingModel::RankingModel(Side side, QObject* parent)
    : FrameModel(
          {}, [this](int row, int column, int role) { return extra(row, column, role); }, parent),
      m_side(side)
{
    setFrame(Frame(kRetrievedFrame), columns());
}

std::vector<FrameColumn> RankingModel::columns() const
{
    return {{"rank", Facet::Value, tr("#")},
            {{}, Facet::Value, tr("Document"), tr("Double-click: search with this document")},
            {"label"},
            {votesByHead() || ranked() == nullptr ? "votes" : "cosine", Facet::Value, {}, {}, NumberStyle::Hundredths},
            {"moved"}};
}

void RankingModel::setComparison(std::shared_ptr<const RetrievalComparison> comparison,
                                 std::shared_ptr<const DocumentSet> documents, const std::string& labelColumn)
{
    m_comparison = std::move(comparison);
    m_documents = std::move(documents);
    Frame frame(kRetrievedFrame);
    if (ranked() != nullptr)
    {
        frame = rankingsFrame(*m_comparison, *m_documents, labelColumn);
        std::vector<std::size_t> rows(ranked()->results.size());
        std::iota(rows.begin(), rows.end(), m_side == Side::First ? 0 : m_comparison->first.results.size());
        frame.take(rows);
    }
    setFrame(std::move(frame), columns());
}

const RankedDocuments* RankingModel::ranked(bool other) const
{
    if (m_comparison == nullptr || m_documents == nullptr)
        return nullptr;
    return (m_side == Side::First) != other ? &m_comparison->first : &m_comparison->second;
}

const RetrievedDocument& RankingModel::result(int row) const
{
    return ranked()->results[static_cast<std::size_t>(row)];
}

bool RankingModel::votesByHead() const
{
    return ranked() != nullptr && ranked()->strategy != VotingStrategy::Standard;
}

double RankingModel::largestVotes() const
{
    if (!votesByHead())
        return 1;
    double largest = 0;
    for (const RetrievedDocument& one : ranked()->results)
        largest = std::max(largest, one.votes);
    return largest;
}

bool RankingModel::isRelevant(int row) const
{
    const auto& relevant = m_comparison->relevant;
    return std::find(relevant.begin(), relevant.end(), result(row).document.value()) != relevant.end();
}

QString RankingModel::text(int row, int column) const
{
    const auto document = result(row).document.index();
    if (column == RankColumn && isRelevant(row))
        return QString::number(row + 1) + QStringLiteral(" ✓");
    if (column == DocumentColumn)
        return m_documents->texts.empty() ? toQString(m_documents->ids[document])
                                          : firstLine(m_documents->texts[document], 90);
    if (column != MovedColumn)
        return {};
    const QString moved = frameText(row, column);
    return moved == QStringLiteral("0")
               ? QStringLiteral("=")
               : QString(moved).replace(u'+', QStringLiteral("▲ ")).replace(u'-', QStringLiteral("▼ "));
}

/// Who voted for it, a line each.
QString RankingModel::votesTip(const RetrievedDocument& result) const
{
    QStringList lines;
    for (const HeadVote& vote : result.byHead)
        lines << tr("%1: rank %2, %3")
                     .arg(votesByPieces(ranked()->strategy) ? tr("Piece %1").arg(shownNumber(vote.head))
                                                            : unitText(m_stage, vote.head))
                     .arg(vote.rank + 1)
                     .arg(numberText(vote.weight));
    return lines.join(u'\n');
}

QString RankingModel::tip(int row, int column) const
{
    const RetrievedDocument& one = result(row);
    if (column == VotesColumn && votesByHead())
        return votesTip(one);
    if (column == MovedColumn)
    {
        const RankedDocuments& other = *ranked(true);
        const auto found = std::ranges::find(other.results, one.document, &RetrievedDocument::document);
        return found == other.results.end()
                   ? tr("Not among the results of %1").arg(strategyTitle(other.strategy))
                   : tr("Rank %1 by %2").arg(found - other.results.begin() + 1).arg(strategyTitle(other.strategy));
    }
    const auto document = one.document.index();
    const QString id = toQString(m_documents->ids[document]);
    return m_documents->texts.empty() ? id : id % u'\n' % firstLine(m_documents->texts[document], 400);
}

QVariant RankingModel::extra(int row, int column, int role) const
{
    switch (role)
    {
    case Qt::DisplayRole:
    {
        const QString own = text(row, column);
        return own.isEmpty() ? QVariant() : QVariant(own);
    }
    case Qt::ToolTipRole:
        return tip(row, column);
    case Qt::AccessibleTextRole:
        return column == RankColumn && isRelevant(row) ? QVariant(tr("%1, relevant").arg(row + 1)) : QVariant();
    case DocumentRole:
        return QVariant::fromValue<qint64>(result(row).document.value());
    default:
        return {};
    }
}

QString strategyTitle(VotingStrategy strategy)
{
    return RankingModel::tr(std::string(votingTitle(strategy)).c_str());
}

QString strategyHint(VotingStrategy strategy)
{
    return strategy == VotingStrategy::Standard
               ? RankingModel::tr("Nearest by the cosine of full vectors. No votes.")
               : RankingModel::tr("Each voter lists its nearest documents and gives each of them %1.")
                     .arg(toQString(votesOf(strategy)));
}

} // namespace headscope::ui
