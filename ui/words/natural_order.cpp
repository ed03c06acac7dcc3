// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/words/natural_order.h"

#include <algorithm>
#include <cstddef>

namespace headscope::ui
{
namespace
{

bool beginsWithDigit(std::string_view text)
{
    return !text.empty() && text.front() >= '0' && text.front() <= '9';
}

/// Takes the digits a text begins with, and leaves out zeros before a number.
std::string_view takeNumber(std::string_view& text)
{
    const std::size_t end = std::min(text.find_first_not_of("0123456789"), text.size());
    std::string_view number = text.substr(0, end);
    text.remove_prefix(end);
    number.remove_prefix(std::min(number.find_first_not_of('0'), number.size()));
    return number;
}

} // namespace

std::strong_ordering naturalOrder(std::string_view one, std::string_view other)
{
    const std::string_view wholeOne = one;
    const std::string_view wholeOther = other;
    while (!one.empty() && !other.empty())
    {
        if (beginsWithDigit(one) && beginsWithDigit(other))
        {
            const std::string_view a = takeNumber(one);
            const std::string_view b = takeNumber(other);
            const auto order = a.size() != b.size() ? a.size() <=> b.size() : a <=> b;
            if (order != std::strong_ordering::equal)
                return order;
            continue;
        }
        const auto order = static_cast<unsigned char>(one.front()) <=> static_cast<unsigned char>(other.front());
        if (order != std::strong_ordering::equal)
            return order;
        one.remove_prefix(1);
        other.remove_prefix(1);
    }
    if (one.size() != other.size())
        return one.size() <=> other.size();
    return wholeOne.size() != wholeOther.size() ? wholeOne.size() <=> wholeOther.size() : wholeOne <=> wholeOther;
}

} // namespace headscope::ui
