// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/tokenize/added_tokens.h"

#include "model/base/utf8.h"
#include "model/unicode/unicode.h"

#include <algorithm>

namespace headscope::tokenize
{
namespace
{

/// Where the character before `end` begins; end > 0.
std::size_t previousCharacter(std::string_view text, std::size_t end)
{
    std::size_t at = end - 1;
    while (at > 0 && (static_cast<unsigned char>(text[at]) & 0xC0) == 0x80)
        --at;
    return at;
}

bool wordEndsAt(std::string_view text, std::size_t end)
{
    return end > 0 && isWordCharacter(utf8At(text, previousCharacter(text, end)).codePoint);
}

bool wordBeginsAt(std::string_view text, std::size_t begin)
{
    return begin < text.size() && isWordCharacter(utf8At(text, begin).codePoint);
}

std::size_t skipSpacesLeft(std::string_view text, std::size_t end, std::size_t bound)
{
    while (end > bound)
    {
        const std::size_t at = previousCharacter(text, end);
        if (!isWhitespace(utf8At(text, at).codePoint))
            break;
        end = at;
    }
    return end;
}

std::size_t skipSpacesRight(std::string_view text, std::size_t begin)
{
    while (begin < text.size())
    {
        const Utf8Character c = utf8At(text, begin);
        if (!isWhitespace(c.codePoint))
            break;
        begin += c.size;
    }
    return begin;
}

} // namespace

void AddedTokens::add(std::string_view spelling, const AddedToken& token)
{
    if (spelling.empty())
        return;
    std::uint32_t node = 0;
    for (const char c : spelling)
    {
        const auto next = static_cast<std::uint32_t>(m_ends.size());
        const auto [place, isNew] = m_edges.try_emplace(edge(node, static_cast<unsigned char>(c)), next);
        if (isNew)
            m_ends.push_back(-1);
        node = place->second;
    }
    if (m_ends[node] >= 0)
        return;
    m_starts[static_cast<unsigned char>(spelling.front())] = true;
    m_ends[node] = static_cast<std::int32_t>(m_tokens.size());
    m_tokens.push_back(token);
}

AddedTokens::Match AddedTokens::longestAt(std::string_view text, std::size_t begin, bool withSpecial) const
{
    Match match;
    std::uint32_t node = 0;
    for (std::size_t i = begin; i < text.size(); ++i)
    {
        const auto found = m_edges.find(edge(node, static_cast<unsigned char>(text[i])));
        if (found == m_edges.end())
            break;
        node = found->second;
        if (m_ends[node] < 0)
            continue;
        const AddedToken& token = m_tokens[static_cast<std::size_t>(m_ends[node])];
        if (withSpecial || !token.special)
            match = {i + 1, &token};
    }
    return match;
}

std::vector<TextPart> AddedTokens::split(std::string_view text, bool withSpecial) const
{
    std::vector<TextPart> parts;
    std::size_t done = 0;
    for (std::size_t at = 0; at < text.size() && !m_tokens.empty();)
    {
        const Match match = m_starts[static_cast<unsigned char>(text[at])] ? longestAt(text, at, withSpecial) : Match{};
        if (match.token == nullptr)
        {
            ++at;
            continue;
        }
        std::size_t begin = at;
        std::size_t end = match.end;
        at = match.end;
        if (match.token->singleWord && (wordEndsAt(text, begin) || wordBeginsAt(text, end)))
            continue;
        if (match.token->stripLeft)
            begin = skipSpacesLeft(text, begin, done);
        if (match.token->stripRight)
            end = skipSpacesRight(text, end);
        if (begin > done)
            parts.push_back({{done, begin}, kNoToken});
        parts.push_back({{begin, end}, match.token->id});
        done = end;
        at = done;
    }
    if (done < text.size())
        parts.push_back({{done, text.size()}, kNoToken});
    return parts;
}

} // namespace headscope::tokenize
