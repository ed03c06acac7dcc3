// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QColor>

namespace headscope::viz
{

/// A colour in CIELAB, for the white of sRGB (D65).
struct CieLab
{
    double lightness = 0; ///< 0 black .. 100 white
    double a = 0;
    double b = 0;
};

[[nodiscard]] CieLab toCieLab(const QColor& color);

/// Delta E 2000: about 1 is just noticeable side by side; dots apart from each other need some ten.
/// @source CIE 142-2001, as written down by Sharma, Wu & Dalal, Color Research & Application 30(1), 2005
///         (doi 10.1002/col.20070)
[[nodiscard]] double deltaE2000(const CieLab& one, const CieLab& other);

/// A colour as it looks to normal, to green-blind and to red-blind eyes.
struct ThreeSights
{
    CieLab normal;
    CieLab deuteranope;
    CieLab protanope;
};

[[nodiscard]] ThreeSights sightsOf(const QColor& color);
/// The smallest Delta E 2000 among the three sights.
[[nodiscard]] double leastDeltaE(const ThreeSights& one, const ThreeSights& other);

} // namespace headscope::viz
