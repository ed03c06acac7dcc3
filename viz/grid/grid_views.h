// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "model/data/maps/head_map_set.h"
#include "viz/geometry/view_transform.h"
#include "viz/grid/grid_contents.h"

#include <QSizeF>

#include <vector>

namespace headscope::viz
{

/// For each cell the view that shows its map whole in a box of this size. Every map has a scale of its
/// own: the extent of a t-SNE has no meaning, and a small map would be a speck.
[[nodiscard]] std::vector<ViewTransform> fittedViews(const HeadMapSet& set, const GridContents& contents, QSizeF box);

/// The view that relates to `otherFit` as `view` does to `fit`: zoomed by the same factor, moved by as many pixels.
/// Both fits have the same size.
[[nodiscard]] ViewTransform alikeView(const ViewTransform& view, const ViewTransform& fit,
                                      const ViewTransform& otherFit);

/// Whether any map of a set has a finite point.
[[nodiscard]] bool anythingToSee(const HeadMapSet& set);

} // namespace headscope::viz
