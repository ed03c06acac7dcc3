// SPDX-License-Identifier: GPL-3.0-or-later
#include "viz/export/pixels/opaque_image.h"

#include "model/base/assert.h"

#include <algorithm>
#include <span>

namespace headscope::viz
{

QImage opaqueImage(const QImage& image)
{
    if (image.isNull())
        return {};
    HEADSCOPE_ASSERT(image.format() == QImage::Format_ARGB32_Premultiplied);
    QImage opaque(image.size(), QImage::Format_RGB32);
    opaque.setDevicePixelRatio(image.devicePixelRatio());
    const auto width = static_cast<std::size_t>(image.width());
    for (int y = 0; y < opaque.height(); ++y) // none where there is no memory for it
    {
        // NOLINTNEXTLINE(cppcoreguidelines-pro-type-reinterpret-cast): Qt's rows of pixels
        const std::span from(reinterpret_cast<const QRgb*>(image.constScanLine(y)), width);
        // NOLINTNEXTLINE(cppcoreguidelines-pro-type-reinterpret-cast)
        std::ranges::transform(from, reinterpret_cast<QRgb*>(opaque.scanLine(y)),
                               [](QRgb pixel) { return pixel | 0xff000000U; });
    }
    return opaque;
}

} // namespace headscope::viz
