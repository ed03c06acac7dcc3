// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>

namespace headscope::ui
{

/// What stands where there is no number: "–".
[[nodiscard]] QString missingText();
/// A number with this many decimals in the locale's digits, with a true minus sign; what rounds to zero has
/// none. missingText() where it is not finite.
[[nodiscard]] QString decimalText(double value, int decimals);

} // namespace headscope::ui
