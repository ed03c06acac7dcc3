// SPDX-License-Identifier: GPL-3.0-or-later
#include "viz/export/figures.h"

#include "viz/axis/legend_painter.h"
#include "viz/axis/text.h"
#include "viz/chart/probe_painter.h"

#include <QPainter>

#include <algorithm>
#include <cmath>
#include <cstddef>
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
        if (std::none_of(options.parameters.begin(), options.parameters.end(),
                         [&](const auto& given) { return given.first == parameter.first; }))
            options.parameters.push_back(parameter);
}

/// The points of a map inside `box` of a page in points.
void paintMapLayer(QPainter& painter, const QRectF& box, double dpr, const HeadMap& map, const MapFigure& figure,
                   bool vector)
{
    ScatterData data;
    data.xy = map.xy.values();
    data.index = figure.coloring.index;
    data.colors = figure.coloring.colors;
    data.shapes = figure.coloring.shapes;
    data.states = figure.states;
    const QSizeF size = box.size() * kUnitsPerPoint;
    const QRectF whole = dataBounds(data.xy).value_or(QRectF());
    const ViewTransform all = ViewTransform::fit(whole, size, 8);
    const ViewTransform view = figure.window ? ViewTransform::fit(*figure.window, size, 0) : all;
    ScatterStyle style;
    style.scaleGain = std::max(1.0, view.scale() / all.scale());
    if (vector)
    {
        painter.save();
        painter.translate(box.topLeft());
        painter.scale(1 / kUnitsPerPoint, 1 / kUnitsPerPoint);
        paintVectorDots(painter, data, style, view);
        painter.restore();
        return;
    }
    ScatterPainter scatter;
    ScatterPicture picture = scatter.paint(data, style, view, dpr / kUnitsPerPoint, figure.numThreads);
    if (picture.image.isNull())
        return;
    picture.image.setDevicePixelRatio(1);
    painter.drawImage(box, picture.image.convertToFormat(QImage::Format_RGB32)); // opaque: small in a PDF
}

QString stagesText(std::span<const Heatmap> heatmaps)
{
    QStringList stages;
    for (const Heatmap& heatmap : heatmaps)
        stages << text(stageName(heatmap.stage));
    return stages.join(QStringLiteral(", "));
}

} // namespace

QString mapCaption(const HeadMap& map, const ModelInfo& info)
{
    const std::int64_t points = map.xy.rows();
    QString caption =
        QStringLiteral("t-SNE of %1 %2s of %3 (stage %4, layer %5): perplexity %6, %7 iterations, seed %8")
            .arg(groupedNumber(points), text(unitName(map.stage)), modelName(info), text(stageName(map.stage)),
                 QString::number(map.layer.value()), perplexityText(map.options), QString::number(map.iteration),
                 QString::number(map.options.seed));
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

QString probeCaption(std::span<const ProbeResult> results, const ModelInfo& info)
{
    if (results.empty())
        return {};
    const ProbeOptions& options = results.front().options;
    QString caption =
        QStringLiteral("Logistic probe of the head index of %1: C = %2, seed %3, split by %4")
            .arg(modelName(info), shortNumber(options.c), QString::number(options.seed),
                 options.split == ProbeSplit::Documents ? QStringLiteral("documents") : QStringLiteral("rows"));
    if (options.control)
        caption += QStringLiteral(", labels shuffled (control)");
    return caption +
           QStringLiteral(". Bars: share of each head\u2019s test rows recognised; dashed: all rows. Stages 2 "
                          "and 3 are segments, not heads.");
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
    const bool vector = format != FigureFormat::Png && map.xy.rows() <= kMostVectorDots;
    const Drawing drawing = [&](QPainter& painter, const QRectF& box, double dpr) {
        QRectF canvas = box;
        if (figure.legend)
        {
            LegendStyle style;
            style.textPx = kTextPt;
            style.card = false;
            style.maxWidth = std::max(90.0, 0.3 * box.width());
            style.maxHeight = box.height();
            const LegendLayout legend(figure.coloring.legend, style);
            canvas.setRight(box.right() - legend.size().width() - kGap);
            legend.paint(painter, {canvas.right() + kGap, box.top()});
        }
        paintMapLayer(painter, canvas, dpr, map, figure, vector);
    };
    return exportDrawing(drawing, path, options);
}

Status exportHeatmap(std::span<const Heatmap> heatmaps, const ModelInfo& info, const std::filesystem::path& path,
                     FigureOptions options)
{
    if (heatmaps.empty() || std::any_of(heatmaps.begin(), heatmaps.end(), [](const Heatmap& heatmap) {
            return heatmap.values.cols() == 0 || heatmap.values.rows() == 0;
        }))
        return Error{
            ErrorCode::InvalidArgument, "expected a heatmap with at least one document, found none", path.string(), {}};
    ScaleLimits limits = heatmapLimits(heatmaps.front());
    for (const Heatmap& heatmap : heatmaps)
    {
        const ScaleLimits own = heatmapLimits(heatmap);
        limits = {std::min(limits.low, own.low), std::max(limits.high, own.high)};
    }
    const Heatmap& last = heatmaps.back();
    fillIn(options, heatmapCaption(last, info),
           {{QStringLiteral("model"), modelName(info)},
            {QStringLiteral("stages"), stagesText(heatmaps)},
            {QStringLiteral("layer"), QString::number(last.layer.value())},
            {QStringLiteral("documents"), QString::number(last.values.cols())},
            {QStringLiteral("seed"), QString::number(last.options.seed)},
            {QStringLiteral("input"), QString::fromStdString(last.inputHash)}});
    const Drawing drawing = [&](QPainter& painter, const QRectF& box, double dpr) {
        HeatmapStyle style;
        style.textPx = kTextPt;
        style.limits = limits;
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
            HeatmapLayout(heatmaps[i], info, part, style).paint(painter, dpr);
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
        double top = box.top() + paintTable(painter, box, probeTable(results), style) + kGap;
        const auto columns = static_cast<double>(std::min<std::size_t>(3, results.size()));
        const auto lines = std::ceil(static_cast<double>(results.size()) / columns);
        const double width = (box.width() - kGap * (columns - 1)) / columns;
        const double height = (box.bottom() - top - kGap * (lines - 1)) / lines;
        for (std::size_t i = 0; i < results.size(); ++i)
        {
            const auto column = static_cast<double>(i % static_cast<std::size_t>(columns));
            const auto line = std::floor(static_cast<double>(i) / columns);
            const QRectF part(box.left() + column * (width + kGap), top + line * (height + kGap), width, height);
            const QFont bold = textFont(kTextPt, QFont::DemiBold);
            const double titleHeight = lineHeight(bold) + 3;
            const ProbeResult& result = results[i];
            const QString title = result.stage ? QStringLiteral("Stage %1").arg(text(stageName(*result.stage)))
                                               : QStringLiteral("Vectors");
            drawLine(painter, {part.left(), part.top(), part.width(), titleHeight}, title, bold,
                     inks(Theme::Light).ink);
            const double bars = std::min(60.0, 0.28 * part.height());
            const QRectF square(part.left(), part.top() + titleHeight, part.width(),
                                part.height() - titleHeight - bars - 6);
            ConfusionLayout(result, info, square, style).paint(painter, dpr);
            paintHeadAccuracy(painter, {part.left(), part.bottom() - bars, part.width(), bars}, result, info, style);
        }
    };
    return exportDrawing(drawing, path, options);
}

} // namespace headscope::viz
