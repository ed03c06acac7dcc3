// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <initializer_list>
#include <optional>

namespace headscope
{

/// a + b, or nothing when it does not fit into 64 bits.
[[nodiscard]] constexpr std::optional<std::uint64_t> checkedAdd(std::uint64_t a, std::uint64_t b)
{
    std::uint64_t sum = 0;
    if (__builtin_add_overflow(a, b, &sum))
        return std::nullopt;
    return sum;
}

/// a * b, or nothing when it does not fit into 64 bits.
[[nodiscard]] constexpr std::optional<std::uint64_t> checkedMultiply(std::uint64_t a, std::uint64_t b)
{
    std::uint64_t product = 0;
    if (__builtin_mul_overflow(a, b, &product))
        return std::nullopt;
    return product;
}

/// The product of all factors (1 for none), or nothing when it does not fit into 64 bits.
template <class Range>
[[nodiscard]] constexpr std::optional<std::uint64_t> checkedProduct(const Range& factors)
{
    std::uint64_t product = 1;
    for (const auto factor : factors)
    {
        const auto next = checkedMultiply(product, static_cast<std::uint64_t>(factor));
        if (!next)
            return std::nullopt;
        product = *next;
    }
    return product;
}

/// size rounded up to a multiple of alignment (a power of two), or nothing on overflow.
[[nodiscard]] constexpr std::optional<std::uint64_t> checkedAlign(std::uint64_t size, std::uint64_t alignment)
{
    const auto padded = checkedAdd(size, alignment - 1);
    if (!padded)
        return std::nullopt;
    return *padded & ~(alignment - 1);
}

} // namespace headscope
