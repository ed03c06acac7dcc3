// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "viz/color/inks.h"
#include "viz/geometry/view_transform.h"
#include "viz/scatter/scatter_painter.h"

#include <QPointF>
#include <QRectF>
#include <QString>
#include <QStringList>

#include <cstdint>
#include <span>
#include <vector>

class QPainter;

namespace headscope::viz
{

/// A place of the map where points of one label are concentrated.
struct Region
{
    QString name;
    QPointF centre;    ///< data units: the mean place of its points
    double radius = 0; ///< data units, of the window it was found in
    double weight = 0; ///< points of the label there, times their share among all points there
};

/// The places where one of the most frequent labels dominates: windows of a grid over the map in which most documents
/// are its own, at least twice its share of the whole map (nearly all of them, where that is more than there can be)
/// and five standard deviations above it, 8 documents or more. Empty where there are none.
/// @param xy     [P, 2]; points that are not finite count nowhere
/// @param codes  [P] labels from 0; others are none
/// @param names  of the labels
/// @param documents  [P] the document of each point: its dots of several heads lie together and are one
///                   finding, not many; empty: every point is a document of its own
/// @param states  [P], or empty: all are shown. Hidden points count nowhere, either
/// @return heaviest first; at most 12 for a label, of the 60 most frequent labels
/// @cost   one pass over the points, then 60 grids of 4,096 cells
[[nodiscard]] std::vector<Region> findRegions(std::span<const float> xy, std::span<const std::int32_t> codes,
                                              const QStringList& names, std::span<const std::int32_t> documents = {},
                                              std::span<const PointState> states = {});

/// Where a region's name is in a view.
struct RegionLabel
{
    QString text;
    QRectF box;         ///< logical pixels
    double opacity = 1; ///< names fade in as their regions grow with the zoom
    bool operator==(const RegionLabel&) const = default;
};

/// Puts names at their regions, heaviest first, none over another or over `avoid`, none cut by the
/// border. Needs a QGuiApplication (fonts).
[[nodiscard]] std::vector<RegionLabel> placeRegionLabels(std::span<const Region> regions, const ViewTransform& view,
                                                         std::span<const QRectF> avoid);

/// The same names at the same places of the map in another view of it, such as a figure's, as large
/// as lets all of them be there.
/// @param from  the view they were placed in, which shows the same window of the map
[[nodiscard]] std::vector<RegionLabel> movedRegionLabels(std::span<const RegionLabel> labels, const ViewTransform& from,
                                                         const ViewTransform& to);

/// The same for paper: all names `height` units high, so that they can be read however small the view is;
/// those that would meet move up or down, and are left
/// out where there is no room for them either. All are in full ink.
[[nodiscard]] std::vector<RegionLabel> printedRegionLabels(std::span<const RegionLabel> labels,
                                                           const ViewTransform& from, const ViewTransform& to,
                                                           double height);

/// Names in ink with a halo of the background.
void paintRegionLabels(QPainter& painter, std::span<const RegionLabel> labels, InkTheme theme);

} // namespace headscope::viz
