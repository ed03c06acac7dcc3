// SPDX-License-Identifier: GPL-3.0-or-later
#include "viz/export/layer_figures.h"

#include "viz/axis/text.h"
#include "viz/chart/confusion_painter.h"
#include "viz/chart/layer_bands.h"
#include "viz/chart/probe_painter.h"
#include "viz/export/figures.h"

#include <QPainter>

#include <algorithm>
#include <cmath>
#include <set>
#include <utility>

namespace headscope::viz
{
namespace
{

constexpr double kTextPt = 8;
constexpr double kGap = 10;

QString modelName(const ModelInfo& info)
{
    return info.name.empty() ? QStringLiteral("a model") : QString::fromStdString(info.name);
}

QString text(std::string_view words)
{
    return QString::fromUtf8(words.data(), static_cast<qsizetype>(words.size()));
}

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

/// The confusion matrix of a probe with its title, and beside it the bars.
void paintShown(QPainter& painter, const QRectF& box, double dpr, const ProbeResult& result, const ModelInfo& info,
                const ChartStyle& style)
{
    const QFont bold = textFont(style.textPx, QFont::DemiBold);
    const double title = lineHeight(bold) + 4;
    const std::string_view stage = result.stage ? stageName(*result.stage) : "-";
    drawLine(painter, {box.left(), box.top(), box.width(), title},
             QStringLiteral("Layer %1, stage %2")
                 .arg(result.layer.value_or(-1))
                 .arg(QString::fromUtf8(stage.data(), static_cast<qsizetype>(stage.size()))),
             bold, inks(style.theme).ink);
    const QRectF below(box.left(), box.top() + title, box.width(), std::max(1.0, box.height() - title));
    const ConfusionLayout confusion(result, info, {below.left(), below.top(), 0.5 * below.width(), below.height()},
                                    {style});
    confusion.paint(painter, dpr);
    const double left = below.left() + 0.55 * below.width();
    paintHeadAccuracy(painter, {left, below.top(), below.right() - left, confusion.plot().height()}, result, info,
                      style);
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
        return exportProbe(ofLayer, info, path, std::move(options));
    if (options.caption.isEmpty())
        options.caption =
            QStringLiteral("Logistic probe of the %1 index of %2 over the layers: C = %3, seed %4, split "
                           "by %5; bars are 95 % intervals, dotted is chance%6. Table, confusion matrix "
                           "and recall per %7: layer %8.%9")
                .arg(text(unitName(stagesOf(figure.results))), modelName(info), shortNumber(shown.options.c),
                     QString::number(shown.options.seed), splitName(shown.options.split),
                     figure.controls.empty() ? QString() : QStringLiteral(", dashed has shuffled labels"),
                     text(unitName(stagesOf(figure.results))))
                .arg(shown.layer.value_or(-1))
                .arg(segmentsNote(stagesOf(figure.results)));
    options.parameters.emplace_back(QStringLiteral("model"), modelName(info));
    options.parameters.emplace_back(QStringLiteral("seed"), QString::number(shown.options.seed));
    options.parameters.emplace_back(QStringLiteral("input"), QString::fromStdString(shown.inputHash));
    options.sizeInches.setHeight(std::max(options.sizeInches.height(), 6.5));
    const Drawing drawing = [&](QPainter& painter, const QRectF& box, double dpr) {
        ChartStyle style;
        style.textPx = kTextPt;
        LayerAxis axis = axisOf(info, layers);
        axis.current = shown.layer;
        const double curves = 0.42 * box.height();
        const LayerCurvesLayout layout({probeBand(figure.results, figure.controls, style.theme)}, axis,
                                       {box.left(), box.top(), box.width(), curves}, style);
        layout.paint(painter);
        double top = box.top() + curves + kGap;
        top +=
            paintTable(painter, {box.left(), top, box.width(), box.bottom() - top}, probeTable(ofLayer, info), style) +
            kGap;
        paintShown(painter, {box.left(), top, box.width(), std::max(1.0, box.bottom() - top)}, dpr, shown, info, style);
    };
    return exportDrawing(drawing, path, options);
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
                          .arg(modelName(info), groupedNumber(first.documents), text(unitName(stages)),
                               shortNumber(first.options.probe.c), QString::number(first.options.probe.seed),
                               splitName(first.options.probe.split));
    if (std::any_of(measures.begin(), measures.end(), [](const auto& each) { return std::isfinite(each->purity); }))
        caption +=
            QStringLiteral("Topic purity: share of a document\u2019s own label among its %1 nearest by cosine of "
                           "all %2 one after another. ")
                .arg(first.options.neighbors)
                .arg(text(unitNames(stages)));
    return caption + QStringLiteral("Redundancy: linear CKA, mean over pairs of %1. Dotted: chance.%2")
                         .arg(text(unitNames(stages)), segmentsNote(stages));
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
    options.sizeInches.setHeight(std::max(options.sizeInches.height(), 6.0));
    std::set<std::int64_t> held;
    for (const auto& each : measures)
        held.insert(each->layer.value());
    const Drawing drawing = [&](QPainter& painter, const QRectF& box, double) {
        ChartStyle style;
        style.textPx = kTextPt;
        LayerCurvesLayout(layerBands(measures, style.theme), axisOf(info, held), box, style).paint(painter);
    };
    return exportDrawing(drawing, path, options);
}

} // namespace headscope::viz
