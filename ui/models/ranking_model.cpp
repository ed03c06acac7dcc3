// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/models/ranking_model.h"

#include "ui/models/roles.h"
#include "ui/words/wording.h"

#include <QLocale>

#include <algorithm>

namespace headscope::ui
{
namespace
{

/// Where a document stands in a ranking, from 0; -1 when it does not.
int placeOf(const RankedDocuments& ranked, DocumentIndex document)
{
    const auto& results = ranked.results;
    const auto found = std::find_if(results.begin(), results.end(),
                                    [document](const RetrievedDocument& one) { return one.document == document; });
    return found == results.end() ? -1 : static_cast<int>(found - results.begin());
}

/// Pieces of the full vector, and neither heads nor segments of the stage.
bool votesByPieces(VotingStrategy strategy)
{
    return strategy == VotingStrategy::Split || strategy == VotingStrategy::SplitWeighted;
}

} // namespace

RankingModel::RankingModel(Side side, QObject* parent) : QAbstractTableModel(parent), m_side(side) {}

void RankingModel::setComparison(std::shared_ptr<const RetrievalComparison> comparison,
                                 std::shared_ptr<const DocumentSet> documents, const std::string& labelColumn)
{
    beginResetModel();
    m_comparison = std::move(comparison);
    m_documents = std::move(documents);
    m_labelColumn = labelColumn;
    endResetModel();
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

int RankingModel::rowCount(const QModelIndex& parent) const
{
    return parent.isValid() || ranked() == nullptr ? 0 : static_cast<int>(ranked()->results.size());
}

int RankingModel::columnCount(const QModelIndex& parent) const
{
    return parent.isValid() ? 0 : ColumnCount;
}

QString RankingModel::text(int row, int column) const
{
    const RetrievedDocument& one = result(row);
    const auto document = one.document.index();
    switch (column)
    {
    case RankColumn:
        return QString::number(row + 1) + (isRelevant(row) ? QStringLiteral(" ✓") : QString());
    case DocumentColumn:
        return m_documents->texts.empty() ? toQString(m_documents->ids[document])
                                          : firstLine(m_documents->texts[document], 90);
    case LabelColumn:
        if (const auto* column_ = m_documents->label(m_labelColumn))
            return toQString(column_->category(document));
        return {};
    case VotesColumn: // the full vector's number is a distance
        return QLocale().toString(votesByHead() ? one.votes : 1 - one.votes, 'f', 2);
    case MovedColumn:
    {
        const int other = placeOf(*ranked(true), one.document);
        if (other < 0)
            return tr("new");
        const int moved = other - row;
        if (moved == 0)
            return QStringLiteral("=");
        return (moved > 0 ? QStringLiteral("▲ %1") : QStringLiteral("▼ %1")).arg(std::abs(moved));
    }
    default:
        return {};
    }
}

QString RankingModel::tip(int row, int column) const
{
    const RetrievedDocument& one = result(row);
    const auto document = one.document.index();
    if (column == VotesColumn && votesByHead())
    {
        QStringList lines;
        for (const HeadVote& vote : one.byHead)
            lines << tr("%1: rank %2, %3")
                         .arg(votesByPieces(ranked()->strategy) ? tr("Piece %1").arg(shownNumber(vote.head))
                                                                : unitText(m_stage, vote.head))
                         .arg(vote.rank + 1)
                         .arg(numberText(vote.weight));
        return lines.join(u'\n');
    }
    if (column == MovedColumn)
    {
        const int other = placeOf(*ranked(true), one.document);
        return other < 0 ? tr("Not among the results of %1").arg(strategyTitle(ranked(true)->strategy))
                         : tr("Place %1 by %2").arg(other + 1).arg(strategyTitle(ranked(true)->strategy));
    }
    const QString id = toQString(m_documents->ids[document]);
    return m_documents->texts.empty() ? id : id % u'\n' % firstLine(m_documents->texts[document], 400);
}

QVariant RankingModel::data(const QModelIndex& index, int role) const
{
    if (!checkIndex(index, CheckIndexOption::IndexIsValid | CheckIndexOption::ParentIsInvalid))
        return {};
    switch (role)
    {
    case Qt::DisplayRole:
        return text(index.row(), index.column());
    case Qt::ToolTipRole:
        return tip(index.row(), index.column());
    case Qt::AccessibleTextRole:
        return index.column() == RankColumn && isRelevant(index.row()) ? tr("%1, relevant").arg(index.row() + 1)
                                                                       : text(index.row(), index.column());
    case Qt::TextAlignmentRole:
        return QVariant::fromValue((index.column() == RankColumn ? Qt::AlignRight : Qt::AlignLeft) | Qt::AlignVCenter);
    case DocumentRole:
        return QVariant::fromValue<qint64>(result(index.row()).document.value());
    case SortRole:
        return index.column() == VotesColumn ? QVariant(result(index.row()).votes) : QVariant(index.row());
    default:
        return {};
    }
}

QVariant RankingModel::headerData(int section, Qt::Orientation orientation, int role) const
{
    if (orientation != Qt::Horizontal || (role != Qt::DisplayRole && role != Qt::ToolTipRole))
        return {};
    const bool tip = role == Qt::ToolTipRole;
    switch (section)
    {
    case RankColumn:
        return tip ? tr("Place; ✓ marks a document that is relevant") : tr("#");
    case DocumentColumn:
        return tip ? tr("Double click: ask with this document") : tr("Document");
    case LabelColumn:
        return tip ? toQString(m_labelColumn) : m_labelColumn.empty() ? tr("Label") : toQString(m_labelColumn);
    case VotesColumn:
        if (tip)
            return votesByHead() ? tr("Sum of the votes, each voter in its colour") : tr("Cosine of the full vectors");
        return votesByHead() ? tr("Votes") : tr("Cosine");
    case MovedColumn:
        return tip ? tr("Places above (▲) or below (▼) the other list’s; new: not in it") : tr("Moved");
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
    switch (strategy)
    {
    case VotingStrategy::Multirag:
        return RankingModel::tr("Each voter gives its nearest documents its score × 2^-rank (multi-head RAG).");
    case VotingStrategy::Decay:
        return RankingModel::tr("Each voter gives its nearest documents 2^-rank.");
    case VotingStrategy::Distance:
        return RankingModel::tr("Each voter gives its nearest documents 1 / cosine distance.");
    case VotingStrategy::Split:
        return RankingModel::tr("As many pieces of the full vector as there are heads vote, 2^-rank.");
    case VotingStrategy::SplitWeighted:
        return RankingModel::tr("As many pieces of the full vector as there are heads vote, their score × 2^-rank.");
    case VotingStrategy::Standard:
        return RankingModel::tr("Nearest by the cosine of the full vectors; no votes.");
    case VotingStrategy::ReciprocalRank:
        return RankingModel::tr(
            "Each voter gives 1 / (60 + rank), ranks from 0: reciprocal rank fusion (Cormack et al. "
            "2009, who count from 1), not one of multi-head RAG’s.");
    case VotingStrategy::Borda:
        return RankingModel::tr("Each voter gives the length of its list minus the rank: Borda’s count, not one of "
                                "multi-head RAG’s.");
    }
    return {};
}

} // namespace headscope::ui
