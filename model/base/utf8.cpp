// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/base/utf8.h"

#include <algorithm>
#include <cstdint>
#include <cstring>

namespace headscope
{
namespace
{

/// What a lead byte allows: the length of its sequence and the range of the second byte. The
/// narrower second ranges shut out overlong forms (E0, F0), surrogates (ED) and numbers above
/// U+10FFFF (F4).
struct LeadRule
{
    std::size_t size; ///< 0: no sequence begins with this byte
    unsigned char secondFirst;
    unsigned char secondLast;
};

constexpr LeadRule leadRule(unsigned char lead)
{
    if (lead < 0x80)
        return {1, 0, 0};
    if (lead < 0xC2)
        return {0, 0, 0};
    if (lead < 0xE0)
        return {2, 0x80, 0xBF};
    if (lead < 0xF0)
    {
        return {3, static_cast<unsigned char>(lead == 0xE0 ? 0xA0 : 0x80),
                static_cast<unsigned char>(lead == 0xED ? 0x9F : 0xBF)};
    }
    if (lead < 0xF5)
    {
        return {4, static_cast<unsigned char>(lead == 0xF0 ? 0x90 : 0x80),
                static_cast<unsigned char>(lead == 0xF4 ? 0x8F : 0xBF)};
    }
    return {0, 0, 0};
}

/// The sequence at `offset`: how many bytes agree with the table, and whether it is whole.
struct Sequence
{
    std::size_t size;
    bool whole;
};

Sequence sequenceAt(std::string_view text, std::size_t offset)
{
    const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(text[offset + i]); };
    const LeadRule rule = leadRule(byte(0));
    if (rule.size <= 1)
        return {1, rule.size == 1};
    const std::size_t available = std::min(rule.size, text.size() - offset);
    for (std::size_t i = 1; i < available; ++i)
    {
        const unsigned char first = i == 1 ? rule.secondFirst : 0x80;
        const unsigned char last = i == 1 ? rule.secondLast : 0xBF;
        if (byte(i) < first || byte(i) > last)
            return {i, false};
    }
    return {available, available == rule.size};
}

/// The first place at or after `offset` that is ill-formed, or the end.
std::size_t firstIllFormed(std::string_view text, std::size_t offset)
{
    while (offset < text.size())
    {
        if (text.size() - offset >= sizeof(std::uint64_t))
        {
            std::uint64_t eight = 0;
            std::memcpy(&eight, text.data() + offset, sizeof(eight));
            if ((eight & 0x8080808080808080U) == 0)
            {
                offset += sizeof(eight);
                continue;
            }
        }
        const Sequence sequence = sequenceAt(text, offset);
        if (!sequence.whole)
            return offset;
        offset += sequence.size;
    }
    return text.size();
}

} // namespace

std::size_t validUtf8Prefix(std::string_view text)
{
    return firstIllFormed(text, 0);
}

bool repairUtf8(std::string& text)
{
    std::size_t bad = firstIllFormed(text, 0);
    if (bad == text.size())
        return false;
    std::string repaired;
    repaired.reserve(text.size() + kReplacementCharacter.size());
    std::size_t copied = 0;
    while (bad < text.size())
    {
        repaired.append(text, copied, bad - copied);
        repaired.append(kReplacementCharacter);
        copied = bad + sequenceAt(text, bad).size;
        bad = firstIllFormed(text, copied);
    }
    repaired.append(text, copied);
    text = std::move(repaired);
    return true;
}

bool replaceNul(std::string& text)
{
    const std::size_t first = text.find('\0');
    if (first == std::string::npos)
        return false;
    std::string replaced(text, 0, first);
    for (const char c : std::string_view(text).substr(first))
    {
        if (c == '\0')
            replaced += kReplacementCharacter;
        else
            replaced += c;
    }
    text = std::move(replaced);
    return true;
}

void appendUtf8(std::string& text, char32_t codePoint)
{
    const auto add = [&](char32_t byte) { text.push_back(static_cast<char>(static_cast<unsigned char>(byte))); };
    if (codePoint < 0x80)
    {
        add(codePoint);
    }
    else if (codePoint < 0x800)
    {
        add(0xC0 | (codePoint >> 6));
        add(0x80 | (codePoint & 0x3F));
    }
    else if ((codePoint >= 0xD800 && codePoint < 0xE000) || codePoint > 0x10FFFF)
    {
        text.append(kReplacementCharacter);
    }
    else if (codePoint < 0x10000)
    {
        add(0xE0 | (codePoint >> 12));
        add(0x80 | ((codePoint >> 6) & 0x3F));
        add(0x80 | (codePoint & 0x3F));
    }
    else
    {
        add(0xF0 | (codePoint >> 18));
        add(0x80 | ((codePoint >> 12) & 0x3F));
        add(0x80 | ((codePoint >> 6) & 0x3F));
        add(0x80 | (codePoint & 0x3F));
    }
}

std::size_t countCharacters(std::string_view text)
{
    const auto continues = [](char c) { return (static_cast<unsigned char>(c) & 0xC0) == 0x80; };
    return text.size() - static_cast<std::size_t>(std::count_if(text.begin(), text.end(), continues));
}

} // namespace headscope
