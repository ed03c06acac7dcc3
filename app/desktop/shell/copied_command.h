// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace headscope::desktop
{

class Study;

/// Documents as `--documents` takes them: "0-99,120".
/// @param documents  rows from 0, ascending
[[nodiscard]] std::string documentRows(const std::vector<std::int64_t>& documents);

/// The chosen heads as `--heads` takes them; empty where all are.
[[nodiscard]] std::string chosenHeads(const Study& study);

} // namespace headscope::desktop
