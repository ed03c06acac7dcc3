// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/base/random.h"

#include <cmath>
#include <numbers>
#include <utility>

namespace headscope
{

std::array<std::uint32_t, 4> CounterRandom::words(std::uint64_t i) const
{
    constexpr std::uint32_t kMultiplier0 = 0xD2511F53;
    constexpr std::uint32_t kMultiplier1 = 0xCD9E8D57;
    constexpr std::uint32_t kWeyl0 = 0x9E3779B9;
    constexpr std::uint32_t kWeyl1 = 0xBB67AE85;
    constexpr int kRounds = 10;

    std::array<std::uint32_t, 4> c = {static_cast<std::uint32_t>(i), static_cast<std::uint32_t>(i >> 32),
                                      static_cast<std::uint32_t>(m_stream), static_cast<std::uint32_t>(m_stream >> 32)};
    auto key0 = static_cast<std::uint32_t>(m_seed);
    auto key1 = static_cast<std::uint32_t>(m_seed >> 32);
    for (int round = 0; round < kRounds; ++round)
    {
        const std::uint64_t p0 = std::uint64_t{kMultiplier0} * c[0];
        const std::uint64_t p1 = std::uint64_t{kMultiplier1} * c[2];
        c = {static_cast<std::uint32_t>(p1 >> 32) ^ c[1] ^ key0, static_cast<std::uint32_t>(p1),
             static_cast<std::uint32_t>(p0 >> 32) ^ c[3] ^ key1, static_cast<std::uint32_t>(p0)};
        key0 += kWeyl0;
        key1 += kWeyl1;
    }
    return c;
}

std::uint64_t CounterRandom::bits(std::uint64_t i) const
{
    const auto w = words(i);
    return (std::uint64_t{w[1]} << 32) | w[0];
}

double CounterRandom::uniform(std::uint64_t i) const
{
    return static_cast<double>(bits(i) >> 11) * 0x1.0p-53;
}

std::uint64_t CounterRandom::below(std::uint64_t i, std::uint64_t bound) const
{
    __extension__ using Wide = unsigned __int128;
    return static_cast<std::uint64_t>((static_cast<Wide>(bits(i)) * bound) >> 64);
}

double CounterRandom::normal(std::uint64_t i) const
{
    const auto w = words(i);
    const std::uint64_t a = (std::uint64_t{w[1]} << 32) | w[0];
    const std::uint64_t b = (std::uint64_t{w[3]} << 32) | w[2];
    const double u = (static_cast<double>(a >> 11) + 1.0) * 0x1.0p-53; // (0, 1]: the logarithm is finite
    const double v = static_cast<double>(b >> 11) * 0x1.0p-53;
    return std::sqrt(-2.0 * std::log(u)) * std::cos(2.0 * std::numbers::pi * v);
}

std::vector<std::int64_t> permutation(std::int64_t count, const CounterRandom& random)
{
    std::vector<std::int64_t> order(static_cast<std::size_t>(count));
    std::iota(order.begin(), order.end(), 0);
    for (std::size_t i = order.size(); i > 1; --i)
        std::swap(order[i - 1], order[random.below(i, i)]);
    return order;
}

} // namespace headscope
