// SPDX-License-Identifier: GPL-3.0-or-later
#include "viz/export/layer_figures.h"

#include "model/data/frame/frame_text.h"
#include "model/data/frame/method_names.h"
#include "model/data/results/layer_columns.h"
#include "viz/axis/text.h"
#include "viz/chart/layer_bands.h"
#include "viz/export/figure_text.h"
#include "viz/export/part_figures.h"
#include "viz/export/probe_figures.h"

#include <QPainter>

#include <algorithm>
#include <cmath>
#include <map>
#include <optional>
#include <set>
#include <utility>

namespace headscope::viz
{
namespace
{

std::vector<Stage> stagesOf(std::span<const std::shared_ptr<const ProbeResult>> results)
{
    std::vector<Stage> stages;
    for (const auto& result : results)
        stages.push_back(result->stage.value_or(Stage::HeadOutput));
    return stages;
}

/// The sentence on the final norm, where one of these stands there.
QString finalNormOf(std::span<const std::shared_ptr<const ProbeResult>> results, const ModelInfo& info)
{
    for (const auto& result : results)
        if (result->layer && result->stage)
            if (const QString sentence = finalNormSentence(info, LayerIndex(*result->layer), *result->stage);
                !sentence.isEmpty())
                return sentence;
    return {};
}

QString testedOn(const ProbeResult& shown)
{
    return shown.testDocuments.empty()
               ? QString()
               : QStringLiteral(" Tested on %1 documents; intervals use their effective sample size (Wilson\u2019s).")
                     .arg(groupedNumber(numTestDocuments(shown)));
}

LayerAxis axisOf(const ModelInfo& info, const std::set<std::int64_t>& held)
{
    LayerAxis axis;
    axis.held = held;
    axis.layers = std::max(info.layers, held.empty() ? 1 : *held.rbegin() + 1);
    return axis;
}

constexpr double kMinBand = 96;
constexpr double kAround = 56; ///< key, strip and numbers of the layers

/// Curves over the layers as a part of a figure.
/// @param each  height of a band by the width
FigurePart curvesPart(std::vector<LayerBand> bands, LayerAxis axis, double each)
{
    constexpr double kWhole = 1e6; // on a line of its own
    ChartStyle style;
    style.textPx = kFigureTextPt;
    FigurePart part;
    part.least = kWhole;
    part.height = [count = bands.size(), each](double width) {
        return static_cast<double>(count) * std::max(kMinBand, each * width) + kAround;
    };
    part.paint = [bands = std::move(bands), axis = std::move(axis), style](QPainter& painter, const QRectF& box,
                                                                           double) {
        LayerCurvesLayout(bands, axis, box, style).paint(painter);
    };
    return part;
}

Result<FigureSpec> probesSpec(const ProbeFigure& figure, const ModelInfo& info, FigureOptions options)
{
    if (figure.results.empty())
        return Error{ErrorCode::InvalidArgument, "there is no probe result to draw", {}, {}};
    std::set<std::int64_t> layers;
    for (const auto& result : figure.results)
        layers.insert(result->layer.value_or(-1));
    const auto& shownResult = figure.shown != nullptr ? figure.shown : figure.results.front();
    const ProbeResult& shown = *shownResult;
    std::vector<ProbeResult> ofLayer;
    for (const auto& result : figure.results)
        if (result->layer == shown.layer)
            ofLayer.push_back(*result);
    if (layers.size() == 1)
        return figureOfProbe(std::move(ofLayer), info, figure.confusion)(std::move(options));
    if (options.caption.isEmpty())
        options.caption =
            QStringLiteral(
                "Logistic probe of the %1 index of %2 over the layers: C = %3, seed %4, split by %5. Bars are 95% "
                "intervals, the dotted line is chance%6. Table, confusion matrix and recall per %7: layer %8.%9")
                .arg(wordsOf(unitName(stagesOf(figure.results))), modelName(info), shortNumber(shown.options.c),
                     QString::number(shown.options.seed), wordsOf(splitName(shown.options.split)),
                     figure.controls.empty() ? QString() : QStringLiteral(", dashed: permuted labels"),
                     wordsOf(unitName(stagesOf(figure.results))))
                .arg(shown.layer.value_or(-1))
                .arg(segmentsNote(stagesOf(figure.results))) +
            testedOn(shown) + finalNormOf(figure.results, info);
    options.parameters.emplace_back(QStringLiteral("model"), modelName(info));
    options.parameters.emplace_back(QStringLiteral("seed"), QString::number(shown.options.seed));
    options.parameters.emplace_back(QStringLiteral("input"), QString::fromStdString(shown.inputHash));
    LayerAxis axis = axisOf(info, layers);
    axis.current = shown.layer;
    const std::string_view stage = shown.stage ? stageName(*shown.stage) : "-";
    constexpr double kBand = 0.34;
    std::vector<FigurePart> parts = {
        curvesPart({probeBand(figure.results, figure.controls, options.theme, info)}, axis, kBand),
        probeTablePart(ofLayer, info)};
    if (std::optional<FigurePart> baselines = baselinesPart(ofLayer))
        parts.push_back(std::move(*baselines));
    const QString title = QStringLiteral("Layer %1, stage %2").arg(shown.layer.value_or(-1)).arg(wordsOf(stage));
    ConfusionStyle confusion = figure.confusion;
    confusion.chart.theme = options.theme;
    for (FigurePart& part : probeParts(shownResult, info, confusion, title, false, contentWidth(options)))
        parts.push_back(std::move(part));
    return partsSpec(std::move(parts), std::move(options));
}

} // namespace

Figure figureOfProbes(ProbeFigure figure, ModelInfo info)
{
    return [figure = std::move(figure), info = std::move(info)](FigureOptions options) {
        return probesSpec(figure, info, std::move(options));
    };
}

namespace
{

/// Against what the purities were tested, and which do not stand out by their q; empty where they were not.
QString purityTest(std::span<const std::shared_ptr<const LayerMeasures>> measures, std::span<const double> q)
{
    constexpr double kSmallQ = 0.05;
    std::int64_t tested = 0;
    std::map<Stage, std::set<std::int64_t>> chance; // layers by stage
    std::int64_t count = 0;
    for (std::size_t i = 0; i < std::min(measures.size(), q.size()); ++i)
    {
        tested += std::isfinite(q[i]) ? 1 : 0;
        if (!(q[i] > kSmallQ))
            continue;
        ++count;
        chance[measures[i]->stage].insert(measures[i]->layer.value());
    }
    if (tested == 0)
        return {};
    QStringList which;
    for (const auto& [stage, layers] : chance)
    {
        QStringList numbers;
        for (const std::int64_t layer : layers)
            numbers << QString::number(layer);
        which << QStringLiteral("stage %1 of layer%2 %3")
                     .arg(wordsOf(stageName(stage)), layers.size() > 1 ? QStringLiteral("s") : QString(),
                          numbers.join(QStringLiteral(", ")));
    }
    return QStringLiteral(
               " (%1 of %2 not distinguishable from permuted labels%3; q > 0.05 after Benjamini\u2013Hochberg "
               "over the %2, %4 permutations)")
        .arg(count)
        .arg(tested)
        .arg(which.isEmpty() ? QString() : QStringLiteral(": ") + which.join(QStringLiteral("; ")))
        .arg(measures.front()->options.permutations);
}

/// Of what the bars of the probe are, and what its accuracy does not show.
QString probeWords(std::span<const std::shared_ptr<const LayerMeasures>> measures)
{
    const auto probed =
        std::find_if(measures.begin(), measures.end(), [](const auto& each) { return std::isfinite(each->accuracy); });
    if (probed == measures.end())
        return {};
    QString words;
    if ((*probed)->testDocuments > 0)
        words =
            QStringLiteral(
                "Bars of the probe: Wilson\u2019s interval over the effective sample size of the %1 test documents. ")
                .arg(groupedNumber((*probed)->testDocuments));
    return words + wordsOf(kProbeAccuracyColumn.caution) + QStringLiteral(". ");
}

} // namespace

QString layersCaption(std::span<const std::shared_ptr<const LayerMeasures>> measures, std::span<const double> purityQ,
                      const ModelInfo& info)
{
    if (measures.empty())
        return {};
    const LayerMeasures& first = *measures.front();
    std::vector<Stage> stages;
    QString finalNorm;
    for (const auto& each : measures)
    {
        stages.push_back(each->stage);
        if (finalNorm.isEmpty() && !each->afterFinalNorm)
            finalNorm = finalNormSentence(info, each->layer, each->stage);
    }
    const bool hasPurityBars = std::any_of(measures.begin(), measures.end(),
                                           [](const auto& each) { return std::isfinite(each->purityCi95.low); });
    QString caption =
        QStringLiteral("Layers of %1, %2 documents. Bars are 95% intervals. Probe accuracy: logistic probe of the %3 "
                       "index (C = %4, seed %5, one split by %6). ")
            .arg(modelName(info), groupedNumber(first.documents), wordsOf(unitName(stages)),
                 shortNumber(first.options.probe.c), QString::number(first.options.probe.seed),
                 wordsOf(splitName(first.options.probe.split)));
    caption += probeWords(measures);
    if (std::any_of(measures.begin(), measures.end(), [](const auto& each) { return std::isfinite(each->purity); }))
        caption += QStringLiteral("%1 (%2 nearest, %3 documents; %5)%4: %6 ")
                       .arg(measureTitle(LayerMeasure::Purity), QString::number(first.options.neighbors),
                            groupedNumber(first.purityDocuments), purityTest(measures, purityQ),
                            hasPurityBars ? QStringLiteral("bars: %1").arg(wordsOf(kJackknife))
                                          : QStringLiteral("no bars and no test: all other documents are neighbours, "
                                                           "or all have the same label, so only one value is possible"),
                            wordsOf(columnSentences(kPurityColumn)));
    caption += QStringLiteral("%1 (%2%3): %4 ")
                   .arg(measureTitle(LayerMeasure::Redundancy), wordsOf(ckaName(first.options.cka)),
                        first.options.cka == CkaMethod::Debiased ? QStringLiteral("; bars: ") + wordsOf(kJackknife)
                                                                 : QString(),
                        wordsOf(columnSentences(kRedundancyColumn)));
    if (std::any_of(measures.begin(), measures.end(), [](const auto& each) { return each->afterFinalNorm; }))
        caption += QStringLiteral("Open marker: after the final norm, not comparable with earlier layers. ");
    return caption + QStringLiteral("Dotted: chance.%1").arg(segmentsNote(stages)) + finalNorm;
}

Figure figureOfLayers(LayerList measures, std::vector<double> purityQ, ModelInfo info)
{
    return [measures = std::move(measures), purityQ = std::move(purityQ),
            info = std::move(info)](FigureOptions options) -> Result<FigureSpec> {
        if (measures.empty())
            return Error{ErrorCode::InvalidArgument, "there is no measured layer to draw", {}, {}};
        if (options.caption.isEmpty())
            options.caption = layersCaption(measures, purityQ, info);
        options.parameters.emplace_back(QStringLiteral("model"), modelName(info));
        options.parameters.emplace_back(QStringLiteral("seed"), QString::number(measures.front()->options.probe.seed));
        std::set<std::int64_t> held;
        for (const auto& each : measures)
            held.insert(each->layer.value());
        constexpr double kBand = 0.24;
        return partsSpec({curvesPart(layerBands(measures, InkTheme::Light), axisOf(info, held), kBand)},
                         std::move(options));
    };
}

} // namespace headscope::viz
