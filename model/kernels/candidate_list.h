// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>

namespace headscope
{

/// The capacity of a list that keepSmallest works on is a multiple of this.
inline constexpr std::int64_t kCandidatePadding = 16;

/// How the bounds of a candidate's value follow from it: the value is the lower bound,
/// value + factor * norms[id] + offset the upper one.
struct CandidateBounds
{
    const float* norms = nullptr;
    float factor = 0;
    float offset = 0;
};

/// Drops the candidates that cannot be among the `wanted` smallest: at least `wanted` upper bounds
/// are not above a cut, and what lies above the cut (plus `slack`) goes. The cut is found by
/// bisection and lies a few candidates above the exact one, at the most.
/// @param values, ids  [count], count > wanted; room up to the next multiple of kCandidatePadding
/// @param limit        lowered to the cut plus slack; never raised
/// @param scratch      room as of values
/// @return how many stay, at the front, in their order
/// @threads reentrant
/// @cost    about ten passes over the values in vectors
[[nodiscard]] std::int64_t keepSmallest(float* values, std::int32_t* ids, std::int64_t count, std::int64_t wanted,
                                        const CandidateBounds& bounds, float slack, float& limit, float* scratch);

} // namespace headscope
