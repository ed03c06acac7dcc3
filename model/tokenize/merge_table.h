// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "model/tokenize/vocabulary.h"

#include <cstddef>
#include <cstdint>
#include <vector>

namespace headscope::tokenize
{

/// Which pairs of neighbouring tokens join, in which order, and to what.
/// @threads const members from any number of threads
class MergeTable
{
public:
    struct Merge
    {
        std::uint32_t rank = kNever; ///< smaller goes first; kNever: these two do not join
        TokenId result = kNoToken;
    };
    static constexpr std::uint32_t kNever = 0xFFFF'FFFF;

    void reserve(std::size_t merges);
    /// A pair that is given twice keeps what was given last.
    void add(TokenId left, TokenId right, Merge merge);
    /// @cost one probe of a flat table, as a rule
    [[nodiscard]] Merge find(TokenId left, TokenId right) const
    {
        if (m_entries.empty())
            return {};
        const std::uint64_t key = keyOf(left, right);
        for (std::size_t slot = slotOf(key);; slot = (slot + 1) & (m_entries.size() - 1))
        {
            const Entry& entry = m_entries[slot];
            if (entry.key == key)
                return entry.merge;
            if (entry.key == kFree)
                return {};
        }
    }
    [[nodiscard]] std::size_t count() const { return m_count; }

    /// Calls visit(left, right, merge) for each pair, in no particular order.
    template <class Visit>
    void forEach(const Visit& visit) const
    {
        for (const Entry& entry : m_entries)
        {
            if (entry.key != kFree)
                visit(static_cast<TokenId>(entry.key >> 32), static_cast<TokenId>(entry.key & 0xFFFF'FFFFU),
                      entry.merge);
        }
    }

private:
    struct Entry
    {
        std::uint64_t key = kFree;
        Merge merge;
    };
    static constexpr std::uint64_t kFree = ~std::uint64_t{0};

    static std::uint64_t keyOf(TokenId left, TokenId right)
    {
        return (static_cast<std::uint64_t>(static_cast<std::uint32_t>(left)) << 32) | static_cast<std::uint32_t>(right);
    }
    /// Fibonacci hashing: the high bits of a product spread keys that differ in few bits.
    [[nodiscard]] std::size_t slotOf(std::uint64_t key) const
    {
        return static_cast<std::size_t>((key * 0x9E37'79B9'7F4A'7C15U) >> m_shift);
    }
    void grow(std::size_t slots);
    [[nodiscard]] Entry& entryFor(std::uint64_t key);

    std::vector<Entry> m_entries; ///< open addressing; a power of two
    unsigned m_shift = 64;
    std::size_t m_count = 0;
};

} // namespace headscope::tokenize
