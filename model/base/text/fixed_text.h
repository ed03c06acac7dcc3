// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>

namespace headscope
{

/// A finite number with this many decimals. What rounds to zero has no minus sign.
[[nodiscard]] std::string fixedText(double value, int decimals);

} // namespace headscope
