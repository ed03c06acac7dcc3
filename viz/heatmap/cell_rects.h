// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

class QImage;
class QPainter;
class QRectF;

namespace headscope::viz
{

/// Whether the painter produces vector shapes (SVG, PDF, or a QPicture replayed into one) and not pixels.
[[nodiscard]] bool paintsShapes(const QPainter& painter);

/// Whether a vector file should hold this many cells as separate shapes.
[[nodiscard]] bool fewEnoughCells(int columns, int rows);

/// A table of cells, one pixel of `cells` each, into a box: sharp whatever shows the file. Viewers smooth small
/// pictures as they like, so few cells are painted as rectangles where shapes are asked for, and more of them as a
/// picture that is enlarged beforehand.
void paintCellRects(QPainter& painter, const QRectF& box, const QImage& cells);

} // namespace headscope::viz
