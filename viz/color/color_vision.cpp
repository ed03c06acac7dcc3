// SPDX-License-Identifier: GPL-3.0-or-later
#include "viz/color/color_vision.h"

#include "viz/color/oklab.h"

#include <QHash>

namespace headscope::viz
{
namespace
{

QRgb seen(QRgb color, ColorVision sight)
{
    const QColor from = QColor::fromRgb(color);
    QColor to;
    switch (sight)
    {
    case ColorVision::Usual:
        return color;
    case ColorVision::Grey:
        to = fromOklab({toOklab(from).lightness, 0, 0});
        break;
    case ColorVision::Deuteranopia:
        to = simulated(from, Deficiency::Deuteranopia);
        break;
    case ColorVision::Protanopia:
        to = simulated(from, Deficiency::Protanopia);
        break;
    case ColorVision::Tritanopia:
        to = simulated(from, Deficiency::Tritanopia);
        break;
    }
    return qRgba(to.red(), to.green(), to.blue(), qAlpha(color));
}

} // namespace

QImage seenWith(const QImage& image, ColorVision sight)
{
    if (sight == ColorVision::Usual || image.isNull())
        return image;
    QImage result = image.convertToFormat(QImage::Format_ARGB32);
    QHash<QRgb, QRgb> known;
    for (int y = 0; y < result.height(); ++y)
    {
        auto* line = reinterpret_cast<QRgb*>(result.scanLine(y));
        for (int x = 0; x < result.width(); ++x)
        {
            const auto found = known.constFind(line[x]);
            line[x] = found != known.cend() ? *found : *known.insert(line[x], seen(line[x], sight));
        }
    }
    return result;
}

} // namespace headscope::viz
