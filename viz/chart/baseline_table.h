// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "model/data/results/probe_result.h"
#include "viz/chart/probe_painter.h"

#include <span>

namespace headscope::viz
{

/// What the accuracies of a few probes are compared with: a row per baseline, the control-task gap and the errors
/// within the KV group, a column per probe. Intervals are in brackets. A dash is where a probe lacks a row.
/// @return no rows where there are no baselines, or more probes than fit next to each other (three)
[[nodiscard]] PaintedTable baselineTable(std::span<const ProbeResult> results);

} // namespace headscope::viz
