// SPDX-License-Identifier: GPL-3.0-or-later
#include "viz/export/heads/heads_figure.h"

#include "model/data/frame/frame_text.h"
#include "model/data/frame/method_names.h"
#include "model/data/key_sharing.h"
#include "model/data/results/heads_frame.h"
#include "model/data/results/topic_results.h"
#include "viz/axis/key_line.h"
#include "viz/axis/text.h"
#include "viz/chart/interval_rows.h"
#include "viz/color/head_palette.h"
#include "viz/color/inks.h"
#include "viz/export/figure_text.h"
#include "viz/export/heads/head_parts.h"
#include "viz/export/part_figures.h"

#include <QPainter>

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>
#include <vector>

namespace headscope::viz
{
namespace
{

constexpr double kKeyPt = kFigureTextPt - 1;
constexpr double kWhole = 1e6;         ///< least width of what stands on a line of its own
constexpr std::int64_t kFewHeads = 12; ///< whose rows and matrix stand side by side where both can be read
constexpr double kMinBeside = 200;

bool isGrouped(const HeadReport& report, const ModelInfo& info)
{
    return std::ssize(report.statistics) == info.heads && hasKvGroups(info, report.stage);
}

/// The numbers of the table of heads that are drawn, in their order.
std::vector<const Column*> drawnColumns(const HeadReport& report, const headscope::Frame& heads)
{
    std::vector<const Column*> drawn;
    if (report.answers)
    {
        drawn.push_back(heads.find("match"));
        if (report.answers->selectivityMissing.empty())
            drawn.push_back(heads.find("selectivity_unbiased"));
        drawn.push_back(heads.find("follows_full"));
    }
    drawn.push_back(heads.find("spread"));
    return drawn;
}

/// A number of all heads with its tests; what has a chance has no null beside it, and is dashed.
RowColumn rowColumn(const Column& column)
{
    const bool hasChance = column.has(Facet::Chance);
    const bool isCorrelation = column.info->key == "follows_full";
    RowColumn shown;
    shown.title = wordsOf(column.info->title);
    if (hasChance || isCorrelation)
        shown.line = hasChance ? column.at(Facet::Chance, 0) : 0;
    if (!isCorrelation)
        shown.low = 0;
    for (std::size_t row = 0; row < column.rows(); ++row)
    {
        RowNumber number{column.at(Facet::Value, row), {column.at(Facet::Low, row), column.at(Facet::High, row)}};
        if (!hasChance)
            number.null = column.at(Facet::Null, row);
        number.verdict = rowVerdict(column.at(Facet::Q, row));
        shown.numbers.push_back(number);
    }
    return shown;
}

IntervalRows rowsOf(const HeadReport& report, const ModelInfo& info, std::span<const std::int64_t> heads,
                    InkTheme theme)
{
    IntervalRows rows;
    const HeadPalette palette(info, theme);
    const bool grouped = isGrouped(report, info);
    for (const std::int64_t head : heads)
    {
        rows.names << QString::number(head + 1);
        rows.colors.push_back(palette.color(HeadIndex(head)));
        rows.apart.push_back(grouped && head % info.groupSize() == 0);
    }
    const headscope::Frame frame = headsFrame(headRowsOf(report), info, heads);
    for (const Column* column : drawnColumns(report, frame))
        rows.columns.push_back(rowColumn(*column));
    return rows;
}

std::vector<KeyEntry> keyOf(const HeadReport& report)
{
    const Inks& ink = inks(InkTheme::Light);
    std::vector<KeyEntry> key;
    if (report.answers && report.answers->options.permutations > 0)
    {
        key.push_back({QStringLiteral("q < 0.05"), KeyEntry::Mark::Dot, ink.ink});
        key.push_back({QStringLiteral("not distinguishable from permuted labels"), KeyEntry::Mark::Ring, ink.ink});
    }
    key.push_back({QStringLiteral("not tested"), KeyEntry::Mark::Dot, ink.secondary});
    if (report.answers)
    {
        key.push_back({QStringLiteral("95%"), KeyEntry::Mark::Interval, ink.ink});
        key.push_back({QStringLiteral("mean with permuted labels"), KeyEntry::Mark::Tick, ink.secondary});
        key.push_back({QStringLiteral("match: chance; follows: 0"), KeyEntry::Mark::Dashes, ink.secondary});
    }
    return key;
}

FigurePart rowsPart(const HeadReport& report, const ModelInfo& info, std::span<const std::int64_t> heads,
                    InkTheme theme)
{
    FigurePart part;
    part.least = std::ssize(heads) <= kFewHeads ? kMinBeside : kWhole;
    const IntervalRows rows = rowsOf(report, info, heads, theme);
    const std::vector<KeyEntry> key = keyOf(report);
    part.height = [rows, key](double width) {
        return intervalRowsHeight(rows, width, kFigureTextPt) + 3 + keyHeight(key, width, kKeyPt);
    };
    part.paint = [rows, key](QPainter& painter, const QRectF& box, double) {
        const double below = keyHeight(key, box.width(), kKeyPt);
        paintIntervalRows(painter, rows, box.adjusted(0, 0, 0, -below - 3), kFigureTextPt);
        paintKey(painter, key, {box.left(), box.bottom() - below, box.width(), below}, kKeyPt);
    };
    return part;
}

FigurePart likenessOf(const HeadReport& report, const ModelInfo& info, std::span<const std::int64_t> heads,
                      InkTheme theme)
{
    FigurePart part =
        likenessPart(report.redundancy->cka, QStringLiteral("linear CKA"), isGrouped(report, info), info, heads, theme);
    part.title = QStringLiteral("Similarity of %1s").arg(wordsOf(unitName(report.stage)));
    part.least = std::ssize(heads) <= kFewHeads ? kMinBeside : kWhole;
    return part;
}

/// What the drawn numbers are, and how their intervals were made.
QString columnsText(const HeadReport& report, const headscope::Frame& heads)
{
    QString text;
    for (const Column* column : drawnColumns(report, heads))
    {
        const Column::Texts& methods = column->intervalMethod;
        text += QStringLiteral(" %1%2: %3")
                    .arg(wordsOf(column->info->title),
                         methods.empty() ? QString() : QStringLiteral(" (95%: %1)").arg(wordsOf(methods.front())),
                         wordsOf(columnSentences(*column->info)));
    }
    return text;
}

/// How the numbers of labels were taken and tested.
QString answersText(const HeadTopicStatistics& answers, Stage stage, bool centroids)
{
    QString text =
        QStringLiteral(" Over %1 of %2 topics%3; dashed: chance, 1 of %2.")
            .arg(counted(answers.documents, QStringLiteral("labelled document")), QString::number(answers.topics),
                 centroids ? QStringLiteral(", with the centroids as given: intervals somewhat too narrow")
                           : QString());
    if (answers.options.selectivity != SelectivityMode::Centred)
        text += QStringLiteral(" Selectivity uses the raw cosines.");
    if (stage == Stage::OutputSegment)
        text += answers.options.follows == FollowsMode::Rest
                    ? QStringLiteral(" The full vector is taken without the segment.")
                    : QStringLiteral(" The full vector is taken with the segment.");
    if (answers.options.permutations > 0)
        text += QStringLiteral(" Filled: q < 0.05 after Benjamini and Hochberg over the rows of a column, %1 "
                               "permutations of the labels, seed %2; ticks: the mean over these permutations.")
                    .arg(groupedNumber(answers.options.permutations))
                    .arg(answers.options.seed);
    return text;
}

} // namespace

QString headsCaption(const HeadReport& report, const ModelInfo& info)
{
    const QString unit = wordsOf(unitName(report.stage));
    QString text =
        QStringLiteral("The %1s of %2, stage %3, layer %4, over %5.")
            .arg(unit, modelName(info), wordsOf(stageName(report.stage)), QString::number(report.layer.value()),
                 counted(report.documents, QStringLiteral("document")));
    const std::int64_t first[] = {0};
    text += columnsText(report, headsFrame(headRowsOf(report), info, first));
    if (report.answers)
        text += answersText(*report.answers, report.stage, areCentroids(report.topicVectors));
    if (!report.topicVectors.empty())
        text += QStringLiteral(" Topics: %1.").arg(wordsOf(report.topicVectors));
    if (report.redundancy && std::isfinite(report.redundancy->meanCka))
    {
        const HeadRedundancy& alike = *report.redundancy;
        text +=
            QStringLiteral(" Linear CKA (%1): mean %2 over %3 pairs of %4s")
                .arg(wordsOf(ckaName(alike.method)), fixedNumber(alike.meanCka, 3), groupedNumber(alike.pairs), unit);
        if (std::isfinite(alike.meanCkaCi95.low))
            text += QStringLiteral(", 95% (%1) %2 to %3")
                        .arg(wordsOf(kJackknife), fixedNumber(alike.meanCkaCi95.low, 3),
                             fixedNumber(alike.meanCkaCi95.high, 3));
        text += alike.method == CkaMethod::Debiased
                    ? QStringLiteral("; unrelated heads have 0 on average; values below 0 are drawn as 0.")
                    : QStringLiteral("; the value is larger with fewer documents.");
        if (isGrouped(report, info))
            text += QStringLiteral(" Outlines: heads that share keys and values.");
    }
    return text + finalNormSentence(info, report.layer, report.stage) + segmentsNote(std::array{report.stage});
}

Figure figureOfHeads(HeadReport report, ModelInfo info, std::vector<std::int64_t> heads)
{
    return [report = std::move(report), info = std::move(info),
            heads = std::move(heads)](FigureOptions options) -> Result<FigureSpec> {
        if (heads.empty() || report.statistics.empty())
            return Error{ErrorCode::InvalidArgument, "there are no heads to draw", {}, {}};
        fillIn(options, headsCaption(report, info),
               {{QStringLiteral("model"), modelName(info)},
                {QStringLiteral("stage"), wordsOf(stageName(report.stage))},
                {QStringLiteral("layer"), QString::number(report.layer.value())}});
        std::vector<FigurePart> parts = {rowsPart(report, info, heads, options.theme)};
        if (report.redundancy && heads.size() > 1)
            parts.push_back(likenessOf(report, info, heads, options.theme));
        return partsSpec(std::move(parts), std::move(options));
    };
}

} // namespace headscope::viz
