// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "model/base/result.h"
#include "model/tokenize/regex.h"
#include "model/tokenize/vocabulary.h"

#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace headscope::tokenize
{

/// A token that is looked for in the text itself, before anything else happens to it.
struct AddedToken
{
    std::string content;
    TokenId id = kNoToken;
    bool singleWord = false; ///< only where no word character is next to it on either side
    bool stripLeft = false;  ///< takes the white space before it
    bool stripRight = false; ///< takes the white space after it
    bool normalized = false; ///< looked for after normalisation
    bool special = false;    ///< steers the model (`</s>`); may be kept as text by choice
};

/// Part of a text: an added token, or what lies between two of them.
struct TextPart
{
    ByteRange range;
    TokenId token = kNoToken; ///< kNoToken: text
};

/// Finds added tokens: the leftmost, of those the longest.
/// @threads split() from any number of threads
class AddedTokens
{
public:
    /// Adds what to look for, in its normalised spelling; an empty spelling is never found.
    void add(std::string_view spelling, const AddedToken& token);
    [[nodiscard]] bool empty() const { return m_tokens.empty(); }

    /// Cuts a text at its added tokens. No part is empty; the parts cover the text.
    /// @param withSpecial  whether special tokens are looked for
    /// @cost one step a byte where no token begins, else the length of the longest token at most
    [[nodiscard]] std::vector<TextPart> split(std::string_view text, bool withSpecial) const;

private:
    struct Match
    {
        std::size_t end = 0;
        const AddedToken* token = nullptr;
    };

    [[nodiscard]] Match longestAt(std::string_view text, std::size_t begin, bool withSpecial) const;

    static std::uint64_t edge(std::uint32_t node, unsigned char byte)
    {
        return (static_cast<std::uint64_t>(node) << 8) | byte;
    }

    std::vector<AddedToken> m_tokens;
    std::unordered_map<std::uint64_t, std::uint32_t> m_edges; ///< (node, byte) -> node; the root is 0
    std::vector<std::int32_t> m_ends = {-1};                  ///< by node: the token that ends there
    bool m_starts[256] = {};                                  ///< bytes with which a token begins
};

} // namespace headscope::tokenize
