// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>

#include <functional>

class QWidget;

namespace headscope::ui
{

/// Lets a canvas (a widget that paints what it shows) tell a screen reader what is on it.
///
/// The widget keeps its accessible name; its description is the result of `summary()`: what is shown, how many, how
/// many of them chosen. Calling it again replaces the summary.
/// @param canvas   its accessible name must say what kind of view it is
/// @param summary  called for every query; what it reads must outlive the canvas
void setCanvasSummary(QWidget* canvas, std::function<QString()> summary);

/// The summary of a canvas now; empty for a widget that has none.
[[nodiscard]] QString canvasSummary(const QWidget* canvas);

/// Tells screen readers that the summary has changed (a selection, another map).
void noteCanvasChanged(QWidget* canvas);

} // namespace headscope::ui
