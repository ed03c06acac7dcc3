// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/unicode/text_words.h"

#include "model/base/utf8.h"
#include "model/unicode/unicode.h"

#include <array>
#include <string>
#include <utility>

namespace headscope
{
namespace
{

/// Kana and Han.
bool standsAlone(char32_t c)
{
    constexpr std::array<std::pair<char32_t, char32_t>, 6> kRanges{
        {{0x3040, 0x30FF}, {0x3400, 0x4DBF}, {0x4E00, 0x9FFF}, {0xF900, 0xFAFF}, {0x20000, 0x2FA1F}, {0x30000, 0x323AF}}};
    if (c < kRanges.front().first)
        return false;
    for (const auto& [first, last] : kRanges)
        if (c >= first && c <= last)
            return true;
    return false;
}

} // namespace

void forEachWord(std::string_view text, const std::function<void(std::string_view word)>& take)
{
    const std::string normal = normalized(text, NormalForm::Nfc);
    std::string word;
    bool afterLetter = false; // or a mark
    const auto end = [&] {
        if (!word.empty())
            take(word);
        word.clear();
        afterLetter = false;
    };
    for (std::size_t i = 0; i < normal.size();)
    {
        const Utf8Character c = utf8At(normal, i);
        i += c.size;
        const bool letter = isLetter(c.codePoint);
        if (letter || isMark(c.codePoint) || isNumber(c.codePoint))
        {
            const bool alone = standsAlone(c.codePoint);
            if (alone)
                end();
            appendUtf8(word, simpleLowerCase(c.codePoint));
            afterLetter = letter || isMark(c.codePoint);
            if (alone)
                end();
            continue;
        }
        const bool apostrophe = c.codePoint == U'\'' || c.codePoint == 0x2019;
        if (apostrophe && afterLetter && i < normal.size())
            if (const char32_t next = utf8At(normal, i).codePoint; isLetter(next) && !standsAlone(next))
            {
                word.push_back('\'');
                afterLetter = false;
                continue;
            }
        end();
    }
    end();
}

} // namespace headscope
