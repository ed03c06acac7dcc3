// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "model/base/result.h"
#include "viz/axis/legend_painter.h"
#include "viz/color/color_scale.h"
#include "viz/export/figure_export.h"

#include <functional>
#include <optional>

namespace headscope::viz
{

/// A legend that several panels may have in common, and the picture that is left of one without it.
struct SharedLegend
{
    Legend legend;
    LegendStyle style;
    Drawing bare;          ///< the panel without the legend
    double bareHeight = 0; ///< in points
};

/// A figure that is to be a panel of another one. Its drawing refers to data that live until the taker returns.
struct PanelOffer
{
    const Drawing& drawing;
    const FigureOptions& options;         ///< with the height that follows from the content
    const SharedLegend* legend = nullptr; ///< null: it keeps what explains it
    std::optional<ScaleLimits> limits{};  ///< of its colours, where those are of one quantity
};

/// Takes figures in place of a file. How large a panel is, is known before it is made.
struct FigureSink
{
    std::function<Status(const PanelOffer& panel)> take;
    double widthInches = 3; ///< with the margins that a figure of its own would have
    double scale = 1;       ///< FigureOptions::scale
    FigureText text = FigureText::Text;
};

/// While it lives, exportDrawing() hands the figures of this thread to a sink and writes none; without one they are
/// written again. One inside another hides the outer one.
class FigureSinkScope
{
public:
    /// @param sink  must outlive the scope; null: figures are written
    explicit FigureSinkScope(const FigureSink* sink);
    ~FigureSinkScope();
    FigureSinkScope(const FigureSinkScope&) = delete;
    FigureSinkScope& operator=(const FigureSinkScope&) = delete;

private:
    const FigureSink* m_outer;
};

/// Of this thread; null: figures are written.
[[nodiscard]] const FigureSink* currentFigureSink();

} // namespace headscope::viz
