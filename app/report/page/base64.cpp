// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/report/page/base64.h"

#include <algorithm>
#include <cstdint>
#include <string_view>

namespace headscope::report
{

std::string base64(std::span<const std::byte> bytes)
{
    constexpr std::string_view kDigits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    std::string text;
    text.reserve((bytes.size() + 2) / 3 * 4);
    for (std::size_t at = 0; at < bytes.size(); at += 3)
    {
        const std::size_t count = std::min<std::size_t>(3, bytes.size() - at);
        std::uint32_t bits = 0;
        for (std::size_t i = 0; i < 3; ++i)
            bits = (bits << 8) | (i < count ? std::to_integer<std::uint32_t>(bytes[at + i]) : 0U);
        for (std::size_t digit = 0; digit < 4; ++digit)
            text += digit <= count ? kDigits[(bits >> (18 - 6 * digit)) & 63U] : '=';
    }
    return text;
}

} // namespace headscope::report
