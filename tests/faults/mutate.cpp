// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/faults/mutate.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <string_view>
#include <vector>

namespace headscope::faults
{
namespace
{

constexpr std::array<std::uint64_t, 16> kLengths = {0,
                                                    1,
                                                    0x7f,
                                                    0xff,
                                                    0x7fff,
                                                    0xffff,
                                                    0x7fffffff,
                                                    0x80000000,
                                                    0xffffffff,
                                                    0x100000000,
                                                    0x7fffffffffffffff,
                                                    0x8000000000000000,
                                                    0xffffffffffffffff,
                                                    0xfffffffffffffff0,
                                                    0x2000000000000001,
                                                    std::uint64_t{1} << 40U};

/// What belongs into no text, or into none of people.
const std::array<std::string, 15>& strangeTexts()
{
    using namespace std::string_literals;
    static const std::array<std::string, 15> texts = {"\0"s,
                                                      "\x1b[31m"s,
                                                      "\x1b]0;title\x07"s,
                                                      "\xff\xfe"s,
                                                      "\xc0\x80"s,
                                                      "\xed\xa0\x80"s,
                                                      "\xef\xbb\xbf"s,
                                                      "\r"s,
                                                      "\x7f"s,
                                                      "\xc2\x9b"s,
                                                      "\xe2\x80\xae"s,
                                                      "=1+1"s,
                                                      std::string(70'000, 'a'),
                                                      "../../x"s,
                                                      "%2F"s};
    return texts;
}

const std::array<std::string, 34>& strangeValues()
{
    static const std::array<std::string, 34> values = {"null",
                                                       "true",
                                                       "false",
                                                       "-1",
                                                       "0",
                                                       "1",
                                                       "2",
                                                       "1e400",
                                                       "-1e400",
                                                       "1e-400",
                                                       "9223372036854775807",
                                                       "9223372036854775808",
                                                       "-9223372036854775808",
                                                       "18446744073709551616",
                                                       "2147483648",
                                                       "4294967296",
                                                       "1e308",
                                                       "0.5",
                                                       "-0",
                                                       "NaN",
                                                       "Infinity",
                                                       "\"\"",
                                                       "[]",
                                                       "{}",
                                                       "[[]]",
                                                       "[null]",
                                                       R"("\u0000")",
                                                       R"("\u001b[31m")",
                                                       R"("\ud800")",
                                                       R"("a/b")",
                                                       R"("..")",
                                                       R"({"": 0})",
                                                       R"([1, "a", null, {}])",
                                                       R"("7")"};
    return values;
}

/// A place, near the beginning more often than a uniform one: headers and tables are there.
std::size_t placeIn(const std::string& bytes, Random& random)
{
    constexpr std::array<std::size_t, 4> kReaches = {64, 1024, 16'384, std::string::npos};
    return random.below(std::min(bytes.size(), random.oneOf(kReaches)));
}

/// A place where a number of 8 bytes stands that could be a length; any place if none is found.
std::size_t lengthIn(const std::string& bytes, Random& random)
{
    for (int tries = 0; tries < 200 && bytes.size() > 8; ++tries)
    {
        const std::size_t at = std::min(placeIn(bytes, random), bytes.size() - 8);
        std::uint64_t value = 0;
        std::memcpy(&value, bytes.data() + at, 8);
        if (value > 0 && value <= 4 * bytes.size())
            return at;
    }
    return placeIn(bytes, random);
}

void changeLength(std::string& bytes, Random& random)
{
    std::uint64_t value = random.oneOf(kLengths);
    if (random.oneIn(3))
        value += random.below(17) - 8;
    const std::size_t at = lengthIn(bytes, random);
    constexpr std::array<std::size_t, 4> kWidths = {8, 8, 4, 2};
    std::memcpy(bytes.data() + at, &value, std::min(random.oneOf(kWidths), bytes.size() - at));
}

void changeBlock(std::string& bytes, Random& random)
{
    const std::size_t from = placeIn(bytes, random);
    const std::size_t to = placeIn(bytes, random);
    const std::size_t size = std::min(1 + random.below(random.oneIn(4) ? 4096 : 64), bytes.size() - std::max(from, to));
    switch (random.below(5))
    {
    case 0:
        bytes.replace(to, size, size, '\0');
        break;
    case 1:
        bytes.replace(to, size, size, '\xff');
        break;
    case 2:
        bytes.erase(to, size);
        break;
    case 3:
        bytes.insert(to, bytes.substr(from, size));
        break;
    default:
        bytes.replace(to, size, bytes.substr(from, size));
        break;
    }
}

void changeOnce(std::string& bytes, Random& random)
{
    if (bytes.empty())
        return;
    switch (random.below(10))
    {
    case 0:
    case 1:
    case 2:
        bytes[placeIn(bytes, random)] ^= static_cast<char>(1U << random.below(8));
        break;
    case 3:
        bytes[placeIn(bytes, random)] = static_cast<char>(random.next());
        break;
    case 4:
    case 5:
    case 6:
        changeLength(bytes, random);
        break;
    case 7:
    case 8:
        changeBlock(bytes, random);
        break;
    default:
        if (random.oneIn(3))
            bytes.resize(random.below(bytes.size()));
        else
            bytes.insert(placeIn(bytes, random), random.oneOf(strangeTexts()));
    }
}

/// Where a value of JSON stands, and the key before it, if it has one.
struct Value
{
    std::size_t key = std::string::npos; ///< npos: an element or the whole
    std::size_t begin = 0;
    std::size_t end = 0;
};

std::size_t endOfString(std::string_view text, std::size_t at)
{
    for (++at; at < text.size() && text[at] != '"'; ++at)
        at += text[at] == '\\' ? 1 : 0;
    return std::min(at + 1, text.size());
}

/// Every value of a text that was JSON once, in the order of their ends.
std::vector<Value> valuesIn(std::string_view text)
{
    constexpr std::string_view kBlank = " \t\r\n";
    constexpr std::string_view kEnds = " \t\r\n,:]}[{\"";
    std::vector<Value> values;
    std::vector<Value> open; // containers
    std::size_t key = std::string::npos;
    const auto take = [&](std::size_t begin, std::size_t end) {
        values.push_back({key, begin, end});
        key = std::string::npos;
    };
    for (std::size_t at = 0; at < text.size();)
    {
        if (text[at] == '{' || text[at] == '[')
        {
            open.push_back({key, at++, 0});
            key = std::string::npos;
        }
        else if ((text[at] == '}' || text[at] == ']') && !open.empty())
        {
            key = open.back().key;
            take(open.back().begin, ++at);
            open.pop_back();
        }
        else if (text[at] == '"')
        {
            const std::size_t end = endOfString(text, at);
            const std::size_t after = text.find_first_not_of(kBlank, end);
            if (after != std::string_view::npos && text[after] == ':')
                key = at;
            else
                take(at, end);
            at = end;
        }
        else if (kEnds.find(text[at]) == std::string_view::npos)
        {
            const std::size_t end = std::min(text.find_first_of(kEnds, at), text.size());
            take(at, end);
            at = end;
        }
        else
            ++at;
    }
    return values;
}

std::string deepNesting(Random& random)
{
    constexpr std::array<std::size_t, 3> kDepths = {100, 5000, 200'000};
    const std::size_t depth = random.oneOf(kDepths);
    if (random.oneIn(2))
        return std::string(depth, '[') + std::string(depth, ']');
    std::string text;
    for (std::size_t i = 0; i < depth; ++i)
        text += "{\"a\":";
    return text + "1" + std::string(depth, '}');
}

/// Without a value, its key, and one comma beside it.
void removeValue(std::string& text, const Value& value)
{
    const std::size_t begin = std::min(value.key, value.begin);
    const std::size_t after = text.find_first_not_of(" \t\r\n", value.end);
    if (after != std::string::npos && text[after] == ',')
        text.erase(begin, after + 1 - begin);
    else
        text.erase(begin, value.end - begin);
}

void insertInString(std::string& text, const Value& value, Random& random)
{
    const bool inKey = value.key != std::string::npos && random.oneIn(3);
    const std::size_t begin = inKey ? value.key : value.begin;
    if (text[begin] != '"')
        return changeOnce(text, random);
    const std::size_t end = endOfString(text, begin);
    constexpr std::array<std::string_view, 5> kEscaped = {R"(\u0000)", R"(\u001b[31m)", R"(\ud800)", R"(\u009b)",
                                                          R"(\n)"};
    const std::string what = random.oneIn(2) ? std::string(random.oneOf(kEscaped)) : random.oneOf(strangeTexts());
    text.insert(begin + 1 + random.below(end - begin - 1), what);
}

void changeJsonOnce(std::string& text, Random& random)
{
    const std::vector<Value> values = valuesIn(text);
    if (values.empty() || random.oneIn(10))
        return changeOnce(text, random);
    // A long list of words hides the few members above it: those are more often chosen.
    Value value = random.oneOf(values);
    for (int tries = 0; tries < 20 && value.key == std::string::npos && !random.oneIn(4); ++tries)
        value = random.oneOf(values);
    const std::size_t begin = std::min(value.key, value.begin);
    switch (random.below(10))
    {
    case 0:
        removeValue(text, value);
        break;
    case 1:
        text.insert(begin, text.substr(begin, value.end - begin) + ", ");
        break;
    case 2:
        text.insert(begin, text.substr(begin, value.begin - begin) + random.oneOf(strangeValues()) + ", ");
        break;
    case 3:
    {
        const Value other = random.oneOf(values);
        text.replace(value.begin, value.end - value.begin, text.substr(other.begin, other.end - other.begin));
        break;
    }
    case 4:
        insertInString(text, value, random);
        break;
    case 5:
        if (random.oneIn(6))
        {
            text.replace(value.begin, value.end - value.begin, deepNesting(random));
            break;
        }
        [[fallthrough]];
    default:
        text.replace(value.begin, value.end - value.begin, random.oneOf(strangeValues()));
        break;
    }
}

void changeLinesOnce(std::string& text, Random& random)
{
    constexpr std::array<std::string_view, 9> kPieces = {"\"", ",", ";", "\t", "\n", "\r\n", "\\", "=", "\n\n"};
    if (text.empty())
        return;
    const std::size_t at = random.below(text.size());
    const std::size_t begin = at == 0 ? 0 : text.rfind('\n', at - 1) + 1; // npos + 1 is 0
    const std::size_t end = std::min(text.find('\n', at), text.size() - 1) + 1;
    switch (random.below(6))
    {
    case 0:
        text.erase(begin, end - begin);
        break;
    case 1:
        text.insert(begin, text.substr(begin, end - begin));
        break;
    case 2:
        text.insert(at, random.oneOf(kPieces));
        break;
    case 3:
        text.insert(at, random.oneOf(strangeTexts()));
        break;
    case 4:
        text.insert(at, random.oneOf(strangeValues()));
        break;
    default:
        changeOnce(text, random);
        break;
    }
}

template <class Change>
std::string changed(std::string text, Random& random, Change change)
{
    const std::string before = text;
    for (int tries = 0; tries < 10 && text == before; ++tries)
        for (std::size_t left = 1 + (random.oneIn(2) ? 0 : random.below(4)); left > 0; --left)
            change(text, random);
    return text;
}

} // namespace

std::string mutateBytes(const std::string& bytes, Random& random)
{
    return changed(bytes, random, changeOnce);
}

std::string mutateJson(const std::string& text, Random& random)
{
    return changed(text, random, changeJsonOnce);
}

std::string mutateLines(const std::string& text, Random& random)
{
    return changed(text, random, changeLinesOnce);
}

std::string mutateSafetensors(const std::string& bytes, Random& random)
{
    std::uint64_t length = 0;
    if (bytes.size() < 8 || random.oneIn(3))
        return mutateBytes(bytes, random);
    std::memcpy(&length, bytes.data(), 8);
    const std::string data = bytes.substr(8 + length);
    const std::string header = mutateJson(bytes.substr(8, length), random);
    length = header.size();
    std::string result(8, '\0');
    std::memcpy(result.data(), &length, 8);
    return result + header + data;
}

std::string mutateNpy(const std::string& bytes, Random& random)
{
    constexpr std::size_t kBegin = 10; // magic, version and the header's length
    constexpr std::array<std::string_view, 22> kTypes = {"<f4",
                                                         "<f8",
                                                         "<f2",
                                                         ">f4",
                                                         "<i4",
                                                         "<i8",
                                                         "|b1",
                                                         "|O",
                                                         "<U4",
                                                         "<c8",
                                                         "|V2",
                                                         "<f16",
                                                         "(24, 16)",
                                                         "(0, 16)",
                                                         "(16,)",
                                                         "()",
                                                         "(-1, 16)",
                                                         "(4294967296, 4294967296)",
                                                         "(99999999999999999999, 16)",
                                                         "(24, 0)",
                                                         "True",
                                                         "(1, 2, 3)"};
    const std::size_t end = bytes.find('\n', kBegin);
    if (end == std::string::npos || random.oneIn(3))
        return mutateBytes(bytes, random);
    std::string header = bytes.substr(kBegin, end - kBegin);
    const std::size_t size = header.size();
    const std::size_t at = random.below(header.size());
    const std::size_t quote = header.find_first_of("'(", at);
    if (quote != std::string::npos && random.oneIn(2))
        header.replace(quote, header.find_first_of("')", quote + 1) + 1 - quote, random.oneOf(kTypes));
    else
        header = mutateLines(header, random);
    header.resize(std::max(size, std::min<std::size_t>(header.size(), 60'000)), ' ');
    std::string start = bytes.substr(0, kBegin);
    start[8] = static_cast<char>((header.size() + 1) & 0xffU);
    start[9] = static_cast<char>((header.size() + 1) >> 8U);
    return start + header + bytes.substr(end);
}

std::string withoutSeal(const std::string& bytes)
{
    const std::size_t footer = bytes.rfind("HSSEAL1 ");
    const std::size_t body = footer == std::string::npos ? footer : bytes.rfind("size=", footer);
    return body == std::string::npos ? bytes : bytes.substr(0, body);
}

} // namespace headscope::faults
