// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "viz/scatter/scatter_painter.h"

#include <QLineF>
#include <QList>
#include <QPolygonF>

#include <cstdint>
#include <span>
#include <vector>

namespace headscope::viz
{

/// Opacity of the dots behind contours, as a share of their opacity without contours.
constexpr double kBehindContours = 0.3;

/// Numbers on a regular grid, row by row; value (column, row) is at the middle of its cell.
struct ScalarField
{
    std::int64_t columns = 0;
    std::int64_t rows = 0;
    double cell = 1; ///< size of a cell in pixels
    std::vector<float> values;
};

/// The line on which the field has this value, as pieces that meet at cell borders (marching
/// squares; the saddle is decided by the mean of its four corners). Outside the grid the field is 0.
[[nodiscard]] QList<QLineF> contourLines(const ScalarField& field, float level);

/// Joins pieces whose ends are equal, bit for bit, to polylines as long as possible.
[[nodiscard]] QList<QPolygonF> joined(const QList<QLineF>& pieces);

/// The level above which the densest places lie that hold `share` of the whole.
[[nodiscard]] float levelHolding(const ScalarField& density, double share);

/// For every colour the density of its shown points in view, smoothed as their number and spread
/// ask for; no values for a colour of fewer than five.
/// @param cell  size of a cell in logical pixels
/// @return any values, if the job is stopped
/// @threads result independent of their number
[[nodiscard]] std::vector<ScalarField> densityByColor(const ScatterData& data, const ViewTransform& view, double cell,
                                                      int numThreads, const JobContext& job = {});

/// Draws around the points of every colour the outlines of the densest places that hold half and
/// nine tenths of them; or none, if the job is stopped.
void paintContours(QPainter& painter, const ScatterData& data, const ScatterStyle& style, const ViewTransform& view,
                   int numThreads, const JobContext& job = {});

} // namespace headscope::viz
