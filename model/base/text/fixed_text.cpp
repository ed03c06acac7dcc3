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

} // namespace headscope
