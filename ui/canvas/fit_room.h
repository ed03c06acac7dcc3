// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "viz/geometry/view_transform.h"

#include <QRectF>
#include <QSizeF>

#include <vector>

namespace headscope::ui
{

/// The part of a canvas in which `data` is largest and no card covers any of it.
/// @param cards  what floats over the canvas, in its pixels; empty ones do not count
/// @return the whole canvas where the cards leave nothing
[[nodiscard]] QRectF fitRoom(const QRectF& data, QSizeF canvas, const std::vector<QRectF>& cards);

/// Shows all of `data` inside that part, with a margin as ViewTransform::fit().
[[nodiscard]] viz::ViewTransform fitBeside(const QRectF& data, QSizeF canvas, const std::vector<QRectF>& cards);

} // namespace headscope::ui
