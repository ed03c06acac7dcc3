// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/base/text/bytes_text.h"

#include <fmt/format.h>

#include <array>
#include <cstddef>
#include <string_view>

namespace headscope
{

std::string bytesText(std::uint64_t bytes)
{
    constexpr std::array<std::string_view, 5> kUnits = {"bytes", "kB", "MB", "GB", "TB"};
    if (bytes < 1000)
        return fmt::format("{} bytes", bytes);
    auto value = static_cast<double>(bytes);
    std::size_t unit = 0;
    while (value >= 999.5 && unit + 1 < kUnits.size())
    {
        value /= 1000;
        ++unit;
    }
    return fmt::format("{:.{}f} {}", value, value < 9.995 ? 2 : value < 99.95 ? 1 : 0, kUnits[unit]);
}

} // namespace headscope
