// SPDX-License-Identifier: GPL-3.0-or-later
#include "viz/export/layer_figures.h"

#include "viz/axis/text.h"
#include "viz/chart/layer_bands.h"
#include "viz/export/figure_words.h"
#include "viz/export/part_figures.h"
#include "viz/export/probe_figures.h"

#include <QPainter>

#include <algorithm>
#include <cmath>
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

QString splitName(ProbeSplit split)
{
    return split == ProbeSplit::Documents ? QStringLiteral("documents") : QStringLiteral("rows");
}

LayerAxis axisOf(const ModelInfo& info, const std::set<std::int64_t>& held)
{
    LayerAxis axis;
    axis.held = held;
    axis.layers = std::max(info.layers, held.empty() ? 1 : *held.rbegin() + 1);
    return axis;
}

constexpr double kLeastBand = 96;
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
        return static_cast<double>(count) * std::max(kLeastBand, each * width) + kAround;
    };
    part.paint = [bands = std::move(bands), axis = std::move(axis), style](QPainter& painter, const QRectF& box,
                                                                           double) {
        LayerCurvesLayout(bands, axis, box, style).paint(painter);
    };
    return part;
}

} // namespace

Status exportProbes(const ProbeFigure& figure, const ModelInfo& info, const std::filesystem::path& path,
                    FigureOptions options)
{
    if (figure.results.empty())
        return Error{ErrorCode::InvalidArgument, "expected at least one probe result, found none", path.string(), {}};
    std::set<std::int64_t> layers;
    for (const auto& result : figure.results)
        layers.insert(result->layer.value_or(-1));
    const ProbeResult& shown = figure.shown != nullptr ? *figure.shown : *figure.results.front();
    std::vector<ProbeResult> ofLayer;
    for (const auto& result : figure.results)
        if (result->layer == shown.layer)
            ofLayer.push_back(*result);
    if (layers.size() == 1)
        return exportProbe(ofLayer, info, path, std::move(options), figure.confusion);
    if (options.caption.isEmpty())
        options.caption =
            QStringLiteral("Logistic probe of the %1 index of %2 over the layers: C = %3, seed %4, split "
                           "by %5; bars are 95 % intervals, dotted is chance%6. Table, confusion matrix "
                           "and recall per %7: layer %8.%9")
                .arg(wordsOf(unitName(stagesOf(figure.results))), modelName(info), shortNumber(shown.options.c),
                     QString::number(shown.options.seed), splitName(shown.options.split),
                     figure.controls.empty() ? QString() : QStringLiteral(", dashed has shuffled labels"),
                     wordsOf(unitName(stagesOf(figure.results))))
                .arg(shown.layer.value_or(-1))
                .arg(segmentsNote(stagesOf(figure.results)));
    options.parameters.emplace_back(QStringLiteral("model"), modelName(info));
    options.parameters.emplace_back(QStringLiteral("seed"), QString::number(shown.options.seed));
    options.parameters.emplace_back(QStringLiteral("input"), QString::fromStdString(shown.inputHash));
    LayerAxis axis = axisOf(info, layers);
    axis.current = shown.layer;
    const std::string_view stage = shown.stage ? stageName(*shown.stage) : "-";
    constexpr double kBand = 0.34;
    std::vector<FigurePart> parts = {
        curvesPart({probeBand(figure.results, figure.controls, Theme::Light)}, axis, kBand),
        probeTablePart(ofLayer, info)};
    const QString title = QStringLiteral("Layer %1, stage %2").arg(shown.layer.value_or(-1)).arg(wordsOf(stage));
    for (FigurePart& part : probeParts(shown, info, figure.confusion, title, false, contentWidth(options)))
        parts.push_back(std::move(part));
    return exportParts(parts, path, options);
}

QString layersCaption(std::span<const std::shared_ptr<const LayerMeasures>> measures, const ModelInfo& info)
{
    if (measures.empty())
        return {};
    const LayerMeasures& first = *measures.front();
    std::vector<Stage> stages;
    for (const auto& each : measures)
        stages.push_back(each->stage);
    QString caption = QStringLiteral("Layers of %1, %2 documents. Probe accuracy: logistic probe of the %3 index (C = "
                                     "%4, seed %5, split by %6, 95 % intervals). ")
                          .arg(modelName(info), groupedNumber(first.documents), wordsOf(unitName(stages)),
                               shortNumber(first.options.probe.c), QString::number(first.options.probe.seed),
                               splitName(first.options.probe.split));
    if (std::any_of(measures.begin(), measures.end(), [](const auto& each) { return std::isfinite(each->purity); }))
        caption +=
            QStringLiteral("Topic purity: share of a document\u2019s own label among its %1 nearest by cosine of "
                           "all %2 one after another. ")
                .arg(first.options.neighbors)
                .arg(wordsOf(unitNames(stages)));
    return caption + QStringLiteral("Redundancy: linear CKA, mean over pairs of %1. Dotted: chance.%2")
                         .arg(wordsOf(unitNames(stages)), segmentsNote(stages));
}

Status exportLayers(std::span<const std::shared_ptr<const LayerMeasures>> measures, const ModelInfo& info,
                    const std::filesystem::path& path, FigureOptions options)
{
    if (measures.empty())
        return Error{
            ErrorCode::InvalidArgument, "expected at least one layer that was measured, found none", path.string(), {}};
    if (options.caption.isEmpty())
        options.caption = layersCaption(measures, info);
    options.parameters.emplace_back(QStringLiteral("model"), modelName(info));
    options.parameters.emplace_back(QStringLiteral("seed"), QString::number(measures.front()->options.probe.seed));
    std::set<std::int64_t> held;
    for (const auto& each : measures)
        held.insert(each->layer.value());
    constexpr double kBand = 0.24;
    const FigurePart parts[] = {curvesPart(layerBands(measures, Theme::Light), axisOf(info, held), kBand)};
    return exportParts(parts, path, options);
}

} // namespace headscope::viz
