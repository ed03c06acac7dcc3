// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QImage>
#include <QRect>

namespace headscope::test
{

inline constexpr QRgb kPaper = qRgb(255, 255, 255);

/// White, for painters to paint on.
inline QImage paper(QSize size)
{
    QImage image(size, QImage::Format_RGB32);
    image.fill(kPaper);
    return image;
}

inline bool staysInside(const QImage& image, const QRect& box)
{
    for (int y = 0; y < image.height(); ++y)
        for (int x = 0; x < image.width(); ++x)
            if (!box.contains(x, y) && image.pixel(x, y) != kPaper)
                return false;
    return true;
}

} // namespace headscope::test
