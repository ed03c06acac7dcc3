// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string_view>

namespace headscope
{

/// The order in which people look for ids and labels: runs of digits by their value, "doc-9" before "doc-10", all else
/// by its bytes. Texts alike but for zeros before a number: the one with fewer first.
/// @return  below 0: `one` comes first; above 0: `other` does
[[nodiscard]] int naturalOrder(std::string_view one, std::string_view other);

/// The same for sets, maps and sorting: categories of label columns are in this order.
struct NaturalLess
{
    using is_transparent = void;
    bool operator()(std::string_view one, std::string_view other) const { return naturalOrder(one, other) < 0; }
};

} // namespace headscope
