// SPDX-License-Identifier: GPL-3.0-or-later
#include "viz/chart/layer_bands.h"

#include "model/data/last_layer.h"
#include "model/data/results/layer_columns.h"
#include "viz/color/stage_colors.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <utility>

namespace headscope::viz
{
namespace
{

QString afterNormText()
{
    return QStringLiteral("after the final norm");
}

QString stageCurveName(Stage stage)
{
    const std::string_view name = stageName(stage);
    return QStringLiteral("stage %1").arg(QString::fromUtf8(name.data(), static_cast<qsizetype>(name.size())));
}

LayerCurve curveOf(Stage stage, InkTheme theme)
{
    LayerCurve curve;
    curve.name = stageCurveName(stage);
    curve.color = stageColor(stage, theme);
    curve.shape = stageMarker(stage);
    return curve;
}

void sortByLayer(LayerCurve& curve)
{
    std::sort(curve.points.begin(), curve.points.end(),
              [](const LayerPoint& a, const LayerPoint& b) { return a.layer < b.layer; });
}

QString unitsText(std::span<const Stage> stages)
{
    const std::string_view units = unitNames(stages);
    return QString::fromUtf8(units.data(), static_cast<qsizetype>(units.size()));
}

QString detailOf(LayerMeasure measure, const LayerMeasures& first, std::span<const Stage> stages)
{
    switch (measure)
    {
    case LayerMeasure::Probe:
        return QStringLiteral("predicts one of %2 %1; chance %3%")
            .arg(unitsText(stages), QString::number(first.heads),
                 QString::number(100.0 / static_cast<double>(std::max<std::int64_t>(1, first.heads)), 'f', 1));
    case LayerMeasure::Purity:
        return QStringLiteral("same label among the %1 nearest documents").arg(first.options.neighbors);
    case LayerMeasure::Redundancy:
        return QStringLiteral("%1 linear CKA, mean over pairs of %2")
            .arg(first.options.cka == CkaMethod::Debiased ? QStringLiteral("debiased") : QStringLiteral("biased"),
                 unitsText(stages));
    }
    return {};
}

QString missingOf(LayerMeasure measure, std::span<const Stage> stages)
{
    switch (measure)
    {
    case LayerMeasure::Probe:
        return QStringLiteral("needs at least two %1").arg(unitsText(stages));
    case LayerMeasure::Purity:
        return QStringLiteral("needs documents with labels");
    case LayerMeasure::Redundancy:
        return QStringLiteral("needs at least two %1 that vary").arg(unitsText(stages));
    }
    return {};
}

} // namespace

const ColumnInfo& columnOf(LayerMeasure measure)
{
    switch (measure)
    {
    case LayerMeasure::Probe:
        return kProbeAccuracyColumn;
    case LayerMeasure::Purity:
        return kPurityColumn;
    case LayerMeasure::Redundancy:
        break;
    }
    return kRedundancyColumn;
}

QString measureTitle(LayerMeasure measure)
{
    const std::string_view title = columnOf(measure).title;
    return QString::fromUtf8(title.data(), std::ssize(title));
}

LayerPoint pointOf(const LayerMeasures& measures, LayerMeasure measure)
{
    const std::int64_t layer = measures.layer.value();
    const bool apart = measures.afterFinalNorm;
    switch (measure)
    {
    case LayerMeasure::Probe:
        return {layer, measures.accuracy, measures.accuracyCi95.low, measures.accuracyCi95.high, apart};
    case LayerMeasure::Purity:
        return {layer, measures.purity, measures.purityCi95.low, measures.purityCi95.high, apart};
    case LayerMeasure::Redundancy:
        return {layer, measures.redundancy, measures.redundancyCi95.low, measures.redundancyCi95.high, apart};
    }
    return {layer, std::nan("")};
}

std::vector<LayerBand> layerBands(std::span<const std::shared_ptr<const LayerMeasures>> measures, InkTheme theme)
{
    std::vector<LayerBand> bands;
    std::vector<Stage> stages;
    for (const auto& each : measures)
        stages.push_back(each->stage);
    for (const LayerMeasure measure : {LayerMeasure::Probe, LayerMeasure::Purity, LayerMeasure::Redundancy})
    {
        LayerBand band;
        band.title = measureTitle(measure);
        band.apart = afterNormText();
        band.percent = measure != LayerMeasure::Redundancy; // a correlation is no share
        std::map<Stage, LayerCurve> curves;
        for (const auto& each : measures)
        {
            LayerCurve& curve = curves.try_emplace(each->stage, curveOf(each->stage, theme)).first->second;
            const LayerPoint point = pointOf(*each, measure);
            if (!std::isfinite(point.value))
                continue;
            curve.points.push_back(point);
            if (measure == LayerMeasure::Probe)
                band.chance = each->accuracyChance;
            else if (measure == LayerMeasure::Purity)
                band.chance = each->purityChance;
        }
        for (auto& [stage, curve] : curves)
        {
            sortByLayer(curve);
            band.curves.push_back(std::move(curve));
        }
        if (!measures.empty())
        {
            band.detail = detailOf(measure, *measures.front(), stages);
            band.missing = missingOf(measure, stages);
        }
        bands.push_back(std::move(band));
    }
    return bands;
}

LayerBand probeBand(std::span<const std::shared_ptr<const ProbeResult>> results,
                    std::span<const std::shared_ptr<const ProbeResult>> controls, InkTheme theme,
                    const ModelInfo& model)
{
    LayerBand band;
    band.apart = afterNormText();
    band.title = measureTitle(LayerMeasure::Probe);
    std::map<std::pair<bool, Stage>, LayerCurve> curves;
    for (const bool dashed : {false, true})
    {
        for (const auto& result : dashed ? controls : results)
        {
            if (result == nullptr || !result->stage || !result->layer)
                continue;
            LayerCurve& curve =
                curves.try_emplace({dashed, *result->stage}, curveOf(*result->stage, theme)).first->second;
            curve.dashed = dashed;
            if (dashed)
                curve.name = QStringLiteral("%1, labels permuted").arg(stageCurveName(*result->stage));
            curve.points.push_back({*result->layer, result->accuracy, result->ci95Low, result->ci95High,
                                    afterFinalNorm(model, LayerIndex(*result->layer), *result->stage)});
            if (result->classes > 0)
                band.chance = 1 / static_cast<double>(result->classes);
        }
    }
    for (auto& [key, curve] : curves)
    {
        sortByLayer(curve);
        band.curves.push_back(std::move(curve));
    }
    return band;
}

} // namespace headscope::viz
