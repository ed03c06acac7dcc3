// SPDX-License-Identifier: GPL-3.0-or-later
#include "viz/color/oklab.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <numbers>

namespace headscope::viz
{
namespace
{

using Vector = std::array<double, 3>;
using Matrix3 = std::array<Vector, 3>;

constexpr double kDegree = std::numbers::pi / 180.0;

Vector operator*(const Matrix3& m, const Vector& v)
{
    Vector product{};
    for (std::size_t i = 0; i < 3; ++i)
        product[i] = m[i][0] * v[0] + m[i][1] * v[1] + m[i][2] * v[2];
    return product;
}

double linearFromSrgb(double c)
{
    return c <= 0.04045 ? c / 12.92 : std::pow((c + 0.055) / 1.055, 2.4);
}

double srgbFromLinear(double c)
{
    return c <= 0.0031308 ? 12.92 * c : 1.055 * std::pow(c, 1.0 / 2.4) - 0.055;
}

Vector linearRgb(const QColor& color)
{
    return {linearFromSrgb(color.redF()), linearFromSrgb(color.greenF()), linearFromSrgb(color.blueF())};
}

QColor colorFromLinear(const Vector& rgb)
{
    const auto channel = [](double c) {
        return static_cast<int>(std::lround(255.0 * srgbFromLinear(std::clamp(c, 0.0, 1.0))));
    };
    return {channel(rgb[0]), channel(rgb[1]), channel(rgb[2])};
}

/// Linear sRGB of a place in OKLab; channels may lie outside 0..1.
Vector linearFromOklab(const Oklab& lab)
{
    constexpr Matrix3 kConesFromLab = {
        {{1.0, 0.3963377774, 0.2158037573}, {1.0, -0.1055613458, -0.0638541728}, {1.0, -0.0894841775, -1.2914855480}}};
    constexpr Matrix3 kLinearFromCones = {{{4.0767416621, -3.3077115913, 0.2309699292},
                                           {-1.2684380046, 2.6097574011, -0.3413193965},
                                           {-0.0041960863, -0.7034186147, 1.7076147010}}};
    Vector cones = kConesFromLab * Vector{lab.lightness, lab.a, lab.b};
    for (double& c : cones)
        c = c * c * c;
    return kLinearFromCones * cones;
}

bool insideSrgb(const Vector& rgb)
{
    constexpr double kSlack = 1e-4; // less than half a step of 8 bits
    return std::all_of(rgb.begin(), rgb.end(), [](double c) { return c >= -kSlack && c <= 1.0 + kSlack; });
}

Oklab labFromLch(const Oklch& color)
{
    return {color.lightness, color.chroma * std::cos(color.hueDeg * kDegree),
            color.chroma * std::sin(color.hueDeg * kDegree)};
}

double luminance(const QColor& color)
{
    const Vector rgb = linearRgb(color);
    return 0.2126 * rgb[0] + 0.7152 * rgb[1] + 0.0722 * rgb[2];
}

} // namespace

Oklab toOklab(const QColor& color)
{
    constexpr Matrix3 kConesFromLinear = {{{0.4122214708, 0.5363325363, 0.0514459929},
                                           {0.2119034982, 0.6806995451, 0.1073969566},
                                           {0.0883024619, 0.2817188376, 0.6299787005}}};
    constexpr Matrix3 kLabFromCones = {{{0.2104542553, 0.7936177850, -0.0040720468},
                                        {1.9779984951, -2.4285922050, 0.4505937099},
                                        {0.0259040371, 0.7827717662, -0.8086757660}}};
    Vector cones = kConesFromLinear * linearRgb(color);
    for (double& c : cones)
        c = std::cbrt(c);
    const Vector lab = kLabFromCones * cones;
    return {lab[0], lab[1], lab[2]};
}

Oklch toOklch(const QColor& color)
{
    const Oklab lab = toOklab(color);
    const double hue = std::atan2(lab.b, lab.a) / kDegree;
    return {lab.lightness, std::hypot(lab.a, lab.b), hue < 0 ? hue + 360.0 : hue};
}

QColor fromOklch(const Oklch& color)
{
    const Vector wanted = linearFromOklab(labFromLch(color));
    if (insideSrgb(wanted))
        return colorFromLinear(wanted);
    double inside = 0;
    double outside = color.chroma;
    for (int i = 0; i < 24; ++i)
    {
        const double middle = (inside + outside) / 2;
        const bool fits = insideSrgb(linearFromOklab(labFromLch({color.lightness, middle, color.hueDeg})));
        (fits ? inside : outside) = middle;
    }
    return colorFromLinear(linearFromOklab(labFromLch({color.lightness, inside, color.hueDeg})));
}

QColor fromOklab(const Oklab& color)
{
    return colorFromLinear(linearFromOklab(color));
}

QRgb pixelFromOklab(const Oklab& color)
{
    constexpr std::size_t kEntries = 4096;
    static const auto kChannel = [] {
        std::array<std::uint8_t, kEntries + 1> table{};
        for (std::size_t i = 0; i < table.size(); ++i)
        {
            const double root = static_cast<double>(i) / kEntries; // of the linear value: finer in the dark
            table[i] = static_cast<std::uint8_t>(std::lround(255.0 * srgbFromLinear(root * root)));
        }
        return table;
    }();
    const auto channel = [](double linear) {
        return static_cast<int>(
            kChannel[static_cast<std::size_t>(kEntries * std::sqrt(std::clamp(linear, 0.0, 1.0)) + 0.5)]);
    };
    const Vector rgb = linearFromOklab(color);
    return qRgb(channel(rgb[0]), channel(rgb[1]), channel(rgb[2]));
}

double colorDistance(const QColor& one, const QColor& other)
{
    const Oklab p = toOklab(one);
    const Oklab q = toOklab(other);
    return std::hypot(p.lightness - q.lightness, p.a - q.a, p.b - q.b);
}

QColor mixed(const QColor& one, const QColor& other, double share)
{
    const Oklab p = toOklab(one);
    const Oklab q = toOklab(other);
    return fromOklab(
        {std::lerp(p.lightness, q.lightness, share), std::lerp(p.a, q.a, share), std::lerp(p.b, q.b, share)});
}

QColor simulated(const QColor& color, Deficiency deficiency)
{
    constexpr Matrix3 kDeuteranopia = {
        {{0.367322, 0.860646, -0.227968}, {0.280085, 0.672501, 0.047413}, {-0.011820, 0.042940, 0.968881}}};
    constexpr Matrix3 kProtanopia = {
        {{0.152286, 1.052583, -0.204868}, {0.114503, 0.786281, 0.099216}, {-0.003882, -0.048116, 1.051998}}};
    constexpr Matrix3 kTritanopia = {
        {{1.255528, -0.076749, -0.178779}, {-0.078411, 0.930809, 0.147602}, {0.004733, 0.691367, 0.303900}}};
    switch (deficiency)
    {
    case Deficiency::Deuteranopia:
        return colorFromLinear(kDeuteranopia * linearRgb(color));
    case Deficiency::Protanopia:
        return colorFromLinear(kProtanopia * linearRgb(color));
    case Deficiency::Tritanopia:
        return colorFromLinear(kTritanopia * linearRgb(color));
    }
    return color;
}

double contrastRatio(const QColor& one, const QColor& other)
{
    const double a = luminance(one);
    const double b = luminance(other);
    return (std::max(a, b) + 0.05) / (std::min(a, b) + 0.05);
}

QColor readableOn(const QColor& ground, const QColor& color, const QColor& ink)
{
    constexpr double kContrast = 4.5;
    QColor made = color;
    for (int step = 1; step <= 10 && contrastRatio(made, ground) < kContrast; ++step)
        made = mixed(color, ink, 0.1 * step);
    return made;
}

QColor textColorOn(const QColor& background)
{
    const QColor white(255, 255, 255);
    const QColor black(0, 0, 0);
    return contrastRatio(white, background) >= contrastRatio(black, background) ? white : black;
}

} // namespace headscope::viz
