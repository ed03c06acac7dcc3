// SPDX-License-Identifier: GPL-3.0-or-later
#include "viz/export/pixels/svg_pixels.h"

#include <QPainter>
#include <QSvgRenderer>

#include <algorithm>
#include <cmath>

namespace headscope::viz
{

Result<QImage> pixelsOfSvg(QByteArray svg, int width)
{
    svg.replace(kFallbackFamilies, ""); // Qt's renderer takes the whole list for one name
    QSvgRenderer renderer(svg);
    const QSizeF size = renderer.defaultSize();
    if (!renderer.isValid() || size.isEmpty())
        return Error{ErrorCode::BadFormat, "there is no image to draw", {}, {}};
    const double height = width * size.height() / size.width();
    QImage image(width, std::max(1, static_cast<int>(std::lround(height))), QImage::Format_RGB32);
    if (image.isNull())
        return Error{ErrorCode::OutOfMemory, "not enough memory for the image", {}, {}};
    image.fill(Qt::white);
    QPainter painter(&image);
    painter.setRenderHint(QPainter::Antialiasing);
    renderer.render(&painter);
    return image;
}

} // namespace headscope::viz
