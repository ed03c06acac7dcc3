// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/tokenize/unicode.h"

#include "model/base/utf8.h"

#include <utf8proc.h>

#include <algorithm>
#include <array>
#include <vector>

namespace headscope::tokenize
{
namespace
{

utf8proc_category_t category(char32_t c)
{
    return utf8proc_category(static_cast<utf8proc_int32_t>(c));
}

bool between(char32_t c, char32_t first, char32_t last)
{
    return c >= first && c <= last;
}

/// Characters below this are their own normal form and never join with what precedes them.
char32_t firstAffected(NormalForm form)
{
    return form == NormalForm::Nfc ? 0x300 : 0x80;
}

bool isUnaffected(std::string_view text, NormalForm form)
{
    // U+0300 begins with the byte 0xCC in UTF-8, U+0080 with 0xC2; lead bytes keep the order of
    // the characters and continuation bytes are below every lead byte.
    const unsigned char bound = firstAffected(form) == 0x300 ? 0xCC : 0x80;
    return std::all_of(text.begin(), text.end(), [&](char c) { return static_cast<unsigned char>(c) < bound; });
}

/// Canonical ordering: runs of marks by their combining class, marks of one class in their order.
void orderMarks(std::vector<utf8proc_int32_t>& characters)
{
    const auto combiningClass = [](utf8proc_int32_t c) { return utf8proc_get_property(c)->combining_class; };
    std::size_t begin = 0;
    while (begin < characters.size())
    {
        if (characters[begin] < 0x300 || combiningClass(characters[begin]) == 0)
        {
            ++begin;
            continue;
        }
        std::size_t end = begin + 1;
        while (end < characters.size() && characters[end] >= 0x300 && combiningClass(characters[end]) != 0)
            ++end;
        std::stable_sort(characters.begin() + static_cast<std::ptrdiff_t>(begin),
                         characters.begin() + static_cast<std::ptrdiff_t>(end),
                         [&](utf8proc_int32_t a, utf8proc_int32_t b) { return combiningClass(a) < combiningClass(b); });
        begin = end;
    }
}

} // namespace

bool isLetter(char32_t c)
{
    if (c < 0x80)
        return between(c | 0x20, 'a', 'z');
    const auto found = category(c);
    return found >= UTF8PROC_CATEGORY_LU && found <= UTF8PROC_CATEGORY_LO;
}

bool isNumber(char32_t c)
{
    if (c < 0x80)
        return between(c, '0', '9');
    const auto found = category(c);
    return found >= UTF8PROC_CATEGORY_ND && found <= UTF8PROC_CATEGORY_NO;
}

bool isWhitespace(char32_t c)
{
    if (c < 0x80)
        return c == ' ' || between(c, '\t', '\r');
    return c == 0x85 || c == 0xA0 || c == 0x1680 || between(c, 0x2000, 0x200A) || c == 0x2028 || c == 0x2029 ||
           c == 0x202F || c == 0x205F || c == 0x3000;
}

bool isNonspacingMark(char32_t c)
{
    return c >= 0x300 && category(c) == UTF8PROC_CATEGORY_MN;
}

bool isMark(char32_t c)
{
    if (c < 0x300)
        return false;
    const auto found = category(c);
    return found >= UTF8PROC_CATEGORY_MN && found <= UTF8PROC_CATEGORY_ME;
}

bool isPunctuation(char32_t c)
{
    const auto found = category(c);
    return found >= UTF8PROC_CATEGORY_PC && found <= UTF8PROC_CATEGORY_PO;
}

bool isWordCharacter(char32_t c)
{
    const auto found = category(c);
    // Letters in circles and squares count as alphabetic, though their class is So.
    const bool enclosed = between(c, 0x24B6, 0x24E9) || between(c, 0x1F130, 0x1F149) || between(c, 0x1F150, 0x1F169) ||
                          between(c, 0x1F170, 0x1F189);
    return isLetter(c) || isMark(c) || found == UTF8PROC_CATEGORY_ND || found == UTF8PROC_CATEGORY_NL ||
           found == UTF8PROC_CATEGORY_PC || c == 0x200C || c == 0x200D || enclosed;
}

bool isBertPunctuation(char32_t c)
{
    if (c < 0x80)
        return between(c, '!', '/') || between(c, ':', '@') || between(c, '[', '`') || between(c, '{', '~');
    return isPunctuation(c);
}

bool isBertControl(char32_t c)
{
    if (c == '\t' || c == '\n' || c == '\r')
        return false;
    const auto found = category(c);
    return found == UTF8PROC_CATEGORY_CC || found == UTF8PROC_CATEGORY_CF || found == UTF8PROC_CATEGORY_CO;
}

bool isBertIdeograph(char32_t c)
{
    return between(c, 0x4E00, 0x9FFF) || between(c, 0x3400, 0x4DBF) || between(c, 0x20000, 0x2A6DF) ||
           between(c, 0x2A700, 0x2B81F) || between(c, 0x2B920, 0x2CEAF) || between(c, 0xF900, 0xFAFF) ||
           between(c, 0x2F800, 0x2FA1F);
}

std::string normalized(std::string_view text, NormalForm form)
{
    if (isUnaffected(text, form))
        return std::string(text);
    const bool compose = form == NormalForm::Nfc || form == NormalForm::Nfkc;
    const bool compatibility = form == NormalForm::Nfkc || form == NormalForm::Nfkd;
    const auto decompose = static_cast<utf8proc_option_t>(static_cast<int>(UTF8PROC_DECOMPOSE) |
                                                          (compatibility ? static_cast<int>(UTF8PROC_COMPAT) : 0));
    std::vector<utf8proc_int32_t> characters;
    characters.reserve(text.size());
    std::array<utf8proc_int32_t, 64> parts{};
    for (std::size_t i = 0; i < text.size();)
    {
        const Utf8Character c = utf8At(text, i);
        i += c.size;
        int boundClass = 0;
        const auto count = utf8proc_decompose_char(static_cast<utf8proc_int32_t>(c.codePoint), parts.data(),
                                                   static_cast<utf8proc_ssize_t>(parts.size()), decompose, &boundClass);
        if (count <= 0)
            characters.push_back(static_cast<utf8proc_int32_t>(c.codePoint));
        else
            characters.insert(characters.end(), parts.begin(), parts.begin() + count);
    }
    // utf8proc orders marks by exchanging neighbours, which takes quadratic time on long runs.
    orderMarks(characters);
    auto length = static_cast<utf8proc_ssize_t>(characters.size());
    if (compose)
    {
        const auto options =
            static_cast<utf8proc_option_t>(static_cast<int>(UTF8PROC_STABLE) | static_cast<int>(UTF8PROC_COMPOSE));
        length = utf8proc_normalize_utf32(characters.data(), length, options);
    }
    std::string result;
    result.reserve(text.size() + text.size() / 8);
    for (utf8proc_ssize_t i = 0; i < length; ++i)
        appendUtf8(result, static_cast<char32_t>(characters[static_cast<std::size_t>(i)]));
    return result;
}

std::string lowerCase(std::string_view text)
{
    std::string result;
    result.reserve(text.size());
    for (std::size_t i = 0; i < text.size();)
    {
        const Utf8Character c = utf8At(text, i);
        i += c.size;
        if (c.codePoint < 0x80)
        {
            result.push_back(static_cast<char>(between(c.codePoint, 'A', 'Z') ? c.codePoint + 0x20 : c.codePoint));
        }
        else if (c.codePoint == 0x130)
        {
            // The one character whose lower case is two: i with a dot above.
            result.append("i\xCC\x87");
        }
        else
        {
            appendUtf8(result, static_cast<char32_t>(utf8proc_tolower(static_cast<utf8proc_int32_t>(c.codePoint))));
        }
    }
    return result;
}

} // namespace headscope::tokenize
