// SPDX-License-Identifier: GPL-3.0-or-later
#include "viz/color/color_difference.h"

#include "viz/color/oklab.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>

namespace headscope::viz
{
namespace
{

constexpr double kRadian = std::numbers::pi / 180.0;

double linearChannel(double c)
{
    return c <= 0.04045 ? c / 12.92 : std::pow((c + 0.055) / 1.055, 2.4);
}

/// The cube root of CIELAB, straight near black.
double labRoot(double t)
{
    constexpr double kEdge = 6.0 / 29.0;
    return t > kEdge * kEdge * kEdge ? std::cbrt(t) : t / (3 * kEdge * kEdge) + 4.0 / 29.0;
}

double hueOf(double a, double b)
{
    if (a == 0 && b == 0)
        return 0;
    const double hue = std::atan2(b, a) / kRadian;
    return hue < 0 ? hue + 360 : hue;
}

/// C^7 / (C^7 + 25^7), under a root.
double chromaWeight(double chroma)
{
    const double seventh = std::pow(chroma, 7);
    return std::sqrt(seventh / (seventh + 6103515625.0));
}

} // namespace

CieLab toCieLab(const QColor& color)
{
    const std::array<double, 3> rgb = {linearChannel(color.redF()), linearChannel(color.greenF()),
                                       linearChannel(color.blueF())};
    const double x = (0.4124564 * rgb[0] + 0.3575761 * rgb[1] + 0.1804375 * rgb[2]) / 0.95047;
    const double y = 0.2126729 * rgb[0] + 0.7151522 * rgb[1] + 0.0721750 * rgb[2];
    const double z = (0.0193339 * rgb[0] + 0.1191920 * rgb[1] + 0.9503041 * rgb[2]) / 1.08883;
    return {116 * labRoot(y) - 16, 500 * (labRoot(x) - labRoot(y)), 200 * (labRoot(y) - labRoot(z))};
}

double deltaE2000(const CieLab& one, const CieLab& other)
{
    const double g = 0.5 * (1 - chromaWeight((std::hypot(one.a, one.b) + std::hypot(other.a, other.b)) / 2));
    const double a1 = (1 + g) * one.a;
    const double a2 = (1 + g) * other.a;
    const double c1 = std::hypot(a1, one.b);
    const double c2 = std::hypot(a2, other.b);
    const double h1 = hueOf(a1, one.b);
    const double h2 = hueOf(a2, other.b);

    const double lightness = other.lightness - one.lightness;
    const double chroma = c2 - c1;
    double turn = 0;
    double meanHue = h1 + h2;
    if (c1 * c2 != 0)
    {
        turn = h2 - h1;
        if (turn > 180)
            turn -= 360;
        else if (turn < -180)
            turn += 360;
        if (std::abs(h1 - h2) <= 180)
            meanHue = (h1 + h2) / 2;
        else
            meanHue = h1 + h2 < 360 ? (h1 + h2 + 360) / 2 : (h1 + h2 - 360) / 2;
    }
    const double hue = 2 * std::sqrt(c1 * c2) * std::sin(turn / 2 * kRadian);

    const double meanLightness = (one.lightness + other.lightness) / 2;
    const double meanChroma = (c1 + c2) / 2;
    const double t = 1 - 0.17 * std::cos((meanHue - 30) * kRadian) + 0.24 * std::cos(2 * meanHue * kRadian) +
                     0.32 * std::cos((3 * meanHue + 6) * kRadian) - 0.20 * std::cos((4 * meanHue - 63) * kRadian);
    const double middle = (meanLightness - 50) * (meanLightness - 50);
    const double weightL = 1 + 0.015 * middle / std::sqrt(20 + middle);
    const double weightC = 1 + 0.045 * meanChroma;
    const double weightH = 1 + 0.015 * meanChroma * t;
    const double bend = 30 * std::exp(-((meanHue - 275) / 25) * ((meanHue - 275) / 25));
    const double rotation = -std::sin(2 * bend * kRadian) * 2 * chromaWeight(meanChroma);
    const double l = lightness / weightL;
    const double c = chroma / weightC;
    const double h = hue / weightH;
    return std::sqrt(std::max(0.0, l * l + c * c + h * h + rotation * c * h));
}

ThreeSights sightsOf(const QColor& color)
{
    return {toCieLab(color), toCieLab(simulated(color, Deficiency::Deuteranopia)),
            toCieLab(simulated(color, Deficiency::Protanopia))};
}

double leastDeltaE(const ThreeSights& one, const ThreeSights& other)
{
    return std::min({deltaE2000(one.normal, other.normal), deltaE2000(one.deuteranope, other.deuteranope),
                     deltaE2000(one.protanope, other.protanope)});
}

} // namespace headscope::viz
