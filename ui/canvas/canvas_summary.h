// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>

#include <functional>

class QWidget;

namespace headscope::ui
{

/// Lets a canvas (a widget that paints what it shows) tell a screen reader what is on it.
///
/// The widget keeps its accessible name; its description is `summary()` of the moment: what is
/// shown, how many, how many of them chosen. Calling it again replaces the summary.
/// @param canvas   its accessible name must say what kind of view it is
/// @param summary  called whenever someone asks; must not outlive what it reads
void setCanvasSummary(QWidget* canvas, std::function<QString()> summary);

/// The summary of a canvas now; empty for a widget that has none.
[[nodiscard]] QString canvasSummary(const QWidget* canvas);

/// Tells whoever listens that the summary has changed (a selection, another map).
void noteCanvasChanged(QWidget* canvas);

} // namespace headscope::ui
