// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/unicode/unicode.h"

#include "model/base/utf8.h"

#include <utf8proc.h>

#include <algorithm>
#include <array>
#include <vector>

namespace headscope
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

struct CharacterRange
{
    char32_t first;
    char32_t last;
};

/// Marks, punctuation and format characters that came after Unicode 8. Between the ends of a range
/// lie only such characters, and others that no caller asks about.
constexpr std::array<CharacterRange, 52> kNewerThanUnicode8{{
    {0x61D, 0x61D},     {0x7FD, 0x7FD},     {0x890, 0x8E2},     {0x9FD, 0x9FE},     {0xA76, 0xA76},
    {0xAFA, 0xAFF},     {0xB55, 0xB55},     {0xC04, 0xC3C},     {0xC77, 0xC77},     {0xC84, 0xC84},
    {0xCF3, 0xD00},     {0xD3B, 0xD3C},     {0xD81, 0xD81},     {0xEBA, 0xEBA},     {0xECE, 0xECE},
    {0x1715, 0x1715},   {0x180F, 0x1886},   {0x1ABF, 0x1ACE},   {0x1B7D, 0x1B7E},   {0x1CF7, 0x1CF7},
    {0x1DF6, 0x1DFB},   {0x2E43, 0x2E5D},   {0xA82C, 0xA82C},   {0xA8C5, 0xA8C5},   {0xA8FF, 0xA8FF},
    {0xA9BD, 0xA9BD},   {0x10D24, 0x10F89}, {0x11070, 0x11074}, {0x110C2, 0x110CD}, {0x11145, 0x11146},
    {0x111C9, 0x111C9}, {0x111CE, 0x111CF}, {0x1123E, 0x11241}, {0x1133B, 0x1133B}, {0x11438, 0x1143F},
    {0x11442, 0x11444}, {0x11446, 0x1145E}, {0x11660, 0x1166C}, {0x116B9, 0x116B9}, {0x1182C, 0x11B09},
    {0x11C30, 0x11C3D}, {0x11C3F, 0x11CA7}, {0x11CAA, 0x11CB0}, {0x11CB2, 0x11CB3}, {0x11CB5, 0x11FFF},
    {0x12FF1, 0x13455}, {0x16E97, 0x16F4F}, {0x16F7F, 0x16F87}, {0x16FE2, 0x16FF1}, {0x1CF00, 0x1CF46},
    {0x1E000, 0x1E4EF}, {0x1E944, 0x1E95F},
}};

/// Those of them that are marks and came with Unicode 9; U+1CF2 and U+1CF3 were marks then.
constexpr std::array<CharacterRange, 11> kMarksOfUnicode9{{
    {0x8D4, 0x8E1},
    {0x1885, 0x1886},
    {0x1CF2, 0x1CF3},
    {0x1DFB, 0x1DFB},
    {0xA8C5, 0xA8C5},
    {0xA9BD, 0xA9BD},
    {0x1123E, 0x1123E},
    {0x11438, 0x11446},
    {0x11C30, 0x11CB6},
    {0x1E000, 0x1E02A},
    {0x1E944, 0x1E94A},
}};

template <std::size_t Count>
bool isIn(const std::array<CharacterRange, Count>& ranges, char32_t c)
{
    const auto range = std::lower_bound(ranges.begin(), ranges.end(), c,
                                        [](const CharacterRange& r, char32_t value) { return r.last < value; });
    return range != ranges.end() && range->first <= c;
}

bool isNewerThanUnicode8(char32_t c)
{
    return isIn(kNewerThanUnicode8, c);
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
    // U+166D and U+111C9 were punctuation then.
    return c == 0x166D || c == 0x111C9 || (isPunctuation(c) && !isNewerThanUnicode8(c));
}

bool isReferenceMark(char32_t c)
{
    if (isIn(kMarksOfUnicode9, c))
        return isMark(c) || c == 0x1CF2 || c == 0x1CF3;
    return isMark(c) && !isNewerThanUnicode8(c);
}

bool isReferenceNonspacingMark(char32_t c)
{
    // U+1734 took no room of its own then.
    return c == 0x1734 || (c >= 0x300 && category(c) == UTF8PROC_CATEGORY_MN && !isNewerThanUnicode8(c));
}

bool isBertControl(char32_t c)
{
    if (c == '\t' || c == '\n' || c == '\r')
        return false;
    const auto found = category(c);
    return found == UTF8PROC_CATEGORY_CC || found == UTF8PROC_CATEGORY_CO ||
           (found == UTF8PROC_CATEGORY_CF && !isNewerThanUnicode8(c));
}

bool isBertIdeograph(char32_t c)
{
    return between(c, 0x4E00, 0x9FFF) || between(c, 0x3400, 0x4DBF) || between(c, 0x20000, 0x2A6DF) ||
           between(c, 0x2A700, 0x2B81F) || between(c, 0x2B920, 0x2CEAF) || between(c, 0xF900, 0xFAFF) ||
           between(c, 0x2F800, 0x2FA1F);
}

char32_t simpleLowerCase(char32_t c)
{
    if (c < 0x80)
        return between(c, 'A', 'Z') ? c + 0x20 : c;
    return static_cast<char32_t>(utf8proc_tolower(static_cast<utf8proc_int32_t>(c)));
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

std::size_t clusterEnd(std::string_view text, std::size_t begin)
{
    Utf8Character last = utf8At(text, begin);
    std::size_t end = begin + last.size;
    utf8proc_int32_t state = 0;
    while (end < text.size())
    {
        const Utf8Character next = utf8At(text, end);
        // Of two ASCII characters only a line end of DOS is one cluster.
        const bool isAscii = last.codePoint < 0x80 && next.codePoint < 0x80;
        const bool breaks =
            isAscii ? last.codePoint != '\r' || next.codePoint != '\n'
                    : utf8proc_grapheme_break_stateful(static_cast<utf8proc_int32_t>(last.codePoint),
                                                       static_cast<utf8proc_int32_t>(next.codePoint), &state);
        if (breaks)
            break;
        end += next.size;
        last = next;
    }
    return end;
}

std::string lowerCase(std::string_view text)
{
    std::string result;
    result.reserve(text.size());
    for (std::size_t i = 0; i < text.size();)
    {
        const Utf8Character c = utf8At(text, i);
        i += c.size;
        if (c.codePoint == 0x130)
            // The one character whose lower case is two: i with a dot above.
            result.append("i\xCC\x87");
        else
            appendUtf8(result, simpleLowerCase(c.codePoint));
    }
    return result;
}

} // namespace headscope
