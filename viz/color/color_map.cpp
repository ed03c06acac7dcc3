// SPDX-License-Identifier: GPL-3.0-or-later
#include "viz/color/color_map.h"

#include "viz/color/oklab.h"

#include <algorithm>
#include <cmath>
#include <cstddef>

namespace headscope::viz
{
namespace
{

/// Samples `colorAt` (place 0..1 -> QColor) at all steps.
template <class F>
ColorMap sampled(F colorAt)
{
    std::array<QRgb, ColorMap::kSteps> steps{};
    for (std::size_t i = 0; i < steps.size(); ++i)
        steps[i] = colorAt(static_cast<double>(i) / (ColorMap::kSteps - 1)).rgb();
    return ColorMap(steps);
}

} // namespace

QRgb ColorMap::at(double t) const
{
    const double place = std::isfinite(t) ? std::clamp(t, 0.0, 1.0) : 0.0;
    return m_steps[static_cast<std::size_t>(std::lround(place * (kSteps - 1)))];
}

ColorMap sequentialMap(InkTheme theme)
{
    return sampled([theme](double t) {
        const double much = theme == InkTheme::Light ? t : 1.0 - t;
        // From yellow over green and blue to violet; chroma follows what sRGB holds at that lightness.
        return fromOklch(
            {std::lerp(0.93, 0.27, much), 0.09 + 0.06 * std::sin(3.1 * much), std::lerp(104.0, 302.0, much)});
    });
}

ColorMap divergingMap(InkTheme theme)
{
    return sampled([theme](double t) {
        const double arm = std::abs(2.0 * t - 1.0);
        const double centre = theme == InkTheme::Light ? 0.968 : 0.24;
        const double end = theme == InkTheme::Light ? 0.49 : 0.74;
        const double hue = t < 0.5 ? 257.0 : 29.0;
        const double chroma = (t < 0.5 ? 0.135 : 0.175) * std::pow(arm, 0.9);
        return fromOklch({std::lerp(centre, end, arm), chroma, hue});
    });
}

ColorMap reversed(const ColorMap& map)
{
    std::array<QRgb, ColorMap::kSteps> steps{};
    for (int i = 0; i < ColorMap::kSteps; ++i)
        steps[static_cast<std::size_t>(i)] = map.step(ColorMap::kSteps - 1 - i);
    return ColorMap(steps);
}

ColorMap greyMap(InkTheme theme)
{
    return sampled([theme](double t) { return mixed(inks(theme).background, inks(theme).ink, t); });
}

} // namespace headscope::viz
