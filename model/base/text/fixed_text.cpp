// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/base/text/fixed_text.h"

#include <fmt/format.h>

namespace headscope
{

std::string fixedText(double value, int decimals)
{
    std::string text = fmt::format("{:.{}f}", value, decimals);
    if (text.starts_with('-') && text.find_first_not_of("-0.") == std::string::npos)
        text.erase(0, 1);
    return text;
}

std::string signedText(double value, int decimals)
{
    const std::string text = fixedText(value, decimals);
    return text.find_first_not_of("-0.") == std::string::npos || text.starts_with('-') ? text : "+" + text;
}

int decimalsOfExtent(double extent)
{
    constexpr int kLeast = 2;
    constexpr int kMost = 4;
    int decimals = kLeast;
    for (double unit = 0.2; decimals < kMost && extent < unit; unit /= 10)
        ++decimals;
    return decimals;
}

} // namespace headscope
