// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "model/base/error.h"

#include <string>

namespace headscope::shell
{

/// What --json prints for a failure: {"error": {"code", "message", "file", "place"}}, one line without its end.
[[nodiscard]] std::string errorJson(const Error& error);

} // namespace headscope::shell
