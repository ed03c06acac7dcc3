// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "model/data/matrix.h"
#include "model/data/results/topic_results.h"
#include "viz/color/color_scale.h"
#include "viz/color/inks.h"

#include <QString>

#include <cstdint>
#include <memory>
#include <span>

namespace headscope::viz
{

/// Limits that show the values well: rounded outwards from the 1st and 99th percentile; of very many values, from a
/// regular sample.
[[nodiscard]] ScaleLimits heatmapLimits(const Heatmap& heatmap);
/// Limits that suit the values of all of them: of the window, and of the figures of window and shell.
/// @pre there is one
[[nodiscard]] ScaleLimits commonLimits(std::span<const std::shared_ptr<const Heatmap>> heatmaps);
/// Blue to red, near-white in the middle of the limits: cosines with a topic are mostly positive, and
/// a centre at zero would leave one arm of the colours unused. The colour bar names the middle.
[[nodiscard]] ColorScale heatmapScale(ScaleLimits limits, InkTheme theme);
/// What suits the similarities of topics, each with itself left aside: from the smallest to 1 where all are positive,
/// since no middle is telling there; else from blue to red between the smallest and the largest.
/// @param similarities  [T, T]
[[nodiscard]] ScaleChoice similarityScale(const MatrixD& similarities);
/// With how many decimals they differ: two, or more where they lie close together.
[[nodiscard]] int similarityDecimals(const MatrixD& similarities);
/// What the colours of a heatmap stand for.
[[nodiscard]] const QString& heatmapScaleTitle();
/// The number in the middle of the colours: white, where they diverge.
[[nodiscard]] double scaleMiddle(const ColorScale& scale);
/// What is under that number where it is not 0: "white", on paper.
[[nodiscard]] QString scaleMiddleName();
/// "A".."Z", "AA", "AB" ...: how topic number i is called in a figure.
[[nodiscard]] QString topicLetter(std::int64_t i);

} // namespace headscope::viz
