// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "viz/color/color_map.h"

#include <QColor>

#include <cstdint>
#include <optional>
#include <span>

namespace headscope::viz
{

/// Ends of a colour scale in units of the data.
struct ScaleLimits
{
    double low = 0;
    double high = 1;
    bool operator==(const ScaleLimits&) const = default;
};

/// Percentiles of the finite values, so that a few outliers do not take all colours.
/// @param lowShare, highShare  0..1, low < high
/// @return nothing when no value is finite; limits that fall together are set 1e-6 apart or more
/// @cost   O(n), one copy
[[nodiscard]] std::optional<ScaleLimits> robustLimits(std::span<const float> values, double lowShare = 0.01,
                                                      double highShare = 0.99);

/// Limits that a person would write: widened outwards to a round number of at most two digits.
[[nodiscard]] ScaleLimits roundedOutwards(ScaleLimits limits);

/// Numbers to colours.
/// @threads a value; reentrant
class ColorScale
{
public:
    ColorScale() = default;
    /// Even from low to high.
    ColorScale(ColorMap map, ScaleLimits limits);
    /// `centre` gets the map's middle; both arms have the same steepness, set by the farther limit.
    ColorScale(ColorMap map, ScaleLimits limits, double centre);

    [[nodiscard]] ScaleLimits limits() const { return m_limits; }
    [[nodiscard]] std::optional<double> centre() const { return m_centre; }
    [[nodiscard]] const ColorMap& map() const { return m_map; }
    /// Place on the map, 0..1; not a number stays so.
    [[nodiscard]] double position(double value) const;
    /// Colour of a finite value; values outside the limits get the colour of the limit.
    [[nodiscard]] QRgb color(double value) const;

private:
    ColorMap m_map;
    ScaleLimits m_limits;
    std::optional<double> m_centre;
};

} // namespace headscope::viz
