// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "model/data/frame/frame.h"
#include "model/data/circuits/composition_results.h"

#include <vector>

namespace headscope
{

/// Pairs of heads, the one that reads most of what the other writes first: a row for each.
extern const FrameInfo kEdgesFrame;

[[nodiscard]] Frame edgesFrame(const std::vector<CompositionEdge>& edges);

} // namespace headscope
