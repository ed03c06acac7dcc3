// SPDX-License-Identifier: GPL-3.0-or-later
#include "viz/export/map_figures.h"

#include "model/data/maps/map_words.h"
#include "viz/axis/figure_legend.h"
#include "viz/axis/text.h"
#include "viz/export/figure_words.h"
#include "viz/export/floor_words.h"
#include "viz/export/map_layer.h"
#include "viz/scatter/density_layer.h"

#include <QPainter>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <string>
#include <utility>

namespace headscope::viz
{
namespace
{

constexpr double kWholeMap = 0.75; ///< height of a map without a window, by its width
constexpr double kRegionPt = 6.5;

/// "3,600 head vectors (400 documents × 9 heads)": a point is a vector of one head and one document.
QString pointsText(const HeadMap& map)
{
    const auto different = [](const std::vector<std::int32_t>& numbers) {
        std::vector<char> seen;
        std::int64_t count = 0;
        for (const std::int32_t number : numbers)
        {
            if (number < 0)
                continue;
            const auto i = static_cast<std::size_t>(number);
            if (i >= seen.size())
                seen.resize(i + 1, 0);
            count += std::exchange(seen[i], char{1}) == 0 ? 1 : 0;
        }
        return count;
    };
    const QString unit = wordsOf(unitName(map.stage));
    const std::int64_t points = map.xy.rows();
    QString vectors = counted(points, unit + QStringLiteral(" vector"));
    if (map.points == nullptr)
        return vectors;
    const std::int64_t documents = different(map.points->document);
    const std::int64_t heads = different(map.points->head);
    return vectors + QStringLiteral(" (%1 %2 %3)")
                         .arg(counted(documents, QStringLiteral("document")),
                              documents * heads == points ? QStringLiteral("\u00D7") : QStringLiteral("and"),
                              counted(heads, unit));
}

ScatterData dataOf(const HeadMap& map, const MapFigure& figure)
{
    ScatterData data;
    data.xy = map.xy.values();
    data.index = figure.coloring.index;
    data.colors = figure.coloring.colors;
    data.shapes = figure.coloring.shapes;
    data.states = figure.states;
    return data;
}

FigureLegend legendOf(const MapFigure& figure, QSizeF room, const HeightOfWidth& height, bool shapes)
{
    if (!figure.legend)
        return figureWithoutLegend(room, height);
    LegendStyle style;
    style.textPx = kFigureTextPt;
    style.shapes = shapes;
    return figureLegend(figure.mode == ScatterMode::Density ? densityLegend(Theme::Light) : figure.coloring.legend,
                        style, room, height);
}

} // namespace

QString mapCaption(const HeadMap& map, const ModelInfo& info)
{
    QString caption =
        QStringLiteral("t-SNE of %1 of %2 (stage %3, layer %4): perplexity %5, %6, %7, %8")
            .arg(pointsText(map), modelName(info), wordsOf(stageName(map.stage)), QString::number(map.layer.value()),
                 perplexityText(map.options), wordsOf(affinitiesText(map.options, map.xy.rows())), iterationsText(map),
                 wordsOf(startText(map)));
    if (map.options.metric != Metric::Euclidean)
        caption += QStringLiteral(", %1").arg(wordsOf(metricName(map.options.metric)));
    if (std::isfinite(map.kl) && map.iteration > 0)
        caption += QStringLiteral(", KL %1 (of these affinities, as the run estimates it)").arg(shortNumber(map.kl));
    if (map.leftOut > 0)
        caption += QStringLiteral("; %1 rows without finite values left out").arg(groupedNumber(map.leftOut));
    caption += QStringLiteral(". Sizes of clusters and distances between them are not reliable.");
    if (map.floor)
        caption += QLatin1Char(' ') + floorSentence(map, *map.floor);
    return caption + segmentsNote(std::array{map.stage}) + finalNormSentence(info, map.layer, map.stage);
}

QString figureSentences(const MapFigure& figure)
{
    QString sentences;
    if (figure.mode != ScatterMode::Density && !figure.coloring.legend.title.isEmpty())
        sentences += QStringLiteral(" Colour: %1.").arg(figure.coloring.legend.title);
    if (!figure.pooling.empty())
        sentences += QStringLiteral(" Pooling of tokens: %1.").arg(wordsOf(figure.pooling));
    return sentences;
}

FigureParameters mapParameters(const HeadMap& map, const ModelInfo& info)
{
    return {{QStringLiteral("model"), modelName(info)},
            {QStringLiteral("stage"), wordsOf(stageName(map.stage))},
            {QStringLiteral("layer"), QString::number(map.layer.value())},
            {QStringLiteral("perplexity"), perplexityText(map.options)},
            {QStringLiteral("iterations"), QString::number(map.iteration)},
            {QStringLiteral("affinities"), wordsOf(affinitiesText(map.options, map.xy.rows()))},
            {QStringLiteral("start"), wordsOf(startText(map))},
            {QStringLiteral("seed"), seedText(map)},
            {QStringLiteral("hash"), QString::fromStdString(map.hash)},
            {QStringLiteral("input"), QString::fromStdString(map.inputHash)}};
}

Status exportMap(const HeadMap& map, const ModelInfo& info, const MapFigure& figure, const std::filesystem::path& path,
                 FigureOptions options)
{
    const auto points = static_cast<std::size_t>(map.xy.rows());
    if (figure.coloring.index.size() != points || (!figure.states.empty() && figure.states.size() != points))
        return Error{ErrorCode::ShapeMismatch,
                     "expected a colour for each of the map's " + std::to_string(points) + " points, found " +
                         std::to_string(figure.coloring.index.size()),
                     path.string(),
                     {}};
    if (!dataBounds(map.xy.values()))
        return Error{ErrorCode::InvalidArgument,
                     "expected at least one point with finite coordinates, found none",
                     path.string(),
                     {}};
    HEADSCOPE_TRY(const FigureFormat format, figureFormat(path));
    options.dpi = layerDpi(options, format);
    fillIn(options, mapCaption(map, info) + figureSentences(figure), mapParameters(map, info));
    const bool shaded = figure.mode == ScatterMode::Density || figure.mode == ScatterMode::MeanColor;
    const bool vector = format != FigureFormat::Png && !shaded && map.xy.rows() <= kMostVectorDots;
    const ScatterData data = dataOf(map, figure);
    const HeightOfWidth height = [&figure](double width) {
        return width * (figure.window ? windowShape(*figure.window) : kWholeMap);
    };
    const QSizeF room(contentWidth(options), contentHeight(options));
    const double radius = MapLayer(data, figure.mode, figure.window, {room.width(), height(room.width())}).radius();
    const FigureLegend parts = legendOf(figure, room, height, vector || showsShapes(radius * dprOf(options)));
    followContent(options, parts.size.height());
    const Drawing drawing = [&](QPainter& painter, const QRectF& box, double dpr) {
        const QRectF canvas = parts.picture.translated(box.topLeft());
        const MapLayer layer(data, figure.mode, figure.window, canvas.size());
        paintMapLayer(painter, canvas, dpr, layer, figure.numThreads, vector);
        painter.save();
        painter.setClipRect(canvas);
        painter.translate(canvas.topLeft());
        painter.scale(1 / kUnitsPerPoint, 1 / kUnitsPerPoint);
        if (figure.above)
            figure.above(painter, layer.data, layer.view, layer.radius());
        if (!figure.regions.empty() && !figure.regionsView.viewSize().isEmpty())
            paintRegionLabels(
                painter,
                printedRegionLabels(figure.regions, figure.regionsView, layer.view, kRegionPt * kUnitsPerPoint),
                Theme::Light);
        painter.restore();
        parts.paint(painter, box.topLeft(), figure.faded);
    };
    return exportDrawing(drawing, path, options);
}

} // namespace headscope::viz
