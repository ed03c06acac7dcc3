// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/frames/json_type.h"
#include "app/results/result_table.h"
#include "model/data/results/probe_result.h"

#include <string>
#include <vector>

namespace headscope
{

/// Adds `chance`, and where they were made `baselines`, `selectivity` (the control-task gap), `splits`, the null and
/// the groups (app/INTERFACE.md, section 5).
void addBaselines(Json& json, const ProbeResult& result);

/// What accuracies are compared with, a line each, with what each word means; "" where no result has baselines.
[[nodiscard]] std::string baselinesText(const std::vector<ProbeResult>& results);

/// Columns of baselinesText in files, and a result's cells in them; none where no result has baselines.
[[nodiscard]] std::vector<std::string> baselineColumns(const std::vector<ProbeResult>& results);
[[nodiscard]] std::vector<ResultTable::Cell> baselineCells(const ProbeResult& result);

} // namespace headscope
