// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>

namespace headscope::ui
{

/// A number with this many decimals in the locale's digits, with a true minus sign; what rounds to zero has none.
[[nodiscard]] QString decimalText(double value, int decimals);

} // namespace headscope::ui
