// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "model/tokenize/vocabulary.h"

#include <cstdint>
#include <string_view>
#include <vector>

namespace headscope::tokenize
{

/// The tokens of a vocabulary by their bytes: which of them begin at a place of a text.
/// @threads const members from any number of threads
class PieceTrie
{
public:
    /// Of the tokens that can be found by their text; an empty one is never found.
    /// @cost  a sort of the texts; 9 bytes a node, of which there are at most as many as bytes in the texts
    explicit PieceTrie(const Vocabulary& vocabulary);

    /// Calls found(size, token) for every token that `text` begins with, the shortest first.
    /// @cost  for each byte that leads on a search among the bytes that may follow
    template <class Found>
    void forEachPrefix(std::string_view text, const Found& found) const
    {
        std::uint32_t node = 0;
        for (std::size_t i = 0; i < text.size(); ++i)
        {
            node = childOf(node, static_cast<unsigned char>(text[i]));
            if (node == 0)
                return;
            if (m_tokens[node] != kNoToken)
                found(i + 1, m_tokens[node]);
        }
    }

private:
    /// 0, the root, where there is none.
    [[nodiscard]] std::uint32_t childOf(std::uint32_t node, unsigned char byte) const;

    std::vector<std::uint32_t> m_firstChild; ///< [nodes + 1] the children of node n end where those of n + 1 begin
    std::vector<unsigned char> m_bytes;      ///< [nodes] that lead to it; of the children of a node in order
    std::vector<TokenId> m_tokens;           ///< [nodes]
};

} // namespace headscope::tokenize
