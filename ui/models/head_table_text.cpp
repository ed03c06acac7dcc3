// SPDX-License-Identifier: GPL-3.0-or-later
// What the table of heads says: its cells, titles and tips, and the line under it.
#include "ui/models/head_table_model.h"

#include "model/data/results/topic_results.h"
#include "ui/models/frame_model.h"
#include "ui/words/decimal_text.h"
#include "ui/words/wording.h"

#include <QStringList>

#include <cmath>
#include <cstddef>
#include <string_view>

namespace headscope::ui
{
namespace
{

constexpr double kSmallQ = 0.05;
constexpr double kClearlyMore = 0.05; ///< of the commonest label's share above chance

/// What has to be said beside a number: of segments more than of heads.
QString cautionAt(const ColumnInfo& info, Stage stage)
{
    if (info.key == "mean_norm" && stage != Stage::HeadOutput)
        return HeadTableModel::tr("All heads write into a segment, so its norm is not the norm of a head");
    if (info.key == "follows_full" && stage == Stage::OutputSegment)
        return HeadTableModel::tr("The full vector is taken without this segment");
    return toQString(info.caution);
}

} // namespace

bool HeadTableModel::isChance(const QModelIndex& index) const
{
    const auto heads = headsOf(index);
    return heads.size() == 1 && headNumber(testedOf(index.column()), Facet::Q, heads.front()) > kSmallQ;
}

QString HeadTableModel::cellText(const QModelIndex& index) const
{
    const int column = index.column();
    if (column == HeadColumn)
        return nameOf(index);
    const auto heads = headsOf(index);
    const double number = value(index);
    QString text =
        std::isfinite(number) ? frameNumber(infoOf(column), Facet::Value, number, NumberStyle::Short) : missingText();
    if (isWord(column))
    {
        const headscope::Column* words = m_frame.find(infoOf(column).key);
        const bool isKnown = words != nullptr && heads.size() == 1 && heads.front() < m_frame.rows();
        text = isKnown ? facetText(*words, Facet::Value, static_cast<std::size_t>(heads.front())) : QString();
    }
    // The line under the table speaks of the mark.
    return isChance(index) ? QString(text % QStringLiteral(" †")) : text;
}

QString HeadTableModel::cellTip(const QModelIndex& index) const
{
    const int column = index.column();
    const auto heads = headsOf(index);
    const headscope::Column* tested = testedOf(column);
    QStringList lines;
    if (heads.size() > 1 && std::isfinite(value(index)))
        lines << tr("Mean over the heads shown. To measure the group itself, use the commands match --pool groups or "
                    "prune --units groups.");
    else if (heads.size() == 1 && std::isfinite(headNumber(tested, Facet::Value, heads.front())))
    {
        const auto head = static_cast<std::size_t>(heads.front());
        if (column == TopicColumn)
            for (const headscope::Column* numbers : {tested, numbersOf(column)})
                lines << toQString(numbers->info->title) % QStringLiteral(": ") %
                             facetText(*numbers, Facet::Value, head, NumberStyle::Short);
        lines << factsBeside(*tested, Facet::Value, head, NumberStyle::Short);
        if (isChance(index))
            lines << tr("Not distinguishable from permuted labels");
        else if (m_report != nullptr && m_report->answers &&
                 !std::isfinite(headNumber(tested, Facet::Q, heads.front())))
            lines << tr("Not tested against permuted labels");
    }
    return (lines << headTip(column)).join(u'\n');
}

QString HeadTableModel::headTip(int column) const
{
    if (column != HeadColumn)
        return columnTip(infoOf(column), cautionAt(infoOf(column), m_stage));
    return grouped() ? tr("Click the check box to switch a head or a KV group on or off")
                     : tr("Click the check box to switch a %1 on or off").arg(unitText(m_stage));
}

QString HeadTableModel::intervalsText() const
{
    QStringList methods;
    for (const ColumnInfo* info : m_columns)
        if (const headscope::Column* column = m_frame.find(info->key);
            column != nullptr && !column->intervalMethod.empty())
            methods << toQString(info->title) % QStringLiteral(": ") % toQString(column->intervalMethod.front());
    return methods.join(QStringLiteral("; "));
}

QString HeadTableModel::untestedText() const
{
    QStringList titles;
    for (int column = 0; column < columnCount(); ++column)
        if (const headscope::Column* numbers = testedOf(column);
            numbers != nullptr && !numbers->isText() && !numbers->has(Facet::Q))
            titles << toQString(infoOf(column).title);
    return titles.join(QStringLiteral(", "));
}

QString HeadTableModel::definitions() const
{
    if (m_report == nullptr)
        return {};
    const auto defined = [this](std::string_view key, bool isCautious) {
        const ColumnInfo& info = *m_frame.about().find(key);
        return QStringLiteral("%1: %2.").arg(toQString(info.title),
                                             columnTip(info, isCautious ? cautionAt(info, m_stage) : QString()));
    };
    QStringList text = {defined("spread", true), defined("score", true)};
    if (m_report->answers)
        text << defined("selectivity_unbiased", true) << defined("follows_full", true) << defined("match", false)
             << defined("evenness", false);
    return text.join(u' ');
}

QString HeadTableModel::signs() const
{
    if (m_report == nullptr || !m_report->answers)
        return legend();
    QStringList text = {tr("Lines on the bars: 95% CI.")};
    if (m_report->answers->options.permutations > 0)
        text << tr("† Not distinguishable from permuted labels.");
    return text.join(u' ');
}

QString HeadTableModel::legend() const
{
    if (m_report == nullptr)
        return {};
    if (!m_report->answers)
        return tr("Spread and score have neither an interval nor a test.");
    const HeadTopicStatistics& answers = *m_report->answers;
    QStringList text = {tr("Match at chance level: %1.").arg(percentText(answers.matchChance)),
                        tr("Lines on the bars: 95% CI (%1).").arg(intervalsText())};
    if (areCentroids(m_report->topicVectors))
        text << tr("Intervals of the match treat the topic means as known, so they are slightly too narrow.");
    if (answers.majority > answers.matchChance + kClearlyMore)
        text << tr("Labels differ in size: always predicting the largest label gives a match of %1. A small q does not "
                   "mean that the match exceeds this value.")
                    .arg(percentText(answers.majority));
    if (grouped())
        text << tr("Rows of KV groups: means of their heads, not tested.");
    if (answers.options.permutations > 0)
        text << tr("† Not distinguishable from permuted labels: q > %1, %2 permutations, seed %3, Benjamini–Hochberg "
                   "over %4 %5. Not tested: %6.")
                    .arg(numberText(kSmallQ))
                    .arg(answers.options.permutations)
                    .arg(answers.options.seed)
                    .arg(answers.match.q.size())
                    .arg(unitsText(m_stage), untestedText());
    return text.join(u' ');
}

QVariant HeadTableModel::headerData(int section, Qt::Orientation orientation, int role) const
{
    if (orientation != Qt::Horizontal || section < 0 || section >= columnCount())
        return {};
    switch (role)
    {
    case Qt::InitialSortOrderRole: // the first click on a number's title puts the largest on top
        return isWord(section) ? Qt::AscendingOrder : Qt::DescendingOrder;
    case Qt::TextAlignmentRole:
        return QVariant::fromValue((isWord(section) ? Qt::AlignLeft : Qt::AlignRight) | Qt::AlignVCenter);
    case Qt::DisplayRole:
        return section == HeadColumn ? unitTitle(m_stage) : toQString(infoOf(section).title);
    case Qt::ToolTipRole:
        return headTip(section);
    default:
        return {};
    }
}

} // namespace headscope::ui
