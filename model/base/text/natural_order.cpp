// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/base/text/natural_order.h"

#include <algorithm>
#include <cstddef>

namespace headscope
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

int shorterFirst(std::string_view one, std::string_view other)
{
    if (one.size() != other.size())
        return one.size() < other.size() ? -1 : 1;
    return one.compare(other);
}

} // namespace

int naturalOrder(std::string_view one, std::string_view other)
{
    const std::string_view wholeOne = one;
    const std::string_view wholeOther = other;
    while (!one.empty() && !other.empty())
    {
        int order = 0;
        if (beginsWithDigit(one) && beginsWithDigit(other))
            order = shorterFirst(takeNumber(one), takeNumber(other));
        else
        {
            order = one.substr(0, 1).compare(other.substr(0, 1));
            one.remove_prefix(1);
            other.remove_prefix(1);
        }
        if (order != 0)
            return order;
    }
    if (one.size() != other.size())
        return one.size() < other.size() ? -1 : 1;
    return shorterFirst(wholeOne, wholeOther);
}

} // namespace headscope
