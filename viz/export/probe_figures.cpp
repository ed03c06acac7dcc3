// SPDX-License-Identifier: GPL-3.0-or-later
#include "viz/export/probe_figures.h"

#include "viz/axis/key_line.h"
#include "viz/axis/text.h"
#include "viz/chart/baseline_table.h"
#include "viz/chart/probe_painter.h"
#include "viz/color/inks.h"
#include "viz/export/figure_text.h"

#include <QPainter>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <optional>
#include <utility>
#include <vector>

namespace headscope::viz
{
namespace
{

constexpr double kBars = 60;      ///< height of the bars under a matrix
constexpr double kMinProbe = 150; ///< width of a probe beside another
constexpr double kEnough = 180;   ///< and of one of several

ConfusionStyle onPaper(ConfusionStyle style)
{
    style.chart.textPx = kFigureTextPt;
    style.leastNumber = kMinNumberPt;
    return style;
}

/// How wide a matrix must be: with numbers in its cells, where the figure has room for them.
double matrixLeast(const ProbeResult& result, const ModelInfo& info, double width, const ConfusionStyle& style)
{
    constexpr double kLarge = 4000;
    const double numbers = ConfusionLayout(result, info, {0, 0, kLarge, kLarge}, style).widthWithNumbers();
    return numbers <= width ? std::max(kMinProbe, numbers) : kMinProbe;
}

double matrixHeight(const ProbeResult& result, const ModelInfo& info, double width, const ConfusionStyle& style)
{
    constexpr double kTall = 4000;
    return ConfusionLayout(result, info, {0, 0, width, kTall}, style).bottom();
}

QString shareText(double share)
{
    return QString::number(share, 'f', 3);
}

double chanceOf(const ProbeResult& result)
{
    return 1 / static_cast<double>(std::max<std::int64_t>(1, result.classes));
}

bool ofSeveralLayers(std::span<const ProbeResult> results)
{
    return std::ranges::any_of(results,
                               [results](const ProbeResult& each) { return each.layer != results.front().layer; });
}

/// Of the bars and of the accuracy: how the intervals are made.
QString intervalsText(const ProbeResult& first)
{
    if (first.testDocuments.empty())
        return QStringLiteral("95% CI: Wilson\u2019s, over the test vectors");
    // A bar has one vector of each document, unless vectors were split or their labels permuted.
    const bool plain = !first.options.control && first.options.split == ProbeSplit::Documents;
    return QStringLiteral("95% CI: Wilson\u2019s, over the test %1; for the accuracy, over the effective sample size "
                          "by document")
        .arg(plain ? QStringLiteral("documents") : QStringLiteral("vectors"));
}

/// What limits the numbers: documents on both sides of the split, and what errors in a KV group may come from.
QString limitsText(std::span<const ProbeResult> results)
{
    QString text;
    const ProbeResult& first = results.front();
    if (!first.testDocuments.empty() && first.options.split == ProbeSplit::Rows)
        text += QStringLiteral(" The training data include other vectors of the test documents, so the intervals do "
                               "not hold for new documents.");
    const bool ranked = std::ranges::any_of(results, [](const ProbeResult& each) {
        return each.baselines && each.baselines->groups && each.baselines->groups->errors > 0;
    });
    return ranked ? text + QLatin1Char(' ') + wordsOf(kValuesNotMeasured) : text;
}

/// The sentence on the final norm, where one of these stands there.
QString finalNormOf(std::span<const ProbeResult> results, const ModelInfo& info)
{
    for (const ProbeResult& result : results)
        if (const QString sentence = finalNormSentence(info, LayerIndex(result.layer.value_or(-1)),
                                                       result.stage.value_or(Stage::HeadOutput));
            !sentence.isEmpty())
            return sentence;
    return {};
}

} // namespace

QString probeCaption(std::span<const ProbeResult> results, const ModelInfo& info)
{
    if (results.empty())
        return {};
    const ProbeOptions& options = results.front().options;
    std::vector<Stage> stages;
    for (const ProbeResult& result : results)
        stages.push_back(result.stage.value_or(Stage::HeadOutput));
    QStringList layers;
    for (const ProbeResult& result : results)
        if (const QString layer = QString::number(result.layer.value_or(0));
            result.layer && ofSeveralLayers(results) && !layers.contains(layer))
            layers << layer;
    QString caption =
        QStringLiteral("Logistic probe of the %1 index of %2: C = %3, seed %4, split by %5")
            .arg(wordsOf(unitName(stages)),
                 layers.isEmpty()
                     ? modelName(info)
                     : modelName(info) % QStringLiteral(" (layers %1)").arg(layers.join(QStringLiteral(", "))),
                 shortNumber(options.c), QString::number(options.seed),
                 options.split == ProbeSplit::Documents ? QStringLiteral("documents") : QStringLiteral("vectors"));
    if (options.control)
        caption += QStringLiteral(", labels permuted (leak check)");
    caption +=
        QStringLiteral(". Bars: proportion of the test vectors of each %1 classified correctly (%2); dashed: all "
                       "vectors; dotted: chance, %3.%4")
            .arg(wordsOf(unitName(stages)), intervalsText(results.front()), shareText(chanceOf(results.front())),
                 segmentsNote(stages) + segmentColorsNote(stages));
    const bool baselines =
        std::ranges::any_of(results, [](const ProbeResult& each) { return each.baselines.has_value(); });
    if (results.size() > 1 && baselines)
        caption += QStringLiteral(" Baselines: see the table of the probe.");
    return caption + limitsText(results) + finalNormOf(results, info);
}

namespace
{

/// The same text as a table of a figure.
FigurePart partOf(const PaintedTable& words)
{
    FigureTable table;
    for (const QString& title : words.header)
        table.columns.push_back({title, !table.columns.empty(), false, false});
    for (const auto& row : words.rows)
    {
        std::vector<FigureCell> cells(row.size());
        for (std::size_t i = 0; i < row.size(); ++i)
            cells[i].text = row[i];
        table.rows.push_back(std::move(cells));
    }
    constexpr double kWhole = 1e6; // on a line of its own
    return tablePart({}, std::move(table), kWhole);
}

/// What the marks of the bars are.
std::vector<KeyEntry> barsKey(const ProbeResult& result)
{
    const Inks& ink = inks(InkTheme::Light);
    std::vector<KeyEntry> key;
    if (std::ranges::any_of(result.perHead, [](const auto& head) { return std::isfinite(head.recallCi95.low); }))
        key.push_back({QStringLiteral("95% of the recall"), KeyEntry::Mark::Interval, ink.ink});
    key.push_back({QStringLiteral("all test vectors"), KeyEntry::Mark::Dashes, ink.ink});
    key.push_back({QStringLiteral("chance"), KeyEntry::Mark::Dots, ink.secondary});
    return key;
}

} // namespace

FigurePart probeTablePart(std::span<const ProbeResult> results, const ModelInfo& info)
{
    return partOf(probeTable(results, info));
}

std::optional<FigurePart> baselinesPart(std::span<const ProbeResult> results)
{
    const PaintedTable words = baselineTable(results);
    return words.rows.empty() ? std::nullopt : std::optional(partOf(words));
}

std::vector<FigurePart> probeParts(const std::shared_ptr<const ProbeResult>& result, const ModelInfo& info,
                                   const ConfusionStyle& style, const QString& title, bool together, double figureWidth)
{
    const ConfusionStyle paper = onPaper(style);
    FigurePart matrix;
    matrix.title = title;
    matrix.least = matrixLeast(*result, info, figureWidth, paper);
    matrix.height = [result, info, paper](double width) { return matrixHeight(*result, info, width, paper); };
    matrix.paint = [result, info, paper](QPainter& painter, const QRectF& box, double dpr) {
        ConfusionLayout(*result, info, box, paper).paint(painter, dpr);
    };
    FigurePart bars;
    bars.title = QStringLiteral("Classified correctly");
    bars.least = kMinProbe;
    const double keyPt = paper.chart.textPx - 1;
    bars.height = [key = barsKey(*result), keyPt](double width) { return kBars + keyHeight(key, width, keyPt); };
    bars.paint = [result, info, paper, key = barsKey(*result), keyPt](QPainter& painter, const QRectF& box, double) {
        paintHeadAccuracy(painter, {box.left(), box.top(), box.width(), kBars}, *result, info, paper.chart);
        paintKey(painter, key, {box.left(), box.top() + kBars, box.width(), keyHeight(key, box.width(), keyPt)}, keyPt);
    };
    if (!together)
        return {matrix, bars};
    FigurePart both = matrix;
    both.height = [matrix, bars](double width) { return matrix.height(width) + kFigureGap + bars.height(width); };
    both.paint = [matrix, bars](QPainter& painter, const QRectF& box, double dpr) {
        const double height = matrix.height(box.width());
        matrix.paint(painter, {box.left(), box.top(), box.width(), height}, dpr);
        bars.paint(painter, {box.left(), box.top() + height + kFigureGap, box.width(), bars.height(box.width())}, dpr);
    };
    return {both};
}

namespace
{

/// "Stage 1", of several layers "Layer 9, stage 1".
QString placeOf(const ProbeResult& result, std::span<const ProbeResult> all)
{
    if (!result.stage)
        return QStringLiteral("Vectors");
    const QString stage = wordsOf(stageName(*result.stage));
    return result.layer && ofSeveralLayers(all) ? QStringLiteral("Layer %1, stage %2").arg(*result.layer).arg(stage)
                                                : QStringLiteral("Stage %1").arg(stage);
}

Result<FigureSpec> probeSpec(const std::vector<ProbeResult>& results, const ModelInfo& info,
                             const ConfusionStyle& confusion, FigureOptions options)
{
    if (results.empty())
        return Error{ErrorCode::InvalidArgument, "there is no probe result to draw", {}, {}};
    QStringList accuracies;
    for (const ProbeResult& result : results)
        accuracies << QString::number(result.accuracy, 'f', 4);
    fillIn(options, probeCaption(results, info),
           {{QStringLiteral("model"), modelName(info)},
            {QStringLiteral("accuracy"), accuracies.join(QStringLiteral(", "))},
            {QStringLiteral("seed"), QString::number(results.front().options.seed)},
            {QStringLiteral("input"), QString::fromStdString(results.front().inputHash)}});
    const double width = contentWidth(options);
    ConfusionStyle style = confusion;
    style.chart.theme = options.theme;
    std::vector<FigurePart> parts = {probeTablePart(results, info)};
    // Beside several matrices there is no room for it on a page.
    if (std::optional<FigurePart> baselines = baselinesPart(results); baselines && results.size() == 1)
        parts.push_back(std::move(*baselines));
    const std::size_t tables = parts.size();
    for (const ProbeResult& result : results)
        for (FigurePart& part : probeParts(std::make_shared<const ProbeResult>(result), info, style,
                                           placeOf(result, results), results.size() > 1, width))
            parts.push_back(std::move(part));
    if (results.size() > 1)
    {
        // All are of one size, also a last one that stands alone, and no larger than the numbers in their cells need: a
        // figure of three and its caption stand on one page.
        double least = 0;
        for (const FigurePart& part : std::span(parts).subspan(tables))
            least = std::max(least, part.least);
        const double perLine = std::clamp(std::floor((width + kFigureGap) / (least + kFigureGap)), 1.0,
                                          static_cast<double>(results.size()));
        for (FigurePart& part : std::span(parts).subspan(tables))
        {
            part.least = least;
            part.most = std::min((width - (perLine - 1) * kFigureGap) / perLine, std::max(1.02 * least, kEnough));
        }
    }
    return partsSpec(std::move(parts), std::move(options));
}

} // namespace

Figure figureOfProbe(std::vector<ProbeResult> results, ModelInfo info, ConfusionStyle confusion)
{
    return [results = std::move(results), info = std::move(info), confusion = std::move(confusion)](
               FigureOptions options) { return probeSpec(results, info, confusion, std::move(options)); };
}

} // namespace headscope::viz
