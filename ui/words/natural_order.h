// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <compare>
#include <string_view>

namespace headscope::ui
{

/// The order in which people look for ids and labels: runs of digits by their value, "doc-9" before "doc-10", all else
/// by its bytes. Texts alike but for zeros before a number: the one with fewer first.
[[nodiscard]] std::strong_ordering naturalOrder(std::string_view one, std::string_view other);

} // namespace headscope::ui
