// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/commands/command_line.h"
#include "app/commands/extract_command.h"
#include "model/base/result.h"

#include <functional>

namespace headscope::ui
{
struct ExtractRequest;
} // namespace headscope::ui

namespace headscope::desktop
{

using ExtractLine = commands::CommandLine<commands::ExtractCommand>;

/// What the dialog's options are made from: those of the command, with a seed that is of the sample alone.
[[nodiscard]] std::function<void(Fields&)> extractFields();

/// The command line of a request: headscope-engine is started with it, and "Copy as command line" gives it.
/// @param threads  used where the request names none
/// @errors WrongUse: the request's options are not those of the command
[[nodiscard]] Result<ExtractLine> extractLine(const ui::ExtractRequest& request, int threads);

} // namespace headscope::desktop
