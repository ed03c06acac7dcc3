// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/frames/json_type.h"
#include "model/data/frame/frame.h"
#include "model/data/results/label_probe_result.h"

#include <string>
#include <vector>

namespace headscope
{

/// A label told by a probe of each head: a row a head, the last one "all" (the heads one after another).
extern const FrameInfo kLabelProbeFrame;
[[nodiscard]] Frame labelProbeFrame(const LabelProbeResult& result);

/// The result as --json prints it (app/INTERFACE.md, section 5), heads from 1.
[[nodiscard]] Json labelProbeJson(const LabelProbeResult& result);

/// The table under what it was made with, and a line on each of its words.
[[nodiscard]] std::string labelProbeText(const LabelProbeResult& result);

/// What a reader should know before believing the numbers: vectors left out, labels without training documents,
/// nearly as many labels as documents, fits that did not converge.
[[nodiscard]] std::vector<std::string> labelProbeNotices(const LabelProbeResult& result);

} // namespace headscope
