// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace headscope
{

/// The pieces of "a,b,c" between its separators, empty ones too; none for an empty text.
[[nodiscard]] std::vector<std::string> splitText(std::string_view text, char separator);

} // namespace headscope
