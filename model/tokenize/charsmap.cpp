// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/tokenize/charsmap.h"

#include "model/base/utf8.h"

#include <fmt/format.h>

#include <cstddef>

namespace headscope::tokenize
{
namespace
{

constexpr std::size_t kMaxUnits = std::size_t{1} << 20; ///< the table of all of NFKC has 44,800

Error badTable(std::string message)
{
    return {ErrorCode::BadFormat, std::move(message), {}, {}};
}

int valueOfBase64(char c)
{
    if (c >= 'A' && c <= 'Z')
        return c - 'A';
    if (c >= 'a' && c <= 'z')
        return c - 'a' + 26;
    if (c >= '0' && c <= '9')
        return c - '0' + 52;
    return c == '+' ? 62 : c == '/' ? 63 : -1;
}

/// The bytes that padded base64 stands for; nothing when it is none (RFC 4648, section 4).
std::optional<std::string> bytesOfBase64(std::string_view text)
{
    if (text.size() % 4 != 0)
        return std::nullopt;
    const std::size_t padding = text.ends_with("==") ? 2 : text.ends_with('=') ? 1 : 0;
    std::string bytes;
    bytes.reserve(text.size() / 4 * 3);
    std::uint32_t bits = 0;
    for (std::size_t i = 0; i < text.size(); ++i)
    {
        const int value = i + padding < text.size() ? valueOfBase64(text[i]) : 0;
        if (value < 0)
            return std::nullopt;
        bits = (bits << 6) | static_cast<std::uint32_t>(value);
        if (i % 4 != 3)
            continue;
        for (const int shift : {16, 8, 0})
            bytes.push_back(static_cast<char>((bits >> shift) & 0xFF));
        bits = 0;
    }
    bytes.erase(bytes.size() - padding);
    return bytes;
}

std::uint32_t littleEndian(std::string_view bytes, std::size_t at)
{
    std::uint32_t value = 0;
    for (std::size_t i = 0; i < 4; ++i)
        value |= static_cast<std::uint32_t>(static_cast<unsigned char>(bytes[at + i])) << (8 * i);
    return value;
}

// A unit: the byte that leads to it, whether a replacement is below it, and where its children are; or the place of a
// replacement, with the highest bit set.

std::uint32_t labelOf(std::uint32_t unit)
{
    return unit & ((std::uint32_t{1} << 31) | 0xFF);
}

bool hasLeaf(std::uint32_t unit)
{
    return ((unit >> 8) & 1) != 0;
}

/// Where the children of a unit are: at this, exclusive or their byte. Its replacement is at the byte 0.
std::size_t childrenOf(std::size_t at, std::uint32_t unit)
{
    return at ^ (std::size_t{unit >> 10} << ((unit & (1U << 9)) >> 6));
}

std::size_t placeOf(std::uint32_t leaf)
{
    return leaf & ~(std::uint32_t{1} << 31);
}

} // namespace

Result<Charsmap> Charsmap::fromBase64(std::string_view text)
{
    const auto bytes = bytesOfBase64(text);
    if (!bytes)
        return badTable("expected base64, found something else");
    return fromBytes(*bytes);
}

Result<Charsmap> Charsmap::fromBytes(std::string_view bytes)
{
    constexpr std::size_t kUnit = sizeof(std::uint32_t);
    const std::size_t size = bytes.size() < kUnit ? 0 : littleEndian(bytes, 0);
    if (size == 0 || size % kUnit != 0 || size > bytes.size() - kUnit)
    {
        return badTable(fmt::format("expected the size of a double array within {} bytes, a multiple of 4, found {}",
                                    bytes.size(), size));
    }
    if (size / kUnit > kMaxUnits)
        return Error{ErrorCode::Unsupported,
                     fmt::format("expected a table of at most {} units, found {}", kMaxUnits, size / kUnit),
                     {},
                     {}};
    Charsmap map;
    map.m_units.resize(size / kUnit);
    for (std::size_t i = 0; i < map.m_units.size(); ++i)
        map.m_units[i] = littleEndian(bytes, kUnit * (i + 1));
    map.m_replacements = bytes.substr(kUnit + size);
    if (!isValidUtf8(map.m_replacements))
        return badTable("expected replacements in UTF-8, found bytes that are not UTF-8");
    HEADSCOPE_CHECK(map.check());
    return map;
}

/// Visits every unit that a text can lead to, once, so that find() need not ask where it is led.
Status Charsmap::check() const
{
    std::vector<bool> seen(m_units.size(), false);
    std::vector<std::size_t> left{0};
    seen[0] = true;
    while (!left.empty())
    {
        const std::size_t at = left.back();
        left.pop_back();
        const std::size_t children = childrenOf(at, m_units[at]);
        if (at != 0 && hasLeaf(m_units[at]))
            HEADSCOPE_CHECK(checkReplacement(children));
        for (std::size_t byte = 1; byte < 256; ++byte)
        {
            const std::size_t child = children ^ byte;
            if (child >= m_units.size())
                return badTable(
                    fmt::format("expected children of unit {} among {} units, found {}", at, m_units.size(), child));
            if (labelOf(m_units[child]) != byte || seen[child])
                continue;
            seen[child] = true;
            left.push_back(child);
        }
    }
    return {};
}

Status Charsmap::checkReplacement(std::size_t leaf) const
{
    const std::size_t place = leaf < m_units.size() ? placeOf(m_units[leaf]) : m_replacements.size();
    const bool atCharacter =
        place < m_replacements.size() && (static_cast<unsigned char>(m_replacements[place]) & 0xC0) != 0x80;
    if (atCharacter)
        return {};
    return badTable(
        fmt::format("expected a replacement that begins within {} bytes, found byte {}", m_replacements.size(), place));
}

std::optional<std::string_view> Charsmap::find(std::string_view text) const
{
    std::size_t children = childrenOf(0, m_units[0]);
    for (const char c : text)
    {
        const auto byte = static_cast<unsigned char>(c);
        if (byte == 0)
            break;
        const std::size_t at = children ^ byte;
        if (labelOf(m_units[at]) != byte)
            break;
        children = childrenOf(at, m_units[at]);
        if (!hasLeaf(m_units[at]))
            continue;
        const std::string_view found = std::string_view(m_replacements).substr(placeOf(m_units[children]));
        return found.substr(0, found.find('\0'));
    }
    return std::nullopt;
}

} // namespace headscope::tokenize
