// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/desktop/shell/study.h"

#include <QString>

#include <functional>

namespace headscope::desktop
{

/// The file or folder of the model that made the open cache; "" where it is not known, or nothing is open.
[[nodiscard]] QString modelOfCache(const Study& study);

/// Asks the user for the model that made the open cache, and remembers it.
/// @param then  the model is chosen; a cache is open
void askModelOfCache(Study& study, std::function<void(const QString& path)> then);

} // namespace headscope::desktop
