// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/tokenize/byte_level.h"

#include "model/base/utf8.h"

#include <array>

namespace headscope::tokenize
{
namespace
{

constexpr bool standsForItself(unsigned byte)
{
    return (byte >= 33 && byte <= 126) || (byte >= 161 && byte <= 172) || (byte >= 174 && byte <= 255);
}

constexpr std::array<char16_t, 256> makeCharacters()
{
    std::array<char16_t, 256> characters{};
    char16_t next = 256;
    for (unsigned byte = 0; byte < 256; ++byte)
        characters[byte] = standsForItself(byte) ? static_cast<char16_t>(byte) : next++;
    return characters;
}

constexpr std::array<char16_t, 256> kCharacters = makeCharacters();
constexpr char32_t kLastCharacter = 256 + 67;

/// For each character up to the last: its byte, or -1.
constexpr std::array<std::int16_t, kLastCharacter + 1> makeBytes()
{
    std::array<std::int16_t, kLastCharacter + 1> bytes{};
    for (auto& byte : bytes)
        byte = -1;
    for (std::size_t byte = 0; byte < 256; ++byte)
        bytes[kCharacters[byte]] = static_cast<std::int16_t>(byte);
    return bytes;
}

constexpr auto kBytes = makeBytes();

} // namespace

char32_t byteLevelCharacter(unsigned char byte)
{
    return kCharacters[byte];
}

std::optional<unsigned char> byteLevelByte(char32_t character)
{
    if (character > kLastCharacter || kBytes[character] < 0)
        return std::nullopt;
    return static_cast<unsigned char>(kBytes[character]);
}

void appendByteLevel(std::string& text, std::string_view bytes)
{
    for (const char c : bytes)
    {
        const char32_t character = kCharacters[static_cast<unsigned char>(c)];
        if (character < 0x80)
        {
            text.push_back(c);
        }
        else
        {
            text.push_back(static_cast<char>(0xC0 | (character >> 6)));
            text.push_back(static_cast<char>(0x80 | (character & 0x3F)));
        }
    }
}

std::string bytesFromByteLevel(std::string_view text)
{
    std::string bytes;
    bytes.reserve(text.size());
    for (std::size_t i = 0; i < text.size();)
    {
        const Utf8Character c = utf8At(text, i);
        if (const auto byte = byteLevelByte(c.codePoint))
            bytes.push_back(static_cast<char>(*byte));
        else
            bytes.append(text.substr(i, c.size));
        i += c.size;
    }
    return bytes;
}

} // namespace headscope::tokenize
