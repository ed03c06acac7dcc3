// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "model/data/results/heatmap_panel.h"

namespace headscope
{

/// Makes TopicMatch::low and high of its result: Wilson's 95%; NaN where all topics are among the k nearest, which
/// could not be otherwise.
void setMatchIntervals(TopicMatch& match);

} // namespace headscope
