// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <array>
#include <cstdint>
#include <numeric>
#include <span>
#include <vector>

namespace headscope
{

/// Random numbers by counter: value i of a stream is a pure function of (seed, stream, i), so any
/// thread may ask for any of them in any order, and the same bytes come out everywhere.
///
/// @source  Philox4x32-10: Salmon, Moraes, Dror, Shaw, "Parallel random numbers: as easy as 1, 2,
///          3", SC 2011 (doi 10.1145/2063384.2063405). Normal numbers by Box-Muller, because the standard library's
///          distributions differ between implementations.
class CounterRandom
{
public:
    explicit CounterRandom(std::uint64_t seed, std::uint64_t stream = 0) : m_seed(seed), m_stream(stream) {}

    /// Four independent 32-bit words for counter i.
    [[nodiscard]] std::array<std::uint32_t, 4> words(std::uint64_t i) const;
    [[nodiscard]] std::uint64_t bits(std::uint64_t i) const;
    /// Uniform in [0, 1), 53 bits.
    [[nodiscard]] double uniform(std::uint64_t i) const;
    /// Uniform integer in [0, bound), without bias beyond 2^-64; bound >= 1.
    [[nodiscard]] std::uint64_t below(std::uint64_t i, std::uint64_t bound) const;
    /// Standard normal.
    [[nodiscard]] double normal(std::uint64_t i) const;

private:
    std::uint64_t m_seed;
    std::uint64_t m_stream;
};

/// The numbers 0..count-1 in an order fixed by the generator (Fisher-Yates).
[[nodiscard]] std::vector<std::int64_t> permutation(std::int64_t count, const CounterRandom& random);

} // namespace headscope
