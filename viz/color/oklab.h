// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QColor>

namespace headscope::viz
{

/// A colour in the OKLab space: equal steps look about equally large.
struct Oklab
{
    double lightness = 0; ///< 0 black .. 1 white
    double a = 0;         ///< green (-) to red (+)
    double b = 0;         ///< blue (-) to yellow (+)
};

/// The same space in polar form.
struct Oklch
{
    double lightness = 0;
    double chroma = 0; ///< 0 grey .. about 0.32 at the edge of sRGB
    double hueDeg = 0; ///< 0..360
};

/// Kinds of colour blindness that the palettes are checked under.
enum class Deficiency
{
    Deuteranopia,
    Protanopia,
    Tritanopia,
};

/// @source Björn Ottosson, "A perceptual color space for image processing", 2020
///         (https://bottosson.github.io/posts/oklab)
[[nodiscard]] Oklab toOklab(const QColor& color);
[[nodiscard]] Oklch toOklch(const QColor& color);
/// The sRGB colour; where the chroma lies outside sRGB it is lowered until the colour fits, so
/// that hue and lightness hold.
[[nodiscard]] QColor fromOklch(const Oklch& color);
/// The sRGB colour, each channel cut at its limits.
[[nodiscard]] QColor fromOklab(const Oklab& color);
/// As fromOklab, opaque, for millions of pixels: the curve of sRGB from a table, within one step of
/// 8 bits.
[[nodiscard]] QRgb pixelFromOklab(const Oklab& color);
/// Euclidean distance in OKLab; about 0.02 is just noticeable side by side.
[[nodiscard]] double colorDistance(const QColor& one, const QColor& other);
/// A mix in OKLab: share 0 gives `one`, 1 gives `other`.
[[nodiscard]] QColor mixed(const QColor& one, const QColor& other, double share);

/// What a person with this deficiency sees.
/// @source Machado, Oliveira & Fernandes, IEEE TVCG 15(6), 2009 (doi 10.1109/TVCG.2009.113), severity 1.0, in
///         linear sRGB
[[nodiscard]] QColor simulated(const QColor& color, Deficiency deficiency);

/// Contrast ratio of WCAG 2.1, 1 (none) to 21.
[[nodiscard]] double contrastRatio(const QColor& one, const QColor& other);
/// Letters of a colour on a ground: `color`, or as little of `ink` in it as gives them a contrast of 4.5.
[[nodiscard]] QColor readableOn(const QColor& ground, const QColor& color, const QColor& ink);
/// Black or white, whichever reads better on this colour.
[[nodiscard]] QColor textColorOn(const QColor& background);

} // namespace headscope::viz
