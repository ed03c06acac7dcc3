// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>

namespace headscope::ui
{

/// A number with this many decimals in the locale's signs; what rounds to zero has no minus.
[[nodiscard]] QString decimalText(double value, int decimals);

} // namespace headscope::ui
