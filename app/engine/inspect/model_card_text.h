// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/engine/opened_model.h"

#include <cstdint>
#include <string>

namespace headscope::engine
{

/// What `inspect MODEL --json` prints (app/INTERFACE.md, section 5), with the end of line.
[[nodiscard]] std::string modelCardJson(const OpenedModel& model);

/// The same for people: one fact a line.
[[nodiscard]] std::string modelCardText(const OpenedModel& model);

} // namespace headscope::engine
