// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/models/probe_table_model.h"

#include "ui/models/roles.h"
#include "ui/theme/theme.h"
#include "ui/words/wording.h"

#include <QLocale>

#include <algorithm>
#include <cmath>
#include <limits>

namespace headscope::ui
{
namespace
{

constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();

QString shareText(double share)
{
    return std::isfinite(share) ? QLocale().toString(share, 'f', 3) : QStringLiteral("–");
}

/// " (0.363 – 0.483)"; empty where there is none.
QString intervalText(const Interval& interval)
{
    return std::isfinite(interval.low)
               ? QStringLiteral(" (%1 – %2)").arg(shareText(interval.low), shareText(interval.high))
               : QString();
}

QString stageText(const ProbeResult& result)
{
    if (!result.stage)
        return ProbeTableModel::tr("given vectors");
    return toQString(stageName(*result.stage)) % QStringLiteral("  ") % unitsText(*result.stage);
}

ProbeTableModel::Place placeOf(const ProbeRow& row)
{
    return {LayerIndex(row.result->layer.value_or(-1)), row.result->stage.value_or(Stage::HeadOutput)};
}

double rawValue(const ProbeRow& row, int column)
{
    const ProbeResult& result = *row.result;
    switch (column)
    {
    case ProbeTableModel::LayerColumn:
        return static_cast<double>(result.layer.value_or(-1));
    case ProbeTableModel::StageColumn:
        return result.stage ? static_cast<double>(*result.stage) : -1;
    case ProbeTableModel::AccuracyColumn:
        return result.accuracy;
    case ProbeTableModel::IntervalColumn:
        return result.ci95High - result.ci95Low;
    case ProbeTableModel::MacroF1Column:
        return result.macroF1;
    case ProbeTableModel::WithinColumn:
        return row.grouped ? result.withinGroupError : kNaN;
    case ProbeTableModel::AcrossColumn:
        return row.grouped ? result.acrossGroupError : kNaN;
    case ProbeTableModel::ConfusedColumn:
    {
        const auto pair = mostConfusedPair(result);
        return pair ? pair->share : 0;
    }
    case ProbeTableModel::ControlGapColumn:
        return result.baselines ? result.baselines->selectivity : kNaN;
    case ProbeTableModel::ControlColumn:
        return row.control != nullptr ? row.control->accuracy : kNaN;
    case ProbeTableModel::RowsColumn:
        return static_cast<double>(result.trainRows);
    default:
        return result.iterations;
    }
}

QString cellText(const ProbeRow& row, int column)
{
    const ProbeResult& result = *row.result;
    switch (column)
    {
    case ProbeTableModel::LayerColumn:
        return result.layer ? QString::number(*result.layer) : QStringLiteral("–");
    case ProbeTableModel::StageColumn:
        return stageText(result);
    case ProbeTableModel::IntervalColumn:
        return shareText(result.ci95Low) % QStringLiteral(" – ") % shareText(result.ci95High);
    case ProbeTableModel::ControlGapColumn:
        return result.baselines
                   ? shareText(result.baselines->selectivity) % intervalText(result.baselines->selectivityCi95)
                   : shareText(kNaN);
    case ProbeTableModel::RowsColumn:
        return countText(result.trainRows) % QStringLiteral(" / ") % countText(result.testRows);
    case ProbeTableModel::ConfusedColumn:
        if (const auto pair = mostConfusedPair(result))
            return ProbeTableModel::tr("%1 and %2: %3 %")
                .arg(pair->first + 1)
                .arg(pair->second + 1)
                .arg(QLocale().toString(100 * pair->share, 'f', 1));
        return QStringLiteral("–");
    case ProbeTableModel::FitColumn:
        return result.converged
                   ? countText(result.iterations, ProbeTableModel::tr("step"), ProbeTableModel::tr("steps"))
                   : ProbeTableModel::tr("not converged");
    default:
        return shareText(rawValue(row, column));
    }
}

double chanceOf(const ProbeResult& result)
{
    return 1 / static_cast<double>(std::max<std::int64_t>(1, result.classes));
}

QString groupsTip(const GroupErrors& groups)
{
    if (groups.errors == 0)
        return ProbeTableModel::tr("No error");
    return ProbeTableModel::tr("%1%2 of the errors; %3 if they were spread evenly over the other heads. Rank %4 of "
                               "%5 groupings of the heads, p %6")
        .arg(shareText(groups.share), intervalText(groups.ci95), shareText(groups.chance), countText(groups.rank),
             countText(groups.groupings), probabilityText(groups.p));
}

QString tipOf(const ProbeRow& row, int column)
{
    const ProbeResult& result = *row.result;
    if (column == ProbeTableModel::StageColumn && result.stage)
        return toQString(stageDescription(*result.stage));
    if (column == ProbeTableModel::ConfusedColumn)
        if (const auto pair = mostConfusedPair(result))
            return ProbeTableModel::tr("Of all %1 these two are taken for each other most often: %2 of their test rows")
                .arg(unitsText(result.stage.value_or(Stage::HeadOutput)), countText(pair->rows));
    if (column == ProbeTableModel::AccuracyColumn)
        return ProbeTableModel::tr("Chance is %1").arg(shareText(chanceOf(result)));
    if (column == ProbeTableModel::IntervalColumn && result.effectiveRows > 0)
        return ProbeTableModel::tr("%1 test rows are worth %2 independent ones")
            .arg(countText(result.testRows), QLocale().toString(result.effectiveRows, 'f', 1));
    if (column == ProbeTableModel::IntervalColumn)
        return ProbeTableModel::tr(
            "Kept by an earlier version, which took rows for independent: too narrow, train again");
    if (column == ProbeTableModel::WithinColumn && row.grouped && result.baselines && result.baselines->groups)
        return groupsTip(*result.baselines->groups);
    if (column == ProbeTableModel::ControlGapColumn && result.baselines)
        return ProbeTableModel::tr("%1 – %2 by resampling documents, and Student’s t over the draws of the task")
            .arg(shareText(result.baselines->selectivityCi95.low), shareText(result.baselines->selectivityCi95.high));
    if (column == ProbeTableModel::RowsColumn && !result.testDocuments.empty())
        return ProbeTableModel::tr("%1 train; %2 of %3 test, which set every interval")
            .arg(
                countText(result.trainRows, ProbeTableModel::tr("row"), ProbeTableModel::tr("rows")),
                countText(result.testRows, ProbeTableModel::tr("row"), ProbeTableModel::tr("rows")),
                countText(numTestDocuments(result), ProbeTableModel::tr("document"), ProbeTableModel::tr("documents")));
    if (column == ProbeTableModel::ControlColumn && row.control != nullptr)
        return ProbeTableModel::tr("Labels shuffled: %1 – %2; chance is %3")
            .arg(shareText(row.control->ci95Low), shareText(row.control->ci95High), shareText(chanceOf(result)));
    if (column == ProbeTableModel::FitColumn)
        return ProbeTableModel::tr("%1 steps, gradient %2, %3")
            .arg(countText(result.iterations), QLocale().toString(result.gradientNorm, 'g', 2),
                 durationText(result.seconds));
    return row.notices.join(QLatin1Char('\n'));
}

} // namespace

ProbeTableModel::ProbeTableModel(QObject* parent) : QAbstractTableModel(parent) {}

void ProbeTableModel::clear()
{
    beginResetModel();
    m_rows.clear();
    endResetModel();
}

void ProbeTableModel::addRow(ProbeRow row)
{
    const Place place = placeOf(row);
    const auto at = std::lower_bound(m_rows.begin(), m_rows.end(), place,
                                     [](const ProbeRow& each, const Place& wanted) { return placeOf(each) < wanted; });
    const auto number = static_cast<int>(at - m_rows.begin());
    if (at != m_rows.end() && placeOf(*at) == place)
    {
        *at = std::move(row);
        Q_EMIT dataChanged(index(number, 0), index(number, ColumnCount - 1));
        return;
    }
    beginInsertRows({}, number, number);
    m_rows.insert(at, std::move(row));
    endInsertRows();
}

int ProbeTableModel::rowOf(Place place) const
{
    const auto at =
        std::find_if(m_rows.begin(), m_rows.end(), [&place](const ProbeRow& row) { return placeOf(row) == place; });
    return at == m_rows.end() ? -1 : static_cast<int>(at - m_rows.begin());
}

void ProbeTableModel::setChosen(std::optional<Place> place)
{
    if (place == m_chosen)
        return;
    m_chosen = place;
    if (!m_rows.empty())
        Q_EMIT dataChanged(index(0, 0), index(rowCount() - 1, ColumnCount - 1));
}

int ProbeTableModel::rowCount(const QModelIndex& parent) const
{
    return parent.isValid() ? 0 : static_cast<int>(m_rows.size());
}

int ProbeTableModel::columnCount(const QModelIndex& parent) const
{
    return parent.isValid() ? 0 : ColumnCount;
}

QVariant ProbeTableModel::decoration(const ProbeRow& row, int column) const
{
    const bool chosen = m_chosen && placeOf(row) == *m_chosen;
    if (column == LayerColumn)
        return chosen ? Theme::instance().colors().accent : QColor(Qt::transparent);
    return {};
}

QVariant ProbeTableModel::data(const QModelIndex& index, int role) const
{
    if (!checkIndex(index, CheckIndexOption::IndexIsValid | CheckIndexOption::ParentIsInvalid))
        return {};
    const ProbeRow& row = m_rows[static_cast<std::size_t>(index.row())];
    switch (role)
    {
    case Qt::DisplayRole:
        return cellText(row, index.column());
    case Qt::ToolTipRole:
        return tipOf(row, index.column());
    case Qt::AccessibleTextRole:
        return cellText(row, index.column());
    case Qt::AccessibleDescriptionRole:
        return m_chosen && placeOf(row) == *m_chosen ? tr("shown in the other views") : QString();
    case Qt::TextAlignmentRole:
        return QVariant::fromValue((index.column() <= StageColumn ? Qt::AlignLeft : Qt::AlignRight) | Qt::AlignVCenter);
    case Qt::FontRole:
        return index.column() == AccuracyColumn ? QVariant(Theme::bodyFont(true)) : QVariant();
    case Qt::ForegroundRole:
        return index.column() == FitColumn && !row.result->converged ? QVariant(Theme::instance().colors().warning)
                                                                     : QVariant();
    case Qt::DecorationRole:
        return decoration(row, index.column());
    case SortRole:
        return rawValue(row, index.column());
    default:
        return {};
    }
}

QVariant ProbeTableModel::headerData(int section, Qt::Orientation orientation, int role) const
{
    if (orientation != Qt::Horizontal || section < 0 || section >= ColumnCount)
        return {};
    struct Header
    {
        const char* title;
        const char* tip;
    };
    static constexpr Header kHeaders[ColumnCount] = {
        {QT_TR_NOOP("Layer"), QT_TR_NOOP("Transformer block, from 0; the coloured one is shown in the other views")},
        {QT_TR_NOOP("Stage"), QT_TR_NOOP("Where in the layer the vectors were taken")},
        {QT_TR_NOOP("Accuracy"), QT_TR_NOOP("Share of the test rows that were named rightly")},
        {QT_TR_NOOP("95 % interval"),
         QT_TR_NOOP(
             "Of the accuracy, on this split. Rows of one document are right or wrong together: Wilson's interval over "
             "the effective rows, those that the test rows are worth")},
        {QT_TR_NOOP("Macro F1"), QT_TR_NOOP("Mean of the F1 scores of all heads or segments")},
        {QT_TR_NOOP("Rows in group"),
         QT_TR_NOOP("Stage 1: share of the test rows taken for another head of the same KV group; a "
                    "cell's tip has chance, and the rank of this grouping among others")},
        {QT_TR_NOOP("Across"), QT_TR_NOOP("Stage 1: share of the test rows taken for a head of another KV group")},
        {QT_TR_NOOP("Most confused"),
         QT_TR_NOOP("The two that are most often taken for each other, and the share of their test rows")},
        {QT_TR_NOOP("Control-task gap"),
         QT_TR_NOOP("Accuracy less that of a control task: arbitrary names, fixed for each head and "
                    "cluster of documents; mean over draws of these. Its 95 % interval is by resampling documents and "
                    "by Student’s t over the draws")},
        {QT_TR_NOOP("Shuffled"),
         QT_TR_NOOP("Accuracy with the labels shuffled among all rows: a leak check. An interval above chance "
                    "would point to test rows in the training")},
        {QT_TR_NOOP("Train / test"), QT_TR_NOOP("Rows that trained the probe, and rows that tested it")},
        {QT_TR_NOOP("Fit"), QT_TR_NOOP("Steps to the optimum, or that it was not reached")},
    };
    if (role == Qt::DisplayRole)
        return tr(kHeaders[section].title);
    if (role == Qt::ToolTipRole)
        return tr(kHeaders[section].tip);
    if (role == Qt::TextAlignmentRole)
        return QVariant::fromValue((section <= StageColumn ? Qt::AlignLeft : Qt::AlignRight) | Qt::AlignVCenter);
    return {};
}

} // namespace headscope::ui
