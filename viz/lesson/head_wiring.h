// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "viz/lesson/lesson_parts.h"

#include <cstdint>
#include <optional>

namespace headscope::viz
{

/// Which query head uses which KV head, drawn for the sizes of one model.
struct HeadWiring
{
    ModelInfo model;
    std::optional<std::int64_t> group; ///< that is highlighted, from 0; none: all alike
    std::int64_t fromKvHeads = 0;      ///< where cells come from while they move; 0: they do not
    double share = 1;                  ///< of the way, 0 to 1
};

/// Query heads above, KV heads below, a line from each query head to its KV head. Heads that do not fit into a line
/// are in several.
void paintHeadWiring(QPainter& painter, const HeadWiring& wiring, const QRectF& box, const LessonStyle& style);
[[nodiscard]] double headWiringHeight(const HeadWiring& wiring, double width, const LessonStyle& style);
[[nodiscard]] QString headWiringWords(const HeadWiring& wiring);
/// The group under a place of a picture that was painted into this box, from 0.
[[nodiscard]] std::optional<std::int64_t> wiringGroupAt(const HeadWiring& wiring, const QRectF& box,
                                                        const LessonStyle& style, QPointF place);

/// How o_proj makes every value of its output from all heads.
struct HeadMixing
{
    ModelInfo model;
};

void paintHeadMixing(QPainter& painter, const HeadMixing& mixing, const QRectF& box, const LessonStyle& style);
[[nodiscard]] double headMixingHeight(const HeadMixing& mixing, double width, const LessonStyle& style);
[[nodiscard]] QString headMixingWords(const HeadMixing& mixing);

} // namespace headscope::viz
