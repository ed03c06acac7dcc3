// SPDX-License-Identifier: GPL-3.0-or-later
#include "viz/scatter/region_names.h"

#include <utility>

namespace headscope::viz
{

void RegionNames::set(std::vector<Region> regions)
{
    m_regions = std::move(regions);
    m_stale = true;
}

bool RegionNames::setShown(bool shown)
{
    if (shown == m_shown)
        return false;
    m_shown = shown;
    m_stale = true;
    return true;
}

const std::vector<RegionLabel>& RegionNames::labels(const ViewTransform& view,
                                                    const std::function<std::vector<QRectF>()>& avoid)
{
    if (!std::exchange(m_stale, false))
        return m_labels;
    m_labels.clear();
    if (m_shown)
        m_labels = placeRegionLabels(m_regions, view, avoid());
    return m_labels;
}

} // namespace headscope::viz
