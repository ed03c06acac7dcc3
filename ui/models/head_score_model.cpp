// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/models/head_score_model.h"

#include "model/data/key_sharing.h"

#include "ui/models/roles.h"
#include "ui/words/wording.h"

#include <QLocale>

#include <array>
#include <utility>

namespace headscope::ui
{

HeadScoreModel::HeadScoreModel(QObject* parent) : QAbstractTableModel(parent) {}

void HeadScoreModel::setResult(std::shared_ptr<const ProbeResult> result, const ModelInfo& info,
                               const viz::HeadPalette& palette)
{
    beginResetModel();
    m_result = std::move(result);
    m_info = info;
    m_palette = palette;
    endResetModel();
}

bool HeadScoreModel::grouped() const
{
    return m_result != nullptr && m_result->stage && hasKvGroups(m_info, *m_result->stage);
}

int HeadScoreModel::rowCount(const QModelIndex& parent) const
{
    return parent.isValid() || m_result == nullptr ? 0 : static_cast<int>(m_result->perHead.size());
}

int HeadScoreModel::columnCount(const QModelIndex& parent) const
{
    return parent.isValid() ? 0 : ColumnCount;
}

std::pair<std::int64_t, std::int64_t> HeadScoreModel::takenFor(std::int64_t row) const
{
    std::pair<std::int64_t, std::int64_t> most{-1, 0};
    if (row >= m_result->confusion.rows())
        return most;
    const auto counts = m_result->confusion.row(row);
    for (std::size_t other = 0; other < counts.size(); ++other)
        if (static_cast<std::int64_t>(other) != row && counts[other] > most.second)
            most = {static_cast<std::int64_t>(other), counts[other]};
    return most;
}

double HeadScoreModel::number(std::int64_t row, int column) const
{
    const HeadScore& score = m_result->perHead[static_cast<std::size_t>(row)];
    switch (column)
    {
    case HeadColumn:
        return static_cast<double>(score.head);
    case GroupColumn:
        return m_info.heads > 0 ? static_cast<double>(m_info.groupOf(HeadIndex(score.head)).value()) : 0;
    case PrecisionColumn:
        return score.precision;
    case RecallColumn:
        return score.recall;
    case F1Column:
        return score.f1;
    default:
        return static_cast<double>(takenFor(row).second);
    }
}

QString HeadScoreModel::text(std::int64_t row, int column) const
{
    const HeadScore& score = m_result->perHead[static_cast<std::size_t>(row)];
    switch (column)
    {
    case HeadColumn:
        return unitText(m_result->stage.value_or(Stage::HeadOutput), HeadIndex(score.head));
    case GroupColumn:
        return grouped() ? viz::groupName(m_info.groupOf(HeadIndex(score.head)), m_info.groupSize())
                         : QStringLiteral("–");
    case TakenForColumn:
    {
        const auto [other, count] = takenFor(row);
        if (other < 0)
            return QStringLiteral("–");
        const HeadIndex head(m_result->perHead[static_cast<std::size_t>(other)].head);
        return tr("%1  (%2 rows)").arg(shownNumber(head)).arg(countText(count));
    }
    default:
        return QLocale().toString(number(row, column), 'f', 3);
    }
}

QVariant HeadScoreModel::data(const QModelIndex& index, int role) const
{
    if (!checkIndex(index, CheckIndexOption::IndexIsValid | CheckIndexOption::ParentIsInvalid))
        return {};
    switch (role)
    {
    case Qt::DisplayRole:
        return text(index.row(), index.column());
    case Qt::DecorationRole:
        if (index.column() == HeadColumn)
            return m_palette.color(HeadIndex(m_result->perHead[static_cast<std::size_t>(index.row())].head));
        return {};
    case Qt::TextAlignmentRole:
        return QVariant::fromValue((index.column() == HeadColumn ? Qt::AlignLeft : Qt::AlignRight) | Qt::AlignVCenter);
    case SortRole:
        return number(index.row(), index.column());
    default:
        return {};
    }
}

QVariant HeadScoreModel::headerData(int section, Qt::Orientation orientation, int role) const
{
    if (orientation != Qt::Horizontal || section < 0 || section >= ColumnCount)
        return {};
    static constexpr std::array<std::pair<const char*, const char*>, ColumnCount> kHeaders = {{
        {"", QT_TR_NOOP("Its number, counted from 1")},
        {QT_TR_NOOP("KV"), QT_TR_NOOP("KV group: heads that share keys and values")},
        {QT_TR_NOOP("Precision"), QT_TR_NOOP("Of the test rows given this name, the share that bears it rightly")},
        {QT_TR_NOOP("Recall"), QT_TR_NOOP("Of its test rows, the share that was named rightly")},
        {QT_TR_NOOP("F1"), QT_TR_NOOP("2 x precision x recall / (precision + recall)")},
        {QT_TR_NOOP("Most often taken for"), QT_TR_NOOP("The other one whose name most of its test rows were given")},
    }};
    const auto& [title, tip] = kHeaders[static_cast<std::size_t>(section)];
    if (role == Qt::DisplayRole && section == HeadColumn)
        return unitTitle(m_result == nullptr ? Stage::HeadOutput : m_result->stage.value_or(Stage::HeadOutput));
    if (role == Qt::DisplayRole)
        return tr(title);
    if (role == Qt::ToolTipRole)
        return tr(tip);
    if (role == Qt::TextAlignmentRole)
        return QVariant::fromValue((section == HeadColumn ? Qt::AlignLeft : Qt::AlignRight) | Qt::AlignVCenter);
    return {};
}

} // namespace headscope::ui
