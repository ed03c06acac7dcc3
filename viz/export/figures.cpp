// SPDX-License-Identifier: GPL-3.0-or-later
#include "viz/export/figures.h"

#include "viz/axis/legend_painter.h"
#include "viz/axis/text.h"
#include "viz/chart/confusion_painter.h"
#include "viz/chart/probe_painter.h"
#include "viz/scatter/contours.h"
#include "viz/scatter/density_layer.h"

#include <QPainter>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace headscope::viz
{
namespace
{

constexpr double kTextPt = 8;
constexpr double kGap = 12;
constexpr std::int64_t kMostVectorDots = 5'000;
/// A map is laid out as on a screen of this many pixels per inch, so that dots get sizes that suit.
constexpr double kScreenDpi = 150;
constexpr double kUnitsPerPoint = kScreenDpi / 72.0;

QString text(std::string_view words)
{
    return QString::fromUtf8(words.data(), static_cast<qsizetype>(words.size()));
}

QString modelName(const ModelInfo& info)
{
    return info.name.empty() ? QStringLiteral("unnamed model") : QString::fromStdString(info.name);
}

QString perplexityText(const TsneOptions& options)
{
    QStringList parts;
    for (const double perplexity : options.perplexities)
        parts << shortNumber(perplexity);
    return parts.join(QStringLiteral(", "));
}

using Parameters = std::vector<std::pair<QString, QString>>;

/// What the caller gave comes first and wins.
void fillIn(FigureOptions& options, const QString& caption, const Parameters& parameters)
{
    if (options.caption.isEmpty())
        options.caption = caption;
    for (const auto& parameter : parameters)
        if (!parameter.second.isEmpty() &&
            std::none_of(options.parameters.begin(), options.parameters.end(),
                         [&](const auto& given) { return given.first == parameter.first; }))
            options.parameters.push_back(parameter);
}

/// A map laid out in a box of a page in points, in units of kScreenDpi.
struct MapLayer
{
    ScatterData data;
    ScatterStyle style;
    ViewTransform view;

    MapLayer(const HeadMap& map, const MapFigure& figure, QSizeF box)
    {
        data.xy = map.xy.values();
        data.index = figure.coloring.index;
        data.colors = figure.coloring.colors;
        data.shapes = figure.coloring.shapes;
        data.states = figure.states;
        const QSizeF size = box * kUnitsPerPoint;
        const ViewTransform all = ViewTransform::fit(dataBounds(data.xy).value_or(QRectF()), size, 8);
        view = figure.window ? ViewTransform::fit(*figure.window, size, 0) : all;
        style.scaleGain = std::max(1.0, view.scale() / all.scale());
        style.mode = figure.mode;
    }

    [[nodiscard]] double opacity() const
    {
        const double area = view.viewSize().width() * view.viewSize().height() * style.scaleGain * style.scaleGain;
        return automaticOpacity(static_cast<std::int64_t>(data.xy.size() / 2), area, radius());
    }

    /// Dot radius in the layer's units.
    [[nodiscard]] double radius() const
    {
        return automaticRadius(static_cast<std::int64_t>(data.xy.size() / 2),
                               view.viewSize().width() * view.viewSize().height(), style.scaleGain);
    }
};

/// The points of a map inside `box` of a page in points.
void paintMapLayer(QPainter& painter, const QRectF& box, double dpr, const MapLayer& layer, int numThreads, bool vector)
{
    if (layer.style.mode == ScatterMode::Contours)
    {
        // Lines stay lines, whatever the dots behind them are.
        MapLayer dots = layer;
        dots.style.mode = ScatterMode::Dots;
        dots.style.opacity = kBehindContours * layer.opacity();
        paintMapLayer(painter, box, dpr, dots, numThreads, vector);
        painter.save();
        painter.setClipRect(box);
        painter.translate(box.topLeft());
        painter.scale(1 / kUnitsPerPoint, 1 / kUnitsPerPoint);
        paintContours(painter, layer.data, layer.style, layer.view, numThreads);
        painter.restore();
        return;
    }
    if (vector)
    {
        painter.save();
        painter.translate(box.topLeft());
        painter.scale(1 / kUnitsPerPoint, 1 / kUnitsPerPoint);
        paintVectorDots(painter, layer.data, layer.style, layer.view);
        painter.restore();
        return;
    }
    ScatterPainter scatter;
    ScatterPicture picture = scatter.paint(layer.data, layer.style, layer.view, dpr / kUnitsPerPoint, numThreads);
    if (picture.image.isNull())
        return;
    picture.image.setDevicePixelRatio(1);
    painter.drawImage(box, picture.image.convertToFormat(QImage::Format_RGB32)); // opaque: small in a PDF
}

/// The legend at the largest size that leaves the map its place, or none in a figure too small for it.
std::optional<LegendLayout> fittingLegend(const Legend& legend, QSizeF box, bool shapes)
{
    for (const double textPt : {kTextPt, 7.0, 6.0, 5.0})
    {
        LegendStyle style;
        style.textPx = textPt;
        style.card = false;
        style.maxWidth = std::max(16 * textPt, 0.3 * box.width());
        style.maxHeight = box.height();
        style.shapes = shapes;
        LegendLayout layout(legend, style);
        if (layout.size().width() <= 0.5 * box.width() && layout.size().height() <= box.height())
            return layout;
    }
    return std::nullopt;
}

/// One probe under its title: the confusion matrix, and the bars right below it.
void paintProbe(QPainter& painter, const QRectF& box, double dpr, const ProbeResult& result, const ModelInfo& info,
                const ChartStyle& style)
{
    const QFont bold = textFont(style.textPx, QFont::DemiBold);
    const double titleHeight = lineHeight(bold) + 4;
    const QString title =
        result.stage ? QStringLiteral("Stage %1").arg(text(stageName(*result.stage))) : QStringLiteral("Vectors");
    drawLine(painter, {box.left(), box.top(), box.width(), titleHeight}, title, bold, inks(style.theme).ink);
    const double least = std::min(70.0, 0.3 * box.height()); // of the bars
    const QRectF square(box.left(), box.top() + titleHeight, box.width(),
                        std::max(1.0, box.height() - titleHeight - least - kGap));
    const ConfusionLayout confusion(result, info, square, {style});
    confusion.paint(painter, dpr);
    // The matrix is square and may end before its box does.
    const double top = confusion.bottom() + kGap;
    const double height = std::min(box.bottom() - top, 2 * least);
    paintHeadAccuracy(painter, {box.left(), top, box.width(), height}, result, info, style);
}

/// Probes side by side, three in a line.
void paintProbes(QPainter& painter, const QRectF& box, double dpr, std::span<const ProbeResult> results,
                 const ModelInfo& info, const ChartStyle& style)
{
    const std::size_t columns = std::min<std::size_t>(3, results.size());
    const std::size_t lines = (results.size() + columns - 1) / columns;
    const double width = (box.width() - kGap * static_cast<double>(columns - 1)) / static_cast<double>(columns);
    const double height = (box.height() - kGap * static_cast<double>(lines - 1)) / static_cast<double>(lines);
    for (std::size_t i = 0; i < results.size(); ++i)
    {
        const double left = box.left() + static_cast<double>(i % columns) * (width + kGap);
        const double top = box.top() + static_cast<double>(i / columns) * (height + kGap);
        paintProbe(painter, {left, top, width, height}, dpr, results[i], info, style);
    }
}

QString stagesText(std::span<const Heatmap> heatmaps)
{
    QStringList stages;
    for (const Heatmap& heatmap : heatmaps)
        stages << text(stageName(heatmap.stage));
    return stages.join(QStringLiteral(", "));
}

QString counted(std::int64_t count, const QString& what)
{
    return groupedNumber(count) + QLatin1Char(' ') + what + (count == 1 ? QString() : QStringLiteral("s"));
}

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
    const QString unit = text(unitName(map.stage));
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

} // namespace

QString mapCaption(const HeadMap& map, const ModelInfo& info)
{
    QString caption =
        QStringLiteral("t-SNE of %1 of %2 (stage %3, layer %4): perplexity %5, %6 iterations, seed %7")
            .arg(pointsText(map), modelName(info), text(stageName(map.stage)), QString::number(map.layer.value()),
                 perplexityText(map.options), QString::number(map.iteration), QString::number(map.options.seed));
    if (map.options.metric != Metric::Euclidean)
        caption += QStringLiteral(", %1").arg(text(metricName(map.options.metric)));
    if (std::isfinite(map.kl) && map.iteration > 0)
        caption += QStringLiteral(", KL %1").arg(shortNumber(map.kl));
    if (map.leftOut > 0)
        caption += QStringLiteral("; %1 rows without finite values left out").arg(groupedNumber(map.leftOut));
    return caption + QStringLiteral(". Distances between clusters carry no meaning.");
}

QString heatmapCaption(const Heatmap& heatmap, const ModelInfo& info)
{
    const QString sorted = heatmap.options.sortBy == -1 ? QStringLiteral("sorted by the full vector")
                           : heatmap.options.sortBy >= 0
                               ? QStringLiteral("sorted by %1 %2")
                                     .arg(text(unitName(heatmap.stage)), QString::number(heatmap.options.sortBy + 1))
                           : heatmap.options.sortBy == -3 ? QStringLiteral("like ones together")
                                                          : QStringLiteral("in index order");
    QString caption = QStringLiteral("Cosine of each document with its own topic, for the full vector and each %1 of "
                                     "%2 (layer %3); %4 documents of %5 topics, %6 inside a topic")
                          .arg(text(unitName(heatmap.stage)), modelName(info), QString::number(heatmap.layer.value()),
                               groupedNumber(heatmap.values.cols()),
                               groupedNumber(static_cast<qint64>(heatmap.topicNames.size())), sorted);
    if (!heatmap.fullSource.empty())
        caption += QStringLiteral("; full: %1").arg(QString::fromStdString(heatmap.fullSource));
    return caption + QLatin1Char('.');
}

QString segmentsNote(std::span<const Stage> stages)
{
    return unitName(stages) == "head" ? QString() : QStringLiteral(" Segments are slices of the output, not heads.");
}

QString probeCaption(std::span<const ProbeResult> results, const ModelInfo& info)
{
    if (results.empty())
        return {};
    const ProbeOptions& options = results.front().options;
    std::vector<Stage> stages;
    for (const ProbeResult& result : results)
        stages.push_back(result.stage.value_or(Stage::HeadOutput));
    QString caption =
        QStringLiteral("Logistic probe of the %1 index of %2: C = %3, seed %4, split by %5")
            .arg(text(unitName(stages)), modelName(info), shortNumber(options.c), QString::number(options.seed),
                 options.split == ProbeSplit::Documents ? QStringLiteral("documents") : QStringLiteral("rows"));
    if (options.control)
        caption += QStringLiteral(", labels shuffled (control)");
    return caption + QStringLiteral(". Bars: share of each %1\u2019s test rows recognised; dashed: all rows.%2")
                         .arg(text(unitName(stages)), segmentsNote(stages));
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
    fillIn(options, mapCaption(map, info),
           {{QStringLiteral("model"), modelName(info)},
            {QStringLiteral("stage"), text(stageName(map.stage))},
            {QStringLiteral("layer"), QString::number(map.layer.value())},
            {QStringLiteral("perplexity"), perplexityText(map.options)},
            {QStringLiteral("iterations"), QString::number(map.iteration)},
            {QStringLiteral("seed"), QString::number(map.options.seed)},
            {QStringLiteral("hash"), QString::fromStdString(map.hash)},
            {QStringLiteral("input"), QString::fromStdString(map.inputHash)}});
    const bool shaded = figure.mode == ScatterMode::Density || figure.mode == ScatterMode::MeanColor;
    const bool vector = format != FigureFormat::Png && !shaded && map.xy.rows() <= kMostVectorDots;
    const Drawing drawing = [&](QPainter& painter, const QRectF& box, double dpr) {
        QRectF canvas = box;
        if (figure.legend)
        {
            const double radius = MapLayer(map, figure, box.size()).radius() * dpr / kUnitsPerPoint;
            const Legend meaning =
                figure.mode == ScatterMode::Density ? densityLegend(Theme::Light) : figure.coloring.legend;
            if (const auto legend = fittingLegend(meaning, box.size(), vector || showsShapes(radius)))
            {
                canvas.setRight(box.right() - legend->size().width() - kGap);
                legend->paint(painter, {canvas.right() + kGap, box.top()});
            }
        }
        const MapLayer layer(map, figure, canvas.size());
        paintMapLayer(painter, canvas, dpr, layer, figure.numThreads, vector);
        if (figure.regions.empty() || figure.regionsView.viewSize().isEmpty())
            return;
        painter.save();
        painter.setClipRect(canvas);
        painter.translate(canvas.topLeft());
        painter.scale(1 / kUnitsPerPoint, 1 / kUnitsPerPoint);
        paintRegionLabels(painter, movedRegionLabels(figure.regions, figure.regionsView, layer.view), Theme::Light);
        painter.restore();
    };
    return exportDrawing(drawing, path, options);
}

ScaleLimits commonLimits(std::span<const Heatmap> heatmaps)
{
    ScaleLimits limits = heatmapLimits(heatmaps.front());
    for (const Heatmap& heatmap : heatmaps)
    {
        const ScaleLimits own = heatmapLimits(heatmap);
        limits = {std::min(limits.low, own.low), std::max(limits.high, own.high)};
    }
    return limits;
}

Status exportHeatmap(std::span<const Heatmap> heatmaps, const ModelInfo& info, const std::filesystem::path& path,
                     FigureOptions options, const std::optional<ScaleChoice>& scale)
{
    if (heatmaps.empty() || std::any_of(heatmaps.begin(), heatmaps.end(), [](const Heatmap& heatmap) {
            return heatmap.values.cols() == 0 || heatmap.values.rows() == 0;
        }))
        return Error{
            ErrorCode::InvalidArgument, "expected a heatmap with at least one document, found none", path.string(), {}};
    const Heatmap& last = heatmaps.back();
    fillIn(options, heatmapCaption(last, info),
           {{QStringLiteral("model"), modelName(info)},
            {QStringLiteral("stages"), stagesText(heatmaps)},
            {QStringLiteral("layer"), QString::number(last.layer.value())},
            {QStringLiteral("documents"), QString::number(last.values.cols())},
            {QStringLiteral("seed"), QString::number(last.options.seed)},
            {QStringLiteral("input"), QString::fromStdString(last.inputHash)}});
    HEADSCOPE_TRY(const FigureFormat format, figureFormat(path));
    const bool vector = format != FigureFormat::Png;
    const Drawing drawing = [&](QPainter& painter, const QRectF& box, double dpr) {
        HeatmapStyle style;
        style.textPx = kTextPt;
        style.scale = scale ? scaleOf(*scale, Theme::Light) : heatmapScale(commonLimits(heatmaps), Theme::Light);
        // The last one carries letters and key; it gets their height on top of its share.
        const HeatmapLayout probe(last, info, box, style);
        const double keyHeight = box.bottom() - probe.plot().bottom();
        const auto count = static_cast<double>(heatmaps.size());
        const double each = std::max(1.0, (box.height() - keyHeight - kGap * (count - 1)) / count);
        double top = box.top();
        for (std::size_t i = 0; i < heatmaps.size(); ++i)
        {
            style.key = i + 1 == heatmaps.size();
            style.colorBar = i == 0;
            const QRectF part(box.left(), top, box.width(), style.key ? box.bottom() - top : each);
            const HeatmapLayout layout(heatmaps[i], info, part, style);
            // Where the file does not fix the pixels, every document gets at least one of its own.
            layout.paint(painter, vector ? dpr * std::max(1.0, std::ceil(layout.columnsPerPixel(dpr))) : dpr);
            top += each + kGap;
        }
    };
    return exportDrawing(drawing, path, options);
}

Status exportHeatmap(const Heatmap& heatmap, const ModelInfo& info, const std::filesystem::path& path,
                     FigureOptions options)
{
    return exportHeatmap(std::span<const Heatmap>(&heatmap, 1), info, path, std::move(options));
}

Status exportProbe(std::span<const ProbeResult> results, const ModelInfo& info, const std::filesystem::path& path,
                   FigureOptions options)
{
    if (results.empty())
        return Error{ErrorCode::InvalidArgument, "expected at least one probe result, found none", path.string(), {}};
    QStringList accuracies;
    for (const ProbeResult& result : results)
        accuracies << QString::number(result.accuracy, 'f', 4);
    fillIn(options, probeCaption(results, info),
           {{QStringLiteral("model"), modelName(info)},
            {QStringLiteral("accuracy"), accuracies.join(QStringLiteral(", "))},
            {QStringLiteral("seed"), QString::number(results.front().options.seed)},
            {QStringLiteral("input"), QString::fromStdString(results.front().inputHash)}});
    const Drawing drawing = [&](QPainter& painter, const QRectF& box, double dpr) {
        ChartStyle style;
        style.textPx = kTextPt;
        const double top = box.top() + paintTable(painter, box, probeTable(results, info), style) + kGap;
        paintProbes(painter, {box.left(), top, box.width(), box.bottom() - top}, dpr, results, info, style);
    };
    return exportDrawing(drawing, path, options);
}

} // namespace headscope::viz
