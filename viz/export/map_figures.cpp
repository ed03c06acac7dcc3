// SPDX-License-Identifier: GPL-3.0-or-later
#include "viz/export/map_figures.h"

#include "model/data/head_ranges.h"
#include "model/data/maps/map_text.h"
#include "viz/axis/figure_legend.h"
#include "viz/axis/text.h"
#include "viz/export/figure_export.h"
#include "viz/export/figure_text.h"
#include "viz/export/map_layer.h"
#include "viz/export/noise_floor_text.h"
#include "viz/scatter/density_layer.h"

#include <QPainter>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <memory>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace headscope::viz
{
namespace
{

constexpr double kWholeMap = 0.75; ///< height of a map without a window, by its width
constexpr double kRegionPt = 6.5;
constexpr double kMinTimes = 1.2; ///< that an inset enlarges

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

LegendStyle legendStyle(bool shapes)
{
    LegendStyle style;
    style.textPx = kFigureTextPt;
    style.shapes = shapes;
    return style;
}

FigureLegend legendOf(const MapFigure& figure, QSizeF room, const HeightOfWidth& height, bool shapes)
{
    if (!figure.legend)
        return figureWithoutLegend(room, height);
    return figureLegend(figure.mode == ScatterMode::Density ? densityLegend(InkTheme::Light) : figure.coloring.legend,
                        legendStyle(shapes), room, height);
}

/// A map and how it is shown.
struct ShownMap
{
    std::shared_ptr<const HeadMap> map;
    MapFigure figure;
};

/// A map in its place on a page, with all that lies over its dots.
class MapPainter
{
public:
    MapPainter(std::shared_ptr<const ShownMap> shown, bool vector, std::vector<Annotation> annotations)
        : m_shown(std::move(shown)), m_figure(m_shown->figure), m_data(dataOf(*m_shown->map, m_figure)),
          m_vector(vector), m_annotations(std::move(annotations))
    {}

    /// @errors WrongUse (an annotation outside of it)
    [[nodiscard]] Status check(QSizeF canvas) const
    {
        if (m_annotations.empty())
            return {};
        return checkAnnotations(m_annotations, placeOn({QPointF(0, 0), canvas}));
    }

    void paint(QPainter& painter, const FigureLegend& parts, const QRectF& box, double dpr) const
    {
        const QRectF canvas = parts.picture.translated(box.topLeft());
        const MapLayer layer(m_data, m_figure.mode, m_figure.window, canvas.size());
        paintMapLayer(painter, canvas, dpr, layer, m_figure.numThreads, m_vector);
        painter.save();
        painter.setClipRect(canvas);
        painter.translate(canvas.topLeft());
        painter.scale(1 / kUnitsPerPoint, 1 / kUnitsPerPoint);
        if (m_figure.above)
            m_figure.above(painter, layer.data, layer.view, layer.radius());
        if (!m_figure.regions.empty() && !m_figure.regionsView.viewSize().isEmpty())
            paintRegionLabels(
                painter,
                printedRegionLabels(m_figure.regions, m_figure.regionsView, layer.view, kRegionPt * kUnitsPerPoint),
                InkTheme::Light);
        painter.restore();
        if (m_figure.inset)
            paintInset(painter, placeInset(*m_figure.inset, layer, canvas), *m_figure.inset, layer.data, m_figure.mode,
                       dpr, m_figure.numThreads, m_vector);
        parts.paint(painter, box.topLeft(), m_figure.faded);
        if (!m_annotations.empty())
            paintAnnotations(painter, {box.topLeft(), parts.size}, m_annotations, placeOn(canvas));
    }

private:
    [[nodiscard]] MapPlace placeOn(const QRectF& canvas) const
    {
        const ViewTransform view = MapLayer(m_data, m_figure.mode, m_figure.window, canvas.size()).view;
        return [view, canvas](QPointF map) -> std::optional<QPointF> {
            const QPointF page = view.screenFromData(map) / kUnitsPerPoint + canvas.topLeft();
            return canvas.contains(page) ? std::optional(page) : std::nullopt;
        };
    }

    std::shared_ptr<const ShownMap> m_shown;
    const MapFigure& m_figure; ///< of m_shown
    ScatterData m_data;
    bool m_vector;
    std::vector<Annotation> m_annotations;
};

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
        caption += QStringLiteral(", KL %1 (for these affinities, as estimated by the run)").arg(shortNumber(map.kl));
    if (map.leftOut > 0)
        caption += QStringLiteral("; %1 rows without finite values excluded").arg(groupedNumber(map.leftOut));
    caption += QStringLiteral(". Do not interpret sizes of clusters or distances between clusters.");
    if (map.floor)
        caption += QLatin1Char(' ') + floorSentence(map, *map.floor);
    return caption + segmentsNote(std::array{map.stage}) + finalNormSentence(info, map.layer, map.stage);
}

QString shownSentences(const HeadMap& map, std::span<const PointState> states)
{
    const auto count = [states](PointState state) { return static_cast<qint64>(std::ranges::count(states, state)); };
    const qint64 hidden = count(PointState::Hidden);
    const qint64 pale = count(PointState::Dimmed);
    QString sentences;
    if (hidden > 0)
    {
        const QString points =
            QStringLiteral("%1 of %2")
                .arg(groupedNumber(std::ssize(states) - hidden), counted(std::ssize(states), QStringLiteral("point")));
        std::set<std::int64_t> all;
        std::set<std::int64_t> shown;
        if (map.points != nullptr && map.points->head.size() == states.size())
            for (std::size_t i = 0; i < states.size(); ++i)
            {
                all.insert(map.points->head[i]);
                if (states[i] != PointState::Hidden)
                    shown.insert(map.points->head[i]);
            }
        const std::vector<std::int64_t> heads(shown.begin(), shown.end());
        if (!heads.empty() && shown.size() < all.size())
            sentences +=
                QStringLiteral(" Shown: %1 %2 of %3 (%4).")
                    .arg(wordsOf(unitName(map.stage)) + (heads.size() == 1 ? QString() : QStringLiteral("s")),
                         QString::fromStdString(formatHeadRanges(heads)).replace(QLatin1Char('-'), QChar(0x2013)),
                         groupedNumber(std::ssize(all)), points);
        else
            sentences += QStringLiteral(" Shown: %1.").arg(points);
    }
    if (pale > 0)
        sentences +=
            QStringLiteral(" Pale grey: %1 that %2 not selected.")
                .arg(counted(pale, QStringLiteral("point")), pale == 1 ? QStringLiteral("is") : QStringLiteral("are"));
    return sentences;
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

namespace
{

Result<FigureSpec> mapSpec(const std::shared_ptr<const ShownMap>& shown, const ModelInfo& info, FigureOptions options)
{
    const HeadMap& map = *shown->map;
    const MapFigure& figure = shown->figure;
    const auto points = static_cast<std::size_t>(map.xy.rows());
    if (figure.coloring.index.size() != points || (!figure.states.empty() && figure.states.size() != points))
        return Error{ErrorCode::ShapeMismatch,
                     "expected a colour for each of the map's " + std::to_string(points) + " points, found " +
                         std::to_string(figure.coloring.index.size()),
                     {},
                     {}};
    if (!dataBounds(map.xy.values()))
        return Error{ErrorCode::InvalidArgument, "no point has finite coordinates", {}, {}};
    options.dpi = layerDpi(options);
    const bool shaded = figure.mode == ScatterMode::Density || figure.mode == ScatterMode::MeanColor;
    const bool vector = options.format != FigureFormat::Png && !shaded && map.xy.rows() <= kMaxVectorDots;
    const ScatterData data = dataOf(map, figure);
    const HeightOfWidth height = [&figure](double width) {
        return width * (figure.window ? windowShape(*figure.window) : kWholeMap);
    };
    const QSizeF room(contentWidth(options), contentHeight(options));
    const double radius = MapLayer(data, figure.mode, figure.window, {room.width(), height(room.width())}).radius();
    const bool shapes = vector || showsShapes(radius * dprOf(options));
    const FigureLegend parts = legendOf(figure, room, height, shapes);
    followContent(options, parts.size.height());
    QString caption = options.caption;
    if (caption.isEmpty())
        caption = mapCaption(map, info) + shownSentences(map, figure.states) +
                  (figure.marks.isEmpty() ? QString() : QLatin1Char(' ') + figure.marks) + figureSentences(figure);
    if (figure.inset)
    {
        const MapLayer layer(data, figure.mode, figure.window, parts.picture.size());
        const PlacedInset place = placeInset(*figure.inset, layer, parts.picture);
        if (place.shown == 0)
            return Error{ErrorCode::InvalidArgument, "this part of the map has no points", {}, {}};
        if (place.times < kMinTimes)
            return Error{ErrorCode::InvalidArgument,
                         "expected a smaller part of the map, which an inset can enlarge at least " +
                             shortNumber(kMinTimes).toStdString() + " times, found a part that it can enlarge only " +
                             shortNumber(place.times).toStdString() +
                             " times; name fewer heads or two closer corners, X,Y,X,Y",
                         {},
                         {}};
        caption += insetSentence(*figure.inset, place, map.xy.rows());
    }
    options.caption = caption;
    fillIn(options, caption, mapParameters(map, info));
    const FigureLegend alone = figureWithoutLegend({room.width(), 0}, height);
    const auto painter = std::make_shared<const MapPainter>(shown, vector, std::exchange(options.annotations, {}));
    HEADSCOPE_CHECK(painter->check(parts.picture.size()));
    const auto drawingOf = [&painter](const FigureLegend& place) -> Drawing {
        return
            [painter, place](QPainter& page, const QRectF& box, double dpr) { painter->paint(page, place, box, dpr); };
    };
    FigureSpec spec{drawingOf(parts), std::move(options)};
    if (parts.legend && !figure.inset) // whose caption counts what it covers here
        spec.legend = {parts.legend->legend(), legendStyle(shapes), drawingOf(alone), alone.size.height()};
    return spec;
}

} // namespace

Figure figureOfMap(std::shared_ptr<const HeadMap> map, ModelInfo info, MapFigure figure)
{
    return [shown = std::make_shared<const ShownMap>(ShownMap{std::move(map), std::move(figure)}),
            info = std::move(info)](FigureOptions options) { return mapSpec(shown, info, std::move(options)); };
}

} // namespace headscope::viz
