// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/results/result_table.h"
#include "model/data/results/probe_result.h"

#include <vector>

namespace headscope
{

/// Every number that a figure of probes shows, one a row: layer, stage, quantity, head, predicted (heads and classes
/// from 1 as there; empty where a quantity is of no head), value.
[[nodiscard]] ResultTable probeNumbers(const std::vector<ProbeResult>& results);

} // namespace headscope
