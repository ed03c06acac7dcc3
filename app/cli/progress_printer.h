// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "model/base/job_context.h"

#include <iosfwd>
#include <string_view>

namespace headscope::cli
{

/// Where reports of a job go: "json" one object a line, "off" nowhere, "auto" one line that changes
/// where stderr is a terminal, else nowhere.
[[nodiscard]] ProgressSink makeProgressSink(std::string_view mode, std::ostream& err, bool terminal);

/// Ends the changing line of "auto" before something else is printed.
void clearProgressLine(std::string_view mode, std::ostream& err, bool terminal);

} // namespace headscope::cli
