// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "model/data/matrix.h"
#include "viz/lesson/lesson_parts.h"

#include <QString>

#include <cstdint>
#include <vector>

namespace headscope::viz
{

/// One picture of the points.
struct CloudPanel
{
    QString title;
    QString words;     ///< what was measured in it, below
    MatrixF xy;        ///< [P, 2]
    bool whole = true; ///< each cloud lies in one piece; else it has no number, for it has no middle
    bool grey = false; ///< its clouds are segments of vectors, which have no colours
};

/// Points whose arrangement is known, and what t-SNE makes of them.
struct CloudMaps
{
    std::vector<std::int32_t> clouds; ///< [P] cloud of each point
    std::vector<CloudPanel> panels;   ///< the data first
    std::vector<QColor> colors = {};  ///< of the clouds; empty: those of categories
};

/// Panels side by side, or one under the other in a narrow box; each at a scale of its own, both directions alike.
void paintCloudMaps(QPainter& painter, const CloudMaps& maps, const QRectF& box, const LessonStyle& style);
[[nodiscard]] double cloudMapsHeight(const CloudMaps& maps, double width, const LessonStyle& style);
[[nodiscard]] QString cloudMapsWords(const CloudMaps& maps);

} // namespace headscope::viz
