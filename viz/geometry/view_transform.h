// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QPointF>
#include <QRectF>
#include <QSizeF>

#include <cstdint>
#include <optional>
#include <span>

namespace headscope::viz
{

/// Where a map lies in a view: data <-> logical pixels. One scale for both axes, so that distances
/// keep their proportions; data y points up, pixel y down.
/// @threads an immutable value; every change gives a new one
class ViewTransform
{
public:
    /// 1 pixel per unit, data origin at the pixel origin.
    ViewTransform() = default;
    /// @param centre  data point in the middle of the view
    /// @param scale   logical pixels per data unit, above 0
    ViewTransform(QPointF centre, double scale, QSizeF view);

    /// Shows all of `data` (its QRectF in data units, any orientation) with `marginPx` on every
    /// side. An empty or single-point rectangle gets a window of one unit around it.
    [[nodiscard]] static ViewTransform fit(const QRectF& data, QSizeF view, double marginPx = 24);

    [[nodiscard]] QPointF centre() const { return m_centre; }
    [[nodiscard]] double scale() const { return m_scale; }
    [[nodiscard]] QSizeF viewSize() const { return m_view; }
    [[nodiscard]] QPointF screenFromData(QPointF data) const;
    [[nodiscard]] QPointF dataFromScreen(QPointF pixel) const;
    /// The part of the data plane in view; top() is the smallest y.
    [[nodiscard]] QRectF visibleData() const;
    /// A rectangle of data units from one of pixels, normalised.
    [[nodiscard]] QRectF dataFromScreen(const QRectF& pixels) const;

    /// Zooms by `factor` (above 1: closer) and keeps the data under `pixel` where it is. The scale
    /// stays within 1e-9 .. 1e9.
    [[nodiscard]] ViewTransform zoomedAt(QPointF pixel, double factor) const;
    /// Moves the data by this many pixels.
    [[nodiscard]] ViewTransform panned(QPointF pixels) const;
    /// Shows this pixel rectangle as large as fits. Smaller than 4 pixels on a side: unchanged.
    [[nodiscard]] ViewTransform zoomedTo(const QRectF& pixels) const;
    /// The same centre in a view of another size; the shorter side shows as much as before.
    [[nodiscard]] ViewTransform resized(QSizeF view) const;
    /// Between two views for an animation: t 0 is this one, 1 the other. The scale moves evenly in
    /// its logarithm.
    [[nodiscard]] ViewTransform towards(const ViewTransform& other, double t) const;

    bool operator==(const ViewTransform&) const = default;

private:
    QPointF m_centre{0, 0};
    double m_scale = 1;
    QSizeF m_view{0, 0};
};

/// How many of the points of xy [P, 2] have a coordinate that is NaN or infinite.
[[nodiscard]] std::int64_t countNotFinite(std::span<const float> xy);

/// The smallest rectangle around the finite points of xy [P, 2], or nothing when there is none.
/// The rectangle may have no width or height. QRectF::isEmpty does not mean "no points".
[[nodiscard]] std::optional<QRectF> dataBounds(std::span<const float> xy);

} // namespace headscope::viz
