// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "model/base/job_context.h"
#include "model/base/result.h"
#include "viz/color/inks.h"
#include "viz/geometry/view_transform.h"
#include "viz/scatter/marker.h"

#include <QImage>

#include <cstdint>
#include <memory>
#include <optional>
#include <span>

class QPainter;

namespace headscope::viz
{

/// What a point is to the picture.
enum class PointState : std::uint8_t
{
    Hidden, ///< not drawn at all (isolated away in the legend, filtered out)
    Dimmed, ///< pale grey, beneath: not chosen
    Shown,
};

/// The points of a picture; the spans must outlive the call. An empty span stands for equal values.
struct ScatterData
{
    std::span<const float> xy;            ///< [P, 2]
    std::span<const std::uint16_t> index; ///< [P] into colors, each below C; empty = all 0
    std::span<const QRgb> colors;         ///< [C], opaque
    std::span<const MarkerShape> shapes;  ///< [C]; empty = circles
    std::span<const PointState> states;   ///< [P]; empty = all shown
    /// Drawn last, larger and with a ring: the other heads of the chosen document.
    std::span<const std::int64_t> marked;
    /// Drawn above these, larger still: the point under the pointer or chosen itself.
    std::optional<std::int64_t> focus;
};

enum class ScatterMode
{
    Dots,      ///< every point a marker; colours mix where markers overlap
    Density,   ///< how many points, whatever their colour; shades are ranked (histogram-equalised)
    MeanColor, ///< the mean colour of the points at a place, paler where few lie
    Contours,  ///< pale dots, and around every colour the densest places that hold 50 and 90% of it
};

struct ScatterStyle
{
    InkTheme theme = InkTheme::Light;
    ScatterMode mode = ScatterMode::Dots;
    double radiusPx = 0;      ///< logical pixels; 0 = automatic from points per pixel
    double opacity = 0;       ///< of one dot, 0..1; 0 = automatic
    double scaleGain = 1;     ///< scale of the view over that of the whole map: closer views get larger dots
    bool transparent = false; ///< no background: the picture is a layer of a figure
};

/// What a picture shows, for the line under it.
struct ScatterCounts
{
    std::int64_t points = 0;  ///< P
    std::int64_t drawn = 0;   ///< shown or dimmed ones in view
    std::int64_t outside = 0; ///< beyond the edges of the view
    std::int64_t hidden = 0;
    std::int64_t notFinite = 0; ///< left out, because a coordinate is NaN or infinite
    double radiusPx = 0;        ///< as used, logical pixels
    double opacity = 0;         ///< as used

    /// Adds the points of another picture; radius and opacity stay.
    ScatterCounts& operator+=(const ScatterCounts& other)
    {
        points += other.points;
        drawn += other.drawn;
        outside += other.outside;
        hidden += other.hidden;
        notFinite += other.notFinite;
        return *this;
    }
};

struct ScatterPicture
{
    QImage image; ///< size x dpr, premultiplied ARGB, devicePixelRatio set
    ScatterCounts counts;
};

/// Points to pixels on the CPU.
///
/// The picture is cut into bands of rows; points are binned by band and each band is drawn by one
/// thread. A pixel sums, over the dots that touch it, optical depth and depth-weighted colour, so
/// the order of the points does not matter and no class hides another; its opacity is
/// 1 - exp(-depth), which gives a lone dot exactly its coverage times the dot's opacity.
/// @threads one paint at a time per object, which keeps its buffers between frames; the picture is
///          the same, bit for bit, for any number of threads
/// @cost    320,000 points at 1600x1200: measured by tests/bench/bench_scatter
class ScatterPainter
{
public:
    ScatterPainter();
    ~ScatterPainter();
    ScatterPainter(ScatterPainter&&) noexcept;
    ScatterPainter& operator=(ScatterPainter&&) noexcept;

    /// @param view     in logical pixels of the picture
    /// @param dpr      device pixels per logical pixel, for example 1, 1.5, 2
    /// @param numThreads  at least 1
    /// An empty size gives a null image. Needs no font and no QGuiApplication.
    [[nodiscard]] ScatterPicture paint(const ScatterData& data, const ScatterStyle& style, const ViewTransform& view,
                                       double dpr, int numThreads);
    /// The same, of a worker: before each block of points or rows it asks the job whether to stop.
    /// @return cancelled() if it was stopped: nothing is shown
    [[nodiscard]] Result<ScatterPicture> paint(const ScatterData& data, const ScatterStyle& style,
                                               const ViewTransform& view, double dpr, int numThreads,
                                               const JobContext& job);

private:
    struct Scratch;
    std::unique_ptr<Scratch> m_scratch;
};

/// Dot radius in logical pixels for `points` points in a view of `viewArea` logical pixels: few points are drawn
/// large, many points as small as a pixel can show (as regl-scatterplot and Embedding Atlas do).
/// @param scaleGain  how far the view is zoomed in against the whole map (1 = all of it)
[[nodiscard]] double automaticRadius(std::int64_t points, double viewArea, double scaleGain = 1.0);
/// Whether dots of this radius, in device pixels, show their shapes; smaller ones are all round.
[[nodiscard]] bool showsShapes(double deviceRadiusPx);
/// What automaticOpacity() gives a lone dot.
inline constexpr double kMaxAutomaticOpacity = 0.85;
/// Opacity of one dot of this radius, so that dense places stay readable.
[[nodiscard]] double automaticOpacity(std::int64_t points, double viewArea, double radiusPx);

/// The marked points and the focus alone, as vector shapes: for figures and for a view that keeps
/// its picture of all points and moves only the marks. Logical pixels.
void paintMarks(QPainter& painter, const ScatterData& data, const ScatterStyle& style, const ViewTransform& view,
                double radiusPx);

/// Every point as a vector shape, at its automatic size: for figures of few points. Which of two dots lies above is
/// drawn by lot, the same for every figure, so that dense places look like those of ScatterPainter.
void paintVectorDots(QPainter& painter, const ScatterData& data, const ScatterStyle& style, const ViewTransform& view);

} // namespace headscope::viz
