// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "viz/export/figure_export.h"

class QWidget;

namespace headscope::desktop
{

/// What a widget paints now, as a drawing that any thread may repeat: text stays text.
/// @threads GUI thread; the drawing anywhere
[[nodiscard]] viz::Drawing drawingOf(QWidget& widget);

/// Inches that keep the widget's shape at the width of two columns.
[[nodiscard]] QSizeF inchesOf(const QWidget& widget);

/// Puts the widget's picture on the clipboard, in device pixels.
void copyPictureOf(QWidget& widget);

} // namespace headscope::desktop
