// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "model/data/frame/frame.h"
#include "model/data/model_info.h"
#include "model/data/results/head_measures.h"

namespace headscope
{

/// A row for each head (segment) that has any number: layer, head and KV group, then of each measure its number, and
/// where it has them its interval, p and q. Layers count from 0, heads from 1.
extern const FrameInfo kAtlasFrame;
/// @param info  as rows of the stage fall into groups (groupedAt)
[[nodiscard]] Frame atlasFrame(const HeadMeasures& measures, const ModelInfo& info);

} // namespace headscope
