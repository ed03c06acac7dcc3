// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/tokenize/word_scanner.h"

#include "model/base/utf8.h"
#include "model/unicode/unicode.h"

#include <array>

namespace headscope::tokenize
{
namespace
{

enum class Kind : unsigned char
{
    End,
    Letter,
    Number,
    Newline, ///< carriage return, line feed
    Space,   ///< other white space
    Other,
};

Kind kindOf(char32_t c)
{
    if (c == '\r' || c == '\n')
        return Kind::Newline;
    if (isWhitespace(c))
        return Kind::Space;
    if (isLetter(c))
        return Kind::Letter;
    return isNumber(c) ? Kind::Number : Kind::Other;
}

std::array<Kind, 128> makeAsciiKinds()
{
    std::array<Kind, 128> kinds{};
    for (std::size_t c = 0; c < kinds.size(); ++c)
        kinds[c] = kindOf(static_cast<char32_t>(c));
    return kinds;
}

const std::array<Kind, 128> kAsciiKinds = makeAsciiKinds();

bool isBlank(Kind kind)
{
    return kind == Kind::Space || kind == Kind::Newline;
}

/// A place in the text and the character there.
struct Cursor
{
    std::string_view text;
    std::size_t at;
    std::size_t size = 0;
    Kind kind = Kind::End;

    Cursor(std::string_view t, std::size_t begin) : text(t), at(begin) { read(); }

    void read()
    {
        if (at >= text.size())
        {
            size = 0;
            kind = Kind::End;
            return;
        }
        const auto lead = static_cast<unsigned char>(text[at]);
        if (lead < 0x80)
        {
            size = 1;
            kind = kAsciiKinds[lead];
            return;
        }
        const Utf8Character c = utf8At(text, at);
        size = c.size;
        kind = kindOf(c.codePoint);
    }
    void advance()
    {
        at += size;
        read();
    }
    void skip(Kind what)
    {
        while (kind == what)
            advance();
    }
};

/// Length of `'s`, `'t`, `'re`, `'ve`, `'m`, `'ll` or `'d` at `begin`, or 0.
std::size_t contractionSize(std::string_view text, std::size_t begin, bool anyCase)
{
    const auto letter = [&](std::size_t i) -> char {
        if (begin + i >= text.size())
            return '\0';
        const char c = text[begin + i];
        return anyCase && c >= 'A' && c <= 'Z' ? static_cast<char>(c + ('a' - 'A')) : c;
    };
    if (text[begin] != '\'')
        return 0;
    switch (letter(1))
    {
    case 's':
    case 't':
    case 'm':
    case 'd':
        return 2;
    case 'r':
    case 'v':
        return letter(2) == 'e' ? 3 : 0;
    case 'l':
        return letter(2) == 'l' ? 3 : 0;
    default:
        // The long s (U+017F) is an s where case does not matter.
        return anyCase && text.substr(begin + 1, 2) == "\xC5\xBF" ? 3 : 0;
    }
}

/// The end of the white space that begins at the cursor, as `\s+(?!\S)|\s+` takes it: the last
/// character is left to the word that follows, unless it is the only one.
std::size_t blankEnd(Cursor cursor)
{
    const std::size_t begin = cursor.at;
    std::size_t last = begin;
    while (isBlank(cursor.kind))
    {
        last = cursor.at;
        cursor.advance();
    }
    return cursor.kind == Kind::End || last == begin ? cursor.at : last;
}

/// `\s*[\r\n]+`: up to the last line end of the white space that begins here, or nothing.
std::optional<std::size_t> lastLineEnd(Cursor cursor)
{
    std::optional<std::size_t> end;
    while (isBlank(cursor.kind))
    {
        const bool isNewline = cursor.kind == Kind::Newline;
        cursor.advance();
        if (isNewline)
            end = cursor.at;
    }
    return end;
}

std::size_t gpt2End(std::string_view text, std::size_t begin)
{
    if (const std::size_t size = contractionSize(text, begin, false); size > 0)
        return begin + size;
    Cursor cursor(text, begin);
    if (text[begin] == ' ')
        cursor.advance();
    if (cursor.kind == Kind::End || isBlank(cursor.kind))
        return blankEnd(Cursor(text, begin));
    cursor.skip(cursor.kind);
    return cursor.at;
}

std::size_t llama3End(std::string_view text, std::size_t begin, int maxDigits)
{
    if (const std::size_t size = contractionSize(text, begin, true); size > 0)
        return begin + size;
    Cursor cursor(text, begin);
    const Kind first = cursor.kind;
    if (first == Kind::Number)
    {
        for (int i = 0; i < maxDigits && cursor.kind == Kind::Number; ++i)
            cursor.advance();
        return cursor.at;
    }
    if (first == Kind::Letter)
    {
        cursor.skip(Kind::Letter);
        return cursor.at;
    }
    Cursor second = cursor;
    second.advance();
    if (first != Kind::Newline && second.kind == Kind::Letter)
    {
        second.skip(Kind::Letter);
        return second.at;
    }
    if (text[begin] == ' ' && second.kind == Kind::Other)
        cursor = second;
    if (cursor.kind == Kind::Other)
    {
        cursor.skip(Kind::Other);
        cursor.skip(Kind::Newline);
        return cursor.at;
    }
    if (const auto end = lastLineEnd(cursor))
        return *end;
    return blankEnd(cursor);
}

} // namespace

std::string_view wordPatternText(WordPattern pattern)
{
    switch (pattern)
    {
    case WordPattern::Gpt2:
        return kGpt2Words;
    case WordPattern::Llama3:
        return kLlama3Words;
    case WordPattern::Qwen2:
        break;
    }
    return kQwen2Words;
}

std::optional<WordPattern> wordPatternFromText(std::string_view text)
{
    for (const WordPattern pattern : {WordPattern::Gpt2, WordPattern::Llama3, WordPattern::Qwen2})
    {
        if (wordPatternText(pattern) == text)
            return pattern;
    }
    return std::nullopt;
}

std::size_t wordEnd(WordPattern pattern, std::string_view text, std::size_t begin)
{
    switch (pattern)
    {
    case WordPattern::Gpt2:
        return gpt2End(text, begin);
    case WordPattern::Llama3:
        return llama3End(text, begin, 3);
    case WordPattern::Qwen2:
        break;
    }
    return llama3End(text, begin, 1);
}

} // namespace headscope::tokenize
