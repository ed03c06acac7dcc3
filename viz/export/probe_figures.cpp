// SPDX-License-Identifier: GPL-3.0-or-later
#include "viz/export/probe_figures.h"

#include "viz/axis/text.h"
#include "viz/chart/probe_painter.h"
#include "viz/export/figure_text.h"

#include <QPainter>

#include <algorithm>
#include <cmath>
#include <cstddef>
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
    style.chart = {InkTheme::Light, kFigureTextPt};
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

QString betweenText(const Interval& interval)
{
    return std::isfinite(interval.low)
               ? QStringLiteral(" (%1\u2013%2)").arg(shareText(interval.low), shareText(interval.high))
               : QString();
}

/// A baseline with its interval; without means there is none, since that is chance by construction.
/// @param rows  the split left rows of a document on both sides
QString baselineText(const ProbeBaseline& baseline, bool rows)
{
    const QString chance = rows ? QStringLiteral(" (near chance: the difference between the means of test vectors)")
                                : QStringLiteral(" (chance by construction)");
    return QStringLiteral("%1 %2%3").arg(wordsOf(baselineTitle(baseline.kind)), shareText(baseline.accuracy),
                                         baseline.kind == ProbeBaselineKind::MeansRemoved ? chance
                                                                                          : betweenText(baseline.ci95));
}

/// What offsets and scales alone give: noise has nothing else.
QString noiseText(const ProbeResult& result)
{
    const ProbeBaseline* noise = result.baselines->find(ProbeBaselineKind::Gaussian);
    if (noise == nullptr)
        return {};
    return QStringLiteral(
               " A probe on Gaussian noise with matched means and variances (one sample) reaches %1 (probe: %2).")
        .arg(shareText(noise->accuracy), shareText(result.accuracy));
}

bool ofSeveralLayers(std::span<const ProbeResult> results)
{
    return std::ranges::any_of(results,
                               [results](const ProbeResult& each) { return each.layer != results.front().layer; });
}

/// What the accuracies of a few probes are compared with.
QString baselinesCaption(std::span<const ProbeResult> results)
{
    constexpr std::size_t kMaxStages = 3;
    QString caption;
    if (results.size() > kMaxStages)
        return caption;
    for (const ProbeResult& result : results)
    {
        if (!result.baselines)
            continue;
        QStringList parts;
        QString others;
        const bool rows = result.options.split == ProbeSplit::Rows;
        for (const ProbeBaseline& each : result.baselines->baselines)
            parts << baselineText(each, rows);
        if (std::isfinite(result.baselines->selectivity))
            parts << QStringLiteral("control-task gap %1%2 (task and gap: mean over %3 replicates of the task, "
                                    "intervals over replicates and documents)")
                         .arg(shareText(result.baselines->selectivity), betweenText(result.baselines->selectivityCi95))
                         .arg(result.baselines->controlDraws);
        const QString tested = rows ? QStringLiteral("rows") : QStringLiteral("documents");
        if (result.baselines->splits.accuracies.size() > 1)
            others = QStringLiteral(" Mean accuracy of %1 splits with other test %2 %3 (sd of the splits %4).")
                         .arg(result.baselines->splits.accuracies.size())
                         .arg(tested, shareText(result.baselines->splits.mean), shareText(result.baselines->splits.sd));
        const QString layer =
            result.layer && ofSeveralLayers(results) ? QStringLiteral(" of layer %1").arg(*result.layer) : QString();
        caption += QStringLiteral(" Baselines%1%2, on the same test %3 with 95 % intervals over them: %4.")
                       .arg(result.stage ? QStringLiteral(" at stage ") + wordsOf(stageName(*result.stage)) : QString(),
                            layer, tested, parts.join(QStringLiteral(", "))) +
                   others + noiseText(result);
    }
    return caption;
}

/// Whether errors stay in KV groups, of a few probes, and what that does not tell.
QString groupsCaption(std::span<const ProbeResult> results)
{
    QString caption;
    for (const ProbeResult& result : results)
    {
        if (!result.baselines || !result.baselines->groups || result.baselines->groups->errors == 0)
            continue;
        const GroupErrors& groups = *result.baselines->groups;
        const QString layer =
            result.layer && ofSeveralLayers(results) ? QStringLiteral(" of layer %1").arg(*result.layer) : QString();
        caption += QStringLiteral(" Of %1 errors%2, %3%4 are within the KV group; chance %5, rank %6 of %7 groupings "
                                  "of the heads%8, p %9.")
                       .arg(groupedNumber(groups.errors), layer, shareText(groups.share), betweenText(groups.ci95),
                            shareText(groups.chance), groupedNumber(groups.rank), groupedNumber(groups.groupings),
                            groups.exact ? QString() : QStringLiteral(" (drawn)"), QString::number(groups.p, 'g', 2));
    }
    return caption.isEmpty() ? caption : caption + QLatin1Char(' ') + wordsOf(kValuesNotMeasured);
}

/// Of how many documents the intervals are, and which is made how.
QString intervalsCaption(const ProbeResult& first)
{
    const QString rows = groupedNumber(first.testRows);
    if (first.testDocuments.empty())
        return QStringLiteral(
                   " Intervals: Wilson\u2019s over the %1 test vectors; for a bar, over the test vectors of its class.")
            .arg(rows);
    // A bar has one row of each document, unless rows were parted or their names shuffled.
    const bool plain = !first.options.control && first.options.split == ProbeSplit::Documents;
    const QString both = first.options.split == ProbeSplit::Rows
                             ? QStringLiteral(" Other vectors of these documents are in the training part: the "
                                              "intervals do not hold for new documents.")
                             : QString();
    return QStringLiteral(" Intervals of the bars: Wilson\u2019s over %1; of the accuracy: Wilson\u2019s over the "
                          "effective sample size by document (%2 test vectors of %3 documents), towards chance never "
                          "narrower than with one vector per document, all correct.%4")
        .arg(plain ? QStringLiteral("the test documents") : QStringLiteral("the test vectors of each"), rows,
             groupedNumber(numTestDocuments(first)), both);
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
                 options.split == ProbeSplit::Documents ? QStringLiteral("documents") : QStringLiteral("rows"));
    if (options.control)
        caption += QStringLiteral(", labels permuted (leak check)");
    caption += QStringLiteral(". Bars: proportion of the test vectors of each %1 classified correctly, with 95 % "
                              "intervals; dashed: all vectors; dotted: chance, %2.%3")
                   .arg(wordsOf(unitName(stages)), shareText(chanceOf(results.front())),
                        segmentsNote(stages) + segmentColorsNote(stages));
    return caption + intervalsCaption(results.front()) + baselinesCaption(results) + groupsCaption(results) +
           finalNormOf(results, info);
}

FigurePart probeTablePart(std::span<const ProbeResult> results, const ModelInfo& info)
{
    const PaintedTable words = probeTable(results, info);
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
    bars.title = QStringLiteral("Recognised");
    bars.least = kMinProbe;
    bars.height = [](double) { return kBars; };
    bars.paint = [result, info, paper](QPainter& painter, const QRectF& box, double) {
        paintHeadAccuracy(painter, {box.left(), box.top(), box.width(), kBars}, *result, info, paper.chart);
    };
    if (!together)
        return {matrix, bars};
    FigurePart both = matrix;
    both.height = [matrix](double width) { return matrix.height(width) + kFigureGap + kBars; };
    both.paint = [matrix, bars](QPainter& painter, const QRectF& box, double dpr) {
        const double height = matrix.height(box.width());
        matrix.paint(painter, {box.left(), box.top(), box.width(), height}, dpr);
        bars.paint(painter, {box.left(), box.top() + height + kFigureGap, box.width(), kBars}, dpr);
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
        return Error{ErrorCode::InvalidArgument, "expected at least one probe result, found none", {}, {}};
    QStringList accuracies;
    for (const ProbeResult& result : results)
        accuracies << QString::number(result.accuracy, 'f', 4);
    fillIn(options, probeCaption(results, info),
           {{QStringLiteral("model"), modelName(info)},
            {QStringLiteral("accuracy"), accuracies.join(QStringLiteral(", "))},
            {QStringLiteral("seed"), QString::number(results.front().options.seed)},
            {QStringLiteral("input"), QString::fromStdString(results.front().inputHash)}});
    const double width = contentWidth(options);
    std::vector<FigurePart> parts = {probeTablePart(results, info)};
    for (const ProbeResult& result : results)
        for (FigurePart& part : probeParts(std::make_shared<const ProbeResult>(result), info, confusion,
                                           placeOf(result, results), results.size() > 1, width))
            parts.push_back(std::move(part));
    if (results.size() > 1)
    {
        // All are of one size, also a last one that stands alone, and no larger than the numbers in their cells need: a
        // figure of three and its caption stand on one page.
        double least = 0;
        for (const FigurePart& part : std::span(parts).subspan(1))
            least = std::max(least, part.least);
        const double perLine = std::clamp(std::floor((width + kFigureGap) / (least + kFigureGap)), 1.0,
                                          static_cast<double>(results.size()));
        for (FigurePart& part : std::span(parts).subspan(1))
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
