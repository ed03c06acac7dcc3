// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

namespace headscope
{

/// Where a text stops being JSON.
struct JsonFault
{
    std::size_t byte = 0; ///< from 0
    std::string found;    ///< what stands there, for people: "'}'", "byte 0x0a", "the end of the text"
};

/// The first place where a text cannot be JSON; none when all of it is.
/// @cost a slow parser's: for texts that the fast one has refused
[[nodiscard]] std::optional<JsonFault> findJsonFault(std::string_view text);

} // namespace headscope
