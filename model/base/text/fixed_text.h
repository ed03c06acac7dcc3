// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>

namespace headscope
{

/// A finite number with this many decimals. What rounds to zero has no minus sign.
[[nodiscard]] std::string fixedText(double value, int decimals);
/// The same of a change: "+0.12", "-0.12"; "0.00", which has no sign.
[[nodiscard]] std::string signedText(double value, int decimals);
/// With how many decimals numbers that lie so far apart differ from each other: two, and up to four where they lie
/// close together.
[[nodiscard]] int decimalsOfExtent(double extent);

} // namespace headscope
