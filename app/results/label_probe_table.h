// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/frames/json_type.h"
#include "app/results/result_table.h"
#include "model/data/results/label_probe_result.h"

#include <string>
#include <vector>

namespace headscope
{

/// One label told by each head, as --json prints it (app/INTERFACE.md, section 5), heads from 1.
[[nodiscard]] Json labelProbeJson(const LabelProbeResult& result);

/// A row a head, the last one "all" (the heads one after another).
/// @param everything  also the spread over the splits, and the numbers of the first one alone
[[nodiscard]] ResultTable labelProbeTable(const LabelProbeResult& result, bool everything);

/// The table under what it was made with, and a line on each of its words.
[[nodiscard]] std::string labelProbeText(const LabelProbeResult& result);

/// What a reader should know before believing the numbers: vectors left out, labels without training documents,
/// nearly as many labels as documents, fits that did not converge.
[[nodiscard]] std::vector<std::string> labelProbeNotices(const LabelProbeResult& result);

} // namespace headscope
