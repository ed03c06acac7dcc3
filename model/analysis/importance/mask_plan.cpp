// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/analysis/importance/mask_plan.h"

#include "model/analysis/statistics/draws.h"
#include "model/base/assert.h"

#include <map>
#include <utility>

namespace headscope
{
namespace
{

/// Gives every mask one place.
class Places
{
public:
    explicit Places(std::vector<PlayerMask>& masks) : m_masks(masks) {}

    std::size_t of(const PlayerMask& mask)
    {
        const auto [found, isNew] = m_places.try_emplace(mask, m_masks.size());
        if (isNew)
            m_masks.push_back(mask);
        return found->second;
    }

private:
    std::vector<PlayerMask>& m_masks;
    std::map<PlayerMask, std::size_t> m_places;
};

/// Whether all subsets of so many players are no more than `most`.
bool fitsAll(std::int64_t players, std::int64_t most)
{
    constexpr std::int64_t kFewPlayers = 24;
    return players <= kFewPlayers && (std::int64_t{1} << players) <= most;
}

} // namespace

MaskPlan MaskPlan::make(std::int64_t players, std::int64_t draws, std::uint64_t seed)
{
    HEADSCOPE_ASSERT(players > 0);
    MaskPlan plan;
    plan.players = players;
    const auto count = static_cast<std::size_t>(players);
    Places places(plan.masks);
    places.of(PlayerMask(count, true));
    plan.none = places.of(PlayerMask(count, false));
    for (std::size_t i = 0; i < count; ++i)
    {
        PlayerMask mask(count, true);
        mask[i] = false;
        plan.without.push_back(places.of(mask));
    }
    for (std::size_t i = 0; i < count; ++i)
    {
        PlayerMask mask(count, false);
        mask[i] = true;
        plan.alone.push_back(places.of(mask));
    }
    plan.exhaustive = fitsAll(players, draws);
    const std::int64_t rows = plan.exhaustive ? std::int64_t{1} << players : draws;
    const Draws coins(seed);
    for (std::int64_t row = 0; row < rows; ++row)
    {
        PlayerMask mask(count);
        for (std::size_t i = 0; i < count; ++i)
            mask[i] = plan.exhaustive ? ((static_cast<std::uint64_t>(row) >> i) & 1U) != 0
                                      : coins.coin(static_cast<std::uint64_t>(row) * count + i);
        plan.sample.push_back(places.of(mask));
    }
    return plan;
}

} // namespace headscope
