// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "viz/export/map_layer.h"

#include <QRectF>
#include <QString>

#include <cstdint>
#include <optional>

class QPainter;

namespace headscope::viz
{

/// A part of a map that stands enlarged in a corner of it.
struct MapInset
{
    QRectF window; ///< data units
    QString what;  ///< "heads 3"; may be empty
};

/// Where an inset is on a map, and what it hides there.
struct PlacedInset
{
    QRectF box;              ///< on the page, in points
    QRectF part;             ///< what it shows, on the page
    QString corner;          ///< "top right"
    double times = 1;        ///< that it is enlarged
    std::int64_t hidden = 0; ///< points of the map below it
    std::int64_t shown = 0;  ///< points of the map in the part that it shows
};

/// Puts an inset into the corner where it hides the fewest points, and not what it shows where that can be avoided.
/// @param layer   the map on `canvas`
/// @param canvas  on the page, in points
/// @cost  O(points)
[[nodiscard]] PlacedInset placeInset(const MapInset& inset, const MapLayer& layer, const QRectF& canvas);
/// " Inset (top right): heads 3, 2.8 times as large; it covers 12 of the map's 1,728 points."
[[nodiscard]] QString insetSentence(const MapInset& inset, const PlacedInset& place, std::int64_t points);
/// Paints it over its map: a frame around what it shows, thin lines, and the enlarged part.
void paintInset(QPainter& painter, const PlacedInset& place, const MapInset& inset, const ScatterData& data,
                ScatterMode mode, double dpr, int numThreads, bool vector);

} // namespace headscope::viz
