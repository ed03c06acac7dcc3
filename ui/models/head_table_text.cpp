// SPDX-License-Identifier: GPL-3.0-or-later
// What the table of heads says: titles, tips, and how its numbers were tested.
#include "ui/models/head_table_model.h"

#include "model/data/results/topic_results.h"
#include "ui/words/wording.h"

#include <cmath>

namespace headscope::ui
{
namespace
{

constexpr double kSmallQ = 0.05;
constexpr double kClearlyMore = 0.05; ///< of the commonest label's share above chance

QString strengthTip(Stage stage)
{
    return stage == Stage::HeadOutput
               ? HeadTableModel::tr("Mean length of its vectors. The output projection scales every head anew: a long "
                                    "vector need not be an influential one")
               : HeadTableModel::tr("Mean length of its vectors. A segment is what all heads have written there: its "
                                    "length is that of none, and no influence");
}

QString followsTip(Stage stage)
{
    return stage == Stage::OutputSegment
               ? HeadTableModel::tr("Rank correlation with the full vector without this segment, inside topics "
                                    "(Spearman, mean over topics)")
               : HeadTableModel::tr("Rank correlation with the full vector inside topics (Spearman, mean over topics)");
}

} // namespace

const TestedNumbers* HeadTableModel::testedColumn(int column) const
{
    if (m_report == nullptr || !m_report->answers)
        return nullptr;
    const HeadTopicStatistics& answers = *m_report->answers;
    return column == SelectivityColumn ? &answers.selectivity
           : column == MatchColumn     ? &answers.match
           : column == TopicColumn     ? &answers.topExcess
                                       : nullptr;
}

bool HeadTableModel::isChance(const QModelIndex& index) const
{
    const TestedNumbers* tested = testedColumn(index.column());
    const auto heads = headsOf(index);
    const auto head = static_cast<std::size_t>(heads.front());
    return tested != nullptr && heads.size() == 1 && head < tested->q.size() && tested->q[head] > kSmallQ;
}

QString HeadTableModel::testText(const QModelIndex& index) const
{
    const TestedNumbers* tested = testedColumn(index.column());
    const auto heads = headsOf(index);
    const auto head = static_cast<std::size_t>(heads.front());
    if (heads.size() > 1 && std::isfinite(value(index)))
        return tr("Mean of the numbers of its heads that are shown, and no number of the group itself: match --pool "
                  "groups and prune --units groups measure groups");
    if (const Interval interval = intervalOf(heads.front(), FollowsColumn);
        index.column() == FollowsColumn && heads.size() == 1 && std::isfinite(interval.low))
        return tr("%1, 95 %: %2 to %3 (jackknife over documents); not tested against shuffled labels")
            .arg(numberText(value(index)), numberText(interval.low), numberText(interval.high));
    if (tested == nullptr || heads.size() != 1 || head >= tested->q.size() || !std::isfinite(tested->value[head]))
        return {};
    const bool share = index.column() == MatchColumn;
    const auto text = [share](double value) { return share ? percentText(value) : numberText(value); };
    QString said = index.column() == TopicColumn
                       ? tr("%1 above its mean over all documents; mean cosine %2")
                             .arg(numberText(tested->value[head]), numberText(headValue(heads.front(), TopicColumn)))
                       : text(tested->value[head]);
    if (const Interval& interval = tested->ci95[head]; std::isfinite(interval.low))
        said +=
            tr(", 95 %: %1 to %2 (%3)")
                .arg(text(interval.low), text(interval.high), share ? tr("Wilson") : tr("jackknife over documents"));
    if (share)
        said += tr("; chance %1").arg(percentText(m_report->answers->matchChance));
    if (const PermutationNull& null = tested->null[head]; std::isfinite(null.p))
        said += tr("; with shuffled labels %1 on average, p %2, q %3%4")
                    .arg(text(null.mean), probabilityText(null.p), probabilityText(tested->q[head]),
                         isChance(index) ? tr(": not distinguishable from shuffled labels") : QString());
    return said;
}

QString HeadTableModel::legend() const
{
    if (m_report == nullptr)
        return {};
    QString text =
        tr("Spread: 1 − |mean unit vector|², small where all vectors share a large offset. Score: strength × "
           "spread, a weight in multi-head retrieval and no measure of use. Both without interval and test.");
    if (!m_report->answers)
        return text;
    const HeadTopicStatistics& answers = *m_report->answers;
    text +=
        tr(" Selectivity: ε² (η² without its bias, may be slightly negative) of the similarity less each topic’s mean "
           "over all documents. Follows: Spearman with "
           "the full vector%1 inside topics. Match: own topic nearest, chance %2. Evenness, "
           "negative cosines counting as 0: 1 where all documents answer alike. Lines under the bars: 95 %, of match "
           "after Wilson%3, of selectivity and follows by jackknife over documents.")
            .arg(m_stage == Stage::OutputSegment ? tr(" without the segment") : QString(),
                 percentText(answers.matchChance),
                 areCentroids(m_report->topicVectors) ? tr(" (centroids taken as given: somewhat too narrow)")
                                                      : QString());
    if (answers.majority > answers.matchChance + kClearlyMore)
        text +=
            tr(" Labels of unequal size: always naming the commonest matches %1; neither chance nor shuffled labels "
               "say so, and a small q does not mean better than that.")
                .arg(percentText(answers.majority));
    if (grouped())
        text += tr(" Rows of KV groups: means of their heads, untested.");
    if (answers.options.permutations > 0)
        text += tr(" † this number is not distinguishable from shuffled labels: q > %1, %2 permutations, seed %3, "
                   "Benjamini–Hochberg over "
                   "%4 %5. Follows, similarity, evenness, strength, spread and score are not tested.")
                    .arg(numberText(kSmallQ))
                    .arg(answers.options.permutations)
                    .arg(answers.options.seed)
                    .arg(answers.match.q.size())
                    .arg(unitsText(m_stage));
    return text;
}

QVariant HeadTableModel::headerData(int section, Qt::Orientation orientation, int role) const
{
    // The first click on a number's title puts the largest on top.
    if (orientation == Qt::Horizontal && role == Qt::InitialSortOrderRole)
        return section == HeadColumn || section == TopicColumn ? Qt::AscendingOrder : Qt::DescendingOrder;
    if (orientation == Qt::Horizontal && role == Qt::TextAlignmentRole)
        return QVariant::fromValue((section == HeadColumn || section == TopicColumn ? Qt::AlignLeft : Qt::AlignRight) |
                                   Qt::AlignVCenter);
    if (orientation != Qt::Horizontal || (role != Qt::DisplayRole && role != Qt::ToolTipRole))
        return {};
    const bool tip = role == Qt::ToolTipRole;
    switch (section)
    {
    case HeadColumn:
        if (!tip)
            return unitTitle(m_stage);
        return grouped() ? tr("The tick switches a head, or a KV group, on and off")
                         : tr("The tick switches a %1 on and off").arg(unitText(m_stage));
    case StrengthColumn:
        return tip ? strengthTip(m_stage) : tr("Strength");
    case SpreadColumn:
        return tip ? tr("1 − |mean unit vector|²: the mean cosine distance of two documents, each with itself counted "
                        "as 0. A large common offset makes it small, even where what varies around it is informative")
                   : tr("Spread");
    case ScoreColumn:
        return tip ? tr("Strength × spread: its weight in multi-head retrieval. It inherits the weaknesses of both and "
                        "knows no labels: a weight, no measure of use")
                   : tr("Score");
    case SimilarityColumn:
        return tip ? tr("Mean cosine with the document’s own topic. Topics differ in how near they are to everything: "
                        "a large one alone says nothing about the topic (see match and selectivity)")
                   : tr("Similarity");
    case SelectivityColumn:
        return tip ? tr("Share of that cosine’s variance that lies between topics, after each topic’s mean over all "
                        "documents is taken away: large where some topics are answered to more than others. ε², which "
                        "is η² without its bias: 0 on average for shuffled labels, may be slightly negative")
                   : tr("Selectivity");
    case FollowsColumn:
        return tip ? followsTip(m_stage) : tr("Follows");
    case MatchColumn:
        return tip ? tr("Documents whose own topic is the nearest of all; chance is 1 / topics") : tr("Match");
    case EvennessColumn:
        return tip ? tr("How evenly its answer lies over documents: (Σc)² / (n Σc²) over all n cosines, negative ones "
                        "as 0: 1 all alike, near 0 a few take it all. A shape and no quality: what answers to nothing "
                        "evenly is at 1, too")
                   : tr("Evenness");
    case TopicColumn:
        return tip ? tr("The topic whose documents’ cosine with it exceeds its mean over all documents most. Some "
                        "topic "
                        "always does, also of shuffled labels")
                   : tr("Most for");
    default:
        return {};
    }
}

} // namespace headscope::ui
