// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/results/provenance.h"
#include "model/data/model_info.h"
#include "model/data/results/probe_result.h"

#include <string>
#include <vector>

namespace headscope
{

/// Adds what probes were trained with.
/// @param drawsTests  the share of the rows that test decides which do
void addProbeOptions(Provenance& provenance, ProbeOptions options, bool drawsTests = true);

/// What people read: how it was trained and split; several layers as accuracy by layer and stage, one
/// layer in more columns, a single result also head by head; and a line on what the columns mean.
/// @param model  of the cache; heads = classes and no groups for plain matrices
[[nodiscard]] std::string probeText(const std::vector<ProbeResult>& results, const ModelInfo& model);

/// Sentences on what a reader should know before believing the numbers: a split by rows, fits that did
/// not converge, vectors left out or zero, heads that could not be learned.
[[nodiscard]] std::vector<std::string> probeNotices(const std::vector<ProbeResult>& results);

} // namespace headscope
