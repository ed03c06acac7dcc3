// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/formats/json_repair.h"

#include "model/base/utf8.h"

#include <optional>

namespace headscope
{
namespace
{

std::size_t countReplacements(std::string_view text)
{
    std::size_t count = 0;
    for (auto at = text.find(kReplacementCharacter); at != std::string_view::npos;
         at = text.find(kReplacementCharacter, at + kReplacementCharacter.size()))
        ++count;
    return count;
}

/// The 16-bit value of "\uXXXX" at the start of `rest`.
std::optional<unsigned> unicodeEscape(std::string_view rest)
{
    if (rest.size() < 6 || rest[0] != '\\' || rest[1] != 'u')
        return std::nullopt;
    unsigned value = 0;
    for (const char digit : rest.substr(2, 4))
    {
        value <<= 4;
        if (digit >= '0' && digit <= '9')
            value += static_cast<unsigned>(digit - '0');
        else if (digit >= 'a' && digit <= 'f')
            value += static_cast<unsigned>(digit - 'a' + 10);
        else if (digit >= 'A' && digit <= 'F')
            value += static_cast<unsigned>(digit - 'A' + 10);
        else
            return std::nullopt;
    }
    return value;
}

bool isHighSurrogate(unsigned unit)
{
    return unit >= 0xD800 && unit < 0xDC00;
}

bool isLowSurrogate(unsigned unit)
{
    return unit >= 0xDC00 && unit < 0xE000;
}

bool isDigit(char c)
{
    return c >= '0' && c <= '9';
}

/// Whether the digits at `start` are the first of a number, and not its fraction or exponent.
bool beginsNumber(std::string_view json, std::size_t start)
{
    const auto isExponent = [&](std::size_t at) { return json[at] == 'e' || json[at] == 'E'; };
    if (start == 0)
        return true;
    const bool inside = json[start - 1] == '.' || json[start - 1] == '+' || isExponent(start - 1);
    return !inside && !(start > 1 && json[start - 1] == '-' && isExponent(start - 2));
}

} // namespace

RepairedText replaceInvalidUtf8(std::string_view bytes)
{
    RepairedText result;
    result.text = bytes;
    if (repairUtf8(result.text))
        result.repairs = countReplacements(result.text) - countReplacements(bytes);
    return result;
}

RepairedText replaceLoneSurrogateEscapes(std::string_view json)
{
    RepairedText result;
    result.text.reserve(json.size());
    while (!json.empty())
    {
        if (json[0] != '\\')
        {
            const auto run = json.substr(0, json.find('\\'));
            result.text.append(run);
            json.remove_prefix(run.size());
            continue;
        }
        std::size_t length = json.size() < 2 ? 1 : 2; // any other escape: the backslash and what it escapes
        bool lone = false;
        if (const auto unit = unicodeEscape(json))
        {
            length = 6;
            const auto next = isHighSurrogate(*unit) ? unicodeEscape(json.substr(6)) : std::nullopt;
            if (next && isLowSurrogate(*next))
                length = 12;
            else
                lone = isHighSurrogate(*unit) || isLowSurrogate(*unit);
        }
        if (lone)
        {
            result.text.append("\\ufffd");
            ++result.repairs;
        }
        else
            result.text.append(json.substr(0, length));
        json.remove_prefix(length);
    }
    return result;
}

RepairedText widenLargeIntegers(std::string_view json, std::vector<WrittenInteger>* integers)
{
    constexpr std::size_t kSafeDigits = 18; // any number of 18 digits fits into 64 bits
    RepairedText result;
    result.text.reserve(json.size() + 16);
    bool insideString = false;
    std::size_t numbers = 0;
    std::size_t i = 0;
    while (i < json.size())
    {
        const std::size_t start = i;
        if (insideString && json[i] == '\\')
            i += i + 1 < json.size() ? 2U : 1U;
        else if (json[i] == '"')
        {
            insideString = !insideString;
            ++i;
        }
        else if (!insideString && isDigit(json[i]))
        {
            while (i < json.size() && isDigit(json[i]))
                ++i;
            const bool floating = i < json.size() && (json[i] == '.' || json[i] == 'e' || json[i] == 'E');
            const bool isFirst = beginsNumber(json, start); // of up to three runs of digits
            result.text.append(json.substr(start, i - start));
            if (i - start > kSafeDigits && !floating && isFirst)
            {
                const std::size_t sign = start > 0 && json[start - 1] == '-' ? 1 : 0;
                if (integers != nullptr)
                    integers->push_back({numbers, std::string(json.substr(start - sign, i - start + sign))});
                result.text.append("e0");
                ++result.repairs;
            }
            numbers += isFirst ? 1 : 0;
            continue;
        }
        else
            ++i;
        result.text.append(json.substr(start, i - start));
    }
    return result;
}

} // namespace headscope
