// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "viz/color/color_map.h"
#include "viz/color/inks.h"

#include <QColor>

#include <array>
#include <cstddef>
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

/// The limits widened to round numbers of at most two digits.
[[nodiscard]] ScaleLimits roundedOutwards(ScaleLimits limits);

/// What a user chooses of a scale; the colours follow from the theme.
struct ScaleChoice
{
    enum class Kind
    {
        Diverging,  ///< blue below the centre, red above
        Sequential, ///< from low to high values
    };
    Kind kind = Kind::Diverging;
    ScaleLimits limits;
    double centre = 0.5; ///< of Diverging; inside the limits
    bool operator==(const ScaleChoice&) const = default;
};

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

/// The scale that was chosen, in the colours of a theme.
[[nodiscard]] ColorScale scaleOf(const ScaleChoice& choice, InkTheme theme);

/// A scale made ready for many values: the same colours as ColorScale::color, a few nanoseconds each.
/// @threads a value; reentrant
class ColorTable
{
public:
    /// @param wash  0..1, how far every colour is moved towards `towards`, to mute what is not selected
    explicit ColorTable(const ColorScale& scale, double wash = 0, QColor towards = {});
    /// Colour of a finite value.
    [[nodiscard]] QRgb operator()(double value) const
    {
        const double inside = value < m_limits.low ? m_limits.low : value > m_limits.high ? m_limits.high : value;
        double place = m_start + (inside - m_origin) / m_extent;
        place = place < 0 ? 0.0 : place > 1 ? 1.0 : place;
        return m_steps[static_cast<std::size_t>(place * (ColorMap::kSteps - 1) + 0.5)];
    }

private:
    ScaleLimits m_limits;
    double m_start = 0;
    double m_origin = 0;
    double m_extent = 1;
    std::array<QRgb, ColorMap::kSteps> m_steps{};
};

} // namespace headscope::viz
