// SPDX-License-Identifier: GPL-3.0-or-later
#include "viz/scatter/scatter_painter.h"

#include "model/base/random.h"
#include "viz/scatter/contours.h"
#include "viz/scatter/density_layer.h"
#include "viz/scatter/dot_layer.h"

#include <QPainter>
#include <QPen>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <numbers>
#include <utility>

namespace headscope::viz
{
namespace
{

constexpr double kSmallestRadiusPx = 0.6;
constexpr double kLargestRadiusPx = 5.0;
/// Dots of a whole map may cover this share of the view. Maps fill about a quarter of it, so that
/// points inside a cluster just touch.
constexpr double kCoveredShare = 0.35;
constexpr double kClusterShare = 0.25;
constexpr int kMaxPixels = 32'000; ///< a side; positions are kept in 16 bits

QColor colorOf(const ScatterData& data, std::int64_t point)
{
    if (data.colors.empty())
        return Qt::black;
    const std::size_t index = data.index.empty() ? 0 : data.index[static_cast<std::size_t>(point)];
    return QColor(data.colors[std::min(index, data.colors.size() - 1)]);
}

MarkerShape shapeOf(const ScatterData& data, std::int64_t point)
{
    if (data.shapes.empty() || data.index.empty())
        return MarkerShape::Circle;
    const std::size_t color = data.index[static_cast<std::size_t>(point)];
    return color < data.shapes.size() ? data.shapes[color] : MarkerShape::Circle;
}

/// The point's place on the view, or nothing when it has none.
std::optional<QPointF> placeOf(const ScatterData& data, const ViewTransform& view, std::int64_t point)
{
    const auto i = static_cast<std::size_t>(point);
    if (point < 0 || 2 * i + 1 >= data.xy.size())
        return std::nullopt;
    const QPointF place(static_cast<double>(data.xy[2 * i]), static_cast<double>(data.xy[2 * i + 1]));
    if (!std::isfinite(place.x()) || !std::isfinite(place.y()))
        return std::nullopt;
    return view.screenFromData(place);
}

bool touchesView(const ViewTransform& view, QPointF place, double radius)
{
    return place.x() > -radius && place.y() > -radius && place.x() < view.viewSize().width() + radius &&
           place.y() < view.viewSize().height() + radius;
}

double usedRadius(const ScatterData& data, const ScatterStyle& style, const ViewTransform& view)
{
    const double area = view.viewSize().width() * view.viewSize().height();
    return style.radiusPx > 0 ? style.radiusPx
                              : automaticRadius(static_cast<std::int64_t>(data.xy.size() / 2), area, style.scaleGain);
}

double usedOpacity(const ScatterData& data, const ScatterStyle& style, const ViewTransform& view, double radiusPx)
{
    const double area = view.viewSize().width() * view.viewSize().height() * style.scaleGain * style.scaleGain;
    return style.opacity > 0 ? std::min(1.0, style.opacity)
                             : automaticOpacity(static_cast<std::int64_t>(data.xy.size() / 2), area, radiusPx);
}

} // namespace

struct ScatterPainter::Scratch
{
    DotLayer dots;
    DensityLayer density;
    MeanColorLayer meanColor;
    /// The last picture: its memory is used again once nobody shows it any more, because fresh pages
    /// have to be cleared by the system first.
    QImage last;
};

ScatterPainter::ScatterPainter() : m_scratch(std::make_unique<Scratch>()) {}
ScatterPainter::~ScatterPainter() = default;
ScatterPainter::ScatterPainter(ScatterPainter&&) noexcept = default;
ScatterPainter& ScatterPainter::operator=(ScatterPainter&&) noexcept = default;

ScatterPicture ScatterPainter::paint(const ScatterData& data, const ScatterStyle& style, const ViewTransform& view,
                                     double dpr, int numThreads)
{
    return std::move(paint(data, style, view, dpr, numThreads, JobContext()).value()); // never stopped
}

Result<ScatterPicture> ScatterPainter::paint(const ScatterData& data, const ScatterStyle& style,
                                             const ViewTransform& view, double dpr, int numThreads,
                                             const JobContext& job)
{
    ScatterPicture picture;
    const auto width = static_cast<int>(std::lround(std::min(1e6, view.viewSize().width() * dpr)));
    const auto height = static_cast<int>(std::lround(std::min(1e6, view.viewSize().height() * dpr)));
    if (width <= 0 || height <= 0 || width > kMaxPixels || height > kMaxPixels)
        return picture;
    picture.image = std::move(m_scratch->last);
    m_scratch->last = QImage();
    if (picture.image.size() != QSize(width, height) || !picture.image.isDetached())
        picture.image = QImage(width, height, QImage::Format_ARGB32_Premultiplied);
    if (picture.image.isNull())
        return picture;
    picture.counts.points = static_cast<std::int64_t>(data.xy.size() / 2);
    picture.counts.radiusPx = usedRadius(data, style, view);
    picture.counts.opacity = usedOpacity(data, style, view, picture.counts.radiusPx);
    const DeviceTransform transform(view, dpr);
    const double deviceRadius = picture.counts.radiusPx * dpr;
    const int threads = std::max(1, numThreads);
    if (style.mode == ScatterMode::Density)
        m_scratch->density.paint(picture.image, data, transform, deviceRadius, style, threads, picture.counts, job);
    else if (style.mode == ScatterMode::MeanColor)
        m_scratch->meanColor.paint(picture.image, data, transform, deviceRadius, style, threads, picture.counts, job);
    else
    {
        if (style.mode == ScatterMode::Contours)
            picture.counts.opacity *= kBehindContours;
        m_scratch->dots.paint(picture.image, data, transform, deviceRadius, picture.counts.opacity, style, threads,
                              picture.counts, job);
    }
    picture.image.setDevicePixelRatio(dpr);
    if (style.mode == ScatterMode::Contours)
    {
        QPainter painter(&picture.image);
        paintContours(painter, data, style, view, threads, job);
    }
    HEADSCOPE_CHECK(job.checkStop());
    if (!data.marked.empty() || data.focus)
    {
        QPainter painter(&picture.image);
        paintMarks(painter, data, style, view, picture.counts.radiusPx);
    }
    m_scratch->last = picture.image;
    return picture;
}

double automaticRadius(std::int64_t points, double viewArea, double scaleGain)
{
    if (points <= 0 || viewArea <= 0)
        return kLargestRadiusPx;
    const double whole = std::sqrt(kCoveredShare * viewArea / (std::numbers::pi * static_cast<double>(points)));
    // Closer views have room, but dots that grew as fast as the map would hide that it came closer.
    const double grown =
        std::clamp(whole, kSmallestRadiusPx, kLargestRadiusPx) * std::pow(std::max(1.0, scaleGain), 0.5);
    return std::clamp(grown, kSmallestRadiusPx, kLargestRadiusPx);
}

bool showsShapes(double deviceRadiusPx)
{
    constexpr double kSmallestShapePx = 2.4; // below, a shape cannot be told from a circle
    return deviceRadiusPx >= kSmallestShapePx;
}

double automaticOpacity(std::int64_t points, double viewArea, double radiusPx)
{
    if (points <= 0 || viewArea <= 0)
        return kMaxAutomaticOpacity;
    const double overlap =
        static_cast<double>(points) * std::numbers::pi * radiusPx * radiusPx / (kClusterShare * viewArea);
    return std::clamp(3.0 / std::max(1e-9, overlap), 0.08, kMaxAutomaticOpacity);
}

void paintMarks(QPainter& painter, const ScatterData& data, const ScatterStyle& style, const ViewTransform& view,
                double radiusPx)
{
    const Inks& ink = inks(style.theme);
    const double radius = std::clamp(1.5 * radiusPx + 1.5, 4.0, 8.0);
    painter.save();
    painter.setRenderHint(QPainter::Antialiasing);
    const auto mark = [&](std::int64_t point, double size, const QColor& ring, double ringWidth) {
        const auto place = placeOf(data, view, point);
        if (!place || !touchesView(view, *place, 2 * size))
            return;
        painter.setPen(Qt::NoPen);
        painter.setBrush(ink.background); // a halo sets the mark off from the crowd around it
        painter.drawEllipse(*place, size + ringWidth + 1.5, size + ringWidth + 1.5);
        painter.setBrush(ring);
        painter.drawEllipse(*place, size + ringWidth, size + ringWidth);
        painter.setBrush(colorOf(data, point));
        painter.drawEllipse(*place, size, size);
    };
    for (const std::int64_t point : data.marked)
        mark(point, radius, ink.ink, 1.0);
    if (data.focus)
        mark(*data.focus, radius + 1.5, ink.ink, 2.0);
    painter.restore();
}

void paintVectorDots(QPainter& painter, const ScatterData& data, const ScatterStyle& style, const ViewTransform& view)
{
    const double radius = usedRadius(data, style, view);
    const double opacity = usedOpacity(data, style, view, radius);
    painter.save();
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(Qt::NoPen);
    // ScatterPainter mixes the colours of dots that overlap. Here one hides another: by chance, and not because its
    // head or label comes last.
    constexpr std::uint64_t kSeed = 1;
    const auto order = permutation(static_cast<std::int64_t>(data.xy.size() / 2), CounterRandom(kSeed));
    for (const PointState layer : {PointState::Dimmed, PointState::Shown})
        for (const std::int64_t i : order)
        {
            const PointState state = data.states.empty() ? PointState::Shown : data.states[static_cast<std::size_t>(i)];
            const auto place = placeOf(data, view, i);
            if (state != layer || !place || !touchesView(view, *place, -radius)) // none cut at the border
                continue;
            QColor color = layer == PointState::Dimmed ? inks(style.theme).dimmed : colorOf(data, i);
            color.setAlphaF(static_cast<float>(opacity));
            painter.setBrush(color);
            painter.drawPath(markerPath(shapeOf(data, i), radius).translated(*place));
        }
    painter.restore();
}

} // namespace headscope::viz
