// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/tokenize/bpe.h"

#include "model/base/utf8.h"

#include <algorithm>

namespace headscope::tokenize
{
namespace
{

/// Pieces of fewer tokens are joined at once; longer ones are cut first.
constexpr std::size_t kCutFrom = 32;
constexpr char32_t kPlane = 0x10000;

} // namespace

Bpe::Bpe(const Vocabulary& vocabulary, MergeTable merges, const BpeOptions& options, std::vector<char32_t> characters)
    : m_vocabulary(&vocabulary), m_merges(std::move(merges)), m_options(options), m_characters(std::move(characters)),
      m_whole(std::make_unique<std::atomic<Whole>[]>(static_cast<std::size_t>(vocabulary.size())))
{
    indexCharacters();
    findJoints();
}

void Bpe::indexCharacters()
{
    m_plane.assign(kPlane, kNoToken);
    const auto set = [&](char32_t c, TokenId token) {
        if (c < kPlane)
            m_plane[c] = token;
        else
            m_beyond[c] = token;
    };
    for (TokenId token = 0; token < m_vocabulary->size(); ++token)
    {
        const std::string_view text = m_vocabulary->text(token);
        m_longest = std::max(m_longest, text.size());
        if (text.empty() || utf8SizeFromLead(text.front()) != text.size())
            continue;
        if (m_vocabulary->find(text) == token)
            set(utf8At(text, 0).codePoint, token);
    }
    for (std::size_t i = 0; i < m_characters.size(); ++i)
        set(m_characters[i], m_vocabulary->size() + static_cast<TokenId>(i));
}

TokenId Bpe::characterToken(char32_t c) const
{
    if (c < kPlane)
        return m_plane[c];
    const auto found = m_beyond.find(c);
    return found == m_beyond.end() ? kNoToken : found->second;
}

TokenId Bpe::outerCharacter(TokenId token, bool first) const
{
    if (token >= m_vocabulary->size())
        return token;
    const std::string_view text = m_vocabulary->text(token);
    if (text.empty())
        return kNoToken;
    std::size_t at = 0;
    if (!first)
    {
        at = text.size() - 1;
        while (at > 0 && (static_cast<unsigned char>(text[at]) & 0xC0) == 0x80)
            --at;
    }
    return characterToken(utf8At(text, at).codePoint);
}

void Bpe::findJoints()
{
    // Tokens of bytes and the unknown token enter a text without being spelled. A merge that
    // involves one would join where no two characters tell it.
    const auto isSpelled = [&](TokenId token) {
        return token != m_options.unknown &&
               std::find(m_options.bytes.begin(), m_options.bytes.end(), token) == m_options.bytes.end();
    };
    m_merges.forEach([&](TokenId left, TokenId right, const MergeTable::Merge&) {
        if (!isSpelled(left) || !isSpelled(right))
            m_canCut = false;
        m_joints.add(outerCharacter(left, false), outerCharacter(right, true), {0, 0});
    });
}

void Bpe::spellUnknown(std::string_view character, std::size_t offset, Scratch& scratch) const
{
    const auto byteToken = [&](char c) { return m_options.bytes[static_cast<unsigned char>(c)]; };
    if (std::all_of(character.begin(), character.end(), [&](char c) { return byteToken(c) != kNoToken; }))
    {
        for (std::size_t i = 0; i < character.size(); ++i)
        {
            scratch.tokens.push_back(byteToken(character[i]));
            scratch.offsets.push_back(static_cast<std::uint32_t>(offset + i));
        }
        return;
    }
    if (m_options.unknown == kNoToken)
        return;
    if (scratch.pendingUnknown != kNoToken)
    {
        if (m_options.fuseUnknown)
            return;
        scratch.tokens.push_back(scratch.pendingUnknown);
        scratch.offsets.push_back(scratch.pendingOffset);
    }
    scratch.pendingUnknown = m_options.unknown;
    scratch.pendingOffset = static_cast<std::uint32_t>(offset);
}

void Bpe::spell(std::string_view piece, Scratch& scratch) const
{
    scratch.tokens.clear();
    scratch.offsets.clear();
    scratch.pendingUnknown = kNoToken;
    const auto flush = [&] {
        if (scratch.pendingUnknown == kNoToken)
            return;
        scratch.tokens.push_back(scratch.pendingUnknown);
        scratch.offsets.push_back(scratch.pendingOffset);
        scratch.pendingUnknown = kNoToken;
    };
    for (std::size_t i = 0; i < piece.size();)
    {
        const Utf8Character c = utf8At(piece, i);
        if (const TokenId token = characterToken(c.codePoint); token != kNoToken)
        {
            flush();
            scratch.tokens.push_back(token);
            scratch.offsets.push_back(static_cast<std::uint32_t>(i));
        }
        else
        {
            spellUnknown(piece.substr(i, c.size), i, scratch);
        }
        i += c.size;
    }
    flush();
}

bool Bpe::isWhole(TokenId token, Scratch& scratch) const
{
    std::atomic<Whole>& known = m_whole[static_cast<std::size_t>(token)];
    const Whole found = known.load(std::memory_order_relaxed);
    if (found != Whole::Untried)
        return found == Whole::Reached;
    // The text of a token is spelled by characters that have tokens, or it cannot be reached.
    const std::string_view text = m_vocabulary->text(token);
    scratch.probe.clear();
    bool spelled = true;
    for (std::size_t i = 0; i < text.size();)
    {
        const Utf8Character c = utf8At(text, i);
        scratch.probe.push_back(characterToken(c.codePoint));
        spelled = spelled && scratch.probe.back() != kNoToken;
        i += c.size;
    }
    const bool reached =
        spelled && scratch.merger.merge(m_merges, scratch.probe) == 1 && scratch.probe.front() == token;
    known.store(reached ? Whole::Reached : Whole::Missed, std::memory_order_relaxed);
    return reached;
}

void Bpe::deliver(std::span<const TokenId> merged, std::vector<TokenId>& tokens) const
{
    if (m_characters.empty())
    {
        tokens.insert(tokens.end(), merged.begin(), merged.end());
        return;
    }
    for (const TokenId token : merged)
    {
        if (token < m_vocabulary->size())
        {
            tokens.push_back(token);
            continue;
        }
        std::string text;
        appendUtf8(text, m_characters[static_cast<std::size_t>(token - m_vocabulary->size())]);
        Scratch fallback;
        spellUnknown(text, 0, fallback);
        if (fallback.pendingUnknown != kNoToken)
            fallback.tokens.push_back(fallback.pendingUnknown);
        tokens.insert(tokens.end(), fallback.tokens.begin(), fallback.tokens.end());
    }
}

void Bpe::appendParts(std::string_view piece, std::vector<TokenId>& tokens, Scratch& scratch) const
{
    const std::span<TokenId> all(scratch.tokens);
    std::size_t begin = 0;
    while (begin < all.size())
    {
        std::size_t end = begin + 1;
        while (end < all.size() && m_joints.find(all[end - 1], all[end]).rank != MergeTable::kNever)
            ++end;
        const std::size_t last = end < all.size() ? scratch.offsets[end] : piece.size();
        const std::string_view text = piece.substr(scratch.offsets[begin], last - scratch.offsets[begin]);
        const auto token = end - begin > 1 && text.size() <= m_longest ? m_vocabulary->find(text) : std::nullopt;
        if (token && isWhole(*token, scratch))
        {
            tokens.push_back(*token);
        }
        else
        {
            const auto part = all.subspan(begin, end - begin);
            deliver(part.first(scratch.merger.merge(m_merges, part)), tokens);
        }
        begin = end;
    }
}

void Bpe::append(std::string_view piece, std::vector<TokenId>& tokens, Scratch& scratch) const
{
    if (piece.size() <= m_longest)
    {
        const auto token = m_vocabulary->find(piece);
        if (token && (m_options.ignoreMerges || isWhole(*token, scratch)))
        {
            tokens.push_back(*token);
            return;
        }
    }
    spell(piece, scratch);
    if (m_canCut && scratch.tokens.size() > kCutFrom)
    {
        appendParts(piece, tokens, scratch);
        return;
    }
    const std::span<TokenId> all(scratch.tokens);
    deliver(all.first(scratch.merger.merge(m_merges, all)), tokens);
}

} // namespace headscope::tokenize
