// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/tokenize/piece_trie.h"

#include <algorithm>

namespace headscope::tokenize
{

PieceTrie::PieceTrie(const Vocabulary& vocabulary)
{
    std::vector<TokenId> sorted;
    for (TokenId token = 0; token < vocabulary.size(); ++token)
        if (const std::string_view text = vocabulary.text(token); !text.empty() && vocabulary.find(text) == token)
            sorted.push_back(token);
    std::ranges::sort(sorted, {}, [&](TokenId token) { return vocabulary.text(token); });

    /// A node to come: the tokens [begin, end) of `sorted`, which agree in their first `depth` bytes.
    struct Range
    {
        std::size_t begin;
        std::size_t end;
        std::size_t depth;
    };
    std::vector<Range> nodes{{0, sorted.size(), 0}}; // in the order of their numbers, level by level
    m_bytes.push_back(0);
    for (std::size_t node = 0; node < nodes.size(); ++node)
    {
        auto [begin, end, depth] = nodes[node];
        m_firstChild.push_back(static_cast<std::uint32_t>(nodes.size()));
        const bool endsHere = begin < end && vocabulary.text(sorted[begin]).size() == depth;
        m_tokens.push_back(endsHere ? sorted[begin] : kNoToken);
        begin += endsHere ? 1 : 0;
        while (begin < end)
        {
            const char byte = vocabulary.text(sorted[begin])[depth];
            std::size_t next = begin + 1;
            while (next < end && vocabulary.text(sorted[next])[depth] == byte)
                ++next;
            nodes.push_back({begin, next, depth + 1});
            m_bytes.push_back(static_cast<unsigned char>(byte));
            begin = next;
        }
    }
    m_firstChild.push_back(static_cast<std::uint32_t>(nodes.size()));
}

std::uint32_t PieceTrie::childOf(std::uint32_t node, unsigned char byte) const
{
    const auto first = m_bytes.begin() + m_firstChild[node];
    const auto last = m_bytes.begin() + m_firstChild[node + 1];
    const auto found = std::lower_bound(first, last, byte);
    return found != last && *found == byte ? static_cast<std::uint32_t>(found - m_bytes.begin()) : 0;
}

} // namespace headscope::tokenize
