// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/frames/json_type.h"
#include "app/results/result_table.h"
#include "model/data/model_info.h"
#include "model/data/results/probe_result.h"

#include <memory>
#include <string>
#include <vector>

namespace headscope
{

/// One result as --json prints it (app/INTERFACE.md, section 5), heads from 1.
[[nodiscard]] Json probeJson(const ProbeResult& result);

/// One row a result: what `-o X.csv` and `-o X.tex` hold.
/// @param controls  of the same places with shuffled labels, one for each result, or none at all: then
///                  there is no column of them; null where one was not run
/// @param withBaselines  columns of them where any result has some; too many for a page
[[nodiscard]] ResultTable probeTable(const std::vector<ProbeResult>& results,
                                     const std::vector<std::shared_ptr<const ProbeResult>>& controls = {},
                                     bool withBaselines = true);

/// What people read: how it was trained and split; several layers as accuracy by layer and stage, one
/// layer in more columns, a single result also head by head; and a line on what the columns mean.
/// @param model  of the cache; heads = classes and no groups for plain matrices
[[nodiscard]] std::string probeText(const std::vector<ProbeResult>& results, const ModelInfo& model);

/// Sentences on what a reader should know before believing the numbers: a split by rows, fits that did
/// not converge, vectors left out or zero, heads that could not be learned.
[[nodiscard]] std::vector<std::string> probeNotices(const std::vector<ProbeResult>& results);

} // namespace headscope
