// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "model/io/cache/cache_info.h"

#include <filesystem>
#include <string>
#include <vector>

namespace headscope::engine
{

/// The command of another range of the same run: its cache lies next to that of `command`, as "range_A-B.h5".
/// @param command  of one range, or of the whole run, as its cache or manifest has it
/// @return empty where the command cannot be read
[[nodiscard]] std::string commandOfRange(const std::string& command, DocumentRange range);

/// The command that makes in one run, without ranges, what merge makes of the caches of all ranges.
/// @param command  of one of them
/// @param output   of merge
[[nodiscard]] std::string commandOfWholeRun(const std::string& command, const std::string& output);

/// What nobody has made yet, and how to: a line with its command for each range.
[[nodiscard]] std::string missingText(const std::string& command, const std::vector<DocumentRange>& missing);

} // namespace headscope::engine
