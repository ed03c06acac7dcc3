// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/tokenize/merger.h"

#include <algorithm>
#include <array>

namespace headscope::tokenize
{
namespace
{

constexpr std::size_t kFew = 48;
constexpr std::uint32_t kEnd = 0xFFFF'FFFF;

} // namespace

std::size_t Merger::merge(const MergeTable& table, std::span<TokenId> tokens)
{
    if (tokens.size() < 2)
        return tokens.size();
    return tokens.size() <= kFew ? mergeFew(table, tokens) : mergeMany(table, tokens);
}

std::size_t Merger::mergeFew(const MergeTable& table, std::span<TokenId> tokens)
{
    std::array<MergeTable::Merge, kFew> merges; // merges[i] joins tokens i and i + 1
    std::size_t count = tokens.size();
    for (std::size_t i = 0; i + 1 < count; ++i)
        merges[i] = table.find(tokens[i], tokens[i + 1]);
    while (count > 1)
    {
        std::size_t best = 0;
        for (std::size_t i = 1; i + 1 < count; ++i)
        {
            if (merges[i].rank < merges[best].rank)
                best = i;
        }
        if (merges[best].rank == MergeTable::kNever)
            break;
        tokens[best] = merges[best].result;
        for (std::size_t i = best + 1; i + 1 < count; ++i)
        {
            tokens[i] = tokens[i + 1];
            merges[i] = merges[i + 1];
        }
        --count;
        if (best > 0)
            merges[best - 1] = table.find(tokens[best - 1], tokens[best]);
        if (best + 1 < count)
            merges[best] = table.find(tokens[best], tokens[best + 1]);
    }
    return count;
}

void Merger::consider(const MergeTable& table, std::span<const TokenId> tokens, std::uint32_t place)
{
    const std::uint32_t next = m_links[place].next;
    if (next == kEnd)
        return;
    const MergeTable::Merge merge = table.find(tokens[place], tokens[next]);
    if (merge.rank != MergeTable::kNever)
        m_heap.push_back({(static_cast<std::uint64_t>(merge.rank) << 32) | place, merge.result});
}

std::size_t Merger::mergeMany(const MergeTable& table, std::span<TokenId> tokens)
{
    const auto later = [](const Candidate& a, const Candidate& b) { return a.order > b.order; };
    const auto count = static_cast<std::uint32_t>(tokens.size());
    m_links.resize(count);
    m_heap.clear();
    for (std::uint32_t i = 0; i < count; ++i)
        m_links[i] = {i == 0 ? kEnd : i - 1, i + 1 == count ? kEnd : i + 1};
    for (std::uint32_t i = 0; i + 1 < count; ++i)
        consider(table, tokens, i);
    std::make_heap(m_heap.begin(), m_heap.end(), later);

    while (!m_heap.empty())
    {
        std::pop_heap(m_heap.begin(), m_heap.end(), later);
        const Candidate candidate = m_heap.back();
        m_heap.pop_back();
        const auto place = static_cast<std::uint32_t>(candidate.order & 0xFFFF'FFFFU);
        const std::uint32_t next = m_links[place].next;
        // A candidate is out of date when one of its tokens has been joined to another since.
        if (tokens[place] == kNoToken || next == kEnd)
            continue;
        const MergeTable::Merge merge = table.find(tokens[place], tokens[next]);
        if (merge.result != candidate.result || merge.rank != (candidate.order >> 32))
            continue;
        tokens[place] = candidate.result;
        tokens[next] = kNoToken;
        const std::uint32_t after = m_links[next].next;
        m_links[place].next = after;
        if (after != kEnd)
            m_links[after].previous = place;
        for (const std::uint32_t changed : {m_links[place].previous, place})
        {
            if (changed == kEnd)
                continue;
            const std::size_t before = m_heap.size();
            consider(table, tokens, changed);
            if (m_heap.size() > before)
                std::push_heap(m_heap.begin(), m_heap.end(), later);
        }
    }
    return static_cast<std::size_t>(std::remove(tokens.begin(), tokens.end(), kNoToken) - tokens.begin());
}

} // namespace headscope::tokenize
