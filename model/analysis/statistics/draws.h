// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace headscope
{

/// The random draws of every resampling statistic, simple enough for anyone to repeat in a line of another language:
/// output i of a seed is the i-th output of splitmix64, a pure function of both. Draw (b, k) of a resample of n units
/// is number b n + k, so that threads may take resamples in any order.
/// @source  Steele, Lea & Flood 2014 (doi 10.1145/2660193.2660195), finalizer by Stafford ("variant 13")
class Draws
{
public:
    explicit Draws(std::uint64_t seed) : m_seed(seed) {}

    [[nodiscard]] std::uint64_t bits(std::uint64_t i) const
    {
        std::uint64_t x = m_seed + (i + 1) * 0x9E3779B97F4A7C15ULL;
        x = (x ^ (x >> 30U)) * 0xBF58476D1CE4E5B9ULL;
        x = (x ^ (x >> 27U)) * 0x94D049BB133111EBULL;
        return x ^ (x >> 31U);
    }
    /// Uniform integer below `bound`: the high half of the product.
    [[nodiscard]] std::int64_t below(std::uint64_t i, std::int64_t bound) const
    {
        __extension__ using Wide = unsigned __int128;
        return static_cast<std::int64_t>((Wide{bits(i)} * static_cast<std::uint64_t>(bound)) >> 64U);
    }
    [[nodiscard]] bool coin(std::uint64_t i) const { return (bits(i) >> 63U) != 0; }

private:
    std::uint64_t m_seed;
};

/// Puts `count` things into a random order (Fisher-Yates), with the draws first + 1 .. first + count - 1.
/// @param swap  of two places
template <class Swap>
void shuffle(const Draws& draws, std::uint64_t first, std::int64_t count, const Swap& swap)
{
    for (std::int64_t i = count - 1; i > 0; --i)
        swap(i, draws.below(first + static_cast<std::uint64_t>(i), i + 1));
}
/// 0..count-1 in a random order, as shuffle() with the first draws.
[[nodiscard]] std::vector<std::int64_t> shuffledIndices(const Draws& draws, std::int64_t count);

/// Resample `b` of n units: n of them with replacement.
[[nodiscard]] std::vector<std::int64_t> resample(const Draws& draws, std::int64_t b, std::int64_t n);

/// The codes in the order of permutation `b`; those that are negative (no label) stay where they are.
[[nodiscard]] std::vector<std::int32_t> permutedLabels(std::span<const std::int32_t> labels, const Draws& draws,
                                                       std::int64_t b);

} // namespace headscope
