// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QImage>

namespace headscope::viz
{

/// How a picture is looked at.
enum class ColorVision
{
    Usual,
    Grey, ///< printed without colours
    Deuteranopia,
    Protanopia,
    Tritanopia,
};

/// The picture as it looks then; alpha stays.
/// @cost one pass; each colour is converted once
[[nodiscard]] QImage seenWith(const QImage& image, ColorVision sight);

} // namespace headscope::viz
