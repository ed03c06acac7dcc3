// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace headscope
{

/// Which players are kept. [players]
using PlayerMask = std::vector<bool>;

/// The masks that have to be measured to tell what each player is worth, none of them twice.
struct MaskPlan
{
    std::int64_t players = 0;
    std::vector<PlayerMask> masks;    ///< the first one keeps all
    std::size_t none = 0;             ///< place of the mask that keeps nobody
    std::vector<std::size_t> without; ///< [players] place of the mask without this one
    std::vector<std::size_t> alone;   ///< [players] place of the mask with this one alone
    std::vector<std::size_t> sample;  ///< places of the masks of the least squares, repeats as they were drawn
    bool exhaustive = false;          ///< the sample is all 2^players masks, once each

    /// All players, nobody, all but one, each alone, and `draws` random masks: player j of mask i is kept where coin
    /// i players + j of the seed says so. Where there are no more than `draws` masks, all of them take their place.
    [[nodiscard]] static MaskPlan make(std::int64_t players, std::int64_t draws, std::uint64_t seed);
    /// The sample as rows of 0 and 1. [sample][players]
    [[nodiscard]] PlayerMask sampled(std::size_t row) const { return masks[sample[row]]; }
};

/// Random masks for the least squares where nothing else is asked for: ten for each player.
inline constexpr std::int64_t kMasksPerPlayer = 10;

} // namespace headscope
