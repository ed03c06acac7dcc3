// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/models/chosen_bars_model.h"

#include "ui/words/wording.h"

#include <QColor>
#include <QLocale>

#include <algorithm>
#include <numeric>
#include <utility>

namespace headscope::ui
{
namespace
{

QString percent(double share)
{
    return QLocale().toString(100 * share, 'f', share > 0 && share < 0.095 ? 1 : 0) + QStringLiteral("%");
}

double quotient(std::int64_t part, std::int64_t whole)
{
    return whole > 0 ? static_cast<double>(part) / static_cast<double>(whole) : 0;
}

/// Places of bars, those with most of the chosen first.
std::vector<std::size_t> byCount(const std::vector<ChosenBar>& bars)
{
    std::vector<std::size_t> order(bars.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::ranges::stable_sort(
        order, [&bars](std::size_t one, std::size_t other) { return bars[one].chosen > bars[other].chosen; });
    return order;
}

} // namespace

ChosenBarsModel::ChosenBarsModel(QObject* parent) : QAbstractListModel(parent) {}

void ChosenBarsModel::setSummary(std::shared_ptr<const ChosenSummary> summary, Stage stage)
{
    beginResetModel();
    m_summary = std::move(summary);
    m_stage = stage;
    build();
    endResetModel();
}

void ChosenBarsModel::setHeadPalette(const viz::HeadPalette& palette)
{
    m_palette = palette;
    if (!m_rows.empty())
        Q_EMIT dataChanged(index(0), index(rowCount() - 1), {ColorRole});
}

QString ChosenBarsModel::keyOf(const ChosenChart& chart) const
{
    return QString::number(static_cast<int>(chart.kind)) % u':' % toQString(chart.column);
}

bool ChosenBarsModel::isGrouped(std::size_t chart) const
{
    return m_stage == Stage::HeadOutput && m_summary->charts[chart].kind == ChosenChart::Kind::Heads &&
           chart + 1 < m_summary->charts.size() && m_summary->charts[chart + 1].kind == ChosenChart::Kind::Groups;
}

void ChosenBarsModel::addHeads(std::size_t chart, std::vector<Row>& rows) const
{
    const std::vector<ChosenBar>& heads = m_summary->charts[chart].bars;
    if (!isGrouped(chart))
    {
        for (const std::size_t head : byCount(heads))
            rows.push_back({Kind::Bar, chart, head, 0, 0});
        return;
    }
    const std::vector<ChosenBar>& groups = m_summary->charts[chart + 1].bars;
    const std::vector<std::size_t> order = byCount(heads);
    for (const std::size_t group : byCount(groups))
    {
        rows.push_back({Kind::Bar, chart + 1, group, 0, 0});
        for (const std::size_t head : order)
            if (heads[head].code / m_summary->groupSize == groups[group].code)
                rows.push_back({Kind::Bar, chart, head, 1, 0});
    }
}

void ChosenBarsModel::build()
{
    m_rows.clear();
    if (m_summary == nullptr)
        return;
    for (std::size_t chart = 0; chart < m_summary->charts.size(); ++chart)
    {
        const ChosenChart& each = m_summary->charts[chart];
        if (each.kind == ChosenChart::Kind::Groups)
            continue; // with the heads, or not at all
        m_rows.push_back({Kind::Title, chart, 0, 0, 0});
        if (m_folded.contains(keyOf(each)))
            continue;
        std::vector<Row> rows;
        if (each.kind == ChosenChart::Kind::Heads)
            addHeads(chart, rows);
        else
            for (std::size_t bar = 0; bar < each.bars.size(); ++bar)
                rows.push_back({Kind::Bar, chart, bar, 0, 0});
        // A range of numbers is read beside its neighbours: all of them stand.
        const std::size_t most = each.kind == ChosenChart::Kind::Heads    ? kMaxHeads
                                 : each.kind == ChosenChart::Kind::Labels ? kMaxLabels
                                                                          : rows.size();
        const std::size_t shown = m_whole.contains(keyOf(each)) || rows.size() <= most + 1 ? rows.size() : most;
        m_rows.insert(m_rows.end(), rows.begin(), rows.begin() + static_cast<std::ptrdiff_t>(shown));
        if (rows.size() > most + 1)
            m_rows.push_back({Kind::More, chart, 0, 0, static_cast<std::int64_t>(rows.size() - shown)});
    }
}

const ChosenChart& ChosenBarsModel::chartOf(int row) const
{
    return m_summary->charts[m_rows[static_cast<std::size_t>(row)].chart];
}

const ChosenBar& ChosenBarsModel::barOf(int row) const
{
    return chartOf(row).bars[m_rows[static_cast<std::size_t>(row)].bar];
}

void ChosenBarsModel::toggle(int row)
{
    const Kind kind = m_rows[static_cast<std::size_t>(row)].kind;
    if (kind == Kind::Bar)
        return;
    QSet<QString>& set = kind == Kind::Title ? m_folded : m_whole;
    const QString key = keyOf(chartOf(row));
    if (!set.remove(key))
        set.insert(key);
    beginResetModel();
    build();
    endResetModel();
}

QString ChosenBarsModel::titleOf(const ChosenChart& chart) const
{
    if (chart.kind != ChosenChart::Kind::Heads)
        return toQString(chart.column);
    if (m_stage != Stage::HeadOutput)
        return tr("Segments");
    return m_summary->groupSize > 1 ? tr("Heads by KV group") : tr("Heads");
}

QString ChosenBarsModel::unitOf(const ChosenChart& chart)
{
    const bool points = chart.kind == ChosenChart::Kind::Heads || chart.kind == ChosenChart::Kind::Groups;
    return points ? tr("% of selected points") : tr("% of selected documents");
}

QString ChosenBarsModel::nameOf(const Row& row) const
{
    const ChosenChart& chart = m_summary->charts[row.chart];
    const ChosenBar& bar = chart.bars[row.bar];
    switch (chart.kind)
    {
    case ChosenChart::Kind::Heads:
        return unitText(m_stage, HeadIndex(bar.code));
    case ChosenChart::Kind::Groups:
        return tr("KV group %1").arg(bar.code + 1);
    case ChosenChart::Kind::Labels:
        return bar.code < 0 ? tr("no label") : toQString(bar.name);
    case ChosenChart::Kind::Numbers:
        break;
    }
    return toQString(bar.name);
}

double ChosenBarsModel::share(const Row& row, bool all) const
{
    const ChosenChart& chart = m_summary->charts[row.chart];
    const ChosenBar& bar = chart.bars[row.bar];
    return all ? quotient(bar.all, chart.all) : quotient(bar.chosen, chart.chosen);
}

double ChosenBarsModel::largest(std::size_t place) const
{
    // Heads stand under their groups, and are measured as they are.
    const ChosenChart& chart = m_summary->charts[isGrouped(place) ? place + 1 : place];
    double most = 0;
    for (const ChosenBar& bar : chart.bars)
        most = std::max({most, quotient(bar.chosen, chart.chosen), quotient(bar.all, chart.all)});
    return most;
}

QString ChosenBarsModel::sentenceOf(const Row& row) const
{
    const ChosenChart& chart = m_summary->charts[row.chart];
    if (row.kind == Kind::Title)
        return m_folded.contains(keyOf(chart)) ? tr("%1, folded").arg(titleOf(chart)) : titleOf(chart);
    if (row.kind == Kind::More)
        return row.rest > 0 ? tr("%1 more").arg(countText(row.rest)) : tr("fewer");
    const ChosenBar& bar = chart.bars[row.bar];
    const bool points = chart.kind == ChosenChart::Kind::Heads || chart.kind == ChosenChart::Kind::Groups;
    return tr("%1: %2 of the %3 selected (%4); %6 of all %5 (%7)")
        .arg(nameOf(row), countText(bar.chosen),
             points ? countText(chart.chosen, tr("point"), tr("points"))
                    : countText(chart.chosen, tr("document"), tr("documents")),
             percent(share(row, false)),
             points ? countText(chart.all, tr("point"), tr("points"))
                    : countText(chart.all, tr("document"), tr("documents")),
             countText(bar.all), percent(share(row, true)));
}

int ChosenBarsModel::rowCount(const QModelIndex& parent) const
{
    return parent.isValid() ? 0 : static_cast<int>(m_rows.size());
}

QVariant ChosenBarsModel::data(const QModelIndex& index, int role) const
{
    if (!checkIndex(index, CheckIndexOption::IndexIsValid | CheckIndexOption::ParentIsInvalid))
        return {};
    const Row& row = m_rows[static_cast<std::size_t>(index.row())];
    const ChosenChart& chart = m_summary->charts[row.chart];
    if (role == KindRole)
        return static_cast<int>(row.kind);
    if (role == Qt::AccessibleTextRole)
        return sentenceOf(row);
    if (row.kind != Kind::Bar)
    {
        if (role == Qt::DisplayRole)
            return row.kind == Kind::Title ? titleOf(chart) : sentenceOf(row);
        if (role == FoldedRole)
            return m_folded.contains(keyOf(chart));
        if (role == UnitRole && row.kind == Kind::Title)
            return unitOf(chart);
        if (role == Qt::ToolTipRole && row.kind == Kind::Title)
            return tr("Bars: %1; the longest bar is %2. The line on a bar shows the proportion among all documents or "
                      "points.")
                .arg(unitOf(chart), percent(largest(row.chart)));
        return {};
    }
    const ChosenBar& bar = chart.bars[row.bar];
    const double scale = largest(row.chart);
    switch (role)
    {
    case Qt::DisplayRole:
        return nameOf(row);
    case Qt::ToolTipRole:
        return QString(sentenceOf(row) %
                       tr("\nClick: keep only these selected. Shift+click: remove them from the selection."));
    case ShareRole:
        return share(row, false);
    case AllShareRole:
        return share(row, true);
    case BarRole:
        return scale > 0 ? share(row, false) / scale : 0;
    case AllBarRole:
        return scale > 0 ? share(row, true) / scale : 0;
    case CountRole:
        return countText(bar.chosen); // of all it has: see the sentence
    case ColorRole:
        if (chart.kind == ChosenChart::Kind::Heads)
            return m_palette.color(HeadIndex(bar.code));
        return chart.kind == ChosenChart::Kind::Groups ? QVariant(m_palette.groupColor(GroupIndex(bar.code)))
                                                       : QVariant();
    case IndentRole:
        return row.indent;
    default:
        return {};
    }
}

} // namespace headscope::ui
