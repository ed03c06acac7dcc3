// SPDX-License-Identifier: GPL-3.0-or-later
#include "viz/export/heads/heads_figure.h"

#include "model/data/key_sharing.h"
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

constexpr double kTold = 0.05; ///< q below it
constexpr double kKeyPt = kFigureTextPt - 1;
constexpr double kWhole = 1e6;         ///< least width of what stands on a line of its own
constexpr std::int64_t kFewHeads = 12; ///< whose rows and matrix stand side by side where both can be read
constexpr double kMinBeside = 200;

bool isGrouped(const HeadReport& report, const ModelInfo& info)
{
    return std::ssize(report.statistics) == info.heads && hasKvGroups(info, report.stage);
}

/// A number of all heads with its tests.
RowColumn testedColumn(const QString& title, const TestedNumbers& numbers, std::span<const std::int64_t> heads,
                       bool nulls)
{
    RowColumn column;
    column.title = title;
    for (const std::int64_t head : heads)
    {
        const auto h = static_cast<std::size_t>(head);
        RowNumber number{numbers.value[h]};
        if (h < numbers.ci95.size())
            number.ci95 = numbers.ci95[h];
        if (nulls && h < numbers.null.size())
            number.null = numbers.null[h].mean;
        number.told = h < numbers.q.size() && numbers.q[h] < kTold;
        column.numbers.push_back(number);
    }
    return column;
}

IntervalRows rowsOf(const HeadReport& report, const ModelInfo& info, std::span<const std::int64_t> heads)
{
    IntervalRows rows;
    const HeadPalette palette(info);
    const bool grouped = isGrouped(report, info);
    for (const std::int64_t head : heads)
    {
        rows.names << QString::number(head + 1);
        rows.colors.push_back(palette.color(HeadIndex(head)));
        rows.apart.push_back(grouped && head % info.groupSize() == 0);
    }
    if (const auto& answers = report.answers)
    {
        RowColumn match = testedColumn(QStringLiteral("Match at 1"), answers->match, heads, false);
        match.line = answers->matchChance;
        match.low = 0;
        rows.columns.push_back(std::move(match));
        if (answers->selectivityMissing.empty())
        {
            RowColumn selectivity = testedColumn(QStringLiteral("Selectivity"), answers->selectivity, heads, true);
            selectivity.low = 0;
            rows.columns.push_back(std::move(selectivity));
        }
        RowColumn follows;
        follows.title = QStringLiteral("Follows full");
        follows.tested = false;
        follows.line = 0;
        for (const std::int64_t head : heads)
        {
            const auto h = static_cast<std::size_t>(head);
            follows.numbers.push_back({answers->followsFull[h], answers->followsCi95[h]});
        }
        rows.columns.push_back(std::move(follows));
    }
    RowColumn spread;
    spread.title = QStringLiteral("Spread");
    spread.tested = false;
    spread.low = 0;
    for (const std::int64_t head : heads)
        spread.numbers.push_back({report.statistics[static_cast<std::size_t>(head)].spread});
    rows.columns.push_back(std::move(spread));
    return rows;
}

std::vector<KeyEntry> keyOf(const HeadReport& report)
{
    const Inks& ink = inks(InkTheme::Light);
    std::vector<KeyEntry> key;
    if (report.answers && report.answers->options.permutations > 0)
    {
        key.push_back({QStringLiteral("q < 0.05"), KeyEntry::Mark::Dot, ink.ink});
        key.push_back({QStringLiteral("not told from permuted labels"), KeyEntry::Mark::Ring, ink.ink});
    }
    key.push_back({QStringLiteral("not tested"), KeyEntry::Mark::Dot, ink.secondary});
    if (report.answers)
    {
        key.push_back({QStringLiteral("95 %"), KeyEntry::Mark::Interval, ink.ink});
        key.push_back({QStringLiteral("mean with permuted labels"), KeyEntry::Mark::Tick, ink.secondary});
        key.push_back({QStringLiteral("match: chance; follows: none"), KeyEntry::Mark::Dashes, ink.secondary});
    }
    return key;
}

FigurePart rowsPart(const HeadReport& report, const ModelInfo& info, std::span<const std::int64_t> heads)
{
    FigurePart part;
    part.least = std::ssize(heads) <= kFewHeads ? kMinBeside : kWhole;
    const IntervalRows rows = rowsOf(report, info, heads);
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

FigurePart likenessOf(const HeadReport& report, const ModelInfo& info, std::span<const std::int64_t> heads)
{
    FigurePart part =
        likenessPart(report.redundancy->cka, QStringLiteral("linear CKA"), isGrouped(report, info), info, heads);
    part.title = QStringLiteral("How alike the %1s are").arg(wordsOf(unitName(report.stage)));
    part.least = std::ssize(heads) <= kFewHeads ? kMinBeside : kWhole;
    return part;
}

QString fixed(double value)
{
    return QString::number(value, 'f', 3);
}

QString answersText(const HeadTopicStatistics& answers, Stage stage, bool centroids)
{
    QString text =
        QStringLiteral(" Match at 1: share of %1 whose own topic of %2 is the nearest by cosine (Wilson%3), "
                       "dashed: chance, 1 of %2.")
            .arg(counted(answers.documents, QStringLiteral("labelled document")), QString::number(answers.topics),
                 centroids ? QStringLiteral(", the centroids taken as given: somewhat too narrow") : QString());
    if (answers.selectivityMissing.empty())
        text +=
            answers.options.selectivity == SelectivityMode::Centred
                ? QStringLiteral(" Selectivity: share of the variance of these cosines, each topic\u2019s mean taken "
                                 "away, that lies between topics (\u03b5\u00b2: unbiased, may be slightly negative; "
                                 "jackknife over documents).")
                : QStringLiteral(" Selectivity: share of the variance of these cosines that lies between topics "
                                 "(\u03b5\u00b2; raw: mostly says how near a topic\u2019s name is to everything; "
                                 "jackknife over documents).");
    text +=
        QStringLiteral(" Follows full: rank correlation with the cosines of the full vector%1 inside topics, mean over "
                       "topics (jackknife), not tested.")
            .arg(stage == Stage::OutputSegment && answers.options.follows == FollowsMode::Rest
                     ? QStringLiteral(" without the segment")
                     : QString());
    if (answers.options.permutations > 0)
        text +=
            QStringLiteral(" Filled: q < 0.05 after Benjamini and Hochberg over the rows of a column, %1 permutations "
                           "of the labels, seed %2; ticks: the mean of these.")
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
    if (report.answers)
        text += answersText(*report.answers, report.stage, areCentroids(report.topicVectors));
    if (!report.topicVectors.empty())
        text += QStringLiteral(" Topics: %1.").arg(wordsOf(report.topicVectors));
    text += QStringLiteral(" Spread: mean cosine distance of two documents\u2019 vectors, each with itself counted as "
                           "0; without an interval.");
    if (report.redundancy && std::isfinite(report.redundancy->meanCka))
    {
        const HeadRedundancy& alike = *report.redundancy;
        text += QStringLiteral(" Linear CKA (%1): mean %2 over %3 pairs of %4s")
                    .arg(wordsOf(ckaName(alike.method)), fixed(alike.meanCka), groupedNumber(alike.pairs), unit);
        if (std::isfinite(alike.meanCkaCi95.low))
            text += QStringLiteral(", 95 % by jackknife over documents %1 to %2")
                        .arg(fixed(alike.meanCkaCi95.low), fixed(alike.meanCkaCi95.high));
        text += alike.method == CkaMethod::Debiased
                    ? QStringLiteral("; unrelated ones have 0 on average, and what is below 0 is drawn as 0.")
                    : QStringLiteral("; it grows as documents become fewer.");
        if (isGrouped(report, info))
            text += QStringLiteral(" Frames: heads that share keys and values.");
    }
    return text + finalNormSentence(info, report.layer, report.stage) + segmentsNote(std::array{report.stage});
}

Status exportHeads(const HeadReport& report, const ModelInfo& info, std::span<const std::int64_t> heads,
                   const std::filesystem::path& path, FigureOptions options)
{
    if (heads.empty() || report.statistics.empty())
        return Error{ErrorCode::InvalidArgument, "expected heads to draw, found none", path.string(), {}};
    fillIn(options, headsCaption(report, info),
           {{QStringLiteral("model"), modelName(info)},
            {QStringLiteral("stage"), wordsOf(stageName(report.stage))},
            {QStringLiteral("layer"), QString::number(report.layer.value())}});
    std::vector<FigurePart> parts = {rowsPart(report, info, heads)};
    if (report.redundancy && heads.size() > 1)
        parts.push_back(likenessOf(report, info, heads));
    return exportParts(parts, path, std::move(options));
}

} // namespace headscope::viz
