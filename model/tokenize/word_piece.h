// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "model/tokenize/vocabulary.h"

#include <string>
#include <string_view>
#include <vector>

namespace headscope::tokenize
{

struct WordPieceOptions
{
    TokenId unknown = 0;             ///< stands for a whole word that cannot be spelled
    std::string prefix = "##";       ///< marks the tokens that continue a word
    std::size_t maxCharacters = 100; ///< longer words are unknown
};

/// WordPiece: repeatedly takes the longest token at the front of the rest of a word.
/// @threads append() from any number of threads
class WordPiece
{
public:
    /// @param vocabulary  outlives the model
    WordPiece(const Vocabulary& vocabulary, WordPieceOptions options);

    /// Appends the tokens of one word, or the unknown token alone.
    /// @param word  well-formed UTF-8
    /// @cost  at most as many hashes for each token as the longest token has characters
    void append(std::string_view word, std::vector<TokenId>& tokens) const;

private:
    [[nodiscard]] TokenId longestAt(std::string_view word, std::size_t begin, std::string& buffer,
                                    std::size_t& end) const;

    const Vocabulary* m_vocabulary;
    WordPieceOptions m_options;
    std::size_t m_longest = 0; ///< bytes of the longest token
};

} // namespace headscope::tokenize
