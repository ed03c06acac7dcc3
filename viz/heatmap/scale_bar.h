// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "viz/color/color_scale.h"
#include "viz/color/inks.h"

#include <QRectF>
#include <QString>

class QPainter;

namespace headscope::viz
{

/// A scale on paper as a bar between its numbers behind its title, at the right end of the box.
/// @param textPt  height of title and numbers
void paintScaleBar(QPainter& painter, const ColorScale& scale, const QString& title, const QRectF& box, double textPt,
                   InkTheme theme = InkTheme::Light);

} // namespace headscope::viz
