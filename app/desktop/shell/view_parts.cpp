// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/desktop/shell/view_parts.h"

#include "app/views/heads/head_plane.h"
#include "app/views/heads/likeness_panel.h"
#include "app/views/heads/pruning_curve.h"
#include "app/views/heads/pruning_panel.h"
#include "app/views/heads/switch_panel.h"
#include "app/views/retrieval/head_mixer.h"
#include "app/views/retrieval/query_row.h"
#include "model/data/key_sharing.h"
#include "ui/models/head_table_model.h"
#include "ui/models/ranking_model.h"
#include "ui/theme/theme.h"
#include "ui/words/translate.h"
#include "ui/words/wording.h"
#include "viz/color/head_palette.h"
#include "viz/export/figure_text.h"
#include "viz/export/heads/head_parts.h"

#include <QComboBox>
#include <QLocale>
#include <QTableView>
#include <QTreeView>

#include <algorithm>
#include <cmath>
#include <utility>

namespace headscope::desktop
{
namespace
{

constexpr double kWhole = 1e6; ///< on a line of its own
constexpr double kMinPicture = 150;

using ui::tr;

using ui::HeadTableModel;

std::vector<viz::FigureCell> headCells(const QModelIndex& first, const viz::HeadPalette& palette, int indent)
{
    std::vector<viz::FigureCell> cells;
    for (int column = 0; column < first.model()->columnCount(); ++column)
    {
        const QModelIndex at = first.siblingAtColumn(column);
        viz::FigureCell cell;
        cell.text = at.data().toString();
        const auto ends = [&at](int role) {
            const QVariant found = at.data(role);
            return found.isValid() ? std::optional(std::pair(found.toPointF().x(), found.toPointF().y()))
                                   : std::nullopt;
        };
        cell.bar = ends(HeadTableModel::BarRole);
        cell.whisker = ends(HeadTableModel::WhiskerRole);
        if (column == HeadTableModel::HeadColumn)
        {
            const qint64 head = at.data(HeadTableModel::HeadRole).toLongLong();
            cell.indent = indent;
            cell.bold = head < 0;
            if (head >= 0)
                cell.swatch = palette.color(HeadIndex(head));
            // A tick is a control; what it says is a value.
            if (at.data(Qt::CheckStateRole).toInt() == Qt::Unchecked)
                cell.text = tr("%1 (off)").arg(cell.text);
        }
        cells.push_back(std::move(cell));
    }
    return cells;
}

viz::FigurePart headTable(const ui::HeadsView& view)
{
    const QAbstractItemModel& model = *view.table()->model();
    const viz::HeadPalette palette(view.modelInfo(), ui::Theme::instance().paperTheme());
    viz::FigureTable table;
    for (int column = 0; column < model.columnCount(); ++column)
        table.columns.push_back({model.headerData(column, Qt::Horizontal).toString(), !view.model()->isWord(column),
                                 column == HeadTableModel::TopicColumn, false});
    for (int row = 0; row < model.rowCount(); ++row)
    {
        const QModelIndex group = model.index(row, 0);
        table.rows.push_back(headCells(group, palette, 0));
        for (int child = 0; view.table()->isExpanded(group) && child < model.rowCount(group); ++child)
            table.rows.push_back(headCells(model.index(child, 0, group), palette, 1));
    }
    viz::FigurePart part =
        viz::tablePart(tr("Statistics of each %1").arg(ui::unitText(view.stage())), std::move(table), kWhole);
    part.note = tr("%1. %2").arg(view.ofText(), view.model()->signs()).trimmed();
    part.more = view.legendText(); // half a page of definitions: a caption has room for them
    return part;
}

viz::FigurePart maskTable(const ui::HeadsView& view, double least)
{
    const ui::SwitchPanel& switches = *view.switches();
    const QString units = ui::unitsText(view.stage());
    viz::FigureTable table;
    table.columns = {{{}, false, false, false},
                     {tr("all %1").arg(units), true, false, false},
                     {tr("remaining"), true, false, false},
                     {tr("change, 95% CI"), true, false, false}};
    for (int row = 0; row < ui::SwitchPanel::valueCount(); ++row)
    {
        if (!switches.isMeasured(row))
            continue; // nothing is known of it
        std::vector<viz::FigureCell> cells(4);
        cells[0].text = switches.valueName(row);
        cells[1].text = switches.valueText(row, false);
        cells[2].text = switches.valueText(row, true);
        cells[3].text = switches.differenceText(row);
        table.rows.push_back(std::move(cells));
    }
    viz::FigurePart part = viz::tablePart(tr("Cached vectors without some %1").arg(units), std::move(table), least);
    const auto& mask = view.mask();
    if (mask && std::find(mask->kept.begin(), mask->kept.end(), false) != mask->kept.end())
        part.note = switches.noteText() % u' ' % switches.differenceTip();
    return part;
}

/// The first rows of a table of ranks, as it is sorted now.
viz::FigurePart rankTable(const QString& title, const QTableView& view, const QString& note)
{
    constexpr int kMaxRows = 64; // about a page
    const QAbstractItemModel& model = *view.model();
    const int rows = std::min(model.rowCount(), kMaxRows);
    viz::FigureTable table;
    for (int column = 0; column < model.columnCount(); ++column)
        table.columns.push_back({model.headerData(column, Qt::Horizontal).toString(), true, false, false});
    for (int row = 0; row < rows; ++row)
    {
        std::vector<viz::FigureCell> cells(table.columns.size());
        for (int column = 0; column < model.columnCount(); ++column)
            cells[static_cast<std::size_t>(column)].text = model.index(row, column).data().toString();
        table.rows.push_back(std::move(cells));
    }
    viz::FigurePart part = viz::tablePart(title, std::move(table), kWhole);
    part.note = rows < model.rowCount()
                    ? tr("%1 The first %2 of %3.").arg(note, ui::countText(rows), ui::countText(model.rowCount()))
                    : note;
    part.note = part.note.trimmed();
    return part;
}

/// The square and the map of how alike heads are.
void addLikeness(const ui::HeadsView& view, double least, std::vector<viz::FigurePart>& parts)
{
    const ui::LikenessPanel& alike = *view.alike();
    const auto [values, places] = alike.shown();
    if (values == nullptr || view.shownHeads().size() < 2)
        return;
    const ModelInfo& info = view.modelInfo();
    const QString units = ui::unitsText(view.stage());
    viz::FigurePart square = viz::likenessPart(*values, alike.measureText(), hasKvGroups(info, view.stage()), info,
                                               view.shownHeads(), ui::Theme::instance().paperTheme());
    square.title = tr("Similarity of %1").arg(units);
    square.note = tr("%1. %2").arg(alike.measureText(), alike.sentence()).trimmed();
    viz::FigurePart plane =
        viz::headDiscsPart(viz::headDiscs(*view.report(), *places, groupedAt(info, view.stage()).groupSize(),
                                          view.shownHeads(), alike.plane()->picture().kept()),
                           info, ui::Theme::instance().paperTheme());
    plane.title = tr("Map of the %1").arg(units);
    plane.note = tr("Arranged by %1. %2").arg(alike.measureText(), alike.keyText());
    for (viz::FigurePart* part : {&square, &plane})
    {
        part->least = least;
        parts.push_back(std::move(*part));
    }
}

/// The greedy order as the verb draws it.
viz::PruningChart chartOf(const ui::HeadsView& view)
{
    const PruningFindings& findings = view.switches()->order()->findings();
    viz::PruningChart chart;
    chart.measure = tr("match at %1").arg(findings.matchAt);
    chart.units = view.byGroups() ? tr("KV groups") : ui::unitsText(view.stage());
    chart.count = std::ssize(findings.steps);
    chart.all = findings.steps.front().value;
    if (const auto& mask = view.mask())
    {
        chart.allCi95 = mask->matchAllCi95[mask->orderingMatch()];
        if (mask->topics > 0)
            chart.chance = std::min(1.0, static_cast<double>(findings.matchAt) / static_cast<double>(mask->topics));
    }
    chart.halvings = findings.validation.halvings;
    chart.line.name = tr("removed one after another");
    for (std::size_t step = 0; step < findings.steps.size(); ++step)
        chart.line.points.push_back(
            {static_cast<std::int64_t>(step), findings.steps[step].value, findings.steps[step].onFront});
    if (findings.validation.byKept.size() == findings.steps.size() &&
        std::isfinite(findings.validation.byKept.front().elsewhereCi95.low))
        chart.line.gains = findings.validation.byKept;
    chart.now = view.switches()->curve()->picture().current();
    return chart;
}

} // namespace

std::vector<viz::FigurePart> headsParts(const ui::HeadsView& view, double width)
{
    std::vector<viz::FigurePart> parts = {headTable(view)};
    const bool beside = width >= 2 * kMinPicture + viz::kFigureGap;
    // Two in a line, never three.
    const double least = beside ? std::floor((width - viz::kFigureGap) / 2) : kWhole;
    const ui::LikenessPanel& alike = *view.alike();
    if (alike.isTableShown())
        parts.push_back(
            rankTable(tr("Similarity of %1").arg(ui::unitsText(view.stage())), *alike.table(), alike.sentence()));
    else
        addLikeness(view, least, parts);
    if (view.mask())
        parts.push_back(maskTable(view, least));
    const ui::SwitchPanel& switches = *view.switches();
    const QString order = switches.order()->title();
    const std::int64_t matchAt = switches.order()->findings().matchAt;
    const QString by = view.byGroups() ? tr("By KV group") : tr("By %1").arg(ui::unitText(view.stage()));
    const QString held = u' ' % switches.order()->sentence();
    if (switches.order()->page() == ui::PruningPanel::Page::Alone)
        parts.push_back(rankTable(tr("Match at %1 without each %2").arg(matchAt).arg(ui::unitText(view.stage())),
                                  *switches.order()->aloneTable(), by % tr(". %1").arg(switches.differenceTip())));
    else if (switches.isTableShown())
        parts.push_back(rankTable(order, *switches.table(), by % u'.' % held));
    else if (!switches.order()->findings().steps.empty())
    {
        viz::FigurePart curve = viz::pruningPart(chartOf(view));
        curve.title = order;
        curve.note = tr("%1; %2. %3%4")
                         .arg(by, ui::PruningCurve::frontText(), switches.curve()->picture().legendText(), held)
                         .simplified();
        curve.least = least;
        parts.push_back(std::move(curve));
    }
    return parts;
}

namespace
{

viz::FigurePart ranking(const ui::RetrievalView& view, ui::RankingModel::Side side, const viz::HeadPalette& palette)
{
    using ui::RankingModel;
    const RankingModel& model = *view.model(side);
    const bool label = !view.table(side)->isColumnHidden(RankingModel::LabelColumn);
    std::vector<int> columns;
    for (int column = 0; column < RankingModel::ColumnCount; ++column)
        if (column != RankingModel::LabelColumn || label)
            columns.push_back(column);
    viz::FigureTable table;
    for (const int column : columns)
        table.columns.push_back({model.headerData(column, Qt::Horizontal, Qt::DisplayRole).toString(), false,
                                 column == RankingModel::DocumentColumn || column == RankingModel::LabelColumn,
                                 column == RankingModel::VotesColumn});
    const double largest = model.largestVotes();
    for (int row = 0; row < model.rowCount(); ++row)
    {
        std::vector<viz::FigureCell> cells;
        for (const int column : columns)
        {
            viz::FigureCell cell;
            cell.text = model.index(row, column).data().toString();
            const RetrievedDocument& result = model.result(row);
            if (column == RankingModel::VotesColumn && largest > 0)
            {
                if (!model.votesByHead())
                    cell.pieces.emplace_back(std::max(0.0, 1 - result.votes) / largest, 0xff7f858d);
                for (const HeadVote& vote : result.byHead)
                    cell.pieces.emplace_back(vote.weight / largest, palette.color(vote.head).rgb());
            }
            cells.push_back(std::move(cell));
        }
        table.rows.push_back(std::move(cells));
    }
    viz::FigurePart part = viz::tablePart(view.strategyBox(side)->currentText(), std::move(table), kWhole);
    part.note = view.metricsText(side);
    return part;
}

/// "Weights: head 3 x 0, head 9 x 2"; empty where all are 1.
QString weightsText(const ui::HeadMixer& mixer)
{
    QStringList weights;
    const std::vector<double> factors = mixer.factors();
    for (std::size_t head = 0; head < factors.size(); ++head)
        if (factors[head] != 1)
            weights << tr("head %1 × %2").arg(head + 1).arg(QLocale().toString(factors[head], 'g', 3));
    return weights.isEmpty() ? QString() : tr("Weights: %1.").arg(weights.join(QStringLiteral(", ")));
}

} // namespace

std::vector<viz::FigurePart> retrievalParts(const ui::RetrievalView& view, const ModelInfo& info)
{
    const viz::HeadPalette palette(info, ui::Theme::instance().paperTheme());
    viz::FigurePart query;
    query.title = view.queryRow()->query();
    query.note = (QStringList(view.shownText()) + QStringList(weightsText(*view.mixer()))).join(u' ').trimmed();
    query.least = kWhole;
    query.height = [](double) { return 0.0; };
    query.paint = [](QPainter&, const QRectF&, double) {};
    return {query, ranking(view, ui::RankingModel::Side::First, palette),
            ranking(view, ui::RankingModel::Side::Second, palette)};
}

} // namespace headscope::desktop
