// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/tokenize/merge_table.h"

#include <bit>

namespace headscope::tokenize
{

void MergeTable::reserve(std::size_t merges)
{
    const std::size_t slots = std::bit_ceil(merges * 2 + 16);
    if (slots > m_entries.size())
        grow(slots);
}

void MergeTable::grow(std::size_t slots)
{
    std::vector<Entry> old(slots);
    old.swap(m_entries);
    m_shift = static_cast<unsigned>(64 - std::countr_zero(slots));
    for (const Entry& entry : old)
    {
        if (entry.key != kFree)
            entryFor(entry.key) = entry;
    }
}

MergeTable::Entry& MergeTable::entryFor(std::uint64_t key)
{
    std::size_t slot = slotOf(key);
    while (m_entries[slot].key != key && m_entries[slot].key != kFree)
        slot = (slot + 1) & (m_entries.size() - 1);
    return m_entries[slot];
}

void MergeTable::add(TokenId left, TokenId right, Merge merge)
{
    reserve(m_count + 1);
    Entry& entry = entryFor(keyOf(left, right));
    if (entry.key == kFree)
        ++m_count;
    entry = {keyOf(left, right), merge};
}

} // namespace headscope::tokenize
