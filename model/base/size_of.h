// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <cstdint>

namespace headscope
{

/// A count or an index, which are signed here, as containers of the standard library take it.
[[nodiscard]] constexpr std::size_t sizeOf(std::int64_t count)
{
    return static_cast<std::size_t>(count);
}

} // namespace headscope
