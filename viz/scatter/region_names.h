// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "viz/scatter/region_labels.h"

#include <functional>
#include <vector>

namespace headscope::viz
{

/// The names of regions over a canvas, placed again only after something has moved.
class RegionNames
{
public:
    void set(std::vector<Region> regions);
    /// @return whether that is a change
    bool setShown(bool shown);
    [[nodiscard]] bool shown() const { return m_shown; }
    /// The view, or what the names have to avoid, is another.
    void drop() { m_stale = true; }

    /// The names as they are in the view; none while they are not shown.
    /// @param avoid  asked where the names have to be placed again
    /// @note needs a QGuiApplication (fonts)
    const std::vector<RegionLabel>& labels(const ViewTransform& view,
                                           const std::function<std::vector<QRectF>()>& avoid);
    /// As they were placed last.
    [[nodiscard]] const std::vector<RegionLabel>& placed() const { return m_labels; }

private:
    std::vector<Region> m_regions;
    std::vector<RegionLabel> m_labels;
    bool m_stale = true;
    bool m_shown = false;
};

} // namespace headscope::viz
