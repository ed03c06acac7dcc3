// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QByteArray>

#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace headscope::test
{

/// The units of a double array, and the replacements behind it.
struct CharsmapParts
{
    std::vector<std::uint32_t> units;
    std::string replacements;
};

/// A table as simple as can be: the children of each node have a block of 256 units of their own.
inline CharsmapParts charsmapParts(const std::map<std::string, std::string>& replacements)
{
    CharsmapParts parts;
    std::map<std::string, std::size_t> blocks{{"", 0}}; // the first unit of each node's block
    const auto blockOf = [&](const std::string& node) {
        return blocks.try_emplace(node, blocks.size() * 256).first->second;
    };
    for (const auto& [key, value] : replacements)
        for (std::size_t size = 1; size <= key.size(); ++size)
            blockOf(key.substr(0, size));
    parts.units.assign(blocks.size() * 256, 0);
    for (const auto& [node, block] : blocks)
    {
        if (node.empty())
            continue;
        const auto byte = static_cast<unsigned char>(node.back());
        const std::size_t at = blocks.at(node.substr(0, node.size() - 1)) ^ byte;
        parts.units[at] |= static_cast<std::uint32_t>((at ^ block) << 10) | byte;
    }
    for (const auto& [key, value] : replacements)
    {
        const std::size_t parent = blocks.at(key.substr(0, key.size() - 1));
        parts.units[parent ^ static_cast<unsigned char>(key.back())] |= 1U << 8;
        parts.units[blocks.at(key)] = (1U << 31) | static_cast<std::uint32_t>(parts.replacements.size());
        parts.replacements += value + '\0';
    }
    return parts;
}

/// A charsmap as tokenizer.json holds it, in base64.
inline QByteArray charsmapTable(const CharsmapParts& parts)
{
    QByteArray bytes;
    const auto append = [&](std::uint32_t value) {
        for (int shift = 0; shift < 32; shift += 8)
            bytes.push_back(static_cast<char>((value >> shift) & 0xFF));
    };
    append(static_cast<std::uint32_t>(parts.units.size() * 4));
    for (const std::uint32_t unit : parts.units)
        append(unit);
    bytes += QByteArray::fromStdString(parts.replacements);
    return bytes.toBase64();
}

inline QByteArray charsmapTable(const std::map<std::string, std::string>& replacements)
{
    return charsmapTable(charsmapParts(replacements));
}

} // namespace headscope::test
