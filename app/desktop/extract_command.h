// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QStringList>

namespace headscope::ui
{
struct ExtractRequest;
} // namespace headscope::ui

namespace headscope::desktop
{

/// What `headscope-engine extract` is given for a request, and what stands in the command line that does the same.
/// @param threads  for a request that says nothing of them
[[nodiscard]] QStringList extractArguments(const ui::ExtractRequest& request, int threads);

} // namespace headscope::desktop
