// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/tokenize/word_piece.h"

#include "model/base/utf8.h"

#include <algorithm>

namespace headscope::tokenize
{

WordPiece::WordPiece(const Vocabulary& vocabulary, WordPieceOptions options)
    : m_vocabulary(&vocabulary), m_options(std::move(options))
{
    for (TokenId token = 0; token < vocabulary.size(); ++token)
        m_longest = std::max(m_longest, vocabulary.text(token).size());
}

TokenId WordPiece::longestAt(std::string_view word, std::size_t begin, std::string& buffer, std::size_t& end) const
{
    const std::string_view prefix = begin == 0 ? std::string_view() : std::string_view(m_options.prefix);
    end = begin + std::min(word.size() - begin, m_longest - std::min(m_longest, prefix.size()));
    buffer.assign(prefix);
    buffer.append(word.substr(begin, end - begin));
    while (end > begin)
    {
        const bool atCharacter = end == word.size() || (static_cast<unsigned char>(word[end]) & 0xC0) != 0x80;
        if (atCharacter)
        {
            if (const auto token = m_vocabulary->find(buffer))
                return *token;
        }
        --end;
        buffer.pop_back();
    }
    return kNoToken;
}

void WordPiece::append(std::string_view word, std::vector<TokenId>& tokens) const
{
    const std::size_t before = tokens.size();
    if (word.size() > m_options.maxCharacters && countCharacters(word) > m_options.maxCharacters)
    {
        tokens.push_back(m_options.unknown);
        return;
    }
    std::string buffer;
    for (std::size_t begin = 0; begin < word.size();)
    {
        std::size_t end = begin;
        const TokenId token = longestAt(word, begin, buffer, end);
        if (token == kNoToken)
        {
            tokens.resize(before);
            tokens.push_back(m_options.unknown);
            return;
        }
        tokens.push_back(token);
        begin = end;
    }
}

} // namespace headscope::tokenize
