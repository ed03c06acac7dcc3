// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <string_view>

namespace headscope
{

/// The ending of a word that is counted: fmt::format("{} head{}", heads, plural(heads)).
[[nodiscard]] constexpr std::string_view plural(std::int64_t count)
{
    return count == 1 ? "" : "s";
}

} // namespace headscope
