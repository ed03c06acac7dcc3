// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/theme/theme.h"

#include <QString>

namespace headscope::ui
{

/// The part of the look that Fusion's palette cannot express: flat controls 26 px high, hairlines,
/// tabs that join their page.
[[nodiscard]] QString styleSheet(const Colors& colors, bool dark);

} // namespace headscope::ui
