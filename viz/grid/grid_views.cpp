// SPDX-License-Identifier: GPL-3.0-or-later
#include "viz/grid/grid_views.h"

#include <algorithm>

namespace headscope::viz
{
namespace
{

constexpr double kMarginPx = 6;

} // namespace

std::vector<ViewTransform> fittedViews(const HeadMapSet& set, const GridContents& contents, QSizeF box)
{
    std::vector<ViewTransform> views;
    views.reserve(contents.cells.size());
    for (const GridCell& cell : contents.cells)
        views.push_back(
            ViewTransform::fit(dataBounds(set.maps[cell.map].map.xy.values()).value_or(QRectF()), box, kMarginPx));
    return views;
}

ViewTransform alikeView(const ViewTransform& view, const ViewTransform& fit, const ViewTransform& otherFit)
{
    const double zoom = view.scale() / fit.scale();
    const QPointF aside = (view.centre() - fit.centre()) * (fit.scale() / otherFit.scale());
    return {otherFit.centre() + aside, otherFit.scale() * zoom, otherFit.viewSize()};
}

bool anythingToSee(const HeadMapSet& set)
{
    return std::any_of(set.maps.begin(), set.maps.end(),
                       [](const MapOfSet& each) { return dataBounds(each.map.xy.values()).has_value(); });
}

} // namespace headscope::viz
