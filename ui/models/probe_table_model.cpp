// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/models/probe_table_model.h"

#include "model/data/results/probe_frame.h"
#include "ui/models/roles.h"
#include "ui/theme/theme.h"
#include "ui/words/wording.h"

#include <QLocale>

#include <algorithm>
#include <cmath>
#include <utility>

namespace headscope::ui
{
namespace
{

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

std::vector<FrameColumn> columns()
{
    const auto tr = [](const char* text) { return ProbeTableModel::tr(text); };
    return {
        {"layer",
         Facet::Value,
         {},
         tr("Transformer block, counted from 0. The layer shown in the other views is coloured.")},
        {"stage"},
        {"accuracy"},
        {"accuracy", Facet::Range},
        {"macro_f1"},
        {"within_group", Facet::Value, tr("Errors within")},
        {"across_groups", Facet::Value, tr("Errors across")},
        {{},
         Facet::Value,
         tr("Most confused"),
         tr("The two heads or segments most often confused with each other, and the proportion of their test vectors "
            "that are confused")},
        {"control_task_gap", Facet::Span},
        {"control"},
        {"train", Facet::Value, tr("Train / test"), tr("Number of training vectors, and number of test vectors")},
        {"iterations", Facet::Value, tr("Fit"), tr("Optimizer steps, or “not converged”")},
    };
}

/// Cells of several numbers, or of words about them; nothing where the frame has the cell.
QString cellText(const ProbeResult& result, int column)
{
    switch (column)
    {
    case ProbeTableModel::StageColumn:
        return stageText(result);
    case ProbeTableModel::RowsColumn:
        return countText(result.trainRows) % QStringLiteral(" / ") % countText(result.testRows);
    case ProbeTableModel::ConfusedColumn:
        if (const auto pair = mostConfusedPair(result))
            return ProbeTableModel::tr("%1 and %2: %3")
                .arg(pair->first + 1)
                .arg(pair->second + 1)
                .arg(percentText(pair->share));
        return {};
    case ProbeTableModel::FitColumn:
        return result.converged
                   ? countText(result.iterations, ProbeTableModel::tr("step"), ProbeTableModel::tr("steps"))
                   : ProbeTableModel::tr("not converged");
    default:
        return {};
    }
}

QString groupsTip(const GroupErrors& groups)
{
    if (groups.errors == 0)
        return ProbeTableModel::tr("No error");
    const auto share = [](double value) { return QLocale().toString(value, 'f', 3); };
    const QString interval = std::isfinite(groups.ci95.low)
                                 ? QStringLiteral(" (%1 – %2)").arg(share(groups.ci95.low), share(groups.ci95.high))
                                 : QString();
    return ProbeTableModel::tr("%1%2 of the errors are within the group; %3 is expected if errors are spread evenly "
                               "over the other heads. Rank %4 among %5 groupings of the heads, p %6")
        .arg(share(groups.share), interval, share(groups.chance), countText(groups.rank), countText(groups.groupings),
             probabilityText(groups.p));
}

/// What is said of a cell in place of its column's definition; nothing: that.
QString cellTip(const ProbeRow& row, int column)
{
    const ProbeResult& result = *row.result;
    switch (column)
    {
    case ProbeTableModel::StageColumn:
        return result.stage ? toQString(stageDescription(*result.stage)) : QString();
    case ProbeTableModel::ConfusedColumn:
        if (const auto pair = mostConfusedPair(result))
            return ProbeTableModel::tr("Of all %1, these two are most often confused with each other: %2 of their test "
                                       "vectors are confused")
                .arg(unitsText(result.stage.value_or(Stage::HeadOutput)), countText(pair->rows));
        return {};
    case ProbeTableModel::IntervalColumn:
        return result.effectiveRows > 0
                   ? ProbeTableModel::tr("%1 test vectors have an effective sample size of %2")
                         .arg(countText(result.testRows), QLocale().toString(result.effectiveRows, 'f', 1))
                   : ProbeTableModel::tr("Saved by an earlier version that assumed independent vectors, so the "
                                         "interval is too narrow. Train again.");
    case ProbeTableModel::WithinColumn:
        return row.grouped && result.baselines && result.baselines->groups ? groupsTip(*result.baselines->groups)
                                                                           : QString();
    case ProbeTableModel::RowsColumn:
        return result.testDocuments.empty()
                   ? QString()
                   : ProbeTableModel::tr("%1 in the training set; %2 of %3 in the test set. All intervals are computed "
                                         "from the test documents")
                         .arg(
                             countText(result.trainRows, ProbeTableModel::tr("vector"), ProbeTableModel::tr("vectors")),
                             countText(result.testRows, ProbeTableModel::tr("vector"), ProbeTableModel::tr("vectors")),
                             countText(numTestDocuments(result), ProbeTableModel::tr("document"),
                                       ProbeTableModel::tr("documents")));
    case ProbeTableModel::FitColumn:
        return ProbeTableModel::tr("%1 steps, gradient %2, %3")
            .arg(countText(result.iterations), QLocale().toString(result.gradientNorm, 'g', 2),
                 durationText(result.seconds));
    case ProbeTableModel::AccuracyColumn:
    case ProbeTableModel::ControlGapColumn:
    case ProbeTableModel::ControlColumn:
        return {};
    default:
        return row.notices.join(u'\n');
    }
}

QVariant unlessEmpty(const QString& text)
{
    return text.isEmpty() ? QVariant() : QVariant(text);
}

} // namespace

ProbeTableModel::ProbeTableModel(QObject* parent)
    : FrameModel(
          columns(),
          [this](int row, int column, int role) { return extra(m_rows[static_cast<std::size_t>(row)], column, role); },
          parent)
{}

void ProbeTableModel::clear()
{
    FrameModel::clear();
    m_rows.clear();
}

void ProbeTableModel::addRow(ProbeRow row)
{
    const Place place = placeOf(row);
    const auto at = std::lower_bound(m_rows.begin(), m_rows.end(), place,
                                     [](const ProbeRow& each, const Place& wanted) { return placeOf(each) < wanted; });
    const auto number = static_cast<int>(at - m_rows.begin());
    Frame frame = probesFrame({row.result.get(), 1}, {&row.control, 1});
    if (at != m_rows.end() && placeOf(*at) == place)
    {
        *at = std::move(row);
        return replaceFrame(number, std::move(frame));
    }
    m_rows.insert(at, std::move(row));
    insertFrame(number, std::move(frame));
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
    refresh();
}

QVariant ProbeTableModel::extra(const ProbeRow& row, int column, int role) const
{
    const bool isChosen = m_chosen && placeOf(row) == *m_chosen;
    switch (role)
    {
    case Qt::DisplayRole:
        return unlessEmpty(cellText(*row.result, column));
    case Qt::ToolTipRole:
        if (!row.grouped && (column == WithinColumn || column == AcrossColumn))
            return row.notices.join(u'\n'); // a word about groups would say that there are some
        return unlessEmpty(cellTip(row, column));
    case Qt::AccessibleDescriptionRole:
        return isChosen ? tr("shown in the other views") : QString();
    case Qt::FontRole:
        return column == AccuracyColumn ? QVariant(Theme::bodyFont(true)) : QVariant();
    case Qt::ForegroundRole:
        return column == FitColumn && !row.result->converged ? QVariant(Theme::instance().colors().warning)
                                                             : QVariant();
    case Qt::DecorationRole:
        if (column == LayerColumn)
            return isChosen ? Theme::instance().colors().accent : QColor(Qt::transparent);
        return {};
    case SortRole:
        if (column == ConfusedColumn)
        {
            const auto pair = mostConfusedPair(*row.result);
            return pair ? pair->share : 0;
        }
        return {};
    default:
        return {};
    }
}

} // namespace headscope::ui
