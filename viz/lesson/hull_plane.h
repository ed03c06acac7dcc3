// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "viz/lesson/lesson_parts.h"

#include <QPointF>
#include <QString>

#include <cstdint>
#include <span>
#include <vector>

namespace headscope::viz
{

/// The value vectors that a token may read, in the plane of their two largest principal components, with the outputs
/// of a group's heads among them.
struct HullPlane
{
    ModelInfo model;
    std::vector<QPointF> values;     ///< [n]
    std::vector<QString> tokens;     ///< [n]
    std::vector<QPointF> outputs;    ///< [G]
    std::vector<std::int64_t> heads; ///< [G] from 0
    double share = 0;                ///< of the variance of the values that the plane keeps
};

/// The corners of the smallest convex shape around points, in order; fewer than three where they lie on a line.
[[nodiscard]] std::vector<std::size_t> convexHull(std::span<const QPointF> points);
/// Whether a point lies in the hull of points, or no further than `slack` outside of it.
[[nodiscard]] bool isInHull(std::span<const QPointF> points, const std::vector<std::size_t>& hull, QPointF point,
                            double slack);

/// Both directions have one scale. Names of tokens that would lie over each other are left out.
void paintHullPlane(QPainter& painter, const HullPlane& plane, const QRectF& box, const LessonStyle& style);
[[nodiscard]] double hullPlaneHeight(const HullPlane& plane, double width, const LessonStyle& style);
[[nodiscard]] QString hullPlaneWords(const HullPlane& plane);

} // namespace headscope::viz
