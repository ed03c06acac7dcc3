// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "model/data/frame/frame.h"
#include "model/data/results/probe_result.h"

#include <cstdint>
#include <memory>
#include <span>
#include <string>

namespace headscope
{

/// Probes that tell the head from one of its vectors: a row for each.
extern const FrameInfo kProbesFrame;
/// The heads (or classes of plain matrices) of one probe.
extern const FrameInfo kProbedHeadsFrame;
/// What the accuracy of one probe is compared with.
extern const FrameInfo kProbeBaselinesFrame;
/// Every number that a figure of probes shows, one a row: heads and classes from 1 as there, nothing where a quantity
/// is of no head.
extern const FrameInfo kProbeNumbersFrame;

/// One result with all it holds, heads from 1 (app/INTERFACE.md, section 5).
[[nodiscard]] Members probeResult(const ProbeResult& result);

/// @param controls  of the same places with shuffled labels, one for each result, or none at all: then
///                  there is no column of them; null where one was not run
/// @param withBaselines  columns of them where any result has some; too many for a page
[[nodiscard]] Frame probesFrame(std::span<const ProbeResult> results,
                                std::span<const std::shared_ptr<const ProbeResult>> controls = {},
                                bool withBaselines = true);

/// @param first  what the first head is called: 1, and 0 of classes of plain matrices
[[nodiscard]] Frame probedHeadsFrame(const ProbeResult& result, std::int64_t first = 1);

[[nodiscard]] Frame probeNumbersFrame(std::span<const ProbeResult> results);

/// "heads" or "segments": what the rows of a document are.
[[nodiscard]] std::string probedUnits(const ProbeResult& result);

/// Without means a linear probe is at chance by construction: where it falls around it is rounding, and an interval
/// of it would be one of nothing.
[[nodiscard]] inline bool hasInterval(ProbeBaselineKind kind)
{
    return kind != ProbeBaselineKind::MeansRemoved;
}

} // namespace headscope
