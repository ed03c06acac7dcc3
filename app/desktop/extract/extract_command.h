// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/commands/command_line.h"
#include "app/commands/extract_command.h"
#include "model/base/result.h"

namespace headscope::ui
{
struct ExtractRequest;
} // namespace headscope::ui

namespace headscope::desktop
{

using ExtractLine = commands::CommandLine<commands::ExtractCommand>;

/// What `headscope-engine extract` is given for a request, and what stands in the command line that does the same.
/// @param threads  for a request that says nothing of them
/// @errors WrongUse: the request's options are not those of the command
[[nodiscard]] Result<ExtractLine> extractLine(const ui::ExtractRequest& request, int threads);

} // namespace headscope::desktop
