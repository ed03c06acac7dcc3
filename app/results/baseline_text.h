// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "model/data/results/probe_result.h"

#include <string>
#include <vector>

namespace headscope
{

/// What accuracies are compared with, a line each, with what each word means; "" where no result has baselines.
[[nodiscard]] std::string baselinesText(const std::vector<ProbeResult>& results);

} // namespace headscope
