// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "model/data/frame/frame.h"
#include "model/data/results/head_results.h"

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

namespace headscope
{

/// Two heads and their similarity by each of the measures.
struct LikePair
{
    std::int64_t first = 0; ///< 0-based, the lower one
    std::int64_t second = 0;
    double cka = 0;
    Interval ckaCi95;
    double meanCosine = 0;
    double neighborOverlap = 0;
};

/// Falling; what is not a number comes last.
[[nodiscard]] bool isMoreAlike(double a, double b);

/// All pairs of these heads, the most similar by linear CKA first (ties: lower heads first; unknown values come
/// last).
[[nodiscard]] std::vector<LikePair> likePairs(const HeadRedundancy& alike, const std::vector<std::int64_t>& heads);

/// Pairs of heads and how alike they are.
extern const FrameInfo kHeadPairsFrame;
/// A row for each pair, in their order.
/// @param unit  what the two are: "head", "segment"
[[nodiscard]] Frame headPairsFrame(std::span<const LikePair> pairs, std::string_view unit);

} // namespace headscope
