// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/tokenize/vocabulary.h"

#include <fmt/format.h>

#include <algorithm>
#include <functional>

namespace headscope::tokenize
{

void Vocabulary::reserve(std::size_t tokens, std::size_t bytes)
{
    tokens = std::min(tokens, static_cast<std::size_t>(kMaxVocabulary));
    m_texts.reserve(tokens);
    m_arena.reserve(bytes);
}

std::size_t Vocabulary::slotOf(std::string_view text) const
{
    const std::size_t mask = m_slots.size() - 1;
    std::size_t slot = std::hash<std::string_view>{}(text)&mask;
    while (m_slots[slot] != kNoToken && this->text(m_slots[slot]) != text)
        slot = (slot + 1) & mask;
    return slot;
}

void Vocabulary::growSlots()
{
    std::vector<TokenId> old(std::max<std::size_t>(64, m_slots.size() * 2), kNoToken);
    old.swap(m_slots);
    for (const TokenId id : old)
    {
        if (id != kNoToken)
            m_slots[slotOf(text(id))] = id;
    }
}

Status Vocabulary::setText(std::string_view text, std::int64_t id)
{
    if (id < 0 || id >= kMaxVocabulary)
    {
        return Error{ErrorCode::BadFormat,
                     fmt::format("expected a token id from 0 to {}, found {} for \"{}\"", kMaxVocabulary - 1, id, text),
                     {},
                     {}};
    }
    const auto index = static_cast<std::size_t>(id);
    if (index >= m_texts.size())
        m_texts.resize(index + 1);
    if (m_texts[index].present)
    {
        return Error{ErrorCode::BadFormat,
                     fmt::format("expected one token for each id, found id {} for \"{}\" and for \"{}\"", id,
                                 this->text(static_cast<TokenId>(id)), text),
                     {},
                     {}};
    }
    m_texts[index] = {m_arena.size(), static_cast<std::uint32_t>(text.size()), true};
    m_arena.append(text);
    return {};
}

Status Vocabulary::add(std::string_view text, std::int64_t id)
{
    if ((m_count + 1) * 2 > m_slots.size())
        growSlots();
    const std::size_t slot = slotOf(text);
    if (m_slots[slot] != kNoToken)
    {
        return Error{
            ErrorCode::BadFormat,
            fmt::format("expected each token once, found \"{}\" with the ids {} and {}", text, m_slots[slot], id),
            {},
            {}};
    }
    HEADSCOPE_CHECK(setText(text, id));
    m_slots[slot] = static_cast<TokenId>(id);
    ++m_count;
    return {};
}

Status Vocabulary::addHidden(std::string_view text, std::int64_t id)
{
    return setText(text, id);
}

std::optional<TokenId> Vocabulary::find(std::string_view text) const
{
    if (m_slots.empty())
        return std::nullopt;
    const TokenId id = m_slots[slotOf(text)];
    return id == kNoToken ? std::nullopt : std::optional<TokenId>(id);
}

std::string_view Vocabulary::text(TokenId id) const
{
    if (!has(id))
        return {};
    const Text& found = m_texts[static_cast<std::size_t>(id)];
    return std::string_view(m_arena).substr(found.begin, found.size);
}

bool Vocabulary::has(TokenId id) const
{
    return id >= 0 && id < size() && m_texts[static_cast<std::size_t>(id)].present;
}

} // namespace headscope::tokenize
