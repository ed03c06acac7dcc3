// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "model/data/frame/frame.h"
#include "model/data/results/pruning_results.h"

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace headscope
{

/// Heads (segments, KV groups) taken away or added one after another, or each alone, as `prune` writes them.
extern const FrameInfo kPruneFrame;
/// The greedy order, and each alone, as the window writes them.
extern const FrameInfo kHeadOrderFrame;
extern const FrameInfo kHeadAloneFrame;
/// What choices of every size gain: of an order, or of the best subsets.
extern const FrameInfo kKeptSizesFrame;

/// Steps, without the starting point, and what is known of each.
struct PruneRows
{
    std::span<const PruningStep> steps;
    double baseline = 0;                             ///< of all heads
    std::span<const PairedDifference> differences{}; ///< of each taken away alone; or none
    std::vector<HeldOutGain> gains{};                ///< of as many away, where chosen and elsewhere; or none
};

/// @param unit            what a row is called: "removed", "added", "head"
/// @param intervalMethod  of the differences
[[nodiscard]] Frame removalsFrame(const FrameInfo& about, const PruneRows& rows, std::string unit,
                                  std::string_view intervalMethod = {});
/// The greedy order, step by step, with what such orders gain on the half that chose them and on the other: nothing
/// where the halves are not known.
/// @param findings  with an order
[[nodiscard]] Frame orderFrame(const PruningFindings& findings, std::string unit);
/// Each unit taken away alone.
/// @param findings  with a difference of each
[[nodiscard]] Frame aloneFrame(const PruningFindings& findings, std::string unit);
/// Sizes of choices: what all of them have.
/// @param gains  one for each size; nothing where it was not judged
[[nodiscard]] Frame keptSizesFrame(std::vector<std::int64_t> kept, std::span<const std::optional<HeldOutGain>> gains);

/// A gain with its ranges over halvings, which are no intervals.
[[nodiscard]] Members heldOutResult(const HeldOutGain& gain);

} // namespace headscope
