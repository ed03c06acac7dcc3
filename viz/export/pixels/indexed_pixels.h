// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QImage>

namespace headscope::viz
{

/// A drawing in at most 256 colours: a third of the bytes as a PNG, and almost the same picture where flat colours and
/// their blends are drawn. Colours whose five highest bits of red, green and blue are the same count as one, their
/// mean; the most frequent ones stay, the others become the nearest of these (Euclidean, in RGB). Not dithered; the
/// same picture gives the same pixels.
/// @param image  opaque
/// @return of Format_Indexed8; without memory for it, the picture as it is
/// @cost   linear in the pixels, and 256 distances for each colour
[[nodiscard]] QImage indexedPixels(const QImage& image);

} // namespace headscope::viz
