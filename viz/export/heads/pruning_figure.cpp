// SPDX-License-Identifier: GPL-3.0-or-later
#include "viz/export/heads/pruning_figure.h"

#include "model/data/key_sharing.h"
#include "viz/axis/key_line.h"
#include "viz/axis/text.h"
#include "viz/chart/interval_rows.h"
#include "viz/color/head_palette.h"
#include "viz/color/inks.h"
#include "viz/export/figure_export.h"
#include "viz/export/figure_text.h"
#include "viz/export/heads/head_parts.h"

#include <QPainter>

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

namespace headscope::viz
{
namespace
{

constexpr double kKeyPt = kFigureTextPt - 1;
constexpr double kAfter = 3; ///< between picture and key

/// Whether the changes have a p at all: not where the documents that ask are those that are found.
bool isTested(const PruningFigure& figure)
{
    return std::ranges::any_of(figure.differences, [](const PairedDifference& one) { return std::isfinite(one.q); });
}

IntervalRows rowsOf(const PruningFigure& figure, const ModelInfo& info, InkTheme theme)
{
    IntervalRows rows;
    const HeadPalette palette(info, theme);
    RowColumn column;
    column.title = QStringLiteral("Change of ") + figure.chart.measure;
    column.line = 0;
    for (std::size_t at = 0; at < figure.alone.size(); ++at)
    {
        const std::int64_t unit = figure.alone[at];
        rows.names << (figure.groups ? groupName(GroupIndex(unit), 2) : QString::number(unit + 1));
        rows.colors.push_back(figure.groups ? palette.groupColor(GroupIndex(unit)) : palette.color(HeadIndex(unit)));
        rows.apart.push_back(!figure.groups && hasKvGroups(info, figure.stage) && unit % info.groupSize() == 0);
        const PairedDifference& one = figure.differences[at];
        const bool known = one.changed >= kMinChanged;
        column.numbers.push_back({one.difference, known ? one.ci95 : Interval(), std::nan(""), rowVerdict(one.q)});
    }
    rows.columns = {std::move(column)};
    return rows;
}

std::vector<KeyEntry> keyOfRows(const PruningFigure& figure)
{
    const Inks& ink = inks(InkTheme::Light);
    std::vector<KeyEntry> key;
    if (isTested(figure))
        key = {{QStringLiteral("q < 0.05"), KeyEntry::Mark::Dot, ink.ink},
               {QStringLiteral("not distinguishable from no change"), KeyEntry::Mark::Ring, ink.ink}};
    if (!std::ranges::all_of(
            figure.differences, [](double q) { return std::isfinite(q); }, &PairedDifference::q))
        key.push_back({QStringLiteral("not tested"), KeyEntry::Mark::Dot, ink.secondary});
    key.push_back({QStringLiteral("95%"), KeyEntry::Mark::Interval, ink.ink});
    key.push_back({QStringLiteral("no change"), KeyEntry::Mark::Dashes, ink.secondary});
    return key;
}

/// What the dots of single removals say.
QString dotsText(const PruningFigure& figure)
{
    const auto few = std::ranges::count_if(figure.differences, &PairedDifference::hasNoTest);
    if (few == std::ssize(figure.differences))
        return QStringLiteral(" Not tested: fewer than %1 scores change.").arg(kMinTested);
    if (!isTested(figure))
        return QStringLiteral(" Not tested: the queries are the searched documents.");
    return QStringLiteral(" Filled: q < 0.05 (sign flips, Benjamini and Hochberg%1).")
        .arg(few > 0 ? QStringLiteral("; %1 not tested, because fewer than %2 scores change").arg(few).arg(kMinTested)
                     : QString());
}

QString baselineText(const PruningFigure& figure)
{
    const Interval& ci95 = figure.chart.allCi95;
    QString text = QStringLiteral("%1 with all units").arg(fixedNumber(figure.chart.all, 3));
    if (std::isfinite(ci95.low))
        text += QStringLiteral(" (95%%1: %2 to %3)")
                    .arg(figure.allMethod.isEmpty() ? QString() : QStringLiteral(", ") + figure.allMethod,
                         fixedNumber(ci95.low, 3), fixedNumber(ci95.high, 3));
    if (std::isfinite(figure.chart.chance))
        text += QStringLiteral(", chance %1").arg(fixedNumber(figure.chart.chance, 3));
    if (figure.null)
        text += QStringLiteral(", labels permuted %1 (p %2)")
                    .arg(fixedNumber(figure.null->mean, 3), fixedNumber(figure.null->p, 3));
    return text;
}

} // namespace

QString pruningCaption(const PruningFigure& figure, const ModelInfo& info)
{
    const QString where =
        QStringLiteral("of %1, stage %2, layer %3")
            .arg(modelName(info), wordsOf(stageName(figure.stage)), QString::number(figure.layer.value()));
    const QString cached =
        QStringLiteral(" Measured on the cached vectors of the remaining units; the model is not run without the "
                       "removed units.");
    QString text;
    if (!figure.alone.empty())
        text = QStringLiteral("The %1 %2 removed one at a time: change of %3, %4; %5.%6 Lines: 95% by %7, no line "
                              "where fewer than %8 scores change.%9")
                   .arg(figure.chart.units, where, figure.chart.measure, baselineText(figure), figure.of, cached,
                        figure.method)
                   .arg(QString::number(kMinChanged), dotsText(figure));
    else
    {
        text = QStringLiteral("The %1 %2 %3: %4, %5; %6.%7")
                   .arg(figure.chart.units, where, figure.how, figure.chart.measure, baselineText(figure), figure.of,
                        cached);
        text += QStringLiteral(" Dots: selected and evaluated on the same documents, which is optimistically biased.");
        if (!figure.chart.line.gains.empty())
            text +=
                QStringLiteral(
                    " Dashed: selected and evaluated on the same half of the documents. Line: evaluated on the other "
                    "half, mean of %1 halvings. Band: 2.5 and 97.5% quantiles of the halvings, not a confidence "
                    "interval.")
                    .arg(figure.chart.halvings);
    }
    return text + finalNormSentence(info, figure.layer, figure.stage) + segmentsNote(std::array{figure.stage});
}

namespace
{

Result<FigureSpec> pruningSpec(const PruningFigure& figure, const ModelInfo& info, FigureOptions options)
{
    const bool single = !figure.alone.empty();
    if (!single && figure.chart.line.points.empty())
        return Error{ErrorCode::InvalidArgument, "there are no units to remove", {}, {}};
    fillIn(options, pruningCaption(figure, info),
           {{QStringLiteral("model"), modelName(info)},
            {QStringLiteral("stage"), wordsOf(stageName(figure.stage))},
            {QStringLiteral("layer"), QString::number(figure.layer.value())},
            {QStringLiteral("measure"), figure.chart.measure}});
    const double width = contentWidth(options);
    if (!single)
    {
        const FigurePart part = pruningPart(figure.chart);
        followContent(options, part.height(width));
        return FigureSpec{part.paint, std::move(options)};
    }
    const IntervalRows rows = rowsOf(figure, info, options.theme);
    const std::vector<KeyEntry> key = keyOfRows(figure);
    const double below = keyHeight(key, width, kKeyPt);
    followContent(options, intervalRowsHeight(rows, width, kFigureTextPt) + kAfter + below);
    return FigureSpec{[rows, key, below](QPainter& painter, const QRectF& box, double) {
                          paintIntervalRows(painter, rows, box.adjusted(0, 0, 0, -below - kAfter), kFigureTextPt);
                          paintKey(painter, key, {box.left(), box.bottom() - below, box.width(), below}, kKeyPt);
                      },
                      std::move(options)};
}

} // namespace

Figure figureOfPruning(PruningFigure figure, ModelInfo info)
{
    return [figure = std::move(figure), info = std::move(info)](FigureOptions options) {
        return pruningSpec(figure, info, std::move(options));
    };
}

} // namespace headscope::viz
