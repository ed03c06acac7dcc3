// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "viz/geometry/view_transform.h"
#include "viz/scatter/four_lanes.h"

namespace headscope::viz
{

/// Data to device pixels: x' = (x - centreX) scale + middleX, y' = middleY - (y - centreY) scale. The centre is
/// subtracted first, because a float would lose all its digits to cancellation in a deep zoom.
struct DeviceTransform
{
    float centreX = 0;
    float centreY = 0;
    float scale = 1;
    float middleX = 0;
    float middleY = 0;

    DeviceTransform() = default;
    DeviceTransform(const ViewTransform& view, double dpr)
        : centreX(static_cast<float>(view.centre().x())), centreY(static_cast<float>(view.centre().y())),
          scale(static_cast<float>(view.scale() * dpr)), middleX(static_cast<float>(view.viewSize().width() / 2 * dpr)),
          middleY(static_cast<float>(view.viewSize().height() / 2 * dpr))
    {}
    [[nodiscard]] float x(float dataX) const { return (dataX - centreX) * scale + middleX; }
    [[nodiscard]] float y(float dataY) const { return middleY - (dataY - centreY) * scale; }
    [[nodiscard]] Floats4 x(Floats4 dataX) const { return (dataX - centreX) * scale + middleX; }
    [[nodiscard]] Floats4 y(Floats4 dataY) const { return middleY - (dataY - centreY) * scale; }
};

} // namespace headscope::viz
