// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "model/data/matrix.h"
#include "model/data/model_info.h"
#include "viz/chart/head_discs.h"
#include "viz/chart/pruning_chart.h"
#include "viz/export/part_figures.h"

#include <QString>

#include <cstdint>
#include <span>
#include <vector>

namespace headscope::viz
{

/// How alike heads are, as a square of numbers with its scale from 0 to 1.
/// @param values   [H, H]; the diagonal is left out
/// @param measure  "linear CKA"
/// @param grouped  whether these rows fall into KV groups, which are framed
/// @param heads    that are drawn, 0-based, ascending
[[nodiscard]] FigurePart likenessPart(const MatrixD& values, const QString& measure, bool grouped,
                                      const ModelInfo& info, std::span<const std::int64_t> heads, InkTheme theme);

/// Heads on a plane, as high as wide. What a disc says has to be in its note.
[[nodiscard]] FigurePart headDiscsPart(std::vector<HeadDisc> discs, const ModelInfo& info, InkTheme theme);

/// What happens to a measure as units are removed, with its key.
[[nodiscard]] FigurePart pruningPart(PruningChart chart);

} // namespace headscope::viz
