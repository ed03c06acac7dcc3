// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <cstdint>

namespace headscope::faults
{

/// Random numbers that a seed and a number give, the same everywhere (splitmix64).
class Random
{
public:
    Random(std::uint64_t seed, std::uint64_t number) : m_state(seed * 0x9e3779b97f4a7c15U + number) { next(); }

    std::uint64_t next()
    {
        m_state += 0x9e3779b97f4a7c15U;
        std::uint64_t z = m_state;
        z = (z ^ (z >> 30U)) * 0xbf58476d1ce4e5b9U;
        z = (z ^ (z >> 27U)) * 0x94d049bb133111ebU;
        return z ^ (z >> 31U);
    }
    /// 0 to count - 1; 0 of 0.
    std::size_t below(std::size_t count) { return count == 0 ? 0 : static_cast<std::size_t>(next() % count); }
    bool oneIn(std::size_t count) { return below(count) == 0; }
    template <class List>
    const auto& oneOf(const List& list)
    {
        return list[below(list.size())];
    }

private:
    std::uint64_t m_state;
};

} // namespace headscope::faults
