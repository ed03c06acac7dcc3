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
/// own: how far a t-SNE spreads says nothing, and one that stays small would be a speck.
[[nodiscard]] std::vector<ViewTransform> fittedViews(const HeadMapSet& set, const GridContents& contents, QSizeF box);

/// The view that is to `otherFit` what `view` is to `fit`: as far zoomed in, as many pixels aside.
/// Fitted views of the same size.
[[nodiscard]] ViewTransform alikeView(const ViewTransform& view, const ViewTransform& fit,
                                      const ViewTransform& otherFit);

/// Whether any map of a set has a finite point.
[[nodiscard]] bool anythingToSee(const HeadMapSet& set);

} // namespace headscope::viz
