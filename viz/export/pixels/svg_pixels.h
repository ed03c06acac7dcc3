// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "model/base/result.h"

#include <QByteArray>
#include <QImage>

namespace headscope::viz
{

/// Families that a viewer takes where it lacks ours; they follow ours in an SVG figure.
inline constexpr const char* kFallbackFamilies = ", Helvetica, Arial, sans-serif";

/// A figure that writeFigure wrote as SVG, as pixels on white.
/// @param width  pixels across, at least 1; the height follows
/// @errors BadFormat (no SVG), OutOfMemory
[[nodiscard]] Result<QImage> pixelsOfSvg(QByteArray svg, int width);

} // namespace headscope::viz
