// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "model/net/forward/network.h"

#include <cstdint>
#include <functional>

namespace headscope
{

/// Computes some documents of a step: those from `first` on, as many as `piece` has.
using ComputePiece = std::function<Status(std::int64_t first, const StepInput& piece)>;

/// Computes a step whole, or in pieces of whole documents of at most `mostTokens` tokens each. Where the memory of the
/// device does not suffice for a piece, it is halved, and `mostTokens` with it, for this step and for those that
/// follow.
/// @param mostTokens  kept by the caller from step to step; large at first
/// @errors those of `compute`; OutOfMemory where one document alone takes too much
[[nodiscard]] Status computeByHalves(const StepInput& step, std::int64_t& mostTokens, const ComputePiece& compute);

} // namespace headscope
