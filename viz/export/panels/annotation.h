// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "model/base/result.h"

#include <QPointF>
#include <QRectF>
#include <QString>

#include <functional>
#include <optional>
#include <span>

class QPainter;

namespace headscope::viz
{

/// A place on a figure.
struct AnnotationPoint
{
    QPointF at;         ///< shares of the figure's content from its top left corner; on a map its coordinates
    bool onMap = false; ///< moves with the map's window
};

/// What its maker writes onto a figure.
struct Annotation
{
    enum class Kind
    {
        Label, ///< a text around `from`
        Arrow, ///< a text at `from`, and an arrow from there to `to`
        Box,   ///< a frame with the corners `from` and `to`, its text at the upper edge
    };

    Kind kind = Kind::Label;
    AnnotationPoint from;
    AnnotationPoint to{};
    QString text; ///< one line; of a box it may be empty
};

/// Where a place of a map lies on the page; nothing: outside of what is drawn.
using MapPlace = std::function<std::optional<QPointF>(QPointF map)>;

/// Whether every annotation lies inside the figure.
/// @param place  empty: the figure has no map
/// @errors WrongUse
[[nodiscard]] Status checkAnnotations(std::span<const Annotation> annotations, const MapPlace& place = {});
/// Paints annotations over a figure: dark lines and letters with a light rim, whatever lies below. A text that would
/// leave the figure is moved inside.
/// @param box  of the figure's content, in points
void paintAnnotations(QPainter& painter, const QRectF& box, std::span<const Annotation> annotations,
                      const MapPlace& place = {});

} // namespace headscope::viz
