// SPDX-License-Identifier: GPL-3.0-or-later
#include "viz/scatter/point_prefix.h"

#include "model/base/parallel.h"

#include <algorithm>
#include <cstddef>

namespace headscope::viz
{
namespace
{

constexpr std::int64_t kBlocksAtOnce = 512;

/// Which member of the block comes first (the finaliser of MurmurHash3, by Austin Appleby, public
/// domain: all bits of the number reach all bits of the result).
std::int64_t firstMember(std::int64_t block)
{
    auto h = static_cast<std::uint32_t>(block);
    h ^= h >> 16;
    h *= 0x85ebca6bU;
    h ^= h >> 13;
    h *= 0xc2b2ae35U;
    h ^= h >> 16;
    return h % PointPrefix::kRounds;
}

} // namespace

bool PointPrefix::holds(std::int64_t point, int rounds)
{
    return ((point % kRounds) ^ firstMember(point / kRounds)) < rounds;
}

std::int64_t PointPrefix::countOf(std::int64_t points, int rounds)
{
    std::int64_t count = points / kRounds * rounds;
    for (std::int64_t point = points / kRounds * kRounds; point < points; ++point)
        count += holds(point, rounds) ? 1 : 0;
    return count;
}

int PointPrefix::roundsOf(std::int64_t points, std::int64_t most)
{
    return points <= most ? kRounds : static_cast<int>(std::max<std::int64_t>(1, kRounds * most / points));
}

ScatterStyle PointPrefix::styleOf(const ScatterStyle& style, const ViewTransform& view) const
{
    ScatterStyle part = style;
    const double area = view.viewSize().width() * view.viewSize().height();
    part.radiusPx = automaticRadius(m_all, area, style.scaleGain);
    if (style.mode == ScatterMode::Dots)
        part.opacity = std::min(kMaxAutomaticOpacity,
                                automaticOpacity(m_all, area * style.scaleGain * style.scaleGain, part.radiusPx) *
                                    kRounds / m_rounds);
    return part;
}

void PointPrefix::take(const ScatterData& data, int rounds, int numThreads)
{
    const auto points = static_cast<std::int64_t>(data.xy.size() / 2);
    rounds = std::clamp(rounds, 1, kRounds);
    const auto count = static_cast<std::size_t>(countOf(points, rounds));
    m_xy.resize(2 * count);
    m_index.resize(data.index.empty() ? 0 : count);
    m_states.resize(data.states.empty() ? 0 : count);
    parallelFor(numThreads, blockCount(points, kRounds), kBlocksAtOnce, [&](std::int64_t begin, std::int64_t end) {
        for (std::int64_t block = begin; block < end; ++block)
        {
            const std::int64_t first = firstMember(block);
            auto to = static_cast<std::size_t>(block * rounds); // every block before this one is whole
            for (std::int64_t round = 0; round < rounds; ++round)
            {
                const std::int64_t point = block * kRounds + (round ^ first);
                if (point >= points)
                    continue;
                const auto from = static_cast<std::size_t>(point);
                m_xy[2 * to] = data.xy[2 * from];
                m_xy[2 * to + 1] = data.xy[2 * from + 1];
                if (!m_index.empty())
                    m_index[to] = data.index[from];
                if (!m_states.empty())
                    m_states[to] = data.states[from];
                ++to;
            }
        }
    });
    m_all = points;
    m_rounds = rounds;
    m_data = data;
    m_data.xy = m_xy;
    m_data.index = m_index;
    m_data.states = m_states;
    m_data.marked = {};
    m_data.focus.reset();
}

} // namespace headscope::viz
