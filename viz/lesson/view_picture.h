// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "viz/export/figure_export.h"
#include "viz/lesson/lesson_parts.h"

#include <QImage>
#include <QSizeF>
#include <QString>

namespace headscope::viz
{

/// What a view shows, painted as its figure: without the tools of the window, with text as large as that of the lesson.
struct ViewPicture
{
    Figure figure;
    QString words; ///< for those who do not see it
};

/// The figure fills the box, on white as on paper; one that cannot be drawn says why.
void paintViewPicture(QPainter& painter, const ViewPicture& picture, const QRectF& box, const LessonStyle& style);
[[nodiscard]] double viewPictureHeight(double width);
[[nodiscard]] QString viewPictureWords(const ViewPicture& picture);

/// The same as an image of so many units.
/// @param dpr  pixels per unit
/// @threads any
[[nodiscard]] QImage viewPictureImage(const ViewPicture& picture, QSizeF size, const LessonStyle& style, double dpr);

} // namespace headscope::viz
