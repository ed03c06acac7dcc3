// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

class QImage;
class QPainter;
class QRectF;

namespace headscope::viz
{

/// Whether what is painted becomes a file of shapes (SVG, PDF, a picture that is played into one) and not pixels.
[[nodiscard]] bool paintsShapes(const QPainter& painter);

/// Whether so many cells go into a file of shapes one by one.
[[nodiscard]] bool fewEnoughCells(int columns, int rows);

/// A table of cells, one pixel of `cells` each, into a box: sharp whatever shows the file. Viewers smooth small
/// pictures as they like, so few cells are painted as rectangles where shapes are asked for, and more of them as a
/// picture that is enlarged beforehand.
void paintCellRects(QPainter& painter, const QRectF& box, const QImage& cells);

} // namespace headscope::viz
