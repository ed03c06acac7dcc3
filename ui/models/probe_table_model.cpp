// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/models/probe_table_model.h"

#include "ui/models/roles.h"
#include "ui/theme/theme.h"
#include "ui/wording.h"

#include <QLocale>

namespace headscope::ui
{
namespace
{

QString shareText(double share)
{
    return QLocale().toString(share, 'f', 3);
}

QString stageText(const ProbeResult& result)
{
    if (!result.stage)
        return ProbeTableModel::tr("given vectors");
    return ProbeTableModel::tr("%1  %2").arg(toQString(stageName(*result.stage)), stageTitle(*result.stage));
}

double rawValue(const ProbeResult& result, int column)
{
    switch (column)
    {
    case ProbeTableModel::StageColumn:
        return result.stage ? static_cast<double>(*result.stage) : -1;
    case ProbeTableModel::AccuracyColumn:
        return result.accuracy;
    case ProbeTableModel::IntervalColumn:
        return result.ci95High - result.ci95Low;
    case ProbeTableModel::MacroF1Column:
        return result.macroF1;
    case ProbeTableModel::WithinColumn:
        return result.withinGroupError;
    case ProbeTableModel::AcrossColumn:
        return result.acrossGroupError;
    case ProbeTableModel::TrainColumn:
        return static_cast<double>(result.trainRows);
    default:
        return static_cast<double>(result.testRows);
    }
}

QString cellText(const ProbeResult& result, int column)
{
    switch (column)
    {
    case ProbeTableModel::StageColumn:
        return stageText(result);
    case ProbeTableModel::IntervalColumn:
        return shareText(result.ci95Low) % QStringLiteral(" – ") % shareText(result.ci95High);
    case ProbeTableModel::TrainColumn:
        return countText(result.trainRows);
    case ProbeTableModel::TestColumn:
        return countText(result.testRows);
    default:
        return shareText(rawValue(result, column));
    }
}

} // namespace

ProbeTableModel::ProbeTableModel(QObject* parent) : QAbstractTableModel(parent) {}

void ProbeTableModel::setResults(std::vector<std::shared_ptr<const ProbeResult>> results)
{
    beginResetModel();
    m_results = std::move(results);
    endResetModel();
}

int ProbeTableModel::rowCount(const QModelIndex& parent) const
{
    return parent.isValid() ? 0 : static_cast<int>(m_results.size());
}

int ProbeTableModel::columnCount(const QModelIndex& parent) const
{
    return parent.isValid() ? 0 : ColumnCount;
}

QVariant ProbeTableModel::data(const QModelIndex& index, int role) const
{
    if (!checkIndex(index, CheckIndexOption::IndexIsValid | CheckIndexOption::ParentIsInvalid))
        return {};
    const ProbeResult& result = *m_results[static_cast<std::size_t>(index.row())];
    switch (role)
    {
    case Qt::DisplayRole:
        return cellText(result, index.column());
    case Qt::ToolTipRole:
        if (index.column() == StageColumn && result.stage)
            return toQString(stageDescription(*result.stage));
        return {};
    case Qt::TextAlignmentRole:
        return QVariant::fromValue((index.column() == StageColumn ? Qt::AlignLeft : Qt::AlignRight) | Qt::AlignVCenter);
    case Qt::FontRole:
        return index.column() == AccuracyColumn ? QVariant(Theme::bodyFont(true)) : QVariant();
    case SortRole:
        return rawValue(result, index.column());
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
        {QT_TR_NOOP("Stage"), QT_TR_NOOP("Where in the layer the vectors were taken")},
        {QT_TR_NOOP("Accuracy"), QT_TR_NOOP("Share of the test rows whose head was named rightly")},
        {QT_TR_NOOP("95 % interval"), QT_TR_NOOP("Wilson interval of the accuracy over the test rows")},
        {QT_TR_NOOP("Macro F1"), QT_TR_NOOP("Mean of the heads' F1 scores")},
        {QT_TR_NOOP("Within group"), QT_TR_NOOP("Share of the test rows taken for another head of the same KV group")},
        {QT_TR_NOOP("Across groups"), QT_TR_NOOP("Share of the test rows taken for a head of another KV group")},
        {QT_TR_NOOP("Train"), QT_TR_NOOP("Rows that trained the probe")},
        {QT_TR_NOOP("Test"), QT_TR_NOOP("Rows that tested the probe")},
    };
    if (role == Qt::DisplayRole)
        return tr(kHeaders[section].title);
    if (role == Qt::ToolTipRole)
        return tr(kHeaders[section].tip);
    if (role == Qt::TextAlignmentRole)
        return QVariant::fromValue((section == StageColumn ? Qt::AlignLeft : Qt::AlignRight) | Qt::AlignVCenter);
    return {};
}

} // namespace headscope::ui
